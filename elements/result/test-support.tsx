/* Shared helpers for browser tests of results and the editor. Not part of the product. */
import {
  type PivotConfig,
  type PivotOptions,
  pivot,
  runNow,
  type TableData,
  textRows,
} from '@tiding/client/model';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { HostContext } from '../runtime/hooks.ts';
import { baseSheet, tokenSheet } from '../theme/index.ts';

/** A component mounted in a shadow root of its own. */
export interface Mounted {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  render(node: ReactNode): void;
  find<Found extends Element = HTMLElement>(selector: string): Found;
  all(selector: string): HTMLElement[];
  remove(): void;
}

const mounted: { remove(): void }[] = [];

/** Removes an element or a mounted component after the test. */
export function untilTestEnd<Removable extends { remove(): void }>(one: Removable): Removable {
  mounted.push(one);
  return one;
}

/** Removes all that lasts until the test ends. */
export function removeMounted(): void {
  for (const each of mounted.splice(0)) each.remove();
}

/** Mounts a component in a shadow root with the theme and style sheets, until the test ends. */
export function mount(node: ReactNode, sheets: readonly string[], width = 1000): Mounted {
  const host = document.createElement('div');
  host.style.width = `${width}px`;
  document.body.append(host);
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [tokenSheet, baseSheet, ...sheets].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  const react = createRoot(root.appendChild(document.createElement('div')));
  const render = (content: ReactNode) =>
    react.render(<HostContext value={host}>{content}</HostContext>);
  render(node);
  return untilTestEnd<Mounted>({
    host,
    root,
    render,
    find<Found extends Element>(selector: string) {
      const found = root.querySelector<Found>(selector);
      if (!found) throw new Error(`nothing matches ${selector}`);
      return found;
    },
    all: (selector) => [...root.querySelectorAll<HTMLElement>(selector)],
    remove() {
      react.unmount();
      host.remove();
    },
  });
}

export function check(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Fails unless both values are equal as JSON. */
export function same(actual: unknown, expected: unknown, message = 'values differ'): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  check(a === b, `${message}: ${a} instead of ${b}`);
}

/** Polls `ask` until it returns a truthy value; errors count as not ready yet. */
export async function waitUntil<Value>(
  ask: () => Value,
  what = 'condition',
  limit = 30_000,
): Promise<NonNullable<Value>> {
  const end = performance.now() + limit;
  let failure: unknown;
  while (performance.now() < end) {
    try {
      const answer = ask();
      if (answer) return answer as NonNullable<Value>;
    } catch (error) {
      failure = error;
    }
    await pause(15);
  }
  throw new Error(
    `${what}: not within ${limit} ms${failure instanceof Error ? ` (${failure.message})` : ''}`,
  );
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/**
 * Applies the strict parts of the page policy that a test page can adopt at run time. Returns the
 * list of violations, which keeps growing.
 */
export function strictPolicy(): string[] {
  const violations: string[] = [];
  document.addEventListener('securitypolicyviolation', (event) =>
    violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`),
  );
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content =
    "style-src 'self'; object-src 'none'; base-uri 'none'; require-trusted-types-for " +
    "'script'; trusted-types dompurify tiding#worker tiding#frame";
  document.head.append(meta);
  return violations;
}

/** Sets the value of a field and fires the events of typing, or of choosing an option. */
export function type(field: HTMLElement, text: string): void {
  const isSelect = field instanceof HTMLSelectElement;
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!;
  set!.call(field, text);
  const options = { bubbles: true, composed: true };
  field.dispatchEvent(
    isSelect
      ? new Event('change', options)
      : new InputEvent('input', { ...options, inputType: 'insertText', data: text }),
  );
}

/** Dispatches a key event for handlers that need no default action. */
export function press(
  target: Element,
  key: string,
  modifiers: KeyboardEventInit = {},
): KeyboardEvent {
  const event = new KeyboardEvent('keydown', {
    key,
    bubbles: true,
    composed: true,
    cancelable: true,
    ...modifiers,
  });
  target.dispatchEvent(event);
  return event;
}

export const pivotOf = (table: TableData, config: PivotConfig, options?: PivotOptions) =>
  runNow(pivot(textRows(table), config, options));
