/** Sentences of the page of what a search has found. */
export const searchTexts = {
  // The specification's client, word for word.
  none: "We couldn’t find any notebook matching '{term}'",
  untitled: 'Note {id}',
  failed: 'The notes could not be searched.',
  noTerm: 'What is to be found? Type it into the search field above.',
  found: (hits: number, notes: number) =>
    `${hits} ${hits === 1 ? 'hit' : 'hits'} in ${notes} ${notes === 1 ? 'note' : 'notes'}`,
  code: 'Text found in {name}',
};
