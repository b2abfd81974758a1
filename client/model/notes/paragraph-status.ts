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

/**
 * Returns the color of a status: READY and FINISHED green, ABORT orange, ERROR red, PENDING gray,
 * RUNNING blue (specification).
 */
export function statusColor(status: string | undefined): StatusColor {
  switch (status) {
    case 'ABORT':
      return 'orange';
    case 'ERROR':
      return 'red';
    case 'PENDING':
      return 'gray';
    case 'RUNNING':
      return 'blue';
    default:
      return 'green';
  }
}

/**
 * Returns the icon of a status: an empty circle for READY, a spinner for RUNNING, a filled circle
 * for the others (specification).
 */
export function statusIcon(status: string | undefined): StatusIcon {
  switch (status) {
    case 'RUNNING':
      return 'spinner';
    case 'PENDING':
    case 'FINISHED':
    case 'ABORT':
    case 'ERROR':
      return 'disc';
    default:
      return 'ring';
  }
}

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

/**
 * Whether results are older than the text, which changed after the run started (specification).
 * False if a date is missing.
 */
export function isOutdated(paragraph: {
  dateUpdated?: string | undefined;
  dateStarted?: string | undefined;
}): boolean {
  const updated = parseDate(paragraph.dateUpdated);
  const started = parseDate(paragraph.dateStarted);
  return updated !== undefined && started !== undefined && updated > started;
}
