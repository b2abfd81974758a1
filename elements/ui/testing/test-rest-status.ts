/**
 * Fetch replacement for tests: answers chosen REST calls with a status and a body. Not part of the
 * product.
 */
import type { Client } from '@tiding/client';
import { restClient, type StubbedCall } from './test-rest.ts';

export type { StubbedCall } from './test-rest.ts';

/** An answer: a status (default 200) and a JSON body. */
export interface RestAnswer {
  readonly status?: number;
  readonly body?: unknown;
}

/**
 * Returns a client and the calls that `answer` answered. A memory server handles calls for which it
 * returns nothing.
 */
export function clientWithRest(
  answer: (call: StubbedCall) => RestAnswer | undefined | Promise<RestAnswer | undefined>,
): { client: Client; calls: readonly StubbedCall[] } {
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

/** Sets the text of a field and fires the events of typing. */
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
