import type { CallOptions } from '../core/abort.ts';
import type { EndpointAnswer } from '../protocol/index.ts';
import type { Download } from '../rest/download.ts';
import { downloadFile } from '../results/results.ts';
import { ClientArea } from '../session/client-area.ts';

/** Folder of files: of a note, or shared by all signed-in users. Default: your own. */
export interface FileOwner {
  /** Id of the note. */
  noteId?: string;
  /** The shared files. */
  shared?: boolean;
}

/**
 * Content of a file: bytes; a `Blob` such as a `File`, which is read piece by piece; or a stream of
 * bytes such as `response.body` or Node's `createReadStream(path)`.
 */
export type FileToUpload =
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array, unknown, unknown>
  | {
      /** Size in bytes. */
      readonly size: number;
      /** Returns the part between two positions. */
      slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> };
    };

/** Options of an upload. The time limit applies to each piece; default: 120 s. */
export interface UploadOptions extends CallOptions, FileOwner {
  /**
   * Called after each piece with the number of bytes that the server has received, and their total,
   * which is `undefined` for a stream until its last piece.
   */
  onProgress?: (progress: { readonly sent: number; readonly total: number | undefined }) => void;
}

/** Default time limit of `readTables`, in ms. The server reads one file at a time. */
const TABLES_MS = 600_000;

/** How a data file is read. */
export interface ReadTablesOptions extends CallOptions {
  /** What to use instead of guesses, by the names in `guesses` of the answer. */
  choices?: Readonly<Record<string, string>>;
  /** Reads the first rows of one table, and makes no file. */
  preview?: boolean;
}

/** Tables of a data file, how they are read, the first rows, and what was left out. */
export type FileTables = EndpointAnswer<'readTables'>;

/**
 * Data files of notes and users, and shared ones. Their paths begin with the owner: `notes/ID/…`,
 * `users/NAME/…` or `shared/…`. Tiding servers only; others reject with `unsupported`.
 *
 * @example
 * const { path } = await client.files.upload('sales.csv', bytes, { shared: true });
 * const { response } = await client.files.download(path);
 * await client.files.remove(path);
 */
export class FilesApi extends ClientArea {
  /**
   * Lists files by path, with their size and the time of their last change (ISO 8601, UTC). Rejects
   * with status 403 if you may not read the note.
   */
  list(owner: FileOwner = {}, options: CallOptions = {}): Promise<EndpointAnswer<'listFiles'>> {
    const { noteId, shared } = owner;
    return this.context.call('listFiles', { ...options, query: { noteId, shared } });
  }

  /**
   * Uploads a data file and returns its path, in which the name has a number if it was taken. Its
   * type is csv, tsv, json, ndjson, jsonl, parquet, arrow, xlsx, xlsm, sqlite, sqlite3 or db, or
   * that of an image: png, jpg, jpeg, gif, webp or svg. Large files are sent in pieces, and the
   * file appears with the last one. Pieces that don't get through are sent again for half a
   * minute. Rejects with status 413 if the file is too large (an image: 10 MB), 400 for other file
   * names and for images with other content, and 403 if you may not write the note.
   *
   * @example
   * await client.files.upload('sales.csv', file, {
   *   noteId: note.id,
   *   onProgress: ({ sent }) => console.log(`${sent} bytes`),
   * });
   *
   * @example
   * await client.files.upload('sales.parquet', createReadStream('/data/sales.parquet'));
   */
  async upload(
    name: string,
    content: FileToUpload,
    options: UploadOptions = {},
  ): Promise<{ path: string; size: number }> {
    const { uploadFile } = await import('./upload.ts');
    return uploadFile(this.context, name, content, options);
  }

  /**
   * Downloads a file. A path without an owner is looked up in your folder and among the shared
   * files. Rejects with status 404 if there is no such file, or you may not read it.
   */
  download(path: string, options: CallOptions = {}): Promise<Download> {
    return downloadFile(this.context, { file: { path } }, options);
  }

  /**
   * Returns an image of a note as a `data:` address. The Markdown of the note shows it as
   * `![text](name)`. Rejects with status 404 if the note has no such image, and 403 if you may not
   * read the note.
   *
   * @example
   * const image = await client.files.image(note.id, 'map.png');
   */
  async image(noteId: string, name: string, options: CallOptions = {}): Promise<string> {
    const { readImage } = await import('./image.ts');
    const { type, data } = await readImage(this.context, noteId, name, options);
    return `data:${type};base64,${data}`;
  }

  /**
   * Renames a file in its folder and returns its new path. The path has to begin with the owner.
   * Code that names the file is not changed. Rejects with status 409 if the name is taken, 400 if
   * it is no name of a data file, 404 if there is no such file, and 403 if you may not write the
   * note.
   */
  async rename(path: string, name: string, options: CallOptions = {}): Promise<string> {
    const renamed = await this.context.call('renameFile', { ...options, body: { path, name } });
    return renamed.path;
  }

  /**
   * Moves a file to the shared files, which everybody who is signed in reads and writes, and
   * returns its new path. Code that names the file by its plain name still finds it. Rejects as
   * {@link rename} does.
   *
   * @example
   * await client.files.share(`notes/${note.id}/sales.csv`); // 'shared/sales.csv'
   */
  async share(path: string, options: CallOptions = {}): Promise<string> {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const body = { path, name, shared: true };
    return (await this.context.call('renameFile', { ...options, body })).path;
  }

  /**
   * Finds out how to read a CSV, TSV, JSON or Parquet file, Excel workbook or SQLite database.
   * Sheets and tables become Parquet files beside it. `guesses` of the answer lists what was
   * guessed; `choices` of another call can change it. The path has to begin with the owner. Rejects
   * with status 400 if the file can't be read, and 403 if you may not write the note. The default
   * time limit is 600 s.
   *
   * @example
   * const { path } = await client.files.upload('book.xlsx', file, { noteId: note.id });
   * const { guesses } = await client.files.readTables(path, { preview: true });
   * const { tables } = await client.files.readTables(path, { choices: { sheet: 'Orders' } });
   */
  readTables(
    path: string,
    { choices, preview, ...options }: ReadTablesOptions = {},
  ): Promise<FileTables> {
    const body = { path, ...(choices && { choices: { ...choices } }), ...(preview && { preview }) };
    return this.context.call('readTables', { timeout: TABLES_MS, ...options, body });
  }

  /**
   * Removes a file permanently. The path has to begin with the owner. Rejects with status 404 if
   * there is no such file, and 403 if you may not write the note.
   */
  async remove(path: string, options: CallOptions = {}): Promise<void> {
    await this.context.call('removeFile', { ...options, query: { path } });
  }
}
