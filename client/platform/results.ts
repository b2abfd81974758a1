/** Exported results and files: whether they are there, and what is in them. */
import type { CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import { isHttpError, TidingError } from '../errors.ts';
import { exportedResultName } from '../model/exported-result.ts';

/** A file as it comes. */
export interface Download {
  /** What to call it, for example `magpie_export_20260131_100000.csv`. */
  readonly name: string;
  /** As the server says, with its parameters: `text/csv; charset=utf-8`. */
  readonly contentType: string;
  /** Bytes, where the server says. */
  readonly size: number | undefined;
  /** The answer of the platform's fetch: read it as a stream, a blob or text; the time limit of the call goes on meanwhile. */
  readonly response: Response;
}

/** A file as a server tells of it; what else it says of it is kept. */
export interface ExportedFile {
  /** Where it is. */
  readonly file: {
    /** With its name. */
    readonly path: string;
  };
}

/** Exported results. On ours and on the fork; upstream has none (`unsupported`). */
export class Results {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Whether an exported result is there. Rejects with the server's message where it is not (404, 403, 410 expired, 409
   * still being written), else with 'Error downloading exported result.' (specification).
   */
  async check(
    resultId: string,
    options: CallOptions = {},
  ): Promise<{ contentType: string; size: number | undefined }> {
    try {
      return about(await this.#context.call('checkResult', { ...options, params: { resultId } }));
    } catch (error) {
      // The answer to HEAD has no words: the same path says them.
      if (!isHttpError(error)) throw error;
      const told = await this.#context.call('getResult', { ...options, params: { resultId } }).then(
        () => error,
        (reason: unknown) => reason,
      );
      throw isHttpError(told) && messageOf(told.body) !== undefined
        ? told
        : new TidingError('server', 'Error downloading exported result.', {
            operation: 'checkResult',
            cause: told,
          });
    }
  }

  /** An exported result. `createTimestamp` (epoch ms or ISO 8601) goes into its name, in UTC. */
  async get(
    resultId: string,
    options: CallOptions & { createTimestamp?: number | string } = {},
  ): Promise<Download> {
    const { createTimestamp, ...call } = options;
    const response = await this.#context.call('getResult', { ...call, params: { resultId } });
    return {
      name: exportedResultName(response.headers.get('Content-Type') ?? '', createTimestamp),
      ...about(response),
      response,
    };
  }

  /**
   * A file of an exported data source, named after the last segment of its path: by the path, or by the whole object that a server has
   * told of it, which goes back to it as it came. 404 and 403 with the server's message.
   */
  async file(file: string | ExportedFile, options: CallOptions = {}): Promise<Download> {
    const body = typeof file === 'string' ? { file: { path: file } } : file;
    const response = await this.#context.call('getFile', { ...options, body });
    const { path } = body.file;
    return { name: path.slice(path.lastIndexOf('/') + 1), ...about(response), response };
  }

  /**
   * Puts a data file (csv, tsv, json, ndjson, parquet, arrow) where the interpreters of this server read, and answers the path
   * that they read it by. Ours only: `unsupported` elsewhere; 413 where it is too large, 400 for other names.
   */
  async putFile(
    name: string,
    bytes: Uint8Array,
    options: CallOptions = {},
  ): Promise<{ path: string; size: number }> {
    return this.#context.call('putFile', {
      timeout: 120_000,
      ...options,
      params: { name },
      body: { data: base64(bytes) },
    });
  }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function base64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two = 0, three = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    const left = bytes.length - at;
    pieces.push(
      DIGITS[one >> 2]! +
        DIGITS[((one & 3) << 4) | (two >> 4)]! +
        (left > 1 ? DIGITS[((two & 15) << 2) | (three >> 6)]! : '=') +
        (left > 2 ? DIGITS[three & 63]! : '='),
    );
  }
  return pieces.join('');
}

function about({ headers }: Response): { contentType: string; size: number | undefined } {
  const size = Number(headers.get('Content-Length') ?? NaN);
  return {
    contentType: headers.get('Content-Type') ?? '',
    size: Number.isFinite(size) ? size : undefined,
  };
}

function messageOf(body: unknown): string | undefined {
  const message = (body as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' && message !== '' ? message : undefined;
}
