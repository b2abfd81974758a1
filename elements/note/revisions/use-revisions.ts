import { useEffect } from 'react';
import { useViewState, type NoteView } from '../view.tsx';
import { reloadRevisions } from './revisions.ts';

/** Reads the revisions of the note once the page stands, where the server keeps any (specification). Who calls it is drawn anew when they are there. */
export function useRevisions(view: NoteView): void {
  useEffect(() => {
    let gone = false;
    view.note.revisions
      .supported()
      .then((supported) => (supported && !gone ? reloadRevisions(view) : undefined))
      // Who may not read the list, or whose connection broke, has no version control in the bar.
      .catch(() => {});
    return () => {
      gone = true;
    };
  }, [view]);
  useViewState(view, (state) => state.revisions !== undefined);
}
