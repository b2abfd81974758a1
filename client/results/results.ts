import type { CallOptions } from '../core/abort.ts';
import { isHttpError, TidingError } from '../core/errors.ts';
import type { StoredTables } from '../model/rows/typed-rows.ts';
import type { Note } from '../protocol/index.ts';
import { about, type Download, exportedResult } from '../rest/download.ts';
import { ClientArea } from '../session/client-area.ts';
import type { ClientContext } from '../session/client-context.ts';
import type { StoredTablesOptions } from './stored-tables.ts';

/** A file as a server describes it. Further fields are kept and sent back. */
export interface ExportedFile {
  /** Location of the file. */
  readonly file: {
    /** Full path including the file name. */
    readonly path: string;
  };
}

/**
 * Exported results, and files of exported data sources. Tiding and Magpie servers only; Apache
 * Zeppelin rejects with `unsupported`.
 */
export class ResultsApi extends ClientArea {
  /**
   * Reads the tables of a note with the types of their columns. Those that the server doesn't store
   * are left out; their rows are in the text of the note.
   *
   * @param note a note, as `client.notes.get` returns it
   */
  async tables(
    note: Pick<Note, 'id' | 'paragraphs'>,
    options: StoredTablesOptions = {},
  ): Promise<StoredTables> {
    const { readStoredTables } = await import('./stored-tables.ts');
    return readStoredTables(this.context, note, options);
  }

  /**
   * Checks that an exported result is available. Otherwise rejects with the server's message
   * (status 404, 403, 423 while it is being written, or 410 after it expired), or with 'Error
   * downloading exported result.' (specification) if there is none.
   */
  async check(
    resultId: string,
    options: CallOptions = {},
  ): Promise<{ contentType: string; size: number | undefined }> {
    try {
      return about(await this.context.call('checkResult', { ...options, params: { resultId } }));
    } catch (error) {
      // The response to HEAD has no body, so ask the same path with GET for the message.
      if (!isHttpError(error)) throw error;
      const told = await this.context.call('getResult', { ...options, params: { resultId } }).then(
        () => error,
        (reason: unknown) => reason,
      );
      throw isHttpError(told) && messageOf(told.body) !== undefined
        ? told
        : new TidingError('not-found', 'Error downloading exported result.', {
            operation: 'checkResult',
            cause: told,
          });
    }
  }

  /**
   * Downloads an exported result. `createTimestamp` (ms since the epoch, or ISO 8601) becomes part
   * of the file name, in UTC.
   */
  async get(
    resultId: string,
    options: CallOptions & { createTimestamp?: number | string } = {},
  ): Promise<Download> {
    const { createTimestamp, ...call } = options;
    const response = await this.context.call('getResult', { ...call, params: { resultId } });
    return exportedResult(response, createTimestamp);
  }

  /**
   * Downloads a file of an exported data source, by its path or by the object in which the server
   * described it, which is sent back unchanged. `notes/ID/…`, `users/NAME/…` and `shared/…` name
   * the owner; other paths are looked up in the caller's folder and among the shared files. The
   * file name is the last segment of the path.
   * Rejects with the server's message (status 404 or 403).
   */
  async file(file: string | ExportedFile, options: CallOptions = {}): Promise<Download> {
    const body = typeof file === 'string' ? { file: { path: file } } : file;
    return downloadFile(this.context, body, options);
  }
}

/** @internal Downloads a file by its description. */
export async function downloadFile(
  { call }: Pick<ClientContext, 'call'>,
  body: ExportedFile,
  options: CallOptions,
): Promise<Download> {
  const response = await call('getFile', { ...options, body });
  const { path } = body.file;
  return { name: path.slice(path.lastIndexOf('/') + 1), ...about(response), response };
}

function messageOf(body: unknown): string | undefined {
  const message = (body as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' && message !== '' ? message : undefined;
}
