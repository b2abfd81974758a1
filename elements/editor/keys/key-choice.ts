/**
 * The reader's choice of editor keys. It is stored in this browser and applies to all editors
 * immediately.
 */
import { createViewStore } from '../../runtime/store.ts';

/** Available key sets. */
export const keySets = ['default', 'jupyter', 'vim', 'emacs'] as const;
/** Name of a key set. */
export type KeySet = (typeof keySets)[number];

const key = 'tiding-editor-keys';

function stored(): KeySet {
  try {
    const value = localStorage.getItem(key);
    return keySets.find((name) => name === value) ?? 'default';
  } catch {
    // Storage is not available (private window, sandboxed frame): use the default keys.
    return 'default';
  }
}

/** Store with the chosen key set. */
export const keyChoice = createViewStore<{ keys: KeySet }>({
  keys: typeof localStorage === 'undefined' ? 'default' : stored(),
});

// Follow changes made in other tabs.
if (typeof window !== 'undefined')
  window.addEventListener(
    'storage',
    (event) => event.key === key && keyChoice.set({ keys: stored() }),
  );

/** Selects a key set for every editor on the page and for the next visit. */
export function chooseKeys(keys: KeySet): void {
  keyChoice.set({ keys });
  try {
    localStorage.setItem(key, keys);
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}
