import type { Output } from '@tiding/client';
import type { FunctionComponent } from 'react';
import { lazyCode, preloadable } from '../../runtime/lazy-code.tsx';
import type { Display, DisplayProps } from '../contract.ts';
import { HtmlDisplay, preloadHtml } from './html.tsx';
import { registeredDisplay } from './registered.ts';
import { TextDisplay } from './text.tsx';

/** Built-in displays by output type. To add one, write its component and list it here. */
export const displays: (Display & { preload?: (output: Output) => Promise<void> })[] = [
  { types: ['TEXT'], View: TextDisplay },
  { types: ['TABLE'], ...preloadable(() => import('./table-result/table-display.tsx')) },
  { types: ['NETWORK'], ...preloadable(() => import('./network.tsx')) },
  { types: ['TERMINAL'], ...preloadable(() => import('./terminal/terminal.tsx')) },
  { types: ['INPUT'], View: lazyCode(() => import('./input.tsx')) },
  { types: ['HTML', 'ELEMENT'], View: HtmlDisplay, preload: preloadHtml },
  { types: ['ANGULAR'], ...preloadable(() => import('./angular.tsx')) },
  { types: ['IMG', 'SVG'], ...preloadable(() => import('./image.tsx')) },
];

/**
 * Loads the code of an output in a view, so that it can be rendered while the browser prints.
 * Requests the rows of a table together with the code around them, which would ask for them only
 * once it has arrived.
 */
export async function prepareDisplay(output: Output, mode: string): Promise<void> {
  const { type } = output;
  const code = displays.find(({ types }) => types.includes(type))?.preload?.(output);
  if (type !== 'TABLE') return code;
  // The view reports the error.
  if (mode === 'table') void import('../visualizations/table/index.tsx').catch(() => {});
  await import('./table-result/table-display.tsx').then(
    ({ preloadView }) => preloadView(mode),
    () => {},
  );
}

const SpellDisplay = lazyCode(() => import('../packages/spell-display.tsx'));

/**
 * Returns the component for an output type: a registered display, a built-in one, or the spell
 * display for types that start with `%`.
 */
export function displayOf({
  type,
}: Pick<Output, 'type'>): FunctionComponent<DisplayProps> | undefined {
  return (
    (registeredDisplay(type) ?? displays.find(({ types }) => types.includes(type)))?.View ??
    (type.startsWith('%') ? SpellDisplay : undefined)
  );
}
