/** `tiding files`: uploads a data file to a note, and says how it is read. */
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { tableSource } from '@tiding/client/model';
import { namedValue } from '../command.ts';
import { clientCommand, findNote } from '../connection.ts';
import { CommandError, EXIT } from '../exit.ts';

export default clientCommand({
  summary: 'Upload a data file to a note and print the SQL that reads it',
  argument: ['<note> <file>', ['id or full path of the note', 'the data file']],
  options: {
    choice: {
      multiple: true,
      value: 'name=value',
      help: 'use this instead of a guess, for example delimiter=; or type.zip=VARCHAR; repeatable',
    },
    preview: { help: 'print the first rows, and remove the file again' },
    json: { help: 'print the whole answer as one JSON object' },
  },
  details: [
    'Reads CSV, TSV, JSON, Parquet, Excel (.xlsx, .xlsm) and SQLite. What was found and what can ' +
      'be chosen instead goes to standard error. Sheets and tables become Parquet files.',
  ],
  examples: [
    ['tiding files Sales umsatz.csv --preview', 'show the guesses and the first rows'],
    ['tiding files Sales umsatz.csv --choice dates=month', 'upload it, and read the month first'],
  ],
  run({ connect, io, values, args: [name = '', file = ''], terminal }) {
    const choices = Object.fromEntries(
      (values.choice ?? []).map((choice) => namedValue('choice', choice, 'files')),
    );
    return connect(async (client) => {
      const { id: noteId } = await findNote(client, name);
      const bytes = await readFile(resolve(io.cwd, file)).catch(() => {
        throw new CommandError(EXIT.usage, `the file ${file} can't be read`);
      });
      const { path } = await client.files.upload(basename(file), bytes, { noteId });
      const preview = values.preview ?? false;
      let isRead = false;
      try {
        const read = await client.files.readTables(path, { choices, preview });
        isRead = true;
        for (const remark of read.remarks) terminal.status(remark);
        for (const each of read.skipped) terminal.status(`left out: ${each.name} ${each.reason}`);
        for (const { name: guess, value, values: all } of read.guesses)
          terminal.status(`${guess}=${value}${all.length > 1 ? ` (${all.join(' ')})` : ''}`);
        const { columns, rows } = read.preview;
        if (values.json) await terminal.line(JSON.stringify(read));
        else if (preview)
          for (const row of [columns, ...rows])
            await terminal.line(row.map((cell) => (cell ?? '').replace(/\s/g, ' ')).join('\t'));
        else
          for (const table of read.tables) {
            const inNote = table.path.slice(`notes/${noteId}/`.length);
            await terminal.line(`select * ${tableSource({ ...table, path: inNote })};`);
          }
        return EXIT.done;
      } finally {
        if (preview || !isRead) await client.files.remove(path);
      }
    });
  },
});
