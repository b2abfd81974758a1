/** The module of open notes, which is loaded with the first one, so that other pages stay small. */

import { loadProtocol } from '../channel/lazy-protocol.ts';
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

/**
 * Loads the code that opens notes before the first one is opened, for example while the page is
 * being prepared. Sends nothing to the Tiding server.
 *
 * @example
 * await preloadNotes();
 * const note = await client.open('2A94M5J1Z');
 */
export async function preloadNotes(): Promise<void> {
  await Promise.all([loadProtocol(), loadNoteModule()]);
}
