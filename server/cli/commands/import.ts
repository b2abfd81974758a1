/** `tiding import`: creates notes from files. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { readNoteFile } from '@tiding/client';
import { checkNotePath, normalizePath, pathInFolder, takenNotePath } from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';
import { wrongUsage } from '../command.ts';
import { clientCommand } from '../connection.ts';
import { CommandError, EXIT, toCommandError } from '../exit.ts';
import type { CommandIo } from '../terminal.ts';

export default clientCommand({
  summary: 'Create notes from files',
  argument: ['<file...>', 'files to import; - is standard input'],
  options: {
    as: {
      value: 'path',
      help: 'path of the note; a path that ends in / is the folder for all notes',
    },
    json: { help: 'print one JSON object per note at the end: {"id", "path", "file"}' },
  },
  details: [
    'Reads .zpln and .json files of Zeppelin, .ipynb files of Jupyter, Python and SQL scripts ' +
      "(.py, .sql), in which '# %%' or '-- %%' begins a paragraph, and Markdown (.md), in which " +
      'fenced code becomes paragraphs. Standard input is .json or .ipynb. Prints the id of ' +
      'each new note, in the order of the files. Stops at a note whose path is taken. All ' +
      'files are read before the first note is created.',
  ],
  examples: [
    ['tiding import sales.zpln --as "Reports/Sales"', 'import one note with another name'],
    ['tiding import *.ipynb *.py --as Notebooks/', 'import all files into a folder'],
    ['tiding export a | tiding import - --as b', 'copy a note'],
  ],
  async run({ connect, io, values, args: files, terminal }) {
    if (values.as !== undefined) {
      const problem = normalizePath(values.as) === '' ? 'it is empty' : checkNotePath(values.as);
      if (problem) throw wrongUsage(`--as '${values.as}': ${problem}`, 'import');
      if (files.length > 1 && !values.as.endsWith('/'))
        throw wrongUsage('several files need a folder: --as <folder>/', 'import');
    }
    if (
      files.filter((file) => file === '-').length > 1 ||
      (files.includes('-') && values.user !== undefined)
    )
      throw wrongUsage('standard input can be read only once', 'import');
    const notes: { file: string; note: JsonObject }[] = [];
    for (const file of files) notes.push({ file, note: await read(io, file) });
    return connect(async (client) => {
      const created: string[] = [];
      for (const { file, note } of notes) {
        try {
          const id = await client.notes.importNote(note, targetPath(values.as, note));
          created.push(id);
          if (!values.json) await terminal.line(id);
        } catch (error) {
          const { exitCode, message: reason } = toCommandError(error);
          const taken = takenNotePath(reason);
          const message =
            taken === undefined
              ? reason
              : `a note named '${taken}' already exists; choose another path with --as`;
          throw new CommandError(
            exitCode,
            `${file}: ${message}`,
            created.length > 0
              ? `${created.length} of ${notes.length} files are imported.`
              : undefined,
          );
        }
      }
      const list = await client.notes.list();
      for (const [index, id] of created.entries()) {
        const path = list.find((note) => note.id === id)?.path;
        if (values.json)
          await terminal.line(JSON.stringify({ id, path, file: notes[index]!.file }));
        else if (path !== undefined) terminal.status(`imported ${path}`);
      }
    });
  },
});

async function read(io: CommandIo, file: string): Promise<JsonObject> {
  const name = file === '-' ? 'standard input' : file;
  let content: Buffer;
  try {
    content = file === '-' ? await buffer(io.stdin) : await readFile(resolve(io.cwd, file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      EXIT.usage,
      code === 'ENOENT'
        ? `the file ${name} does not exist`
        : `${name} cannot be read (${code ?? 'unknown error'})`,
    );
  }
  try {
    return await readNoteFile(file === '-' ? 'Imported note' : file, content);
  } catch (error) {
    throw new CommandError(EXIT.usage, `${name} is not a note: ${(error as Error).message}`);
  }
}

/** Returns the path for a note; `undefined` keeps its own. */
function targetPath(as: string | undefined, note: JsonObject): string | undefined {
  if (as === undefined) return undefined;
  if (!as.endsWith('/')) return normalizePath(as);
  return pathInFolder(as, String(note['path'] || note['name'] || ''));
}
