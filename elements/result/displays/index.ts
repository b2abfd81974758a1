import { lazy, type FunctionComponent } from 'react';
import { outputText, type Output } from 'tiding/client';
import { createStore, useStore } from '../../runtime/store.ts';
import type { Display, DisplayProps } from '../contract.ts';
import { AngularDisplay } from './angular.tsx';
import { HtmlDisplay } from './html.tsx';
import { ImageDisplay } from './image.tsx';
import { TextDisplay } from './text.tsx';

/** How each type of output is shown; a new display is its file and a line here. */
export const displays: Display[] = [
  { types: ['TEXT'], View: TextDisplay },
  { types: ['TABLE'], View: lazy(() => import('./table/table-display.tsx')) },
  { types: ['NETWORK'], View: lazy(() => import('./network.tsx')) },
  { types: ['HTML'], View: HtmlDisplay },
  { types: ['ANGULAR'], View: AngularDisplay },
  { types: ['IMG', 'SVG'], View: ImageDisplay },
];

const SpellDisplay = lazy(() => import('../packages/spell-display.tsx'));

/** Displays from outside the package, newest first, and how often one came. */
const registered = createStore<{ readonly list: readonly Display[] }>({ list: [] });

/**
 * Shows outputs of some types by a component of yours, which takes {@link DisplayProps}; what is shown is drawn anew at once. It stands
 * before the built-in display of a type, and before one that was registered earlier. A name that is no type of the protocol is one
 * of yours: a text that starts with a line `%name …` is shown by the display of `name`. Returns its undo.
 */
export function registerDisplay(display: Display): () => void {
  registered.set({ list: [display, ...registered.get().list] });
  return () => registered.set({ list: registered.get().list.filter((each) => each !== display) });
}

const same = (one: string, other: string): boolean =>
  one.replace(/^%/, '').toUpperCase() === other.replace(/^%/, '').toUpperCase();
const own = (type: string): Display | undefined =>
  registered.get().list.find(({ types }) => types.some((each) => same(each, type)));

/** An output as it is shown: a text that starts with `%name ` of a registered display is an output of that type. */
export function namedOutput(output: Output): Output {
  if (output.type !== 'TEXT' || registered.get().list.length === 0) return output;
  const found = /^%([\w.-]+)(?:[ \t]|\r?\n|$)/.exec(outputText(output));
  if (!found || !own(found[1]!)) return output;
  return {
    type: found[1]!.toUpperCase(),
    chunks: [outputText(output).slice(found[0].length)],
    count: 1,
  };
}

/** The component for an output: registered, built in, or for the magic of a spell. */
export function displayOf({
  type,
}: Pick<Output, 'type'>): FunctionComponent<DisplayProps> | undefined {
  return (
    (own(type) ?? displays.find(({ types }) => types.includes(type)))?.View ??
    (type.startsWith('%') ? SpellDisplay : undefined)
  );
}

/** Renders again when a display is registered. */
export const useDisplays = (): void => void useStore(registered, ({ list }) => list);
