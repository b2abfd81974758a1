/** `tiding notes rm`: moves notes to the trash, or deletes them. */
import { isTrashed } from '@tiding/client/model';
import { clientCommand, findNotes } from '../../connection.ts';

export default clientCommand({
  summary: 'Move notes to the trash',
  argument: ['<note...>', 'ids or full paths'],
  options: {
    permanently: { help: 'delete the notes, also from the trash; this cannot be undone' },
    json: { help: 'print one JSON object per note: {"id", "path", "removed"}' },
  },
  details: [
    'All notes are looked up before the first one is removed. A note that is in the trash ' +
      "already stays there, unless you add --permanently. 'tiding notes restore' brings " +
      'notes back.',
  ],
  examples: [
    ['tiding notes rm nightly', 'move a note to the trash'],
    ['tiding notes rm "~Trash/nightly" --permanently', 'delete a note in the trash'],
  ],
  run: ({ connect, values, args, terminal }) =>
    connect(async (client) => {
      for (const { id, path } of await findNotes(client, args)) {
        if (values.permanently) await client.notes.remove(id);
        else if (!isTrashed(path)) await client.notes.trash(id);
        const removed = values.permanently ? 'permanently' : 'to the trash';
        if (values.json) await terminal.line(JSON.stringify({ id, path, removed }));
        else terminal.status(values.permanently ? `deleted ${path}` : `${path} is in the trash`);
      }
    }),
});
