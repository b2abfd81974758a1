import { type ComponentType, useSyncExternalStore } from 'react';
import type { CodeEditorProps } from './code-editor.tsx';
import { keyChoice } from './keys/key-choice.ts';
import { loadKeySet } from './keys/load-keys.ts';

/** Load state of the editor's code. */
type Loading =
  | { readonly state: 'waiting' | 'failed'; readonly Editor?: undefined }
  | { readonly state: 'here'; readonly Editor: ComponentType<CodeEditorProps> };

let loading: Loading = { state: 'waiting' };
let started = false;
const listeners = new Set<() => void>();

/** Starts loading the editor once for all paragraphs. Call it before the editor is needed. */
export function preloadEditor(): void {
  if (started) return;
  started = true;
  const { keys } = keyChoice.get();
  Promise.all([
    import('./code-editor.tsx'),
    keys === 'default' ? undefined : loadKeySet(keys),
  ]).then(
    ([module]) => settle({ state: 'here', Editor: module.default }),
    () => {
      started = false;
      settle({ state: 'failed' });
    },
  );
}

/** Longest time to wait for an idle page, in ms. */
const IDLE_MS = 2_000;

/**
 * Starts loading the editor when the page has shown what it shows: the editor is the largest file,
 * and the results of a note should not wait for it. Returns a cancel function.
 */
export function preloadEditorWhenIdle(): () => void {
  if (typeof requestIdleCallback === 'function') {
    const idle = requestIdleCallback(preloadEditor, { timeout: IDLE_MS });
    return () => cancelIdleCallback(idle);
  }
  const timer = setTimeout(preloadEditor, IDLE_MS / 10);
  return () => clearTimeout(timer);
}

function settle(next: Loading): void {
  loading = next;
  for (const listener of listeners) listener();
}

const unasked: Loading = { state: 'waiting' };

/**
 * Returns the editor component once it is loaded. If `wanted` is false, loading does not cause a
 * render.
 */
export function useLoadedEditor(wanted: boolean): Loading {
  const read = (): Loading => (wanted ? loading : unasked);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read,
    read,
  );
}
