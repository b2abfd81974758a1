import { isHttpError, isTidingError, paragraphText, type ReadTablesOptions } from '@tiding/client';
import { imageMarkdown, isRunning, MAX_IMAGE_BYTES, readArrowRows } from '@tiding/client/model';
import { editorTexts } from '../../editor/texts.ts';
import type { ViewStore } from '../../runtime/store.ts';
import { fill } from '../../text/fill.ts';
import { hasTables, isDataFile, isImageFile, paragraphFor, plainName } from './data-files.ts';
import { firstChart } from './first-chart.ts';
import { pathInDrop } from './folder-files.ts';
import type { TablesParagraph } from './table-files.ts';
import type { FilePlace, UploadContext, UploadState } from './uploads.ts';

const t = editorTexts.file;

interface QueuedFile extends FilePlace {
  readonly file: File;
  /** Whether the user sees how the file will be read. */
  readonly asks: boolean;
}

/** See {@link Uploads}. Loaded with the first file. */
export class UploadQueue {
  readonly #context: UploadContext;
  readonly #state: ViewStore<UploadState>;
  #queue: QueuedFile[] = [];
  #abort: AbortController | undefined;

  constructor(context: UploadContext, state: ViewStore<UploadState>) {
    this.#context = context;
    this.#state = state;
  }

  add(files: readonly File[], place: FilePlace): void {
    const { messages, rights, client } = this.#context;
    const reason = rights.whyNot('writer');
    if (reason !== undefined) return messages.info(reason);
    for (const file of files) {
      const name = pathInDrop(file);
      if (!isDataFile(name)) messages.error(fill(t.unknown, { name }));
      else if (isImageFile(name) && file.size > MAX_IMAGE_BYTES)
        messages.error(fill(t.imageTooLarge, { name, mb: MAX_IMAGE_BYTES / 2 ** 20 }));
      else if (!client.state.server?.tiding) messages.error(fill(t.noServer, { name }));
      else this.#queue.push({ file, asks: files.length === 1, ...place });
    }
    if (this.#abort === undefined) void this.#work();
  }

  cancel(): void {
    this.#abort?.abort();
  }

  async #work(): Promise<void> {
    let last: { readonly after: string | undefined; readonly id: string } | undefined;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      const { file, after, into, asks } = next;
      this.#abort = new AbortController();
      this.#state.set({
        name: pathInDrop(file),
        share: 0,
        isReading: false,
        waiting: this.#queue.length,
      });
      const place = { into, after: last?.after === after ? (last?.id ?? after) : after };
      const id = await this.#read(file, place, asks);
      if (id !== undefined) last = { after, id };
    }
    this.#abort = undefined;
    this.#state.set({ name: undefined, share: 0, waiting: 0 });
  }

  /**
   * Uploads a file, and adds and runs its paragraph, or inserts an image. Returns the id of the
   * paragraph.
   */
  async #read(file: File, { after, into }: FilePlace, asks: boolean): Promise<string | undefined> {
    const { client, note, paragraphs, messages, rights } = this.#context;
    const name = pathInDrop(file);
    try {
      const { path } = await client.files.upload(storedName(name), file, {
        noteId: note.id,
        signal: this.#abort!.signal,
        onProgress: ({ sent, total = sent }) =>
          this.#state.set({ share: total === 0 ? 1 : sent / total, waiting: this.#queue.length }),
      });
      const stored = path.slice(path.lastIndexOf('/') + 1);
      if (into !== undefined && isImageFile(stored)) {
        if (!this.#insert(into, imageMarkdown(stored)))
          messages.info(fill(t.stored, { name: stored }));
        return undefined;
      }
      const read = hasTables(stored) ? await this.#readTables(path, stored, asks) : undefined;
      const text = read?.text ?? paragraphFor(stored);
      if (text === undefined) return undefined;
      const id = await paragraphs.insert(this.#indexAfter(after), text);
      if (rights.whyNot('runner') === undefined)
        void messages.act(async () => {
          await note.paragraph(id).run();
          await this.#draw(id, read?.source);
        });
      return id;
    } catch (error) {
      if (isTidingError(error, 'aborted')) return undefined;
      if (isTidingError(error, 'unsupported') || (isHttpError(error) && error.status === 404))
        messages.error(fill(t.noServer, { name }));
      else
        messages.error(
          fill(t.failed, { name, reason: isTidingError(error) ? error.message : String(error) }),
        );
      return undefined;
    }
  }

  /** Inserts text into the editor of a paragraph, or appends it if the editor is closed. */
  #insert(id: string, text: string): boolean {
    const { editors, paragraphs, rights } = this.#context;
    if (editors.get(id)?.insertAtCursor(text)) return true;
    const paragraph = paragraphs.get(id);
    if (
      !paragraph ||
      isRunning(paragraph.state.server.status) ||
      rights.whyNot('writer') !== undefined
    )
      return false;
    const before = paragraphText(paragraph.state).trimEnd();
    paragraph.edit(`${before}\n${text}\n`);
    return true;
  }

  /**
   * Finds out how to read an uploaded file. Removes the file if that fails, because no paragraph
   * can read it, and if the user cancels.
   */
  async #readTables(
    path: string,
    stored: string,
    asks: boolean,
  ): Promise<TablesParagraph | undefined> {
    const { client, messages, dialogs } = this.#context;
    this.#state.set({ isReading: true });
    const owner = path.slice(0, -stored.length);
    try {
      const { paragraphForTables, readFileTables } = await import('./table-files.ts');
      const { signal } = this.#abort!;
      const read = (how: ReadTablesOptions) =>
        readFileTables(client, path, owner, { ...how, signal });
      if (!asks) return paragraphForTables(stored, await read({}));
      const { previewTables } = await import('./import-preview.tsx');
      const chosen = await previewTables(dialogs, stored, read);
      if (chosen === undefined) await client.files.remove(path);
      return chosen;
    } catch (error) {
      await client.files.remove(path).catch(() => undefined);
      if (!isHttpError(error) || error.status !== 400) throw error;
      messages.error(error.message);
      return undefined;
    }
  }

  /** Adds a chart below a paragraph that shows a file, if one makes sense. */
  async #draw(id: string, source: string | undefined): Promise<void> {
    const { note, undo } = this.#context;
    const at = note.state.order.indexOf(id);
    if (source === undefined || at < 0) return;
    const chart = firstChart(source, await readArrowRows(await note.paragraph(id).table()));
    if (!chart) return;
    const paragraph = await undo.insert(at + 1, chart.text);
    await paragraph.configure({ results: { 0: { graph: { mode: chart.mode } } } });
    await paragraph.run();
  }

  /** Returns where a paragraph is inserted: before an empty last one, which awaits typed text. */
  #indexAfter(after: string | undefined): number {
    const { order, paragraphs } = this.#context.note.state;
    const at = after === undefined ? -1 : order.indexOf(after);
    if (at >= 0) return at + 1;
    const last = paragraphs[order.at(-1) ?? ''];
    return last && paragraphText(last).trim() === '' ? order.length - 1 : order.length;
  }
}

/**
 * Name of a file on the server, which has no folders. Addresses in Markdown have no spaces and
 * brackets.
 */
function storedName(path: string): string {
  const name = plainName(path.replaceAll('/', ' - '));
  return isImageFile(name) ? name.replace(/ - |[ ()]+/g, '-') : name;
}
