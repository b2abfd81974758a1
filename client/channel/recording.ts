/**
 * Recordings: the traffic between a client and its server as text, for inspection and replay.
 *
 * A recording is JSON Lines: the header `{"tiding":"recording","version":1}`, then one entry per
 * line. Secrets are removed before they reach it (see `redact.ts`). The texts of paragraphs are
 * kept, so a password that somebody writes into a paragraph is recorded.
 */
import * as z from 'zod/mini';
import { TidingError } from '../core/errors.ts';
import { type Redactor, redactor } from './redact.ts';
import type { Transport } from './transport.ts';

const ms = z.number().check(z.nonnegative());
const channel = z.number().check(z.int(), z.nonnegative());
const frames = [
  z.object({ ms, direction: z.literal('open'), channel }),
  z.object({ ms, direction: z.literal('send'), channel, frame: z.looseObject({ op: z.string() }) }),
  z.object({ ms, direction: z.literal('recv'), channel, frame: z.unknown() }),
  z.object({
    ms,
    direction: z.literal('close'),
    channel,
    code: z.number(),
    reason: z.string(),
    by: z.enum(['client', 'server']),
  }),
] as const;
const recordedCall = z.object({
  ms,
  direction: z.literal('rest'),
  method: z.string(),
  path: z.string(),
  status: z.number(),
  type: z.optional(z.string()),
  request: z.optional(z.unknown()),
  body: z.optional(z.unknown()),
});
const recordedEntry = z.discriminatedUnion('direction', [...frames, recordedCall]);

/**
 * An event of a live connection: it opened, a frame was sent or received, or it was closed (`by`
 * either side). `ms` is the time since the first entry; `channel` numbers the connections from 0 in
 * the order of the attempts; `frame` is the parsed frame, or its text if it isn't JSON.
 */
export type RecordedFrame = z.infer<(typeof frames)[number]>;
/**
 * A REST call: `path` includes the query but not the server; `type` is the content type of the
 * response, `body` its parsed JSON or text (absent for other content), `request` the request body.
 */
export type RecordedCall = z.infer<typeof recordedCall>;
/** One line of a recording. */
export type RecordedEntry = RecordedFrame | RecordedCall;
/**
 * Receives the entries one by one. Recorders with the same sink share one clock and one numbering
 * of connections.
 */
export type RecordingSink = (entry: RecordedEntry) => void;
/** A complete recording. Entries are sorted by `ms`. */
export interface Recording {
  /** Version of the format. */
  readonly version: 1;
  /** Entries; their times (`ms`) start at 0. */
  readonly entries: readonly RecordedEntry[];
}

const HEAD = { tiding: 'recording', version: 1 } as const;

interface Tape {
  readonly redact: Redactor;
  now(): number;
  /** Number of the next connection. */
  next: number;
}

const tapes = new WeakMap<RecordingSink, Tape>();

function tapeOf(sink: RecordingSink): Tape {
  let tape = tapes.get(sink);
  if (!tape) {
    const start = performance.now();
    tape = { redact: redactor(), now: () => Math.max(0, performance.now() - start), next: 0 };
    tapes.set(sink, tape);
  }
  return tape;
}

/**
 * Wraps a transport so that its traffic is recorded. Tickets, and all values whose key contains
 * ticket, password, token, secret or authorization, are replaced by `…`; the principal is kept.
 */
export function recordTransport(transport: Transport, sink: RecordingSink): Transport {
  const tape = tapeOf(sink);
  return (url, events, options) => {
    const number = tape.next++;
    let ended = false;
    const entry = { channel: number };
    const close = (code: number, reason: string, by: 'client' | 'server') => {
      if (ended) return;
      ended = true;
      sink({
        ms: tape.now(),
        direction: 'close',
        ...entry,
        code,
        reason: tape.redact.text(reason),
        by,
      });
    };
    const connection = transport(
      url,
      {
        onOpen() {
          sink({ ms: tape.now(), direction: 'open', ...entry });
          events.onOpen();
        },
        onMessage(text) {
          sink({ ms: tape.now(), direction: 'recv', ...entry, frame: tape.redact.frame(text) });
          events.onMessage(text);
        },
        onClose(code, reason) {
          close(code, reason, 'server');
          events.onClose(code, reason);
        },
      },
      options,
    );
    return {
      send(text) {
        const frame = tape.redact.frame(text);
        sink({ ms: tape.now(), direction: 'send', ...entry, frame: frame as { op: string } });
        connection.send(text);
      },
      close(code, reason) {
        close(code ?? 1000, reason ?? '', 'client');
        connection.close(code, reason);
      },
    };
  };
}

const LOGIN = /\/login(\/|\?|$)/;
/** Longest recorded body, in characters. */
const MAX_BODY = 2 ** 22;

/**
 * Wraps `fetch` so that its calls are recorded. The only recorded header is the content type of the
 * response. Login requests and secrets in other bodies, queries and paths are omitted, and so are
 * bodies that are neither JSON nor text.
 */
export function recordFetch(inner: typeof fetch, sink: RecordingSink): typeof fetch {
  const tape = tapeOf(sink);
  return async (input, init) => {
    const started = tape.now();
    const request = new Request(input, init);
    const path = tape.redact.path(request.url);
    const sent =
      LOGIN.test(path) || request.body === null ? undefined : await request.clone().text();
    const response = await inner(request);
    const type = response.headers.get('Content-Type') ?? undefined;
    const entry: RecordedCall = {
      ms: started,
      direction: 'rest',
      method: request.method,
      path,
      status: response.status,
      ...(type === undefined ? {} : { type }),
      ...(sent ? { request: tape.redact.body(sent) } : {}),
    };
    if (type !== undefined && !/json|^text\//i.test(type)) sink(entry);
    else {
      // Read in parallel, so that recording a long response does not delay the caller.
      response
        .clone()
        .text()
        .then(
          (text) =>
            sink(
              text === '' || text.length > MAX_BODY
                ? entry
                : { ...entry, body: tape.redact.body(text) },
            ),
          () => sink(entry),
        );
    }
    return response;
  };
}

/** Serializes a recording. */
export function formatRecording(entries: readonly RecordedEntry[]): string {
  return [HEAD, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Parses a recording. Throws `protocol` with the line number and the problem. */
export function parseRecording(text: string): Recording {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const head = json(lines[0] ?? '', 1) as { tiding?: unknown; version?: unknown } | null;
  if (head?.tiding !== HEAD.tiding)
    throw wrong(1, 'not a recording: it must start with {"tiding":"recording","version":1}');
  if (head.version !== HEAD.version)
    throw wrong(1, `version ${String(head.version)} is not supported, only version 1`);
  const entries = lines.flatMap((line, at): RecordedEntry[] => {
    if (at === 0 || line.trim() === '') return [];
    const value = json(line, at + 1);
    const direction = (value as { direction?: unknown } | null)?.direction;
    if (!['open', 'send', 'recv', 'close', 'rest'].includes(direction as string))
      throw wrong(at + 1, "'direction' must be open, send, recv, close or rest");
    const parsed = recordedEntry.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw wrong(
        at + 1,
        `${issue?.path.join('.') || 'the entry'}: ${issue?.message ?? 'is invalid'}`,
      );
    }
    return [parsed.data];
  });
  return { version: 1, entries: entries.sort((a, b) => a.ms - b.ms) };
}

function json(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw wrong(
      number,
      number === 1 ? 'not a recording: its first line is not JSON' : 'not JSON',
      cause,
    );
  }
}

function wrong(line: number, what: string, cause?: unknown): TidingError {
  return new TidingError('protocol', `Recording, line ${line}: ${what}`, { cause });
}
