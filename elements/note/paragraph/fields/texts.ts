import { textArea } from '../../../text/areas.ts';

/** Texts of form fields. */
export const fieldTexts = textArea('fields', {
  locked: 'This value is set by the page',
  noOption: 'No options match “{term}”.',
  moreOptions: 'and {n} more; type to search',
});
