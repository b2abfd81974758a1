/**
 * Size limits of REST request bodies. A declared `Content-Length` is checked first, then the bytes
 * that actually arrive.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { joined } from '../base/bytes.ts';
import { Refusal } from '../base/errors.ts';
import type { ServerOptions } from '../base/options.ts';

/** A body more than this many times over its limit is not read to its end. */
const MAX_OVERSIZE_FACTOR = 8;

interface IncomingBody {
  /** Declared length in bytes; `undefined` if the request declares none. */
  readonly length: number | undefined;
  /**
   * The chunks as they arrive; iterate once. Throws a {@link Refusal} with status 413 at the chunk
   * that exceeds the limit.
   */
  readonly pieces: AsyncGenerator<Uint8Array, void, undefined>;
  /**
   * Reads and discards the rest. Answering in the middle of a body would close the connection, and
   * lose the response or the next request. Gives up on bodies that are far too long.
   */
  drop(): Promise<void>;
}

/** Maximum body size of an endpoint, in bytes. */
export const maxBodyOf = (
  { req }: Context,
  { maxBodyBytes, maxImportBytes }: Pick<ServerOptions, 'maxBodyBytes' | 'maxImportBytes'>,
): number =>
  /^\/api\/(?:notebook\/import\/?$|magpie\/file\/.)/.test(req.path) ? maxImportBytes : maxBodyBytes;

/**
 * Returns the request body, limited to `max` bytes, or `undefined` if there is none. If the
 * declared length exceeds the limit, discards the body and throws a {@link Refusal} with status
 * 413.
 */
export async function incomingBody(c: Context, max: number): Promise<IncomingBody | undefined> {
  const reader = c.req.raw.body?.getReader();
  if (!reader) return undefined;
  const declared = c.req.header('Content-Length');
  // A request with neither header has no body.
  const length =
    declared !== undefined
      ? Number(declared)
      : c.req.header('Transfer-Encoding') === undefined
        ? 0
        : undefined;
  let size = 0;
  let isOver = false;
  const read = async () => {
    const { done, value } = await reader.read();
    // Release the lock only when reading is finished: the buffered bytes then replace the body.
    if (done && !isOver) reader.releaseLock();
    isOver ||= done;
    size += value?.length ?? 0;
    return value;
  };
  const tooLarge = () => new Refusal(413, `The request body may have at most ${max} bytes.`);
  const drop = async () => {
    while (!isOver && size <= max * MAX_OVERSIZE_FACTOR) await read();
    if (!isOver) c.header('Connection', 'close');
  };
  async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let piece = await read(); piece; piece = await read()) {
      if (size > max) throw tooLarge();
      yield piece;
    }
  }
  if (length !== undefined && !(length <= max)) {
    await drop();
    throw tooLarge();
  }
  return { length, pieces: pieces(), drop };
}

/**
 * Middleware that reads the body before the handler runs; `refuse` answers a body over the limit.
 */
export function bodyLimit(
  options: Pick<ServerOptions, 'maxBodyBytes' | 'maxImportBytes'>,
  refuse: (c: Context, refusal: Refusal) => Response,
): MiddlewareHandler {
  return async (c, next) => {
    try {
      await bufferBody(c, maxBodyOf(c, options));
    } catch (error) {
      if (error instanceof Refusal) return refuse(c, error);
      throw error;
    }
    return next();
  };
}

/**
 * Buffers the body, limited to `max` bytes, for `c.req.arrayBuffer`. Throws a
 * {@link Refusal} with status 413.
 */
export async function bufferBody(c: Context, max: number): Promise<void> {
  const body = await incomingBody(c, max);
  if (!body) return;
  const chunks: Uint8Array[] = [];
  try {
    for await (const piece of body.pieces) chunks.push(piece);
  } catch (error) {
    chunks.length = 0;
    if (error instanceof Refusal) await body.drop();
    throw error;
  }
  // A new `Request` would copy it several times.
  c.req.bodyCache.arrayBuffer = (await joined(chunks)).buffer;
}
