/** When paragraphs ran last, and which of them ran before what they use. */
import { isOutdated, isRunning, parseDate } from '@tiding/client/model';
import type { StoredParagraph } from '../../notes/note.ts';

/** A run that is over; times in ms. */
interface LastRun {
  readonly began: number;
  readonly ended: number;
  /** Whether the text changed since. */
  readonly hasOtherText: boolean;
}

/** Stored dates have whole seconds, in which several short runs fit. */
const runs = new WeakMap<StoredParagraph, LastRun & { text: string; date: string | undefined }>();

/** Remembers that a run of a text is over, while the server runs. */
export function rememberRun(paragraph: StoredParagraph, text: string, tookMs: number): void {
  const ended = Date.now();
  const { dateFinished: date } = paragraph;
  runs.set(paragraph, { began: ended - tookMs, ended, hasOtherText: false, text, date });
}

/** Returns the last run of a paragraph; undefined if there is none or it is not over. */
function lastRunOf(paragraph: StoredParagraph): LastRun | undefined {
  const { dateFinished, status, text, tookMs } = paragraph;
  const started = parseDate(paragraph.dateStarted)?.getTime();
  const ended = parseDate(dateFinished)?.getTime();
  if (started === undefined || ended === undefined || isRunning(status)) return undefined;
  const known = runs.get(paragraph);
  if (known && known.date === dateFinished)
    return { ...known, hasOtherText: known.text !== text || isOutdated(paragraph) };
  // A run may wait for a while after its start. Up to a second is missing from its end.
  const began = tookMs === undefined ? started : Math.max(started, ended + 999 - tookMs);
  return { began, ended, hasOtherText: isOutdated(paragraph) };
}

/**
 * Returns for each paragraph the id of the one that makes it stale: itself if its text changed
 * since its run, or else what makes an input stale, or an input that ran later.
 * @param inputs indexes of the paragraphs that each depends on
 */
export function staleCauses(
  paragraphs: readonly StoredParagraph[],
  inputs: readonly (readonly number[])[],
): (string | undefined)[] {
  const ended = paragraphs.map(lastRunOf);
  const causes = new Map<number, string | undefined>();
  const causeOf = (index: number): string | undefined => {
    const [paragraph, run] = [paragraphs[index]!, ended[index]];
    if (causes.has(index) || !run || paragraph.config?.enabled === false) return causes.get(index);
    // Until it is known, for paragraphs that use each other.
    causes.set(index, undefined);
    const later = inputs[index]!.find((at) => (ended[at]?.ended ?? 0) > run.began);
    const cause = run.hasOtherText
      ? paragraph.id
      : (inputs[index]!.map(causeOf).find(Boolean) ?? paragraphs[later ?? -1]?.id);
    causes.set(index, cause);
    return cause;
  };
  return paragraphs.map((_, index) => causeOf(index));
}
