/** `tiding notes clone`: copies a note. */
import { checkPath, clientCommand, findNote, printNote } from '../../connection.ts';

export default clientCommand({
  summary: 'Copy a note with its results and files, and print the id of the copy',
  argument: ['<note> <path>', ['id or full path of the note', 'full path of the copy']],
  options: {
    json: { help: 'print one JSON object: {"id", "path"}' },
  },
  details: ['A path that another note has is refused.'],
  examples: [['tiding notes clone nightly "Archive/nightly 2026"', 'keep the present state']],
  run: ({ connect, values, args: [name = '', path = ''], terminal }) => {
    checkPath(path, 'notes clone');
    return connect(async (client) => {
      const { id } = await findNote(client, name);
      await printNote(client, await client.notes.clone(id, path), 'created', values, terminal);
    });
  },
});
