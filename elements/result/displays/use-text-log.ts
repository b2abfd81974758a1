import type { Output } from '@tiding/client';
import { useEffect, useState } from 'react';
import { createTextLog, type TextLog } from './text-log.ts';

/** One parser per output, shared by all views. */
const logs = new WeakMap<Output['chunks'], TextLog>();
/** Time budget in ms for parsing during a render, and for each later slice. */
const renderBudget = 8;
const sliceBudget = 8;

/**
 * Returns the parsed lines of an output from a block on (null for its end), as far as the time
 * allowed. Re-renders until everything is parsed.
 */
export function useTextLog(
  { chunks, count }: Output,
  first: number | null,
  replaces: boolean,
): { readonly log: TextLog; readonly complete: boolean } {
  let log = logs.get(chunks);
  if (!log) logs.set(chunks, (log = createTextLog(chunks, replaces)));
  const reader = log;
  const complete = reader.read(count, renderBudget, first);
  const [slices, setSlices] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each slice asks for the next one
  useEffect(() => {
    if (complete) return;
    const timer = setTimeout(() => {
      reader.read(count, sliceBudget, first);
      setSlices((done) => done + 1);
    });
    return () => clearTimeout(timer);
  }, [complete, reader, count, first, slices]);
  return { log, complete };
}
