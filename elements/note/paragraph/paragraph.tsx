import { commonProperties, type ElementSpec } from '../../runtime/define-element.ts';
import { lazyView } from '../../runtime/lazy-view.ts';
import { FirstView } from '../../runtime/snapshots/first-view.ts';
import { lastEvents, locked, mayLeave, withNotes } from '../element-parts.ts';

/** `<tiding-paragraph>`: one paragraph of a note. */
export const paragraphElement: ElementSpec = {
  tag: 'tiding-paragraph',
  doc: 'A live paragraph of a note with editor, forms and result. It can be run in place.',
  view: lazyView(() => withNotes(import('./paragraph-view.tsx'))),
  FirstView,
  properties: {
    ...commonProperties,
    note: { kind: 'string', doc: 'Id of the note.' },
    paragraph: { kind: 'string', doc: 'Id of the paragraph.' },
    look: {
      kind: 'string',
      valueType: "'default' | 'simple' | 'report' | 'embed' | 'focus'",
      doc:
        'Layout: default, simple, report (title and result), embed (only forms and result), or ' +
        'focus (for a page with a single paragraph, without the editor).',
    },
    locked,
  },
  methods: [
    {
      name: 'run',
      doc:
        'Runs the paragraph, with these form values if there are any. Names that no form has are ' +
        'ignored. Rejects if the paragraph is already running.',
      parameters: 'params?: Readonly<Record<string, unknown>>',
      returns: 'Promise<RunResult>',
    },
    {
      name: 'cancel',
      doc: 'Stops the run; resolves when the paragraph is no longer running.',
      returns: 'Promise<void>',
    },
    {
      name: 'setParams',
      doc: 'Fills in form values without a run. The values of other forms stay.',
      parameters: 'params: Readonly<Record<string, unknown>>',
      returns: 'Promise<void>',
    },
    {
      name: 'result',
      doc: 'Returns the result of the last run, after its end if the paragraph is running.',
      returns: 'Promise<RunResult>',
    },
    mayLeave,
  ],
  events: [
    { name: 'tiding-ready', doc: 'The paragraph is shown; detail {noteId, paragraphId}.' },
    {
      name: 'tiding-painted',
      doc: 'The outputs are on the screen; detail {noteId, paragraphId}.',
    },
    { name: 'tiding-run-started', doc: 'A run started; detail {noteId, paragraphId}.' },
    { name: 'tiding-run-finished', doc: 'A run finished; detail {noteId, paragraphId, status}.' },
    {
      name: 'tiding-note-path',
      doc: "The note's name was loaded or changed; detail {noteId, path}.",
    },
    {
      name: 'tiding-open-note',
      doc:
        'The user chose to open the whole note; detail {noteId}. Call preventDefault() to stop ' +
        'the navigation.',
    },
    {
      name: 'tiding-note-left',
      doc: 'The note was deleted, or the user chose to leave it; detail {noteId}.',
    },
    ...lastEvents,
  ],
};
