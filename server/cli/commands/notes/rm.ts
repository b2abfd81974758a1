/** `tiding notes rm`: moves notes to the trash, or deletes them. */
import { isTrashed } from '@tiding/client/model';
import { command } from '../../command.ts';
import { connectionOptions, findNote, SECRETS, withClient } from '../../connection.ts';
import { EXIT } from '../../exit.ts';

export default command({
  summary: 'Move notes to the trash',
  argument: ['<note...>', 'ids or full paths'],
  options: {
    permanently: { help: 'delete the notes, also from the trash; this cannot be undone' },
    json: { help: 'print one JSON object per note: {"id", "path", "removed"}' },
    ...connectionOptions,
  },
  details: [
    'All notes are looked up before the first one is removed. A note that is in the trash ' +
      "already stays there, unless you add --permanently. 'tiding notes restore' brings " +
      'notes back.',
    SECRETS,
  ],
  examples: [
    ['tiding notes rm nightly', 'move a note to the trash'],
    ['tiding notes rm "~Trash/nightly" --permanently', 'delete a note in the trash'],
  ],
  run: ({ io, values, args, terminal }) =>
    withClient({ io, values }, async (client) => {
      const notes = [];
      for (const name of args) notes.push(await findNote(client, name));
      for (const { id, path } of notes) {
        if (values.permanently) await client.notes.remove(id);
        else if (!isTrashed(path)) await client.notes.trash(id);
        const removed = values.permanently ? 'permanently' : 'to the trash';
        if (values.json) await terminal.line(JSON.stringify({ id, path, removed }));
        else terminal.status(values.permanently ? `deleted ${path}` : `${path} is in the trash`);
      }
      return EXIT.done;
    }),
});
