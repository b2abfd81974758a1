import { textArea } from '../../text/areas.ts';

/** Texts of a note's forms. */
export const formTexts = textArea('forms', {
  untitled: 'Untitled form',
  title: 'Form title',
  remove: 'Remove {name}',
  note: 'Note forms',
});
