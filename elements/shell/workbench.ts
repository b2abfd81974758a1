import { commonProperties, type ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.ts';
import sheet from './workbench.css';

/** `<tiding-workbench>`: provides a client for the elements inside it. */
export const workbench: ElementSpec = {
  tag: 'tiding-workbench',
  doc: 'Provides one client for all elements inside it.',
  view: lazyView(() => import('./workbench-view.tsx')),
  hasSlot: true,
  sheets: [sheet],
  properties: { ...commonProperties },
  events: [
    {
      name: 'tiding-sign-in-wanted',
      doc: "The user lacks a permission and chose 'Login'; detail {message}.",
    },
    { name: 'tiding-home-wanted', doc: "The user lacks a permission and chose 'Cancel'." },
    {
      name: 'tiding-error',
      doc:
        'The server reported an error outside of any pending request; detail {message, code}. ' +
        'Call preventDefault() to suppress the message.',
    },
  ],
};
