/** Data files that are dropped or pasted into a note: put on the server, and read by a paragraph of their own. */
import { useEffect } from 'react';
import { isHttpError, isTidingError } from 'tiding/client';
import type { NoteView } from '../note/view.tsx';
import { editorText } from '../text/editor.ts';
import { fill } from '../text/en.ts';

const t = editorText.file;
/** What the limit of the server for an import leaves when it is written in base64; told before a large file is read. */
const largest = 7 * 2 ** 20;

const extensionOf = (name: string): string => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
/** The name as it may stand on the server and inside quotes. */
const plainName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N} ._()-]+/gu, '_')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/\.{2,}/g, '.')
    .replace(/^(.{0,100}).*(\.\w+)$/u, '$1$2');

/** The paragraph that reads a data file by its path; `undefined` for a kind that nothing here reads. */
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

/** Puts a file on the server and inserts its paragraph at a place from 0. Rejects with what to tell. */
export async function readFileInto(view: NoteView, file: File, index: number): Promise<void> {
  const { name } = file;
  if (paragraphFor(name) === undefined) return view.fail(fill(t.unknown, { name }));
  const tooLarge = () =>
    view.fail(fill(t.tooLarge, { name, limit: Math.floor(largest / 2 ** 20) }));
  if (!view.client.state.server?.tiding) return view.fail(fill(t.noServer, { name }));
  if (file.size > largest) return tooLarge();
  try {
    const { path } = await view.client.results.putFile(
      plainName(name),
      new Uint8Array(await file.arrayBuffer()),
    );
    await view.insert(index, paragraphFor(path));
  } catch (error) {
    if (isHttpError(error) && error.status === 413) tooLarge();
    else if (isTidingError(error, 'unsupported') || (isHttpError(error) && error.status === 404))
      view.fail(fill(t.noServer, { name }));
    else
      view.fail(
        fill(t.failed, { name, reason: isTidingError(error) ? error.message : String(error) }),
      );
  }
}

/** Files of a drop or a paste; none where it brings text as well, which then is what is meant (a cell of a spreadsheet). */
function filesOf(data: DataTransfer | null): File[] {
  return data && !(data.types.includes('text/plain') || data.types.includes('text/html'))
    ? [...data.files]
    : [];
}

/** Takes data files that come to a note by drop or paste, before an editor takes their bytes for text. */
export function useDataFiles(view: NoteView): void {
  useEffect(() => {
    const take = (event: DragEvent | ClipboardEvent, data: DataTransfer | null): void => {
      const files = filesOf(data);
      if (files.length === 0 || !view.editable || view.single) return;
      event.preventDefault();
      event.stopPropagation();
      const over = event
        .composedPath()
        .find(
          (node): node is HTMLElement =>
            node instanceof HTMLElement && node.dataset['paragraph'] !== undefined,
        );
      const at = over ? view.note.state.order.indexOf(over.dataset['paragraph']!) : -1;
      const index = at < 0 ? view.note.state.order.length : at + 1;
      // One after another: each below the one before.
      void view.act(async () => {
        for (const [offset, file] of files.entries())
          await readFileInto(view, file, index + offset);
      });
    };
    const onDrop = (event: DragEvent) => take(event, event.dataTransfer);
    const onPaste = (event: ClipboardEvent) => take(event, event.clipboardData);
    const onOver = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') && view.editable) event.preventDefault();
    };
    const { host } = view;
    host.addEventListener('drop', onDrop, { capture: true });
    host.addEventListener('dragover', onOver, { capture: true });
    host.addEventListener('paste', onPaste, { capture: true });
    return () => {
      host.removeEventListener('drop', onDrop, { capture: true });
      host.removeEventListener('dragover', onOver, { capture: true });
      host.removeEventListener('paste', onPaste, { capture: true });
    };
  }, [view]);
}
