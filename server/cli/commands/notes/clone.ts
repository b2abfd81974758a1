/** `tiding notes clone`: copies a note. */
import { checkNotePath, normalizePath } from '@tiding/client/model';
import { command, wrongUsage } from '../../command.ts';
import { connectionOptions, findNote, printNote, SECRETS, withClient } from '../../connection.ts';
import { EXIT } from '../../exit.ts';

export default command({
  summary: 'Copy a note with its results and files, and print the id of the copy',
  argument: ['<note> <path>', ['id or full path of the note', 'full path of the copy']],
  options: {
    json: { help: 'print one JSON object: {"id", "path"}' },
    ...connectionOptions,
  },
  details: ['A path that another note has is refused.', SECRETS],
  examples: [['tiding notes clone nightly "Archive/nightly 2026"', 'keep the present state']],
  run: ({ io, values, args: [name = '', path = ''], terminal }) => {
    const problem = normalizePath(path) === '' ? 'it is empty' : checkNotePath(path);
    if (problem) throw wrongUsage(`the path '${path}' is not valid: ${problem}`, 'notes clone');
    return withClient({ io, values }, async (client) => {
      const { id } = await findNote(client, name);
      await printNote(client, await client.notes.clone(id, path), 'created', values, terminal);
      return EXIT.done;
    });
  },
});
