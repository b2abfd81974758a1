/** Calls that go on to upstream, as the one whose seat it is: body and answer flow through, in both directions no faster than they are taken. */
import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { endpoints, type EndpointName } from 'tiding/protocol';
import { incomingBody, maxBodyOf, readWhole } from '../body-limit.ts';
import { Refusal } from '../errors.ts';
import type { ServerOptions } from '../options.ts';
import { bodyOf } from '../rest-body.ts';
import { pathOf } from './address.ts';
import { cutAnswer, isCut, isRun, runBody } from './embed.ts';
import type { UpstreamNotes } from './notes.ts';
import { maskOf, type Seats, type TicketSeat } from './seats.ts';
import { asksForSignIn } from './identity.ts';
import type { StreamedBody, Zeppelin } from './zeppelin.ts';

/** Runs last for so long at most, in ms: the answer of a call that waits for one comes at its end. */
const RUN_LIMIT_MS = 3_600_000;
const waits = new Set<EndpointName>(['runNote', 'runParagraph']);
/** Headers that go on; all others, with cookies, credentials and what belongs to one connection, stay here. */
const ASKED = [
  'accept',
  'accept-language',
  'content-type',
  'if-none-match',
  'if-modified-since',
  'range',
];
const ANSWERED = [
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
/** Pages of errors are HTML: they are shown as text by clients, and do nothing where somebody opens one. */
const ANSWER_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";
/** Most bytes of an answer that is read here before it goes on. */
const MAX_CUT = 64 * 2 ** 20;

/** What it works with. `signedOut`: what ends the session of a browser. */
interface Parts {
  readonly zeppelin: Zeppelin;
  readonly seats: Seats;
  readonly notes: UpstreamNotes;
  readonly options: ServerOptions;
  readonly signedOut: (c: Context, message?: string) => Refusal;
}

/** Makes calls at upstream. */
export function passing({
  zeppelin,
  seats,
  notes,
  options,
  signedOut,
}: Parts): (name: EndpointName, c: Context, seat: TicketSeat) => Promise<Response> {
  return async (name, c, seat) => {
    const { method, path: pattern, content, encoding } = endpoints[name];
    const { embed } = seat.person;
    const path = pathOf(pattern, c.req.param());
    if (path === undefined) throw new Refusal(400, 'a part of the address is no name');
    const headers: Record<string, string> = {};
    for (const field of ASKED) {
      const value = c.req.header(field);
      if (value !== undefined) headers[field] = value;
    }
    const cuts = embed !== undefined && isCut(name);
    // Since 0.12.1 it refuses plain text, and takes the same bytes under this name; every version does.
    if (encoding === 'text' && headers['content-type'] !== undefined)
      headers['content-type'] = 'application/json';
    // Part of an answer, or none, could not be read here.
    if (cuts)
      for (const field of ['range', 'if-none-match', 'if-modified-since']) delete headers[field];
    const max = maxBodyOf(c, options);
    const ask = (body: Buffer | StreamedBody | undefined) =>
      zeppelin.request({
        method,
        path: path + new URL(c.req.url).search,
        headers,
        cookie: seat.upstream.cookie,
        signal: c.req.raw.signal,
        ...(body ? { body } : {}),
        ...(waits.has(name) ? { limitMs: RUN_LIMIT_MS } : {}),
      });
    let response: IncomingMessage;
    if (embed && isRun(name)) {
      await readWhole(c, max);
      response = await ask(
        await runBody(name, c.req.param(), await bodyOf(c, name), embed, seat, notes),
      );
    } else {
      const body = method === 'GET' || method === 'HEAD' ? undefined : await incomingBody(c, max);
      try {
        response = await ask(body?.length === 0 ? undefined : body);
      } finally {
        // It may have answered, or gone, before all of it was there.
        if (!c.req.raw.signal.aborted) await body?.drop().catch(() => {});
      }
    }
    const { statusCode: status = 502 } = response;
    const end = (error: Refusal): Refusal => {
      response.destroy();
      return error;
    };
    if (asksForSignIn(response)) {
      // Where nobody signed in, somebody has to by now.
      if (seat.uses === undefined) await zeppelin.look();
      else if (seat.local) await seats.confirm(seat.uses);
      else await seats.end(seat);
      throw end(signedOut(c));
    }
    if (status === 405)
      throw end(
        seat.uses === undefined || (await seats.confirm(seat.uses))
          ? new Refusal(404, 'there is no such call')
          : signedOut(c),
      );
    if (status < 200 || (status >= 300 && status < 400 && status !== 304))
      throw end(new Refusal(502, `The Zeppelin behind this server answers with ${status}.`));
    // A page in the place of data is no answer of a Zeppelin: a proxy's, or that of its web container.
    if (
      content !== 'raw' &&
      (status === 200 || status >= 500) &&
      /^text\/html\b/i.test(response.headers['content-type'] ?? '')
    ) {
      throw end(
        status === 504
          ? new Refusal(504, 'The Zeppelin behind this server did not answer in time.')
          : new Refusal(
              502,
              `The Zeppelin behind this server answers with ${status} and a page in the place of data.`,
            ),
      );
    }
    // What is packed could not be searched for what must not leave; nobody asked for it either.
    if (!/^(?:identity)?$/i.test(response.headers['content-encoding'] ?? ''))
      throw end(
        new Refusal(
          502,
          'The Zeppelin behind this server answers in an encoding that was not asked for.',
        ),
      );
    const mask = maskOf(seat.upstream);
    for (const field of ANSWERED) {
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
      const text = mask.over(await wholeOf(response)).toString('utf8');
      for (const field of ['content-length', 'etag', 'last-modified']) c.header(field, undefined);
      return c.json(cutAnswer(name, objectOf(text), embed) as object, status as 200);
    }
    const masked = response.pipe(mask.stream());
    response.once('error', (error) => masked.destroy(error));
    // Who stops reading need not be waited for.
    masked.once('close', () => response.destroy());
    return c.newResponse(Readable.toWeb(masked) as ReadableStream, status as 200);
  };
}

async function wholeOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_CUT) throw new Error('it is too long');
      chunks.push(chunk);
    }
  } catch (error) {
    throw new Refusal(
      502,
      `The answer of the Zeppelin behind this server cannot be read (${(error as Error).message}).`,
    );
  }
  return Buffer.concat(chunks);
}

function objectOf(text: string): object {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // said below
  }
  throw new Refusal(502, 'The answer of the Zeppelin behind this server cannot be read.');
}
