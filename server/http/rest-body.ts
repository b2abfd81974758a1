/** Parses request bodies and lists the paths of endpoints. */
import { type EndpointName, endpoints } from '@tiding/client/protocol';
import type { Context } from 'hono';
import type * as z from 'zod/mini';
import { Refusal, validated } from '../base/errors.ts';
import { parseUntrustedBytes } from '../base/json.ts';

/**
 * Returns both paths under which an endpoint is served: Zeppelin clients add a trailing slash to
 * some and omit it from others.
 */
export function spellings(name: EndpointName): string[] {
  const path = endpoints[name].path.replace(/\/$/, '');
  return [path, `${path}/`];
}

/**
 * Parses a request body by the endpoint's schema, with at most `maxDepth` levels of nesting. With
 * `untyped`, a JSON body may have any content type. Throws a {@link Refusal} with
 * status 400 or 415.
 */
export async function bodyOf(
  c: Context,
  name: EndpointName,
  { maxDepth, untyped = false }: { maxDepth?: number; untyped?: boolean } = {},
): Promise<unknown> {
  const body = await readBody(c, name, maxDepth, untyped);
  return validated<z.ZodMiniType>(endpoints[name].body, body);
}

async function readBody(
  c: Context,
  name: EndpointName,
  maxDepth: number | undefined,
  untyped: boolean,
): Promise<unknown> {
  const { encoding } = endpoints[name];
  if (encoding === 'none') return undefined;
  const type = (c.req.header('Content-Type') ?? '').split(';')[0]!.trim().toLowerCase();
  const bytes = Buffer.from(await c.req.arrayBuffer());
  const text = () => new TextDecoder().decode(bytes);
  if (encoding === 'form') {
    if (type !== 'application/x-www-form-urlencoded')
      throw new Refusal(415, 'The body must be a form.');
    return Object.fromEntries(new URLSearchParams(text()));
  }
  if (encoding === 'text') {
    // Zeppelin's classic page sends its text with the type of JSON.
    const isJson = name === 'enablePackage' && type === 'application/json';
    if (type !== 'text/plain' && !isJson && !untyped)
      throw new Refusal(415, 'The body must be plain text.');
    return text();
  }
  if (bytes.length === 0) return undefined;
  if (type !== 'application/json' && !untyped) throw new Refusal(415, 'The body must be JSON.');
  return parseUntrustedBytes(bytes, maxDepth);
}
