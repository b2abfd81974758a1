/** `tiding export`: saves a note as a file. */
import { extname } from 'node:path';
import type { Client, NoteFormat } from '@tiding/client';
import { wrongUsage } from '../command.ts';
import { clientCommand, findNote } from '../connection.ts';
import { checkOutputFile, outputOption, writeOutputFile } from '../output-file.ts';

const NOTE_FORMATS = ['zpln', 'json', 'ipynb', 'py', 'md'] satisfies NoteFormat[];
const FORMATS: readonly string[] = [...NOTE_FORMATS, 'html'];

async function exported(
  client: Client,
  id: string,
  format: string,
  code: boolean,
): Promise<string> {
  if (format !== 'html') return client.notes.export(id, { format: format as NoteFormat });
  const { renderPage } = await import('@tiding/elements/snapshot');
  return renderPage(await client.notes.export(id), { code, client });
}

export default clientCommand({
  summary: 'Write a note to standard output or to a file',
  argument: ['<note>', 'id or full path of the note'],
  options: {
    output: outputOption,
    format: {
      value: 'format',
      help: `${FORMATS.join(', ')}; default: by the file name, else zpln`,
    },
    noCode: { help: 'leave out the code of an HTML file' },
    json: { help: 'print one JSON object, with --output: {"id", "path", "file"}' },
  },
  details: [
    'zpln and json are the same format, that of Zeppelin. ipynb is a Jupyter notebook; ' +
      "what Jupyter does not support is stored in its metadata and restored by 'tiding " +
      "import'. py is a Python script with '# %%' cells and md a Markdown file; both contain " +
      'titles and texts, but no results. html is one file with results, to read and to send; ' +
      'nothing in it runs. ' +
      'A file is written completely or not at all.',
  ],
  examples: [
    ['tiding export "Reports/Daily sales" -o sales.zpln', 'export a file to import elsewhere'],
    ['tiding export nightly -o nightly.ipynb', 'export for Jupyter'],
    ['tiding export nightly -o nightly.html --no-code', 'export a report'],
    ['tiding export nightly | jq .paragraphs[].text', 'print the texts of the paragraphs'],
  ],
  async run({ connect, io, values, args: [name = ''], terminal }) {
    const file = values.output === '-' ? undefined : values.output;
    const ending = extname(file ?? '')
      .slice(1)
      .toLowerCase();
    if (values.format === undefined && ending !== '' && !FORMATS.includes(ending))
      throw wrongUsage(
        `${file} would not be a .${ending} file. Use one of ` +
          `${FORMATS.map((each) => `.${each}`).join(', ')}, or choose a --format`,
        'export',
      );
    const format = values.format ?? (ending || 'zpln');
    if (!FORMATS.includes(format))
      throw wrongUsage(`'${format}' is not a format. Use one of ${FORMATS.join(', ')}`, 'export');
    if (values.noCode && format !== 'html')
      throw wrongUsage('--no-code needs the format html', 'export');
    if (values.json && file === undefined)
      throw wrongUsage('--json needs --output <file>: the note itself is the output', 'export');
    // Check the file before contacting the server.
    if (file !== undefined) await checkOutputFile(io.cwd, file, 'export');
    return connect(async (client) => {
      const { id, path } = await findNote(client, name);
      const text = await exported(client, id, format, values.noCode !== true);
      const whole = text.endsWith('\n') ? text : `${text}\n`;
      if (file === undefined) await terminal.write(whole);
      else {
        await writeOutputFile(io.cwd, file, whole);
        if (values.json) await terminal.line(JSON.stringify({ id, path, file }));
        else terminal.status(`exported ${path} to ${file}`);
      }
    });
  },
});
