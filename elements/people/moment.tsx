/** Returns a time in the reader's format. */
export const momentText = (time: string): string =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the reader's format. */
export const Moment = ({ time }: { time: string }) => (
  <time dateTime={time}>{momentText(time)}</time>
);
