/** Replaces `test/support/rest-server.ts` outside Node: replies from an in-memory `fetch`. */
import type { Asked, Reply, RestServer } from '../support/rest-server.ts';

/** The part of Node's `ServerResponse` that the tests use. */
class Answering {
  #status = 200;
  readonly #headers = new Headers();
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #settle: (response: Response) => void;

  constructor(settle: (response: Response) => void) {
    this.#settle = settle;
  }

  writeHead(status: number, headers: Record<string, string | string[]> = {}): this {
    this.#status = status;
    for (const [name, values] of Object.entries(headers))
      for (const value of [values].flat()) this.#headers.append(name, value);
    return this;
  }

  write(text: string): void {
    this.#stream();
    this.#body!.enqueue(new TextEncoder().encode(text));
  }

  end(text = ''): void {
    if (this.#body) {
      if (text !== '') this.write(text);
      this.#body.close();
    } else
      this.#settle(
        new Response([204, 304].includes(this.#status) ? null : text, {
          status: this.#status,
          headers: this.#headers,
        }),
      );
  }

  destroy(): void {
    this.#stream();
    this.#body!.error(new TypeError('the connection broke'));
  }

  #stream(): void {
    if (this.#body) return;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#body = controller),
    });
    this.#settle(new Response(body, { status: this.#status, headers: this.#headers }));
  }
}

/** Sends a status, a body and headers. */
export function answer(
  response: Answering,
  status: number,
  body: string | object = '',
  headers: Record<string, string | string[]> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response
    .writeHead(status, {
      'Content-Type': typeof body === 'string' ? 'text/html' : 'application/json',
      ...headers,
    })
    .end(text);
}

/** Creates an in-memory server with these replies. */
export async function restServer(replies: Record<string, Reply> = {}): Promise<RestServer> {
  const asked: Asked[] = [];
  const url = 'http://server.test';
  let stopped = false;

  const once = (one: Asked): Promise<Response> =>
    new Promise((resolve) => {
      asked.push(one);
      const reply = replies[`${one.method} ${one.url.replace(/^\/api/, '').split('?')[0]}`] as
        | Reply
        | undefined
        | ((asked: Asked, response: Answering) => void);
      const response = new Answering(resolve);
      if (typeof reply === 'function')
        (reply as (asked: Asked, response: Answering) => void)(one, response);
      else if (reply === undefined) answer(response, 404, { status: 'NOT_FOUND' });
      else answer(response, 200, { status: 'OK', message: '', body: reply });
    });

  const answered = async (request: Request): Promise<Response> => {
    const body = await request.clone().text();
    const ask = (address: string) =>
      once({
        method: request.method,
        url: address.slice(url.length),
        headers: Object.fromEntries(request.headers),
        body,
      });
    let response = await ask(request.url);
    // Follow redirects, as a browser does.
    for (let hops = 0; hops < 5 && response.status === 302; hops += 1)
      response = await ask(response.headers.get('Location') ?? '');
    return response;
  };

  return {
    url,
    asked,
    replies,
    fetch: (input, init) =>
      new Promise((resolve, reject) => {
        const request = new Request(input, init);
        if (stopped) return reject(new TypeError('the server is stopped'));
        const abort = () => reject(request.signal.reason);
        if (request.signal.aborted) return abort();
        request.signal.addEventListener('abort', abort);
        answered(request).then((response) => resolve(abortable(response, request.signal)), reject);
      }),
    get calls() {
      return asked.map((one) => `${one.method} ${one.url.replace(/^\/api/, '')}`);
    },
    stop: async () => void (stopped = true),
  };
}

/** Errors the body when its request is aborted. */
function abortable(response: Response, signal: AbortSignal): Response {
  if (!response.body) return response;
  const through = new TransformStream<Uint8Array, Uint8Array>();
  response.body.pipeTo(through.writable, { signal }).catch(() => {});
  return new Response(through.readable, { status: response.status, headers: response.headers });
}
