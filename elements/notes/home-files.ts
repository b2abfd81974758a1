import { type Client, isNoteFile, parseNote } from '@tiding/client';
import { isDataFile } from '../note/files/data-files.ts';
import { keepFiles } from '../note/files/pending-files.ts';
import { homeTexts } from './texts.ts';

export { reportLeftOut } from '../note/files/left-out.ts';
export { keepLeftOut } from '../note/files/pending-files.ts';

/** Whether home takes a file of a dropped folder, by its name. */
export const isTaken = (name: string): boolean =>
  isDataFile(name) || (isNoteFile(name) && /\.\w+$/.test(name));

/** A JSON file of more bytes is data; the limit of servers for notes is lower by default. */
const MAX_NOTE_BYTES = 64 * 2 ** 20;

/** Whether a file is read in a note rather than imported as one. */
async function isData(client: Client, file: File): Promise<boolean> {
  if (!isDataFile(file.name) || !client.state.server?.tiding) return false;
  if (!isNoteFile(file.name) || file.size > MAX_NOTE_BYTES) return true;
  try {
    const content = parseNote(await file.text());
    return !['paragraphs', 'cells', 'worksheets'].some((key) => key in content);
  } catch {
    return true;
  }
}

/**
 * Separates data files from files to import as notes, which include files of unknown types. Only
 * Tiding servers accept data files.
 */
export async function sortFiles(
  client: Client,
  files: readonly File[],
): Promise<{ data: readonly File[]; notes: readonly File[] }> {
  const are = await Promise.all(files.map((file) => isData(client, file)));
  return {
    data: files.filter((_, index) => are[index]),
    notes: files.filter((_, index) => !are[index]),
  };
}

/** Creates a note that reads data files when it is opened. Returns its id. */
export async function createDataNote(client: Client, files: readonly File[]): Promise<string> {
  const path = files[0]?.name
    .replace(/\.\w+$/, '')
    .replace(/[/\\]/g, ' ')
    .trim();
  const id = await client.notes.create({ path: path || homeTexts.dataNote, onConflict: 'number' });
  keepFiles(id, files);
  return id;
}
