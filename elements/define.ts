/** Registers every element. A second copy on a page says so and changes nothing. */
import * as React from 'react';
import { elementClass, elements } from './index.ts';

if (typeof customElements !== 'undefined') {
  for (const spec of elements) {
    if (customElements.get(spec.tag))
      console.warn(`${spec.tag} is already defined; this copy of tiding stands back.`);
    else customElements.define(spec.tag, elementClass(spec));
  }
}

// A page that takes this module alone (`tiding.js`) can replace texts and add views and displays too; theirs is the React that draws them.
export { React };
export {
  onTexts,
  preload,
  registerDisplay,
  registerVisualization,
  setTexts,
  texts,
  type SomeTexts,
  type Texts,
} from './index.ts';
