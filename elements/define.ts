/** Registers every element. A second copy on the page logs a warning and changes nothing. */
import * as React from 'react';
import { elements } from './index.ts';
import { register } from './register.ts';

for (const spec of elements) register(spec);

export {
  loadPortal,
  loadTexts,
  onTexts,
  pageClient,
  preload,
  registerDisplay,
  registerVisualization,
  type SomeTexts,
  setTexts,
  type Texts,
  texts,
} from './index.ts';
// Pages that use only this module (`tiding.js`) can also replace texts and add views and displays,
// which must use this React.
export { React };
