import { isTidingError } from '@tiding/client';
import { takenNotePath } from '@tiding/client/model';
import { noteListTexts } from '../note-list/texts.ts';
import type { NoteUi } from './ui/note-ui.ts';

/** Renames the open note. If another note has the name, asks again, with what was typed. */
export async function renameOpenNote(ui: NoteUi, name: string): Promise<void> {
  try {
    await ui.note.rename(name);
  } catch (error) {
    const taken = isTidingError(error) ? takenNotePath(error.message) : undefined;
    if (taken === undefined) throw error;
    const [{ NameDialog }, { notePaths }] = await Promise.all([
      import('../notes/name-dialog.tsx'),
      import('../note-list/taken-name.tsx'),
    ]);
    ui.dialogs.open((close) => (
      <NameDialog
        title={noteListTexts.rename}
        action={noteListTexts.save}
        value={taken}
        taken={[...notePaths(ui.client).filter((path) => path !== ui.note.state.path), taken]}
        onClose={(chosen) => {
          close();
          if (chosen !== undefined) void ui.messages.act(() => renameOpenNote(ui, chosen));
        }}
      />
    ));
  }
}
