/** Loads the keys of Jupyter when they are chosen, so that other pages don't pay for them. */
import { keyChoice } from '../../editor/index.ts';
import type { NoteUi } from '../ui/note-ui.ts';

/** Handles a key; returns whether it was one of Jupyter's. */
type KeyHandler = (ui: NoteUi, event: KeyboardEvent) => boolean;

let loaded: KeyHandler | undefined;

/** Loads the keys if they are, or become, the chosen ones. Returns an unsubscribe function. */
export function followJupyterKeys(): () => void {
  const follow = (): void => {
    if (keyChoice.get().keys === 'jupyter')
      void import('./jupyter-keys.ts').then(({ handleJupyterKey }) => (loaded = handleJupyterKey));
  };
  follow();
  return keyChoice.subscribe(follow);
}

/** Returns the handler of Jupyter's keys, if they are chosen and loaded. */
export const loadedJupyterKeys = (): KeyHandler | undefined =>
  keyChoice.get().keys === 'jupyter' ? loaded : undefined;
