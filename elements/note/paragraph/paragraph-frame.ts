import { commonProperties, type ElementSpec } from '../../runtime/define-element.ts';
import { lazyView } from '../../runtime/lazy-view.ts';

/** `<tiding-paragraph-frame>`: a paragraph in an iframe. */
export const paragraphFrame: ElementSpec = {
  tag: 'tiding-paragraph-frame',
  doc:
    'A paragraph in an iframe served by the server. It is isolated from the page, and its ' +
    'height follows the content.',
  view: lazyView(() => import('./paragraph-frame-view.tsx')),
  properties: {
    ...commonProperties,
    note: { kind: 'string', doc: 'Id of the note.' },
    paragraph: { kind: 'string', doc: 'Id of the paragraph.' },
    title: { kind: 'string', doc: 'Accessible name of the frame.' },
  },
  events: [
    { name: 'tiding-resize', doc: 'The height of the content changed; detail {height} in px.' },
  ],
};
