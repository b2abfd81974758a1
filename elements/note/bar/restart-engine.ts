import { isTidingError } from '@tiding/client';
import type { InterpreterBinding } from '@tiding/client/protocol';
import { fill } from '../../text/fill.ts';
import { bindingTexts } from '../panels/texts.ts';
import type { NoteUi } from '../ui/note-ui.ts';

/** Ends the process of an engine for this note, after a question; the next run starts it again. */
export async function restartEngine(
  ui: NoteUi,
  { id, name }: Pick<InterpreterBinding, 'id' | 'name'>,
): Promise<void> {
  const { client, dialogs, messages, note } = ui;
  const t = bindingTexts;
  const title = fill(t.restartQuestion, { name });
  if (!(await dialogs.ask({ title, action: t.restart, remember: 'restart' }))) return;
  try {
    await client.interpreters.restart(id, note.id);
    messages.success(t.restarted);
  } catch (error) {
    await dialogs.alert(t.restartFailed, isTidingError(error) ? error.message : String(error));
  }
  await note.bindings();
}
