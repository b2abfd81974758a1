/** What a paragraph's status means for colours, icons and progress. */
import { parseDate } from './date.ts';

/** Colour word of a status. */
export type StatusColor = 'green' | 'orange' | 'red' | 'gray' | 'blue';
/** Icon word of a status: an empty circle, a spinner, a filled circle. */
export type StatusIcon = 'ring' | 'spinner' | 'disc';

/** Anything that has a status; an absent or unknown one is read as READY. */
export interface WithStatus {
  /** READY, PENDING, RUNNING, FINISHED, ABORT or ERROR; absent is read as READY. */
  readonly status?: string | undefined;
}

/** Whether a paragraph is running: PENDING or RUNNING (specification). */
export function isRunning(status: string | undefined): boolean {
  return status === 'PENDING' || status === 'RUNNING';
}

/** Colour of a status: READY and FINISHED green, ABORT orange, ERROR red, PENDING gray, RUNNING blue (specification). */
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

/** Icon of a status: READY an empty circle, RUNNING a spinner, the others a filled circle (specification). */
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

/** Progress of a job in percent: the share of its paragraphs that are RUNNING or FINISHED, rounded up; 0 without any (specification). */
export function jobProgress(paragraphs: readonly WithStatus[]): number {
  if (paragraphs.length === 0) return 0;
  const counted = paragraphs.filter(
    ({ status }) => status === 'RUNNING' || status === 'FINISHED',
  ).length;
  return Math.ceil((counted * 100) / paragraphs.length);
}

/** How progress is drawn: a bar strictly between 0 and 100 percent, else a striped one (specification). */
export function progressLook(percent: number): 'bar' | 'striped' {
  return percent > 0 && percent < 100 ? 'bar' : 'striped';
}

/** Whether results are older than the text: changed after the run started (specification). False while a date is missing. */
export function isOutdated(paragraph: {
  dateUpdated?: string | undefined;
  dateStarted?: string | undefined;
}): boolean {
  const updated = parseDate(paragraph.dateUpdated);
  const started = parseDate(paragraph.dateStarted);
  return updated !== undefined && started !== undefined && updated > started;
}
