import { checksum } from '../tables/checksum.ts';
import { parseDate } from '../text/date-parser.ts';

/** Color name of a status. */
export type StatusColor = 'green' | 'orange' | 'red' | 'gray' | 'blue';
/** Icon name of a status: an empty circle, a spinner, or a filled circle. */
export type StatusIcon = 'ring' | 'spinner' | 'disc';

/** Anything with a status. */
export interface WithStatus {
  /**
   * READY, PENDING, RUNNING, FINISHED, ABORT or ERROR. Absent and unknown values count as READY.
   */
  readonly status?: string | undefined;
}

/** Whether a paragraph is running: PENDING or RUNNING (specification). */
export function isRunning(status: string | undefined): boolean {
  return status === 'PENDING' || status === 'RUNNING';
}

const colors: ReadonlyMap<string | undefined, StatusColor> = new Map([
  ['ABORT', 'orange'],
  ['ERROR', 'red'],
  ['PENDING', 'gray'],
  ['RUNNING', 'blue'],
]);

/**
 * Returns the color of a status: READY and FINISHED green, ABORT orange, ERROR red, PENDING gray,
 * RUNNING blue (specification).
 */
export const statusColor = (status: string | undefined): StatusColor =>
  colors.get(status) ?? 'green';

/**
 * Returns the icon of a status: an empty circle for READY, a spinner for RUNNING, a filled circle
 * for the others (specification).
 */
export const statusIcon = (status: string | undefined): StatusIcon =>
  status === 'RUNNING' ? 'spinner' : status === 'FINISHED' || colors.has(status) ? 'disc' : 'ring';

/** Whether any paragraph of a note is running (specification). */
export function noteIsRunning(paragraphs: readonly WithStatus[]): boolean {
  return paragraphs.some((paragraph) => isRunning(paragraph.status));
}

/**
 * Returns the progress of a job in percent: the share of its paragraphs that are RUNNING or
 * FINISHED, rounded up; 0 without paragraphs (specification).
 */
export function jobProgress(paragraphs: readonly WithStatus[]): number {
  if (paragraphs.length === 0) return 0;
  const counted = paragraphs.filter(
    ({ status }) => status === 'RUNNING' || status === 'FINISHED',
  ).length;
  return Math.ceil((counted * 100) / paragraphs.length);
}

/**
 * Returns how to draw progress: a bar strictly between 0 and 100 percent, otherwise a striped bar
 * (specification).
 */
export function progressStyle(percent: number): 'bar' | 'striped' {
  return percent > 0 && percent < 100 ? 'bar' : 'striped';
}

/** The run and the source of a result: start of the run, and a checksum of text and form values. */
export interface ResultSource {
  /** When the run started. */
  readonly dateStarted: string;
  /** Checksum of the text and the form values. */
  readonly checksum: string;
}

/** A paragraph's dates, and what its result was made from. */
export interface DatedParagraph {
  /** When the text last changed. */
  readonly dateUpdated?: string | undefined;
  /** When the last run started. */
  readonly dateStarted?: string | undefined;
  /** The text. */
  readonly text?: string | undefined;
  /** The form values. */
  readonly settings?:
    | { readonly params?: Readonly<Record<string, unknown>> | undefined }
    | undefined;
  /** Display settings. */
  readonly config?: { readonly resultOf?: ResultSource | undefined } | undefined;
}

/**
 * Whether results are older than the text, which changed after the run started (specification).
 * False if a date is missing, or if `config.resultOf` names this run and this text: a Zeppelin also
 * renews the date when only display settings or the title change.
 */
export function isOutdated(paragraph: DatedParagraph): boolean {
  const updated = parseDate(paragraph.dateUpdated);
  const started = parseDate(paragraph.dateStarted);
  if (!updated || !started || updated <= started) return false;
  const { resultOf } = paragraph.config ?? {};
  return (
    seconds(parseDate(resultOf?.dateStarted)) !== seconds(started) ||
    resultOf?.checksum !== sourceChecksum(paragraph)
  );
}

/** Returns the source of a result that is not outdated; `undefined` if there is none. */
export function resultSource(paragraph: DatedParagraph): ResultSource | undefined {
  const { dateStarted } = paragraph;
  return dateStarted === undefined || isOutdated(paragraph)
    ? undefined
    : { dateStarted, checksum: sourceChecksum(paragraph) };
}

/** Whole seconds: a Zeppelin's stored notes and its messages differ in milliseconds. */
const seconds = (date: Date | undefined): number | undefined =>
  date && Math.floor(date.getTime() / 1_000);

const sourceChecksum = ({ text = '', settings }: DatedParagraph): string =>
  checksum(`${JSON.stringify(settings?.params ?? {})}\n${text}`);
