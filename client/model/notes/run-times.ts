import { formatDate } from '../text/date-format.ts';
import { parseDate, type ZoneOption } from '../text/date-parser.ts';
import { type DatedParagraph, isOutdated } from './paragraph-status.ts';

/** Times of a paragraph's last run, as on the wire. */
export interface RunTimes extends DatedParagraph {
  /** When the last run ended. */
  readonly dateFinished?: string | undefined;
  /** Duration of the last run, in ms. Only Tiding servers send it; dates have whole seconds. */
  readonly tookMs?: number | undefined;
  /** User who last changed or ran the paragraph; absent for anonymous. */
  readonly user?: string | undefined;
}

/**
 * Returns the duration of the last run in ms: as measured, or else between its two dates.
 * `undefined` if a date is missing or the end is before the start.
 */
export function runDuration(run: RunTimes, options: ZoneOption = {}): number | undefined {
  const started = parseDate(run.dateStarted, options);
  const finished = parseDate(run.dateFinished, options);
  if (!started || !finished || finished < started) return undefined;
  return run.tookMs ?? finished.getTime() - started.getTime();
}

/**
 * Formats whole seconds in hours, minutes and seconds without leading zero units: `1 hrs 0 min 5
 * sec`.
 */
function spelled(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 3600), 'hrs'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 'sec'],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  return parts
    .slice(first < 0 ? -1 : first)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ');
}

/**
 * Returns the footer of a result: `Took 1 min 3 sec. Last updated by {user} at MMMM DD YYYY,
 * h:mm:ss A.`, followed by ` (outdated)` if the text changed after the run (specification; Zeppelin
 * 0.8.2). The date is that of the end of the run; the duration is that of `shortDuration`, without
 * its tenths.
 *
 * If a time is missing, or the end is before the start: `outdated` if it is, otherwise `''`.
 */
export function runFooterText(run: RunTimes, options: ZoneOption = {}): string {
  const duration = runDuration(run, options);
  const finished = parseDate(run.dateFinished, options);
  const outdated = isOutdated(run);
  if (duration === undefined || !finished) return outdated ? 'outdated' : '';
  const at = formatDate(finished, 'MMMM DD YYYY, h:mm:ss A', options);
  const took = spelled(duration);
  return (
    `Took ${took}. Last updated by ${run.user ?? 'anonymous'} at ` +
    `${at}.${outdated ? ' (outdated)' : ''}`
  );
}

/**
 * Returns the footer of a running paragraph: `Started a few seconds ago.` (as in Zeppelin 0.8.2);
 * `''` without a start time.
 */
export function runStartedText(run: Pick<RunTimes, 'dateStarted'>, now: Date): string {
  const started = parseDate(run.dateStarted);
  return started ? `Started ${relativeTime(started, now)}.` : '';
}

/**
 * Formats a duration for a status line: `0.8 s`, `38 s`, `1 min 3 s`, `2 h 5 min`. Tenths are shown
 * below ten seconds. Negative durations count as 0.
 */
export function shortDuration(ms: number): string {
  const tenths = Math.floor(Math.max(0, ms) / 100);
  if (tenths < 100) return `${tenths / 10} s`;
  const seconds = Math.floor(tenths / 10);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Describes a duration in words, with the thresholds of the date library in Zeppelin 0.8.2. */
function distance(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const minutes = Math.round(ms / 60_000);
  const hours = Math.round(ms / 3_600_000);
  const days = Math.round(ms / 86_400_000);
  const months = Math.round(ms / (86_400_000 * 30.436875));
  const years = Math.round(ms / (86_400_000 * 365.2425));
  if (seconds < 45) return 'a few seconds';
  if (minutes <= 1) return 'a minute';
  if (minutes < 45) return `${minutes} minutes`;
  if (hours <= 1) return 'an hour';
  if (hours < 22) return `${hours} hours`;
  if (days <= 1) return 'a day';
  if (days < 26) return `${days} days`;
  if (months <= 1) return 'a month';
  if (months < 11) return `${months} months`;
  return years <= 1 ? 'a year' : `${years} years`;
}

/**
 * Describes the time between two dates in rough words: `5 minutes ago`, `an hour ago`, `in 2 days`
 * (as in the job list of Zeppelin 0.8.2).
 */
export function relativeTime(date: Date, now: Date): string {
  const ms = now.getTime() - date.getTime();
  return ms >= 0 ? `${distance(ms)} ago` : `in ${distance(-ms)}`;
}
