/** Decides which idle process ends so that another one can start. */
import { Refusal } from '../../base/errors.ts';
import type { Slot } from './slot.ts';

/** Upper bounds of the processes of interpreters. */
export interface ProcessLimits {
  maxInstances: number;
  /** Maximum number of processes that one user has started. */
  maxUserInstances: number;
  /** A process without a run for this long, in ms, is ended. */
  maxIdleMs: number;
}

/** An instance with a running interpreter. */
export interface RunningSlot {
  readonly setting: string;
  readonly slot: Slot;
}

/**
 * A process of another user with variables that was unused for this long, in ms, may be ended to
 * make room; one of the same user at any time.
 */
const OTHERS_IDLE_MS = 600_000;

export const isIdle = ({ waiting, run }: Slot): boolean => waiting === 0 && !run;

/** Whether users lose something when the instance ends, for example variables. */
const hasState = ({ slot }: RunningSlot): boolean => slot.interpreter?.state !== undefined;

/**
 * If a limit is reached, returns the idle process to end before `owner` starts another one: one
 * whose end loses nothing, or else the least recently used one of that user. Throws a 503 refusal
 * that says what to do if none can be ended.
 */
export function processInTheWay(
  all: readonly RunningSlot[],
  owner: string,
  { maxInstances, maxUserInstances }: ProcessLimits,
  now: number,
): RunningSlot | undefined {
  // A process that everybody shares counts for nobody.
  const own = all.filter(
    ({ slot: { placement, owner: of } }) =>
      of === owner && (placement.noteId !== undefined || placement.principal !== undefined),
  );
  const oldest = (slots: readonly RunningSlot[]) =>
    slots
      .filter(({ slot }) => isIdle(slot))
      .sort((a, b) => Number(hasState(a)) - Number(hasState(b)) || a.slot.used - b.slot.used)[0];
  if (own.length >= maxUserInstances) {
    const idle = oldest(own);
    if (idle) return idle;
    throw new Refusal(
      503,
      `You have ${maxUserInstances} interpreter processes, the most that a user may have, and ` +
        'all of them are running. Wait for a run to end or cancel one, then run this again.',
    );
  }
  if (all.length < maxInstances) return undefined;
  const idle =
    oldest(all.filter((each) => !hasState(each))) ??
    oldest(own) ??
    oldest(all.filter(({ slot }) => now - slot.used > OTHERS_IDLE_MS));
  if (idle) return idle;
  throw new Refusal(
    503,
    `All ${maxInstances} interpreter processes that this server may have are in use. ` +
      'Try again later, or ask an administrator to restart one that is no longer needed or to ' +
      'raise the limit (--limit interpreters).',
  );
}
