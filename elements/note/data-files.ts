/**
 * Data files dropped or pasted into a note: each is uploaded to the server and gets a paragraph
 * that reads it.
 */

import { isHttpError, isTidingError } from '@tiding/client';
import { useEffect } from 'react';
import { fill } from '../text/fill.ts';
import { editorTexts } from '../text/note/editor.ts';
import type { NoteUi } from './ui/note-ui.ts';

const t = editorTexts.file;
/**
 * Maximum file size in bytes: the server's import limit minus the base64 overhead. Checked before a
 * large file is read.
 */
const MAX_FILE_BYTES = 7 * 2 ** 20;

const extensionOf = (name: string): string => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
/** Returns a file name that is safe on the server and inside quotes. */
const plainName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N} ._()-]+/gu, '_')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/\.{2,}/g, '.')
    .replace(/^(.{0,100}).*(\.\w+)$/u, '$1$2');

/**
 * Returns the source of a paragraph that reads a data file; `undefined` for unsupported file types.
 */
export function paragraphFor(path: string): string | undefined {
  switch (extensionOf(path)) {
    case 'csv':
    case 'tsv':
      return `%sql\nselect * from read_csv('${path}') limit 1000\n`;
    case 'json':
    case 'ndjson':
      return `%sql\nselect * from read_json('${path}') limit 1000\n`;
    case 'parquet':
      return `%sql\nselect * from read_parquet('${path}') limit 1000\n`;
    case 'arrow':
      return `%python\nimport pandas as pd\n\ndata = pd.read_feather('${path}')\ndata\n`;
    default:
      return undefined;
  }
}

/** Uploads a file and inserts its paragraph at a zero-based index. Shows an error if that fails. */
export async function readFileInto(ui: NoteUi, file: File, index: number): Promise<void> {
  const { name } = file;
  if (paragraphFor(name) === undefined) return ui.messages.error(fill(t.unknown, { name }));
  const tooLarge = () =>
    ui.messages.error(fill(t.tooLarge, { name, limit: Math.floor(MAX_FILE_BYTES / 2 ** 20) }));
  if (!ui.client.state.server?.tiding) return ui.messages.error(fill(t.noServer, { name }));
  if (file.size > MAX_FILE_BYTES) return tooLarge();
  try {
    const { path } = await ui.client.files.upload(
      plainName(name),
      new Uint8Array(await file.arrayBuffer()),
      { noteId: ui.note.id },
    );
    await ui.paragraphs.insert(index, paragraphFor(path.slice(path.lastIndexOf('/') + 1)));
  } catch (error) {
    if (isHttpError(error) && error.status === 413) tooLarge();
    else if (isTidingError(error, 'unsupported') || (isHttpError(error) && error.status === 404))
      ui.messages.error(fill(t.noServer, { name }));
    else
      ui.messages.error(
        fill(t.failed, { name, reason: isTidingError(error) ? error.message : String(error) }),
      );
  }
}

/**
 * Returns the files of a drop or paste. Empty if it also contains text, because then the text is
 * meant (for example a spreadsheet cell).
 */
function filesOf(data: DataTransfer | null): File[] {
  return data && !(data.types.includes('text/plain') || data.types.includes('text/html'))
    ? [...data.files]
    : [];
}

/**
 * Handles data files dropped or pasted into a note, before an editor inserts their bytes as text.
 */
export function useDataFiles(ui: NoteUi): void {
  useEffect(() => {
    const take = (event: DragEvent | ClipboardEvent, data: DataTransfer | null): void => {
      const files = filesOf(data);
      if (files.length === 0 || !ui.layout.editable || ui.single) return;
      event.preventDefault();
      event.stopPropagation();
      const reason = ui.rights.whyNot('writer');
      if (reason !== undefined) return ui.messages.info(reason);
      const over = event
        .composedPath()
        .find(
          (node): node is HTMLElement =>
            node instanceof HTMLElement && node.dataset['paragraph'] !== undefined,
        );
      const at = over ? ui.note.state.order.indexOf(over.dataset['paragraph']!) : -1;
      const index = at < 0 ? ui.note.state.order.length : at + 1;
      // One after another, each below the previous one.
      void ui.messages.act(async () => {
        for (const [offset, file] of files.entries()) await readFileInto(ui, file, index + offset);
      });
    };
    const onDrop = (event: DragEvent) => take(event, event.dataTransfer);
    const onPaste = (event: ClipboardEvent) => take(event, event.clipboardData);
    const onOver = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') && ui.layout.editable) event.preventDefault();
    };
    const { host } = ui;
    host.addEventListener('drop', onDrop, { capture: true });
    host.addEventListener('dragover', onOver, { capture: true });
    host.addEventListener('paste', onPaste, { capture: true });
    return () => {
      host.removeEventListener('drop', onDrop, { capture: true });
      host.removeEventListener('dragover', onOver, { capture: true });
      host.removeEventListener('paste', onPaste, { capture: true });
    };
  }, [ui]);
}
