/** A server inside the page that answers the REST calls a test wants to answer itself, by status and body. Not part of the product. */
import type { Client } from 'tiding/client';
import { restClient, type Call } from './test-rest.ts';

export type { Call } from './test-rest.ts';

/** What is answered: a status (200) and a body, as JSON. */
export interface Answer {
  readonly status?: number;
  readonly body?: unknown;
}

/** A client, and the calls that `answer` has answered; what it answers nothing to goes to a server in memory. */
export function callServer(
  answer: (call: Call) => Answer | undefined | Promise<Answer | undefined>,
): { client: Client; calls: readonly Call[] } {
  return restClient(async (call) => {
    const given = await answer(call);
    if (!given) return undefined;
    const { status = 200, body } = given;
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json' },
    });
  });
}

/** Puts text into a field, as typing does. */
export function type(field: HTMLInputElement | HTMLSelectElement, text: string): void {
  const { set } = Object.getOwnPropertyDescriptor(
    field instanceof HTMLSelectElement ? HTMLSelectElement.prototype : HTMLInputElement.prototype,
    'value',
  )!;
  set!.call(field, text);
  field.dispatchEvent(
    field instanceof HTMLSelectElement
      ? new Event('change', { bubbles: true, composed: true })
      : new InputEvent('input', {
          bubbles: true,
          composed: true,
          inputType: 'insertText',
          data: text,
        }),
  );
}
