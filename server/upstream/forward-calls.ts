/**
 * Forwards calls to Zeppelin with the user's session. Bodies and responses are streamed in both
 * directions no faster than they are read.
 */

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { type EndpointName, endpoints } from '@tiding/client/protocol';
import type { Context } from 'hono';
import { isReduced } from '../auth/embed-access.ts';
import { Refusal } from '../base/errors.ts';
import type { ServerOptions } from '../base/options.ts';
import { bufferBody, incomingBody, maxBodyOf } from '../http/body-limit.ts';
import { bodyOf } from '../http/rest-body.ts';
import { upstreamPath } from './address.ts';
import { filterAnswer, isRunCall, runBody } from './embed.ts';
import { type GatewayTicketSession, maskOf } from './gateway-sessions.ts';
import { redirectsToSignIn } from './identity.ts';
import type { GatewayParts } from './local-calls.ts';
import { type StreamedBody, wholeOf } from './zeppelin.ts';

/** Maximum duration of a run, in ms; a call that waits for a run is answered at its end. */
const RUN_LIMIT_MS = 3_600_000;
const waits = new Set<EndpointName>(['runNote', 'runParagraph']);
/**
 * Headers that are forwarded. All others stay here, including cookies, credentials and connection
 * headers.
 */
const FORWARDED_REQUEST_HEADERS = [
  'accept',
  'accept-language',
  'content-type',
  'if-none-match',
  'if-modified-since',
  'range',
];
const FORWARDED_RESPONSE_HEADERS = [
  'content-type',
  'content-length',
  'content-disposition',
  'content-language',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'retry-after',
];
/**
 * Error pages are HTML. Clients show them as text, and this policy disables them if somebody opens
 * one.
 */
const ANSWER_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";
/** Maximum size of a response that is read here before it is forwarded, in bytes. */
const MAX_CUT = 64 * 2 ** 20;

/** Dependencies. `signedOut` ends a browser's session. */
interface Parts extends Omit<GatewayParts, 'context' | 'gate'> {
  readonly options: ServerOptions;
  readonly signedOut: (c: Context, message?: string) => Refusal;
}

export function createForwarder({
  zeppelin,
  gatewaySessions,
  notes,
  options,
  signedOut,
}: Parts): (name: EndpointName, c: Context, session: GatewayTicketSession) => Promise<Response> {
  return async (name, c, session) => {
    const { method, path: pattern, content, encoding } = endpoints[name];
    const { embed } = session.person;
    const path = upstreamPath(pattern, c.req.param());
    if (path === undefined) throw new Refusal(400, 'A part of the path is not a valid name.');
    const headers: Record<string, string> = {};
    for (const field of FORWARDED_REQUEST_HEADERS) {
      const value = c.req.header(field);
      if (value !== undefined) headers[field] = value;
    }
    const cuts = embed !== undefined && isReduced(name);
    // Zeppelin rejects plain text since 0.12.1; all versions accept the same bytes with this
    // content type.
    if (encoding === 'text' && headers['content-type'] !== undefined)
      headers['content-type'] = 'application/json';
    // A partial or missing body could not be parsed here.
    if (cuts)
      for (const field of ['range', 'if-none-match', 'if-modified-since']) delete headers[field];
    const max = maxBodyOf(c, options);
    const ask = (body: Buffer | StreamedBody | undefined) =>
      zeppelin.request({
        method,
        path: path + new URL(c.req.url).search,
        headers,
        cookie: session.upstream.cookie,
        signal: c.req.raw.signal,
        ...(body ? { body } : {}),
        ...(waits.has(name) ? { limitMs: RUN_LIMIT_MS } : {}),
      });
    let response: IncomingMessage;
    if (embed && isRunCall(name)) {
      await bufferBody(c, max);
      response = await ask(
        await runBody(name, c.req.param(), await bodyOf(c, name), embed, session, notes),
      );
    } else {
      const body = method === 'GET' || method === 'HEAD' ? undefined : await incomingBody(c, max);
      try {
        response = await ask(body?.length === 0 ? undefined : body);
      } finally {
        // Zeppelin may have responded, or disconnected, before the body was complete.
        if (!c.req.raw.signal.aborted) await body?.drop().catch(() => {});
      }
    }
    const { statusCode: status = 502 } = response;
    const end = (error: Refusal): Refusal => {
      response.destroy();
      return error;
    };
    const bad = (code: 502 | 504, what: string): Refusal =>
      end(new Refusal(code, `The Zeppelin behind this server ${what}`));
    if (redirectsToSignIn(response)) {
      // Zeppelin had no accounts before, but now requires one.
      if (session.uses === undefined) await zeppelin.checkReachable();
      else if (session.local) await gatewaySessions.confirm(session.uses);
      else await gatewaySessions.end(session);
      throw end(signedOut(c));
    }
    if (status === 405)
      throw end(
        session.uses === undefined || (await gatewaySessions.confirm(session.uses))
          ? new Refusal(404, 'There is no such call.')
          : signedOut(c),
      );
    if (status < 200 || (status >= 300 && status < 400 && status !== 304))
      throw bad(502, `responded with status ${status}.`);
    // An HTML page instead of data does not come from Zeppelin's API, but from a proxy or its web
    // container.
    if (
      content !== 'raw' &&
      (status === 200 || status >= 500) &&
      /^text\/html\b/i.test(response.headers['content-type'] ?? '')
    )
      throw status === 504
        ? bad(504, 'did not answer in time.')
        : bad(502, `responded with status ${status} and a web page instead of data.`);
    // Compressed data can't be searched for secrets; no client asked for compression either.
    if (!/^(?:identity)?$/i.test(response.headers['content-encoding'] ?? ''))
      throw bad(502, 'responded in an encoding that was not requested.');
    const mask = maskOf(session.upstream);
    for (const field of FORWARDED_RESPONSE_HEADERS) {
      const value = response.headers[field];
      if (typeof value === 'string')
        c.header(field, mask.over(Buffer.from(value, 'latin1')).toString('latin1'));
    }
    c.header('Content-Security-Policy', ANSWER_POLICY);
    if (method === 'HEAD' || status === 204 || status === 304) {
      response.resume();
      return c.newResponse(null, status as 200);
    }
    if (cuts) {
      const text = mask.over(await wholeOf(response, MAX_CUT, 'it is too long')).toString('utf8');
      for (const field of ['content-length', 'etag', 'last-modified']) c.header(field, undefined);
      return c.json(filterAnswer(name, objectOf(text), embed) as object, status as 200);
    }
    const masked = response.pipe(mask.stream());
    response.once('error', (error) => masked.destroy(error));
    // Don't wait for a reader that has stopped reading.
    masked.once('close', () => response.destroy());
    return c.newResponse(Readable.toWeb(masked) as ReadableStream, status as 200);
  };
}

function objectOf(text: string): object {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new Refusal(502, 'The response of the Zeppelin behind this server cannot be read.');
}
