/** Returns a time, as a date's text or in ms since 1970, in the reader's format. */
export const momentText = (time: string | number): string =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
