/** `tiding notes`: lists notes. */
import { filterNotes } from '@tiding/client/model';
import { clientCommand } from '../../connection.ts';

export default clientCommand({
  summary: 'List the notes you may read',
  options: {
    filter: {
      short: 'f',
      value: 'text',
      help: 'only notes with this text in their path, ignoring case',
    },
    all: { short: 'a', help: 'include notes in the trash' },
    json: { help: 'print one JSON object per line: {"id", "path"}' },
  },
  details: ['Prints one note per line: id, tab, path.'],
  examples: [
    ['tiding notes --filter sales', 'list the notes with "sales" in their path'],
    ['tiding notes --json | jq -r .path', 'print only the paths'],
  ],
  run: ({ connect, values, terminal }) =>
    connect(async (client) => {
      const notes = filterNotes(await client.notes.list(), values.filter ?? '').filter(
        ({ trashed }) => values.all || !trashed,
      );
      for (const { id, path } of notes) {
        if (!terminal.open) break;
        await terminal.line(values.json ? JSON.stringify({ id, path }) : `${id}\t${path}`);
      }
      if (notes.length === 0)
        terminal.status(
          values.filter ? `no note has '${values.filter}' in its path` : 'there are no notes',
        );
    }),
});
