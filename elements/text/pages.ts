/** Sentences that several pages share. */
export const pageTexts = {
  notLoaded: 'The page could not be loaded.',
  notHere: 'The server behind this page does not have this.',
  // The specification's client, word for word.
  noPermission: 'You do not have permission on this page',
  previous: 'Previous page',
  next: 'Next page',
  page: 'Page {n}',
  pages: 'Pages',
  range: '{from}–{to} of {total}',
  none: 'Nothing matches.',
  clear: 'Clear the filter',
};
