import { textArea } from '../../text/areas.ts';

/**
 * Texts of find and replace, the outline, moving paragraphs, and printing; some are quoted from the
 * specification.
 */
export const findTexts = textArea('find', {
  open: 'Search code',
  title: 'Find and replace',
  find: 'Find',
  replaceWith: 'Replace with',
  previous: 'Previous',
  next: 'Next',
  close: 'Close search',
  replace: 'Replace',
  all: 'All',
  allLabel: 'Replace all',
  matchCase: 'Match case',
  wholeWord: 'Whole words',
  regex: 'Regular expression',
  results: 'Include results',
  position: '{n} of {m}',
  morePosition: '{n} of more than {m}',
  none: 'No match',
  searching: 'Searching…',
  badExpression: 'Invalid regular expression: {reason}',
  replaced: '{hits} replaced in {paragraphs} paragraphs.',
  replacedOne: '1 replaced.',
  skipped: 'Skipped because they are running: {skipped}.',
  drag: 'Drag to move',
  dragRole: 'drag handle',
  dragStart: '{name} picked up.',
  dragKeys: 'Use the arrow keys to move it, Enter to drop it, or Escape to cancel.',
  dragOver: 'Position {n} of {m}.',
  dragEnd: '{name} is now at position {n} of {m}.',
  dragCancel: '{name} was not moved.',
  outlineStatus: ', {status}',
  print: 'Print this note',
  printIncomplete:
    'This print was started before everything had loaded, so rows, charts or images may be ' +
    'missing. Choose “Print this note” to print all of them.',
  printAgain: 'The note was printed before everything had loaded.',
});
