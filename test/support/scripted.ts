/** A client whose server is the test: live frames over an in-memory line, REST answers by a table. */
import { afterEach, beforeEach, vi } from 'vitest';
import { createClient, type Client, type ClientOptions, type Note } from 'tiding/client';
import { loadNotes, loadWire } from '../../client/loaded.ts';
import { line, type LineEnd } from './line.ts';

/** An answer by `METHOD /path`, or a function that makes one. */
export type Answers = Record<
  string,
  unknown | ((request: Request) => Response | Promise<Response>)
>;

const usual: Answers = {
  'GET /version': { version: '0.10.0' },
  'GET /security/ticket': { principal: 'ann', ticket: 'ticket-1', roles: '["r"]' },
};

/** JSON as these servers wrap it. */
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

/** The client, the far ends of its channels, and the REST calls it made. */
export interface Scripted {
  readonly client: Client;
  readonly ends: readonly LineEnd[];
  readonly calls: string[];
  last(): LineEnd;
  /** Opens a note: the channel, then the answer to GET_NOTE. */
  open(note: { id: string; [name: string]: unknown }): Promise<Note>;
}

/** Lets every promise go on that can. The test has fake timers. */
export const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

/** Makes one. */
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
      // What is loaded later takes real time, which a test's clock does not know.
      await Promise.all([loadWire(), loadNotes()]);
      const before = ends.length;
      const opening = client.open(note.id);
      opening.catch(() => {});
      await vi.waitUntil(async () => (await settle(), ends.length > before), 10_000);
      last().open();
      last().say('NOTE', { note: { path: `/${note.id}`, ...note } });
      return opening;
    },
  };
}

/** For a file of tests: the clock is a fake one, and what is made by the answer is closed after each test. */
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
