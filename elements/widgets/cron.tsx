/** Schedules in words: the sentence that the schedule of a note has. */
import { parseQuartz } from 'tiding/model';
import { timeOf, type Schedule } from 'tiding/widgets';
import { text } from '../text/en.ts';
import { cronSentence } from '../ui/cron-sentence.ts';

const t = text.widgets.jobs;

/** An expression as a sentence; undefined where it is none. */
export function cronWords(expression: string | undefined, timeZone?: string): string | undefined {
  if (!expression?.trim()) return undefined;
  try {
    parseQuartz(expression, timeZone);
    return cronSentence(expression);
  } catch {
    return undefined;
  }
}

/** The next start: as the payload tells, else by the expression; none for a schedule that is off or over. */
export function nextRun(
  { expression, timeZone, startTime, endTime, nextRunTime, state }: Schedule,
  now = Date.now(),
): string | number | undefined {
  if (nextRunTime !== undefined) return nextRunTime;
  if (!expression || /^(disabled|stopped|paused)$/i.test(state ?? '')) return undefined;
  try {
    const next = parseQuartz(expression, timeZone || undefined)
      .next(new Date(Math.max(now, timeOf(startTime) ?? now)))
      ?.getTime();
    return next === undefined || next > (timeOf(endTime) ?? Infinity) ? undefined : next;
  } catch {
    return undefined;
  }
}

/** An expression with its meaning below it. */
export function Cron({ schedule: { expression, timeZone } }: { schedule: Schedule }) {
  if (!expression) return null;
  return (
    <>
      <code className="cron">{expression}</code>
      <span className="cron-words">{cronWords(expression, timeZone) ?? t.noCron}</span>
    </>
  );
}
