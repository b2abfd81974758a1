/** `tiding notes restore`: moves notes out of the trash. */
import { isTrashed, restoredPath } from '@tiding/client/model';
import { clientCommand, findNote, printNote } from '../../connection.ts';
import { CommandError, EXIT } from '../../exit.ts';

export default clientCommand({
  summary: 'Restore notes from the trash',
  argument: ['<note...>', 'ids, or paths with or without ~Trash/'],
  options: {
    json: { help: 'print one JSON object per note: {"id", "path"}' },
  },
  details: ["'tiding notes --all' lists the notes in the trash."],
  examples: [['tiding notes restore nightly', 'bring a note back to its folder']],
  run: ({ connect, values, args, terminal }) =>
    connect(async (client) => {
      const all = await client.notes.list();
      const notes = [];
      for (const name of args) {
        const own = all.find(({ path }) => isTrashed(path) && restoredPath(path, 'note') === name);
        notes.push(own ?? (await findNote(client, name)));
      }
      for (const { id, path } of notes) {
        if (!isTrashed(path))
          throw new CommandError(EXIT.failed, `the note ${path} is not in the trash`);
        await client.notes.restore(id);
        await printNote(client, id, 'restored', values, terminal);
      }
    }),
});
