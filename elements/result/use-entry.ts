import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { entryOf, graphOf, patchEntry, type Graph, type GraphPatch, type ResultEntry } from './graph.ts';

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

/**
 * Graph settings of one output: what is stored, and over it what the user has changed here. A change counts until the
 * stored settings say something new; the same settings coming again (every update of the paragraph) are nothing new.
 */
export function useEntry({ config, index, storable, height, mode, onConfig }: EntryOptions): [Graph, (patch: GraphPatch) => void] {
  const entry = entryOf(config, index);
  const text = JSON.stringify(entry);
  const [local, setLocal] = useState<{ over: string; entry: ResultEntry } | null>(null);
  const current = local && local.over === text ? local.entry : entry;
  const currentText = JSON.stringify(current);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the text stands for the entry
  const graph = useMemo(() => graphOf(current, height, mode), [currentText, height, mode]);
  const latest = useRef({ current, text });
  useLayoutEffect(() => {
    latest.current = { current, text };
  });

  const change = (patch: GraphPatch): void => {
    const next = patchEntry(latest.current.current, patch, height, mode);
    if (JSON.stringify(next) === JSON.stringify(latest.current.current)) return;
    latest.current.current = next;
    setLocal({ over: latest.current.text, entry: next });
    if (storable) onConfig?.(index, next);
  };
  return [graph, change];
}
