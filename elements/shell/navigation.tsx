import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.ts';

/** `<tiding-navigation>`: navigation bar or list of settings pages. */
export const navigation: ElementSpec = {
  tag: 'tiding-navigation',
  doc:
    'The navigation bar: links, search, and menus for notes, settings, clusters and the ' +
    'user. With `list`, the list of settings pages instead. Its content, such as a name and ' +
    'logo, is shown before the links.',
  view: lazyView(() => import('./navigation-view.tsx')),
  properties: {
    path: { kind: 'string', doc: 'Path of the current page.' },
    places: {
      kind: 'object',
      valueType: 'readonly NavigationPage[]',
      doc: 'Pages: an array of {path, label, group}, where group is main, workspace or account.',
    },
    list: { kind: 'boolean', doc: 'Shows the list of settings pages instead of the bar.' },
  },
  events: [
    { name: 'tiding-near', doc: 'The user is likely to open a page next; detail {path}.' },
    {
      name: 'tiding-open-note',
      doc:
        'The user selected or created a note; detail {noteId}. Call preventDefault() to stay ' +
        'on the page.',
    },
    {
      name: 'tiding-cluster-changed',
      doc:
        'The current cluster was set or unset; detail {clusterId?, name?}, empty if it was ' +
        'unset.',
    },
    { name: 'tiding-logout-wanted', doc: 'The user wants to sign out.' },
  ],
};
