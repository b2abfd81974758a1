/** `tiding export`: a note as a file. */
import { access, stat } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { toNotebook } from 'tiding/model';
import type { Note } from 'tiding/protocol';
import { command, wrongUsage } from '../command.ts';
import { connectionOptions, findNote, SECRETS, withClient } from '../connection.ts';
import { replaceFile } from '../durable-file.ts';
import { CommandError, EXIT } from '../exit.ts';

const FORMATS = ['zpln', 'json', 'ipynb'];

export default command({
  name: 'export',
  summary: 'Write a note to standard output or to a file',
  usage: 'NOTE [options]',
  words: [1, 1],
  options: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      help: 'write to this file, in place of what is there; - is standard output',
    },
    format: {
      type: 'string',
      value: 'FORMAT',
      help: `${FORMATS.join(', ')}; else by the name of the file, else zpln`,
    },
    ...connectionOptions,
  },
  details: `zpln and json are the same: the format of this family of servers. ipynb is a Jupyter notebook; what Jupyter has no place
for is kept in its metadata, and 'tiding import' reads it back. A file is there whole or not at all.

${SECRETS}`,
  examples: [
    ['tiding export "Reports/Daily sales" -o sales.zpln', 'a file to import elsewhere'],
    ['tiding export nightly -o nightly.ipynb', 'for Jupyter'],
    ['tiding export nightly | jq .paragraphs[].text', 'the texts'],
  ],
  async run({ values, words: [name = ''], terminal }) {
    const file = values.output === '-' ? undefined : values.output;
    const ending = extname(file ?? '')
      .slice(1)
      .toLowerCase();
    const format = values.format ?? (FORMATS.includes(ending) ? ending : 'zpln');
    if (!FORMATS.includes(format))
      throw wrongUsage(`'${format}' is no format; there are ${FORMATS.join(', ')}`, 'export');
    // Said before anything is asked of the server.
    if (file !== undefined) await checkTarget(file);
    return withClient(values, async (client) => {
      const { id, path } = await findNote(client, name);
      const exported = await client.notes.export(id);
      const text =
        format === 'ipynb'
          ? JSON.stringify(toNotebook({ ...(JSON.parse(exported) as Note), path }), null, 1)
          : exported;
      const whole = text.endsWith('\n') ? text : `${text}\n`;
      if (file === undefined) await terminal.write(whole);
      else {
        await replaceFile(file, whole).catch((error: Error) => {
          throw new CommandError(EXIT.failed, `${file} cannot be written: ${error.message}`);
        });
        terminal.say(`${path} is in ${file}`);
      }
      return EXIT.done;
    });
  },
});

async function checkTarget(file: string): Promise<void> {
  if (file === '') throw wrongUsage('the name of the file is empty', 'export');
  if ((await stat(file).catch(() => undefined))?.isDirectory())
    throw wrongUsage(`${file} is a folder`, 'export');
  await access(dirname(file)).catch(() => {
    throw new CommandError(EXIT.usage, `there is no folder ${dirname(file)}`);
  });
}
