/** Adds paragraphs in command mode: they are selected, and their editors stay closed. */
import type { Paragraph } from '@tiding/client';
import type { ParagraphTarget } from '../commands/command.ts';
import type { NoteUi } from '../ui/note-ui.ts';

/** Waits until a paragraph is on the page, unless it is removed before. */
function onPage(ui: NoteUi, id: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (ui.viewport.element(id) || !ui.paragraphs.get(id)) resolve();
      else requestAnimationFrame(look);
    };
    look();
  });
}

const adding = new WeakMap<NoteUi, Promise<Paragraph>>();

/** The paragraph that command mode is adding to a note; `undefined` if there is none. */
export const paragraphBeingAdded = (ui: NoteUi): Promise<Paragraph> | undefined => adding.get(ui);

export async function selectAdded(
  { ui }: ParagraphTarget,
  index: number,
  text?: string,
): Promise<Paragraph> {
  const added = add(ui, index, text);
  adding.set(ui, added);
  try {
    return await added;
  } finally {
    if (adding.get(ui) === added) adding.delete(ui);
  }
}

async function add(ui: NoteUi, index: number, text: string | undefined): Promise<Paragraph> {
  const last = ui.note.state.order.at(-1);
  if (last !== undefined) ui.pendingInput.stayed.add(last);
  try {
    const added = await ui.undo.insert(index, text);
    await onPage(ui, added.id);
    ui.focus.select(added.id);
    return added;
  } finally {
    if (last !== undefined) ui.pendingInput.stayed.delete(last);
  }
}
