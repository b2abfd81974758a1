import type { Output } from '@tiding/client';
import { type FunctionComponent, lazy } from 'react';
import type { Display, DisplayProps } from '../contract.ts';
import { HtmlDisplay } from './html.tsx';
import { registeredDisplay } from './registered.ts';
import { TextDisplay } from './text.tsx';

/** Built-in displays by output type. To add one, write its component and list it here. */
export const displays: Display[] = [
  { types: ['TEXT'], View: TextDisplay },
  { types: ['TABLE'], View: lazy(() => import('./table-result/table-display.tsx')) },
  { types: ['NETWORK'], View: lazy(() => import('./network.tsx')) },
  { types: ['TERMINAL'], View: lazy(() => import('./terminal/terminal.tsx')) },
  { types: ['INPUT'], View: lazy(() => import('./input.tsx')) },
  { types: ['HTML', 'ELEMENT'], View: HtmlDisplay },
  { types: ['ANGULAR'], View: lazy(() => import('./angular.tsx')) },
  { types: ['IMG', 'SVG'], View: lazy(() => import('./image.tsx')) },
];

/**
 * Requests the rows of a table together with the code around them, which would ask for them only
 * once it has arrived.
 */
export function prepareDisplay(type: string, mode: string): void {
  // The view reports the error.
  if (type === 'TABLE' && mode === 'table')
    void import('../visualizations/table/index.tsx').catch(() => {});
}

const SpellDisplay = lazy(() => import('../packages/spell-display.tsx'));

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
