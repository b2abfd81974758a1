import { textArea } from '../text/areas.ts';

/** Texts of the search results page. */
export const searchTexts = textArea('search', {
  // Quoted from the specification.
  none: "We couldn’t find any notebook matching '{term}'",
  untitled: 'Note {id}',
  failed: 'The notes could not be searched.',
  noTerm: 'Type a term in the search field above.',
  found: (hits: number, notes: number) =>
    `${hits} ${hits === 1 ? 'match' : 'matches'} in ${notes} ${notes === 1 ? 'note' : 'notes'}`,
  code: 'Text found in {name}',
});
