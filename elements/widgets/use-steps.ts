/** Processes long payloads in slices, so that input and frames are handled in between. */
import { useEffect, useMemo, useState } from 'react';
import { useStableValue } from '../runtime/hooks.ts';
import { runInSlices } from '../runtime/slices.ts';

/** Up to this many rows are sorted synchronously; more in slices. */
export const MAX_SYNC_ROWS = 2_000;

/** Result of a computation in slices. */
interface SteppedResult<T> {
  /** The previous value while a new one is computed, if there is one. */
  readonly value: T | undefined;
  readonly busy: boolean;
}

/**
 * Returns the result of a computation that may be long. `atOnce` returns it if it is short, and
 * otherwise `undefined`; then `steps` run in slices. Starts again when `inputs` change.
 */
export function useSteps<T>(
  atOnce: () => T | undefined,
  steps: () => Generator<undefined, T, void>,
  inputs: readonly unknown[],
): SteppedResult<T> {
  const work = useStableValue({ atOnce, steps, inputs }, inputs);
  const short = useMemo(() => work.atOnce(), [work]);
  const isShort = short !== undefined;
  const [long, setLong] = useState<{ readonly value: T; readonly inputs: readonly unknown[] }>();
  useEffect(() => {
    if (isShort) return undefined;
    const running = work.steps();
    return runInSlices(() => {
      const step = running.next();
      if (step.done) setLong({ value: step.value, inputs: work.inputs });
      return !step.done;
    });
  }, [work, isShort]);
  if (isShort) return { value: short, busy: false };
  return {
    value: long?.value,
    busy: !long || long.inputs.some((input, at) => !Object.is(input, inputs[at])),
  };
}
