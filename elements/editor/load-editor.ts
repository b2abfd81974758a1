import { useSyncExternalStore, type ComponentType } from 'react';
import type { CodeEditorProps } from './code-editor.tsx';

/** The editor's code: on its way, here, or lost. */
type Loading =
  | { readonly state: 'waiting' | 'failed'; readonly Editor?: undefined }
  | { readonly state: 'here'; readonly Editor: ComponentType<CodeEditorProps> };

let loading: Loading = { state: 'waiting' };
let started = false;
const listeners = new Set<() => void>();

/** Starts to fetch the editor once for all paragraphs; call it before somebody needs it. */
export function preloadEditor(): void {
  if (started) return;
  started = true;
  import('./code-editor.tsx').then(
    (module) => settle({ state: 'here', Editor: module.default }),
    () => {
      started = false;
      settle({ state: 'failed' });
    },
  );
}

function settle(next: Loading): void {
  loading = next;
  for (const listener of listeners) listener();
}

const unasked: Loading = { state: 'waiting' };

/** The editor component as soon as it is here; who does not want it yet is not rendered for that. */
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
