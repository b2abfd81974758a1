/** What others on a note have run by a spell is run here too (specification: executed, not propagated). */
import { useEffect } from 'react';
import type { Client, Note } from 'tiding/client';

/** While the note is shown. The code of spells is loaded when the first one comes. */
export function useSpellsOfOthers(client: Client, note: Note): void {
  useEffect(() => {
    let undo: (() => void) | undefined;
    let gone = false;
    void import('./spells.ts').then(({ hearSpells }) => {
      if (!gone) undo = hearSpells(client, note);
    });
    return () => {
      gone = true;
      undo?.();
    };
  }, [client, note]);
}
