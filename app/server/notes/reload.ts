/** Takes in what others did to the files of notes, and tells who has one open or in his list. */
import type { Editor } from './editor.ts';
import type { Hub } from '../hub.ts';
import { wireNote } from './note.ts';
import type { NoteRepository } from './repository.ts';

/** Reads new and changed notes and forgets those that are gone; see {@link NoteRepository.reload} for what stays. */
export async function reloadNotes({
  notes,
  editor,
  hub,
}: {
  notes: NoteRepository;
  editor: Editor;
  hub: Hub;
}): Promise<void> {
  const { changed } = await notes.reload((paragraph, text) => editor.replaceText(paragraph, text));
  for (const id of changed) {
    const note = notes.find(id);
    if (!note) continue;
    hub.tellNote(id, 'NOTE', { note: wireNote(note) });
    editor.onChange(note);
  }
  hub.tellLists();
}
