import type { Extension } from '@codemirror/state';
import type { KeySet } from './key-choice.ts';

const loaders: Readonly<Record<Exclude<KeySet, 'default'>, () => Promise<Extension>>> = {
  vim: async () => (await import('./vim.ts')).vimKeys,
  emacs: async () => (await import('./emacs.ts')).emacsKeys,
};

/** The keys of a set, loaded when first chosen; null when that fails. */
export async function keysOf(keys: Exclude<KeySet, 'default'>): Promise<Extension | null> {
  try {
    return await loaders[keys]();
  } catch {
    return null;
  }
}
