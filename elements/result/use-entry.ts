import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import {
  entryOf,
  graphOf,
  patchEntry,
  type Graph,
  type GraphPatch,
  type ResultEntry,
} from './graph.ts';

interface EntryOptions {
  config: Readonly<Record<string, unknown>> | undefined;
  index: number;
  /** Whether a change may be stored now; else it stays on this page. */
  storable: boolean;
  height: number | undefined;
  /** The view where none was chosen. */
  mode: string;
  onConfig: ((index: number, entry: ResultEntry) => void) | undefined;
}

/** What has been changed on this page. */
interface Changed {
  /** The stored entry it stands over, as text. */
  readonly over: string;
  readonly entry: ResultEntry;
}

/**
 * Graph settings of one output: what is stored, and over it what the user has changed here. A change counts until the
 * stored settings say something new; the same settings coming again (every update of the paragraph) are nothing new. One
 * with a pause in ms is stored that long after the last, or with the next without; meanwhile it stays over whatever comes.
 */
export function useEntry({
  config,
  index,
  storable,
  height,
  mode,
  onConfig,
}: EntryOptions): [Graph, (patch: GraphPatch, pause?: number) => void] {
  const entry = entryOf(config, index);
  const text = JSON.stringify(entry);
  const [local, setLocal] = useState<Changed | null>(null);
  const [waiting, setWaiting] = useState<GraphPatch | null>(null);
  const current =
    local?.over === text ? local.entry : waiting ? patchEntry(entry, waiting, height, mode) : entry;
  const currentText = JSON.stringify(current);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the text stands for the entry
  const graph = useMemo(() => graphOf(current, height, mode), [currentText, height, mode]);
  const latest = useRef({ current, text, waiting, index, storable, onConfig });
  useLayoutEffect(() => {
    latest.current = { current, text, waiting, index, storable, onConfig };
  });

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const store = useCallback((): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const now = latest.current;
    // A run has begun meanwhile: it is stored when that is over.
    if (!now.waiting || !now.storable) return;
    now.waiting = null;
    setWaiting(null);
    setLocal({ over: now.text, entry: now.current });
    now.onConfig?.(now.index, now.current);
  }, []);
  useEffect(() => {
    if (storable && timer.current === undefined) store();
  }, [storable, store]);
  useEffect(() => {
    window.addEventListener('pagehide', store);
    return () => {
      window.removeEventListener('pagehide', store);
      store();
    };
  }, [store]);

  const change = (patch: GraphPatch, pause = 0): void => {
    const now = latest.current;
    const next = patchEntry(now.current, patch, height, mode);
    if (JSON.stringify(next) === JSON.stringify(now.current)) return;
    now.current = next;
    setLocal({ over: now.text, entry: next });
    if (!now.storable) return;
    now.waiting = { ...now.waiting, ...patch };
    if (pause <= 0) return store();
    setWaiting(now.waiting);
    clearTimeout(timer.current);
    timer.current = setTimeout(store, pause);
  };
  return [graph, change];
}
