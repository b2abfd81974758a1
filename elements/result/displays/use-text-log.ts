import { useEffect, useState } from 'react';
import type { Output } from 'tiding/client';
import { createTextLog, type TextLog } from './text-log.ts';

/** One reader for all records of a growing output, also across views. */
const logs = new WeakMap<Output['chunks'], TextLog>();
/** Time a render may spend reading; the rest follows in slices that let the page breathe. */
const renderBudget = 8;
const sliceBudget = 8;

/** The lines of an output from a block on, null for its end; read as far as there was time. Renders again until all is read. */
export function useTextLog(
  { chunks, count }: Output,
  first: number | null,
): { readonly log: TextLog; readonly complete: boolean } {
  let log = logs.get(chunks);
  if (!log) logs.set(chunks, (log = createTextLog(chunks)));
  const reader = log;
  const complete = reader.read(count, renderBudget, first);
  const [slices, setSlices] = useState(0);
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
