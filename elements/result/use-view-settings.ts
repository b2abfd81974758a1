import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStableValue } from '../runtime/hooks.ts';
import {
  type Graph,
  type GraphPatch,
  graphOf,
  patchResultEntry,
  type ResultEntry,
  resultEntryOf,
} from './view-settings.ts';

interface EntryOptions {
  config: Readonly<Record<string, unknown>> | undefined;
  index: number;
  /** Whether changes may be stored; otherwise they stay on this page. */
  storable: boolean;
  /** Whether the paragraph runs; changes are stored when the run ends. */
  running: boolean;
  height: number | undefined;
  /** Default view. */
  mode: string;
  onConfig: ((index: number, entry: ResultEntry) => void) | undefined;
}

interface Changed {
  /** JSON of the stored entry the change is based on. */
  readonly over: string;
  readonly entry: ResultEntry;
}

/**
 * View settings of one output: the stored ones, overlaid with changes made on this page.
 *
 * A change applies until the stored settings change. Receiving the same settings again, as with
 * every update of the paragraph, does not count as a change. A change with a pause is stored that
 * many ms after the last one, or together with the next change without a pause; a change during a
 * run, when the run ends. Until then it is kept on top of any settings that arrive.
 */
export function useViewSettings({
  config,
  index,
  storable,
  running,
  height,
  mode,
  onConfig,
}: EntryOptions): [Graph, (patch: GraphPatch, pause?: number) => void] {
  const entry = resultEntryOf(config, index);
  const text = JSON.stringify(entry);
  const [local, setLocal] = useState<Changed | null>(null);
  const [waiting, setWaiting] = useState<GraphPatch | null>(null);
  const current =
    local?.over === text
      ? local.entry
      : waiting
        ? patchResultEntry(entry, waiting, height, mode)
        : entry;
  // The entry is a new object on every render.
  const shown = useStableValue(current, [JSON.stringify(current)]);
  const graph = useMemo(() => graphOf(shown, height, mode), [shown, height, mode]);
  const latest = useRef({ current, text, waiting, index, running, onConfig });
  useLayoutEffect(() => {
    latest.current = { current, text, waiting, index, running, onConfig };
  });

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const store = useCallback((): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const now = latest.current;
    if (!now.waiting || now.running) return;
    now.waiting = null;
    setWaiting(null);
    setLocal({ over: now.text, entry: now.current });
    now.onConfig?.(now.index, now.current);
  }, []);
  useEffect(() => {
    if (!running && timer.current === undefined) store();
  }, [running, store]);
  useEffect(() => {
    window.addEventListener('pagehide', store);
    return () => {
      window.removeEventListener('pagehide', store);
      store();
    };
  }, [store]);

  const change = (patch: GraphPatch, pause = 0): void => {
    const now = latest.current;
    const next = patchResultEntry(now.current, patch, height, mode);
    if (JSON.stringify(next) === JSON.stringify(now.current)) return;
    now.current = next;
    setLocal({ over: now.text, entry: next });
    if (!storable) return;
    now.waiting = { ...now.waiting, ...patch };
    if (pause <= 0 && !now.running) return store();
    setWaiting(now.waiting);
    clearTimeout(timer.current);
    timer.current = now.running ? undefined : setTimeout(store, pause);
  };
  return [graph, change];
}
