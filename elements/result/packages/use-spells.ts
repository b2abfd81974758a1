/**
 * Runs spells locally when other users of a note run them. As specified, the result is shown but
 * not sent to others.
 */

import type { Client, Note } from '@tiding/client';
import { useEffect } from 'react';

/** Runs other users' spells while the note is shown. The code for spells is loaded lazily. */
export function useSpellsOfOthers(client: Client, note: Note): void {
  useEffect(() => {
    let undo: (() => void) | undefined;
    let gone = false;
    void import('./spells.ts').then(({ runSpellsOfOthers: hearSpells }) => {
      if (!gone) undo = hearSpells(client, note);
    });
    return () => {
      gone = true;
      undo?.();
    };
  }, [client, note]);
}
