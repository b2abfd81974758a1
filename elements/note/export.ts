import type { Client, Note, NoteFormat } from '@tiding/client';
import { saveFile } from '../result/parts/save-file.ts';

/** A format of exported notes. HTML is for reading only. */
export type ExportFormat = NoteFormat | 'html';

const TYPES: Readonly<Record<ExportFormat, string>> = {
  zpln: 'application/json',
  json: 'application/json',
  ipynb: 'application/x-ipynb+json',
  py: 'text/x-python',
  md: 'text/markdown',
  html: 'text/html',
};

/** Downloads a note as a file named after its full path. Unsaved text is saved first. */
export async function exportNote(
  client: Client,
  note: Note,
  format: ExportFormat,
  code: boolean,
): Promise<void> {
  await Promise.all(note.paragraphs.map((paragraph) => paragraph.commit()));
  // Unlike the open note, its file has its images.
  const file = await client.notes.export(note.id, format === 'html' ? {} : { format });
  const source =
    format === 'html'
      ? await (await import('../snapshot/index.tsx')).renderPage(file, { code })
      : file;
  saveFile({
    name: `${note.path.replaceAll('/', '_')}.${format}`,
    type: TYPES[format],
    data: new TextEncoder().encode(source),
  });
}
