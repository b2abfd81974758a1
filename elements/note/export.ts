import type { Client, Note, NoteFormat } from '@tiding/client';

const TYPES: Readonly<Record<NoteFormat, string>> = {
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
  format: NoteFormat,
  code: boolean,
): Promise<void> {
  await Promise.all(note.paragraphs.map((paragraph) => paragraph.commit()));
  const source = await client.notes.export(note.id, { format, code });
  const address = URL.createObjectURL(new Blob([source], { type: TYPES[format] }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${note.path.replaceAll('/', '_')}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
