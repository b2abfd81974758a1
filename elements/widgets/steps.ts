/** Long payloads, worked through piece by piece, so that input and frames come between. */
import { useEffect, useMemo, useState } from 'react';
import { inSlices } from '../runtime/slices.ts';

/** Rows that are ordered at once; more are in slices. */
export const AT_ONCE = 2_000;

/** What some work comes to. */
export interface Stepped<T> {
  /** Of before while it goes on, where there is one. */
  readonly value: T | undefined;
  readonly busy: boolean;
}

/**
 * What work comes to that may be long: `atOnce` does it where it is short, and answers undefined where it is not; then `steps` are taken in
 * slices. Begins anew with other `inputs`.
 */
export function useSteps<T>(
  atOnce: () => T | undefined,
  steps: () => Generator<undefined, T, void>,
  inputs: readonly unknown[],
): Stepped<T> {
  const short = useMemo(atOnce, inputs);
  const isShort = short !== undefined;
  const [long, setLong] = useState<{ readonly value: T; readonly inputs: readonly unknown[] }>();
  useEffect(() => {
    if (isShort) return undefined;
    const work = steps();
    return inSlices(() => {
      const step = work.next();
      if (step.done) setLong({ value: step.value, inputs });
      return !step.done;
    });
  }, inputs);
  if (isShort) return { value: short, busy: false };
  return {
    value: long?.value,
    busy: !long || long.inputs.some((input, at) => !Object.is(input, inputs[at])),
  };
}
