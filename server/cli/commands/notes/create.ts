/** `tiding notes create`: creates an empty note. */
import type { NewNote } from '@tiding/client';
import { wrongUsage } from '../../command.ts';
import { checkPath, clientCommand, printNote } from '../../connection.ts';

const CHOICES = ['number', 'fail', 'existing'];

export default clientCommand({
  summary: 'Create an empty note and print its id',
  argument: ['<path>', 'full path of the note'],
  options: {
    onConflict: {
      value: 'choice',
      help:
        'if the path is taken: number (the default) appends a number, fail exits with 1, ' +
        'existing prints the id of that note',
    },
    json: { help: 'print one JSON object: {"id", "path"}' },
  },
  details: ["Folders are created as needed. 'tiding import' creates a note with content."],
  examples: [
    ['tiding notes create "Reports/Daily sales"', 'create a note in a folder'],
    ['id=$(tiding notes create nightly --on-conflict existing)', 'get the id of a note'],
  ],
  run: ({ connect, values, args: [path = ''], terminal }) => {
    checkPath(path, 'notes create');
    const onConflict = values.onConflict ?? 'number';
    if (!CHOICES.includes(onConflict))
      throw wrongUsage(`--on-conflict must be one of ${CHOICES.join(', ')}`, 'notes create');
    return connect(async (client) => {
      const init = { path, onConflict } as NewNote;
      await printNote(client, await client.notes.create(init), 'created', values, terminal);
    });
  },
});
