/**
 * A client whose server is the test: live frames over an in-memory line, REST answers from a table.
 */

import { type Client, type ClientOptions, createClient, type Note } from '@tiding/client';
import { afterEach, beforeEach, vi } from 'vitest';
import { loadProtocol } from '../../client/channel/lazy-protocol.ts';
import { loadNoteModule } from '../../client/note/lazy-note.ts';
import { type LineEnd, line } from './line.ts';

/** Answers by `METHOD /path`: a body, or a function that makes a response. */
export type Answers = Record<
  string,
  unknown | ((request: Request) => Response | Promise<Response>)
>;

const usual: Answers = {
  'GET /version': { version: '0.10.0' },
  'GET /security/ticket': { principal: 'ann', ticket: 'ticket-1', roles: '["r"]' },
};

/** JSON in Zeppelin's envelope. */
export function wrapped(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  return new Response(
    JSON.stringify({
      status: status === 200 ? 'OK' : 'ERROR',
      message: '',
      ...(body === undefined ? {} : { body }),
    }),
    { status, headers },
  );
}

/** The client, the server ends of its channels, and its REST calls. */
export interface Scripted {
  readonly client: Client;
  readonly ends: readonly LineEnd[];
  readonly calls: string[];
  last(): LineEnd;
  /** Opens a note: the channel, then the answer to GET_NOTE. */
  open(note: { id: string; [name: string]: unknown }): Promise<Note>;
}

/** Lets pending promises continue. Requires fake timers. */
export const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

/** Makes a client with a scripted server. */
export function scripted(answers: Answers = {}, options: Partial<ClientOptions> = {}): Scripted {
  const { transport, ends, last } = line();
  const table: Answers = { ...usual, ...answers };
  const calls: string[] = [];
  const answer = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const call = `${request.method} ${new URL(request.url).pathname.replace(/^\/api/, '')}`;
    calls.push(call);
    const found = table[call];
    if (found === undefined) return wrapped(undefined, 404);
    return typeof found === 'function'
      ? (found as (request: Request) => Response)(request)
      : wrapped(found);
  };
  const client = createClient({
    server: 'http://server',
    transport,
    fetch: answer,
    backoff: () => 1_000,
    autosave: 10_000,
    ...options,
  });
  return {
    client,
    ends,
    last,
    calls,
    async open(note) {
      // Lazy modules load in real time, which fake timers do not cover.
      await Promise.all([loadProtocol(), loadNoteModule()]);
      const before = ends.length;
      const opening = client.open(note.id);
      opening.catch(() => {});
      await vi.waitUntil(async () => (await settle(), ends.length > before), 60_000);
      last().open();
      last().say('NOTE', { note: { path: `/${note.id}`, ...note } });
      return opening;
    },
  };
}

/**
 * Sets up fake timers for a file of tests. The returned function makes clients, which are closed
 * after each test.
 */
export function scriptedClients(): typeof scripted {
  const made: Scripted[] = [];
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    for (const { client } of made.splice(0)) client.close();
    vi.useRealTimers();
  });
  return (...args) => {
    const all = scripted(...args);
    made.push(all);
    return all;
  };
}
