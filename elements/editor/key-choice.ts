/** Which keys a reader wants in editors: kept in this browser, and followed by all editors at once. */
import { createStore } from '../runtime/store.ts';

/** Sets of keys. */
export const keySets = ['default', 'vim', 'emacs'] as const;
/** A set of keys. */
export type KeySet = (typeof keySets)[number];

const key = 'tiding-editor-keys';

function stored(): KeySet {
  try {
    const value = localStorage.getItem(key);
    return keySets.find((name) => name === value) ?? 'default';
  } catch {
    // No storage (a private window, a sandboxed frame): the usual keys.
    return 'default';
  }
}

/** The choice, and whoever wants to know of another. */
export const keyChoice = createStore<{ keys: KeySet }>({
  keys: typeof localStorage === 'undefined' ? 'default' : stored(),
});

// Another tab of the same reader.
if (typeof window !== 'undefined')
  window.addEventListener(
    'storage',
    (event) => event.key === key && keyChoice.set({ keys: stored() }),
  );

/** Takes another set, in every editor of the page and for the next visit. */
export function chooseKeys(keys: KeySet): void {
  keyChoice.set({ keys });
  try {
    localStorage.setItem(key, keys);
  } catch {
    // As above: it lasts as long as the page.
  }
}
