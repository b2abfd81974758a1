import { momentText } from '../text/moment-text.ts';

/** A time in the reader's format. */
export const Moment = ({ time }: { time: string }) => (
  <time dateTime={time}>{momentText(time)}</time>
);
