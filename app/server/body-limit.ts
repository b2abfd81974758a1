/** Bodies of REST calls: read to their end before anything is answered. */
import type { Context, MiddlewareHandler } from 'hono';

/** A body this many times too large is no longer waited for. */
const PATIENCE = 8;

/**
 * Reads the body, and has `refuse` answer where it is larger than `max` bytes. What is too much is read too and dropped:
 * an answer in the middle of a body would cost the connection, and with it the answer or the next request.
 */
export function bodyLimit(max: number, refuse: (c: Context) => Response): MiddlewareHandler {
  return async (c, next) => {
    const { body } = c.req.raw;
    if (!body) return next();
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size <= max) chunks.push(chunk);
      else chunks.length = 0;
      if (size > max * PATIENCE) {
        c.header('Connection', 'close');
        break;
      }
    }
    if (size > max) return refuse(c);
    c.req.raw = new Request(c.req.raw, { body: Buffer.concat(chunks) });
    return next();
  };
}
