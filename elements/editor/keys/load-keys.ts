import type { Extension } from '@codemirror/state';
import type { KeySet } from './key-choice.ts';

const loaders: Readonly<Record<Exclude<KeySet, 'default'>, () => Promise<Extension>>> = {
  jupyter: async () => (await import('./jupyter.ts')).jupyterEditorKeys,
  vim: async () => (await import('./vim.ts')).vimKeys,
  emacs: async () => (await import('./emacs.ts')).emacsKeys,
};

const loaded = new Map<KeySet, Extension>();

export const loadedKeySet = (keys: KeySet): Extension | undefined => loaded.get(keys);

/** Loads a key set when it is first chosen; resolves to null if that fails. */
export async function loadKeySet(keys: Exclude<KeySet, 'default'>): Promise<Extension | null> {
  try {
    const extension = loaded.get(keys) ?? (await loaders[keys]());
    loaded.set(keys, extension);
    return extension;
  } catch {
    return null;
  }
}
