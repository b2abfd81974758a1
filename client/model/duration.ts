/** Sentences about how long something took and how long ago it was. */
import { formatDate } from './date-format.ts';
import { parseDate, type ZoneOption } from './date.ts';
import { isOutdated } from './status.ts';

/** The times of a paragraph's last run, as they travel. */
export interface RunTimes {
  /** When the last run began. */
  readonly dateStarted?: string | undefined;
  /** When the last run ended. */
  readonly dateFinished?: string | undefined;
  /** When the text last changed. */
  readonly dateUpdated?: string | undefined;
  /** Who changed or ran it last; absent means anonymous. */
  readonly user?: string | undefined;
}

/** Whole seconds in hours, minutes and seconds, units before the first non-zero one left out: `1 hrs 0 min 5 sec`. */
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
 * The footer of a result: `Took 1 min 3 sec. Last updated by {user} at MMMM DD YYYY, h:mm:ss A.`, with ` (outdated)`
 * when the text changed after the run (specification, upstream 0.8.2). The date is that of the end.
 *
 * Without both times, or with the end before the start: `outdated` when it is, else `''`.
 */
export function tookText(run: RunTimes, options: ZoneOption = {}): string {
  const started = parseDate(run.dateStarted, options);
  const finished = parseDate(run.dateFinished, options);
  const outdated = isOutdated(run);
  if (!started || !finished || finished < started) return outdated ? 'outdated' : '';
  const at = formatDate(finished, 'MMMM DD YYYY, h:mm:ss A', options);
  const took = spelled(finished.getTime() - started.getTime());
  return `Took ${took}. Last updated by ${run.user ?? 'anonymous'} at ${at}.${outdated ? ' (outdated)' : ''}`;
}

/** The footer while a paragraph runs: `Started a few seconds ago.` (upstream 0.8.2); `''` without a start. */
export function startedText(run: Pick<RunTimes, 'dateStarted'>, now: Date): string {
  const started = parseDate(run.dateStarted);
  return started ? `Started ${relativeTime(started, now)}.` : '';
}

/** A duration for a status line: `0.8 s`, `38 s`, `1 min 3 s`, `2 h 5 min`; tenths below ten seconds. Negative counts as 0. */
export function shortDuration(ms: number): string {
  const tenths = Math.floor(Math.max(0, ms) / 100);
  if (tenths < 100) return `${tenths / 10} s`;
  const seconds = Math.floor(tenths / 10);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Distance in words, by the thresholds of the date library upstream 0.8.2 uses. */
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

/** `5 minutes ago`, `an hour ago`, `in 2 days`: rough words for the distance between two moments (upstream 0.8.2, job list). */
export function relativeTime(date: Date, now: Date): string {
  const ms = now.getTime() - date.getTime();
  return ms >= 0 ? `${distance(ms)} ago` : `in ${distance(-ms)}`;
}
