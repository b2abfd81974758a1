import { useEffect } from 'react';
import { useViewStore } from '../../runtime/store.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import { reloadRevisions } from './revisions.ts';

/**
 * Loads the note's revisions after the first render if the server supports them (specification).
 * The calling component renders again when they are loaded.
 */
export function useRevisions(ui: NoteUi): void {
  useEffect(() => {
    let gone = false;
    ui.note.revisions
      .supported()
      .then((supported) => (supported && !gone ? reloadRevisions(ui) : undefined))
      // Without permission to read the list, or without a connection, the bar shows no revision
      // button.
      .catch(() => {});
    return () => {
      gone = true;
    };
  }, [ui]);
  useViewStore(ui.revisions, (state) => state.list !== undefined);
}
