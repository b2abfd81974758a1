/** Schedules as text; notes use the same sentences. */
import { parseQuartz } from '@tiding/client/schedules';
import { type Schedule, timeOf } from '@tiding/client/widgets';
import { cronSentence } from '../ui/cron-sentence.ts';
import { jobsTexts as t } from './jobs/texts.ts';

/** Describes a cron expression, or returns `undefined` if it is invalid. */
export function cronText(expression: string | undefined, timeZone?: string): string | undefined {
  if (!expression?.trim()) return undefined;
  try {
    parseQuartz(expression, timeZone);
    return cronSentence(expression);
  } catch {
    return undefined;
  }
}

/**
 * The next start time: from the payload, otherwise from the expression. None for a schedule that is
 * disabled or has ended.
 */
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

/** A cron expression with its description below. */
export function Cron({ schedule: { expression, timeZone } }: { schedule: Schedule }) {
  if (!expression) return null;
  return (
    <>
      <code className="cron">{expression}</code>
      <span className="cron-words">{cronText(expression, timeZone) ?? t.noCron}</span>
    </>
  );
}
