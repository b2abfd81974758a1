/** Client for tests of pages: the test answers REST calls, a memory server answers the rest. */
import { type Client, createClient } from '@tiding/client';
import { type MemoryServer, memoryServer } from '@tiding/client/testing';

/** A received call. */
export interface StubbedCall {
  readonly method: string;
  /** Path below `/api`, decoded, for example `/helium/config/a/a@1`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Parsed body if it is JSON; `undefined` if there is none. */
  readonly body: unknown;
}

/**
 * Answers a call with a body, or with a `Response` for another status. Return `undefined` to let
 * the memory server answer.
 */
export type StubAnswer = (call: StubbedCall) => unknown;

/** The client and the calls it made. */
export interface RestClient {
  readonly client: Client;
  readonly memory: MemoryServer;
  /** Calls answered by the test. */
  readonly calls: readonly StubbedCall[];
}

/** Stands for no answer, because the server can't be reached. */
export const unreachable = Symbol('unreachable');

/** A response with an error status and a message. */
export const refusal = (status: number, message: string): Response =>
  Response.json({ status: 'ERROR', message }, { status });

export function restClient(
  answer: StubAnswer,
  options: Parameters<typeof memoryServer>[0] = {},
): RestClient {
  const memory = memoryServer(options);
  const calls: StubbedCall[] = [];
  const fetched: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    const raw = await request.clone().text();
    const isJson = request.headers.get('Content-Type')?.includes('json') ?? false;
    const call = {
      method: request.method,
      path: decodeURIComponent(pathname.replace(/^.*?\/api/, '')),
      query: searchParams,
      body: raw === '' ? undefined : isJson ? (JSON.parse(raw) as unknown) : raw,
    };
    const given = await answer(call);
    if (given === undefined) return memory.fetch(request);
    calls.push(call);
    if (given === unreachable) throw new TypeError('Failed to fetch');
    return given instanceof Response ? given : Response.json({ status: 'OK', body: given });
  };
  return {
    client: createClient({
      server: memory.server,
      transport: memory.transport,
      fetch: fetched,
      backoff: () => 20,
    }),
    memory,
    calls,
  };
}
