import { setPrinting } from '../../result/parts/use-printing.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import type { NoteTarget } from './command.ts';

/** Parts of results that don't show everything yet. */
const LOADING = ['[aria-busy=true]', '.result-skeleton', '.element-loading', '.result-distant'];

/** Lays the note out at about the width of paper, or of the screen again. */
const setPaperWidth = ({ host }: NoteUi, printing: boolean): boolean | undefined =>
  host.shadowRoot?.querySelector('.notebook')?.toggleAttribute('data-printing', printing);

/** Renders all paragraphs in full at about the width of paper, so that their results load. */
export function prepareForPrint(ui: NoteUi): void {
  setPaperWidth(ui, true);
  ui.viewport.renderForPrint(ui.note.state.order);
}

/** Whether code, rows or images of the results on the page are still loading. */
export function isLoading({ host, note }: NoteUi): boolean {
  const results = [...(host.shadowRoot?.querySelectorAll('.result') ?? [])];
  return (
    !note.isWhole ||
    results.some(
      (result) =>
        result.querySelector(LOADING.join()) ||
        [...result.querySelectorAll('img')].some(({ complete }) => !complete),
    )
  );
}

/**
 * Renders everything for the paper as far as it has loaded: the browser doesn't wait. Returns
 * whether that is everything.
 */
export function printNow(ui: NoteUi): boolean {
  // Charts are drawn for the width that they have then.
  setPaperWidth(ui, true);
  setPrinting(true);
  prepareForPrint(ui);
  return !isLoading(ui);
}

/** Renders for the screen again. */
export function endPrint(ui: NoteUi): void {
  setPaperWidth(ui, false);
  setPrinting(false);
}

/** Prints the note after all its results are loaded and drawn. */
export const printNote = async ({ ui }: Pick<NoteTarget, 'ui'>): Promise<void> =>
  (await import('./print-note.ts')).printNote(ui);
