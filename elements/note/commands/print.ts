import type { NoteUi } from '../ui/note-ui.ts';
import type { NoteTarget } from './command.ts';

/** Renders all paragraphs in full at about the width of paper, or ends that. */
export function prepareForPrint({ host, note, viewport }: NoteUi, printing: boolean): void {
  host.shadowRoot?.querySelector('.notebook')?.toggleAttribute('data-printing', printing);
  if (printing) viewport.renderForPrint(note.state.order);
}

/** Prints the note after all its results are loaded and drawn. */
export const printNote = async ({ ui }: NoteTarget): Promise<void> =>
  (await import('./print-note.ts')).printNote(ui);
