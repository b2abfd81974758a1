/**
 * Runs spells locally when other users of a note run them. As specified, the result is shown but
 * not sent to others.
 */

import type { Client, Note } from '@tiding/client';
import { useEffect } from 'react';
import { packagesOf } from './package-store.ts';

const listenersByNote = new WeakMap<Note, { users: number; undo: () => void }>();

/**
 * Runs other users' spells while the note is shown. Several elements that show the same note share
 * one listener. The code for spells is loaded when a spell has run.
 */
export function useSpellsOfOthers(client: Client, note: Note): void {
  useEffect(() => {
    let entry = listenersByNote.get(note);
    if (!entry) listenersByNote.set(note, (entry = { users: 0, undo: listen(client, note) }));
    entry.users += 1;
    return () => {
      entry.users -= 1;
      if (entry.users > 0) return;
      entry.undo();
      listenersByNote.delete(note);
    };
  }, [client, note]);
}

function listen(client: Client, note: Note): () => void {
  return client.on('RUN_PARAGRAPH_USING_SPELL', ({ noteId, data: { paragraph } }) => {
    // A failed run has nothing to draw.
    if (
      noteId !== note.id ||
      paragraph.status !== 'FINISHED' ||
      !note.state.paragraphs[paragraph.id]
    )
      return;
    void Promise.all([import('./spells.ts'), packagesOf(client).ready()])
      .then(([{ runParagraphBySpell }]) =>
        runParagraphBySpell(client, note.paragraph(paragraph.id), false),
      )
      .catch(() => {});
  });
}
