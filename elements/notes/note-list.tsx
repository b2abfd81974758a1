import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.ts';

export const noteList: ElementSpec = {
  tag: 'tiding-note-list',
  doc: 'The notes that the user may read, as a tree with a filter and a trash folder.',
  view: lazyView(() => import('../note-list/note-list-view.tsx')),
  properties: { current: { kind: 'string', doc: 'Id of the note to highlight.' } },
  events: [
    {
      name: 'tiding-open-note',
      doc: 'The user selected a note; detail {noteId}. Call preventDefault() to stay on the page.',
    },
  ],
};
