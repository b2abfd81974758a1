/** `tiding notes`: what notes there are. */
import { filterNotes } from 'tiding/model';
import { command } from '../command.ts';
import { connectionOptions, SECRETS, withClient } from '../connection.ts';
import { EXIT } from '../exit.ts';

export default command({
  name: 'notes',
  summary: 'List the notes you may read',
  usage: '[options]',
  words: [0, 0],
  options: {
    filter: {
      type: 'string',
      short: 'f',
      value: 'TEXT',
      help: 'only notes with this in their path, letter case ignored',
    },
    all: { type: 'boolean', short: 'a', help: 'notes in the trash too' },
    json: { type: 'boolean', help: 'one JSON object a line: {"id", "path"}' },
    ...connectionOptions,
  },
  details: `Each line is an id, a tab and a path.\n\n${SECRETS}`,
  examples: [
    ['tiding notes --filter sales', 'every note with "sales" in its path'],
    ['tiding notes --json | jq -r .path', 'the paths alone'],
  ],
  run: ({ values, terminal }) =>
    withClient(values, async (client) => {
      const notes = filterNotes(await client.notes.list(), values.filter ?? '').filter(
        ({ trashed }) => values.all || !trashed,
      );
      for (const { id, path } of notes) {
        if (!terminal.open) break;
        await terminal.line(values.json ? JSON.stringify({ id, path }) : `${id}\t${path}`);
      }
      if (notes.length === 0)
        terminal.say(
          values.filter ? `no note has '${values.filter}' in its path` : 'there are no notes',
        );
      return EXIT.done;
    }),
});
