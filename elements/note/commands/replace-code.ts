import { collaborationTexts } from '../presence/texts.ts';
import type { NoteUi } from '../ui/note-ui.ts';

/**
 * Replaces a paragraph's code, says so with a way back, and then calls `then` with the code, also
 * after the way back. Does nothing if the code is no longer `before`; returns whether it was.
 */
export async function replaceCode(
  ui: NoteUi,
  id: string,
  { before, after, said }: { before: string; after: string; said: string },
  then: (code: string) => unknown,
): Promise<boolean> {
  const paragraph = ui.note.paragraph(id);
  if (paragraph.text !== before) return false;
  // In an open editor, its own undo takes it back too.
  if (!ui.editors.get(id)?.replace(after)) paragraph.edit(after);
  const back = { before: after, after: before, said };
  ui.messages.info(said, {
    label: collaborationTexts.undo,
    run: () => void ui.messages.act(() => replaceCode(ui, id, back, then)),
  });
  await then(after);
  return true;
}
