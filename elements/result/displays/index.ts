import { lazy } from 'react';
import type { Display } from '../contract.ts';
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
