/** Loads external changes of note files, and notifies viewers and note lists. */

import type { Hub } from '../hub/hub.ts';
import type { NoteEditor } from './editor.ts';
import { wireNote } from './note.ts';
import type { NoteRepository } from './repository.ts';

/**
 * Reads new and changed notes and forgets removed ones; see {@link NoteRepository.reload} for notes
 * that stay unchanged.
 */
export async function reloadNotes({
  notes,
  editor,
  hub,
}: {
  notes: NoteRepository;
  editor: NoteEditor;
  hub: Hub;
}): Promise<void> {
  const { changed } = await notes.reload((paragraph, text) =>
    editor.rules.texts.replace(paragraph, text),
  );
  for (const id of changed) {
    const note = notes.find(id);
    if (!note) continue;
    hub.broadcastToNote(id, 'NOTE', { note: wireNote(note) });
    editor.onChange(note);
  }
  hub.broadcastLists();
}
