import { textArea } from '../text/areas.ts';

/** Texts shared by several pages. */
export const pageTexts = textArea('pages', {
  notLoaded: 'The page could not be loaded.',
  lacks: 'This server has no {feature}.',
  notHere: "This server doesn't support this feature.",
  // Quoted from the specification.
  noPermission: 'You do not have permission on this page',
  previous: 'Previous page',
  next: 'Next page',
  page: 'Page {n}',
  pages: 'Pages',
  range: '{from}–{to} of {total}',
  none: 'No matches.',
  clear: 'Clear filter',
});
