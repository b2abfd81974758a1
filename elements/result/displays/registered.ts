/**
 * Displays that host pages register. Apart from the built-in ones, so that a page can register one
 * before any result is loaded.
 */
import { type Output, outputText } from '@tiding/client';
import { createViewStore, useViewStore } from '../../runtime/store.ts';
import type { Display } from '../contract.ts';

/** Displays registered by the host page, newest first. */
const registered = createViewStore<{ readonly list: readonly Display[] }>({ list: [] });

/**
 * Registers a component that shows outputs of certain types. It takes precedence over built-in and
 * earlier registered displays, and outputs already on the page are rendered again immediately.
 *
 * A type name that the protocol does not define is your own: a text output that starts with
 * `%name` is shown by the display registered for `name`.
 *
 * @param display types and component; the component receives {@link DisplayProps}
 * @returns a function that removes the display
 *
 * @example
 * const remove = registerDisplay({ types: ['MAP'], View: MapDisplay });
 */
export function registerDisplay(display: Display): () => void {
  registered.set({ list: [display, ...registered.get().list] });
  return () => registered.set({ list: registered.get().list.filter((each) => each !== display) });
}

const same = (one: string, other: string): boolean =>
  one.replace(/^%/, '').toUpperCase() === other.replace(/^%/, '').toUpperCase();
/** The newest registered display for an output type. */
export const registeredDisplay = (type: string): Display | undefined =>
  registered.get().list.find(({ types }) => types.some((each) => same(each, type)));

/**
 * Converts a text output that starts with `%name` of a registered display to an output of that
 * type.
 */
export function namedOutput(output: Output): Output {
  if (output.type !== 'TEXT' || registered.get().list.length === 0) return output;
  const found = /^%([\w.-]+)(?:[ \t]|\r?\n|$)/.exec(outputText(output));
  if (!found || !registeredDisplay(found[1]!)) return output;
  return {
    type: found[1]!.toUpperCase(),
    chunks: [outputText(output).slice(found[0].length)],
    count: 1,
  };
}

/** Re-renders the component when a display is registered or removed. */
export const useDisplays = (): void => void useViewStore(registered, ({ list }) => list);
