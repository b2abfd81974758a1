/** Bodies of REST calls, and how large one may be: what it says of itself counts first, then what comes. */
import type { Context, MiddlewareHandler } from 'hono';
import { Refusal } from './errors.ts';
import type { ServerOptions } from './options.ts';

/** A body this many times too large is no longer waited for. */
const PATIENCE = 8;

/** The body of a request that comes. */
export interface IncomingBody {
  /** Bytes, as it says itself; `undefined`: it does not. */
  readonly length: number | undefined;
  /** Its pieces as they come; to be asked for once. Fails with a {@link Refusal} of 413 at the piece that is too much. */
  readonly pieces: AsyncGenerator<Uint8Array, void, undefined>;
  /**
   * Reads the rest and drops it: an answer in the middle of a body would cost the connection, and with it the answer or the
   * next request. What goes on too long is not waited for.
   */
  drop(): Promise<void>;
}

/** Bytes of the largest body of a call. */
export const maxBodyOf = (
  { req }: Context,
  { maxBodyBytes, maxImportBytes }: Pick<ServerOptions, 'maxBodyBytes' | 'maxImportBytes'>,
): number =>
  /^\/api\/(?:notebook\/import\/?$|magpie\/file\/.)/.test(req.path) ? maxImportBytes : maxBodyBytes;

/** The body of a request, of at most `max` bytes; `undefined`: there is none. Throws a {@link Refusal} of 413, after dropping it, where it says itself that it is larger. */
export async function incomingBody(c: Context, max: number): Promise<IncomingBody | undefined> {
  const reader = c.req.raw.body?.getReader();
  if (!reader) return undefined;
  const declared = c.req.header('Content-Length');
  // With neither header there is none.
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
    // A reader that is done is in nobody's way: what was read is put in the place of the body.
    if (done && !isOver) reader.releaseLock();
    isOver ||= done;
    size += value?.length ?? 0;
    return value;
  };
  const tooLarge = () => new Refusal(413, `a body has at most ${max} bytes`);
  const drop = async () => {
    while (!isOver && size <= max * PATIENCE) await read();
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

/** Reads the body before the call is handled; `refuse` answers where it is larger than it may be. */
export function bodyLimit(
  options: Pick<ServerOptions, 'maxBodyBytes' | 'maxImportBytes'>,
  refuse: (c: Context, refusal: Refusal) => Response,
): MiddlewareHandler {
  return async (c, next) => {
    try {
      await readWhole(c, maxBodyOf(c, options));
    } catch (error) {
      if (error instanceof Refusal) return refuse(c, error);
      throw error;
    }
    return next();
  };
}

/** Reads the body, of at most `max` bytes, and puts what was read in its place. Throws a {@link Refusal} of 413. */
export async function readWhole(c: Context, max: number): Promise<void> {
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
  c.req.raw = new Request(c.req.raw, { body: Buffer.concat(chunks) });
}
