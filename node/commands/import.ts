/** `tiding import`: files to notes. */
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { parseNote, type Client } from 'tiding/client';
import { checkNotePath, fromNotebook, isNotebook, normalizePath } from 'tiding/model';
import { command, wrongUsage } from '../command.ts';
import { connectionOptions, SECRETS, withClient } from '../connection.ts';
import { CommandError, endOf, EXIT } from '../exit.ts';

type Json = Record<string, unknown>;

export default command({
  name: 'import',
  summary: 'Make notes of files',
  usage: 'FILE... [options]',
  words: [1, Infinity],
  options: {
    as: {
      type: 'string',
      value: 'PATH',
      help: 'path of the note; one that ends in / is the folder of them all',
    },
    ...connectionOptions,
  },
  details: `Reads .zpln and .json of this family of servers and .ipynb of Jupyter; - is standard input. Prints the
id of each new note, in the order of the files. A note whose name is taken gets a number behind it. Every file is read
before the first note is made.

${SECRETS}`,
  examples: [
    ['tiding import sales.zpln --as "Reports/Sales"', 'one note under a name of its own'],
    ['tiding import *.ipynb --as Notebooks/', 'all of them into a folder'],
    ['tiding export a | tiding import - --as b', 'a copy'],
  ],
  async run({ values, words, terminal }) {
    if (values.as !== undefined) {
      const problem = normalizePath(values.as) === '' ? 'it is empty' : checkNotePath(values.as);
      if (problem) throw wrongUsage(`--as '${values.as}': ${problem}`, 'import');
      if (words.length > 1 && !values.as.endsWith('/'))
        throw wrongUsage('several files need a folder: --as FOLDER/', 'import');
    }
    if (
      words.filter((word) => word === '-').length > 1 ||
      (words.includes('-') && values.user !== undefined)
    )
      throw wrongUsage('standard input can be read only once', 'import');
    const notes: { file: string; note: Json }[] = [];
    for (const file of words) notes.push({ file, note: await read(file) });
    return withClient(values, async (client) => {
      const made: string[] = [];
      for (const { file, note } of notes) {
        try {
          const id = await client.notes.importNote(note, targetOf(values.as, note));
          made.push(id);
          await terminal.line(id);
        } catch (error) {
          const { exitCode, message } = endOf(error);
          throw new CommandError(
            exitCode,
            `${file}: ${message}`,
            made.length > 0 ? `${made.length} of ${notes.length} files are imported.` : undefined,
          );
        }
      }
      await tellPaths(client, made, (text) => terminal.say(text));
      return EXIT.done;
    });
  },
});

async function read(file: string): Promise<Json> {
  const name = file === '-' ? 'standard input' : file;
  let text: string;
  try {
    text = file === '-' ? await standardInput() : await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      EXIT.usage,
      code === 'ENOENT'
        ? `there is no file ${name}`
        : `${name} cannot be read (${code ?? 'unknown error'})`,
    );
  }
  try {
    const json = parseNote(text) as Json;
    const plain = file === '-' ? 'Imported note' : basename(file, extname(file));
    const notebook = isNotebook(json) || 'cells' in json ? fromNotebook(json) : undefined;
    const note: Json = notebook
      ? { name: notebook.name ?? plain, paragraphs: notebook.paragraphs, config: {} }
      : json;
    if (!Array.isArray(note['paragraphs']) || note['paragraphs'].length === 0)
      throw new Error('it has no paragraphs');
    return note['name'] || note['path'] ? note : { ...note, name: plain };
  } catch (error) {
    throw new CommandError(EXIT.usage, `${name} is not a note: ${(error as Error).message}`);
  }
}

async function standardInput(): Promise<string> {
  process.stdin.setEncoding('utf8');
  let text = '';
  for await (const chunk of process.stdin) text += String(chunk);
  return text;
}

/** Path that a note gets; `undefined`: its own. */
function targetOf(as: string | undefined, note: Json): string | undefined {
  if (as === undefined) return undefined;
  if (!as.endsWith('/')) return normalizePath(as);
  const own = normalizePath(String(note['path'] || note['name'] || ''));
  return normalizePath(`${as}/${own.slice(own.lastIndexOf('/') + 1)}`);
}

/** Under which paths the notes are now: the server may have added a number. */
async function tellPaths(
  client: Client,
  made: readonly string[],
  say: (text: string) => void,
): Promise<void> {
  const list = await client.notes.list().catch(() => []);
  for (const id of made) {
    const path = list.find((note) => note.id === id)?.path;
    if (path !== undefined) say(`${path} is there`);
  }
}
