/**
 * The reader's choice of editor keys and of completion. It is stored in this browser and applies to
 * all editors immediately.
 */
import { createViewStore } from '../../runtime/store.ts';

/** Available key sets. */
export const keySets = ['default', 'jupyter', 'vim', 'emacs'] as const;
export type KeySet = (typeof keySets)[number];

const keyName = 'tiding-editor-keys';
const completionName = 'tiding-editor-completion';

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    // Storage is not available (private window, sandboxed frame): use the defaults.
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}

const stored = (): { keys: KeySet; completesTyping: boolean } => ({
  keys: keySets.find((name) => name === read(keyName)) ?? 'default',
  completesTyping: read(completionName) === 'typing',
});

/** Store with the chosen key set, and whether completion opens while the reader types. */
export const keyChoice = createViewStore(stored());

// Follow changes made in other tabs.
if (typeof window !== 'undefined')
  window.addEventListener(
    'storage',
    ({ key }) => (key === keyName || key === completionName) && keyChoice.set(stored()),
  );

/** Selects a key set for every editor on the page and for the next visit. */
export function chooseKeys(keys: KeySet): void {
  keyChoice.set({ keys });
  write(keyName, keys);
}

/** Selects whether completion opens while typing, for every editor and for the next visit. */
export function chooseCompletion(completesTyping: boolean): void {
  keyChoice.set({ completesTyping });
  write(completionName, completesTyping ? 'typing' : 'key');
}
