/** The module of open notes, which is loaded with the first one, so that other pages stay small. */
import { once } from '../core/load-once.ts';

type Notes = typeof import('./index.ts');

let notes: Notes | undefined;

/** Loads the module of open notes: their state, drafts and runs. */
export const loadNoteModule = once(
  () => import('./index.ts'),
  (module) => (notes = module),
);

/** Returns the module of open notes, or `undefined` if no note has been opened yet. */
export const loadedNoteModule = (): Notes | undefined => notes;
