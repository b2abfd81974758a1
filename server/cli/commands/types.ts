/** `tiding types`: writes TypeScript for the forms and results of notes. */
import { clientCommand, findNote } from '../connection.ts';
import { type DescribedNote, describeNote, noteTypesModule } from '../note-types.ts';
import { checkOutputFile, outputOption, writeOutputFile } from '../output-file.ts';

export default clientCommand({
  summary: 'Write TypeScript for the forms and the results of notes',
  argument: ['<note...>', 'ids or full paths of the notes'],
  options: {
    output: outputOption,
    json: { help: 'print the types as JSON: [{"path", "params", "row"}]' },
  },
  details: [
    'The module types client.run() for these notes: the values of their forms, and the rows ' +
      'of the last table of their last run. If a form or a column is renamed and the command ' +
      'is run again, programs that use the old name do not compile any more.',
  ],
  examples: [
    ['tiding types "Reports/Daily sales" -o note-types.ts', 'write the types of a note'],
    ['tiding types nightly weekly -o src/note-types.ts', 'write the types of two notes'],
  ],
  async run({ connect, io, values, args, terminal }) {
    const file = values.output === '-' ? undefined : values.output;
    if (file !== undefined) await checkOutputFile(io.cwd, file, 'types');
    return connect(async (client) => {
      const described: DescribedNote[] = [];
      for (const name of args) {
        const { id } = await findNote(client, name);
        const note = await client.open(id);
        try {
          described.push(await describeNote(note));
        } finally {
          note.close();
        }
      }
      const text = values.json ? `${JSON.stringify(described)}\n` : noteTypesModule(described);
      if (file === undefined) await terminal.write(text);
      else {
        await writeOutputFile(io.cwd, file, text);
        terminal.status(`wrote the types of ${described.length} notes to ${file}`);
      }
    });
  },
});
