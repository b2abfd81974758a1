/** A client for tests of pages: calls are answered by the test, the rest by a server in memory. */
import { createClient, type Client } from 'tiding/client';
import { memoryServer, type MemoryServer } from 'tiding/testing';

/** A call that has arrived. */
export interface Call {
  readonly method: string;
  /** Below `/api`, decoded: `/helium/config/a/a@1`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Parsed where it is JSON; `undefined` without one. */
  readonly body: unknown;
}

/** Answers a call: the body of the answer, a `Response` for another status; `undefined` where the server in memory is to answer. */
export type Answer = (call: Call) => unknown;

/** What a test has. */
export interface RestClient {
  readonly client: Client;
  readonly memory: MemoryServer;
  /** The calls that the test has answered. */
  readonly calls: readonly Call[];
}

/** An answer with a status and the server's sentence. */
export const refusal = (status: number, message: string): Response =>
  Response.json({ status: 'ERROR', message }, { status });

/** Makes one. */
export function restClient(
  answer: Answer,
  options: Parameters<typeof memoryServer>[0] = {},
): RestClient {
  const memory = memoryServer(options);
  const calls: Call[] = [];
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
