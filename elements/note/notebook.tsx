import { commonProperties, type ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.ts';
import { lastEvents, locked, mayLeave, withNotes } from './element-parts.ts';

/** `<tiding-notebook>`: a whole note. */
export const notebook: ElementSpec = {
  tag: 'tiding-notebook',
  doc: 'A complete note with toolbar, side panels and paragraphs.',
  view: lazyView(() => withNotes(import('./notebook-view.tsx'))),
  properties: {
    ...commonProperties,
    note: { kind: 'string', doc: 'Id of the note.' },
    revision: {
      kind: 'string',
      doc: 'Id of a revision of the note, which is shown read-only.',
    },
    paragraph: { kind: 'string', doc: 'Id of the paragraph to scroll to.' },
    term: { kind: 'string', doc: 'Search term: the find box opens with it.' },
    look: {
      kind: 'string',
      valueType: "'default' | 'simple' | 'report'",
      doc: 'Layout: default, simple or report. Defaults to the layout stored in the note.',
    },
    bare: { kind: 'boolean', doc: 'Shows only the paragraphs, without toolbar and panels.' },
    locked,
  },
  methods: [mayLeave],
  events: [
    { name: 'tiding-ready', doc: 'The note is shown; detail {noteId}.' },
    { name: 'tiding-painted', doc: 'The outputs in view are on the screen; detail {noteId}.' },
    {
      name: 'tiding-note-path',
      doc: "The note's name was loaded or changed; detail {noteId, path}.",
    },
    {
      name: 'tiding-note-missing',
      doc:
        "The note can't be opened; detail {noteId, code, message}, and revisionId if a " +
        'revision was requested. Call preventDefault() to suppress the dialog about a missing ' +
        'right.',
    },
    {
      name: 'tiding-note-left',
      doc:
        'The note was moved to the trash or deleted, or the user chose to leave it; detail ' +
        '{noteId}.',
    },
    {
      name: 'tiding-open-note',
      doc:
        'The user chose another note; detail {noteId}, and revisionId for a revision. Call ' +
        'preventDefault() to stop the navigation.',
    },
    ...lastEvents,
  ],
};
