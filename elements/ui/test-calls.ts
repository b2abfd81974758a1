/** A server inside the page that answers the REST calls a test wants to answer itself. Not part of the product. */
import { createClient, type Client } from 'tiding/client';
import { memoryServer } from 'tiding/testing';

/** A call as it came. `path` is behind `/api`. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** What is answered: a status (200) and a body, as JSON. */
export interface Answer {
  readonly status?: number;
  readonly body?: unknown;
}

/** A client, and the calls that `answer` has answered; what it answers nothing to goes to a server in memory. */
export function callServer(answer: (call: Call) => Answer | undefined | Promise<Answer | undefined>): { client: Client; calls: Call[] } {
  const memory = memoryServer();
  const calls: Call[] = [];
  const answering: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const text = await request.clone().text();
    let body: unknown = text === '' ? undefined : text;
    if (request.headers.get('content-type')?.includes('json')) body = JSON.parse(text) as unknown;
    const call = { method: request.method, path: new URL(request.url).pathname.replace(/^\/api/, ''), body };
    const given = await answer(call);
    if (!given) return memory.fetch(request);
    calls.push(call);
    const { status = 200, body: answered } = given;
    return new Response(answered === undefined ? null : JSON.stringify(answered), { status, headers: { 'content-type': 'application/json' } });
  };
  return { client: createClient({ server: memory.server, transport: memory.transport, fetch: answering }), calls };
}

/** Puts text into a field, as typing does. */
export function type(field: HTMLInputElement | HTMLSelectElement, text: string): void {
  const { set } = Object.getOwnPropertyDescriptor(field instanceof HTMLSelectElement ? HTMLSelectElement.prototype : HTMLInputElement.prototype, 'value')!;
  set!.call(field, text);
  field.dispatchEvent(field instanceof HTMLSelectElement ? new Event('change', { bubbles: true, composed: true }) : new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertText', data: text }));
}
