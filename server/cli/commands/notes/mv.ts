/** `tiding notes mv`: moves or renames notes. */
import { normalizePath } from '@tiding/client/model';
import { wrongUsage } from '../../command.ts';
import { checkPath, clientCommand, findNotes } from '../../connection.ts';
import { CommandError, EXIT } from '../../exit.ts';

export default clientCommand({
  summary: 'Move or rename a note, or move several notes into a folder',
  argument: [
    '<note> <others...>',
    ['id or full path of a note', 'more notes, and last the new path; a folder ends in /'],
  ],
  options: {
    json: { help: 'print one JSON object per note: {"id", "path"}' },
  },
  details: ['All notes are looked up before the first one moves. Ids stay the same.'],
  examples: [
    ['tiding notes mv nightly "Reports/Nightly"', 'rename a note'],
    ['tiding notes mv a b c Archive/', 'move three notes into a folder'],
  ],
  run: ({ connect, values, args, terminal }) => {
    const names = args.slice(0, -1);
    const target = args.at(-1) ?? '';
    const isFolder = target.endsWith('/');
    if (!isFolder) checkPath(target, 'notes mv');
    if (names.length > 1 && !isFolder)
      throw wrongUsage('several notes need a folder: a path that ends in /', 'notes mv');
    return connect(async (client) => {
      for (const { id, path } of await findNotes(client, names)) {
        const own = path.slice(path.lastIndexOf('/') + 1);
        const to = normalizePath(isFolder ? `${target}/${own}` : target);
        if ((await client.notes.list()).some((other) => other.path === to && other.id !== id))
          throw new CommandError(EXIT.failed, `there is already a note '${to}'`);
        await client.notes.rename(id, to);
        if (values.json) await terminal.line(JSON.stringify({ id, path: to }));
        else terminal.status(`moved ${path} to ${to}`);
      }
    });
  },
});
