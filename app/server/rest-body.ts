/** How a call's body is read, and the paths under which a call is reached. */
import type { Context } from 'hono';
import { endpoints, type EndpointName } from 'tiding/protocol';
import { Refusal } from './errors.ts';
import { parse } from './json.ts';

/** Clients of this family write some paths with a slash at the end, and some without. */
export function spellings(name: EndpointName): string[] {
  const { path } = endpoints[name];
  if (path.endsWith('/')) return [path, path.slice(0, -1)];
  return name === 'putCredential' ? [path, `${path}/`] : [path];
}

/** The body by a call's schema, nested at most `maxDepth` deep; `untyped`: JSON whatever its type is called. Refuses with 400 and 415. */
export async function bodyOf(
  c: Context,
  name: EndpointName,
  { maxDepth, untyped = false }: { maxDepth?: number; untyped?: boolean } = {},
): Promise<unknown> {
  const { encoding, body: schema } = endpoints[name];
  const body = await readBody(c, encoding, maxDepth, untyped);
  const parsed = (
    schema as {
      safeParse(value: unknown): {
        success: boolean;
        data?: unknown;
        error?: { issues: { path: PropertyKey[]; message: string }[] };
      };
    }
  ).safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error?.issues[0];
  throw new Refusal(
    400,
    `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'the body does not fit'}`.trim(),
  );
}

async function readBody(
  c: Context,
  encoding: string,
  maxDepth: number | undefined,
  untyped: boolean,
): Promise<unknown> {
  if (encoding === 'none') return undefined;
  const type = (c.req.header('Content-Type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (encoding === 'form') {
    if (type !== 'application/x-www-form-urlencoded') throw new Refusal(415, 'the body is a form');
    return Object.fromEntries(new URLSearchParams(await c.req.text()));
  }
  const text = await c.req.text();
  if (encoding === 'text') {
    if (type !== 'text/plain') throw new Refusal(415, 'the body is plain text');
    return text;
  }
  if (text === '') return undefined;
  if (type !== 'application/json' && !untyped) throw new Refusal(415, 'the body is JSON');
  return parse(text, maxDepth);
}
