/** Commands that lead on to a paragraph that is not there yet: what is typed meanwhile is meant for that one. */
import { TypeAhead } from '../editor/type-ahead.ts';
import type { NoteView } from './view.tsx';

/** A server that has added none so long after a run was asked for does not do so, ms. */
const NONE_ADDED_MS = 3_000;

/** See the head of this file. */
export class LeadingOn {
  readonly #view: NoteView;
  /** Has the keys until an editor takes them. */
  readonly ahead: TypeAhead;

  constructor(view: NoteView) {
    this.#view = view;
    this.ahead = new TypeAhead((typed) =>
      view.editors.get(view.state.get().focused ?? '')?.current?.insert(typed),
    );
  }

  /** Until `added` brings another paragraph; where it fails, what was typed goes to the one that has the focus. */
  async to<Result>(added: Promise<Result>): Promise<Result> {
    const { focused } = this.#view.state.get();
    this.#collect();
    try {
      return await added;
    } catch (error) {
      this.deliver(focused);
      throw error;
    }
  }

  /** Runs a paragraph; where it is the last one, the server adds another, which will have the cursor. */
  async byRun(id: string, run: () => Promise<void>): Promise<void> {
    const { note, client, state, single } = this.#view;
    const last = () => note.state.order.at(-1);
    if (single || last() !== id || state.get().focused !== id || note.state.connection !== 'open')
      return run();
    let settled = false;
    const settle = (): void => {
      if (settled) return;
      settled = true;
      undo();
      clearTimeout(late);
      const added = last();
      if (added !== undefined && added !== id && state.get().focused === id)
        this.#view.reveal(added);
      else this.deliver(added);
    };
    const undo = client.subscribe(() => {
      if (last() !== id) settle();
    });
    const late = setTimeout(settle, NONE_ADDED_MS);
    const ran = run();
    this.#collect();
    return ran.finally(settle);
  }

  /** Puts what was typed for an editor that does not come into a paragraph's text, where the cursor was last in it. */
  deliver(id: string | undefined): void {
    const typed = this.ahead.abandon();
    if (typed !== '') void this.#view.act(() => this.#write(id, typed));
  }

  #write(id: string | undefined, typed: string): void {
    const paragraph = this.#view.paragraph(id);
    if (!paragraph) return;
    // An open editor has the next key already: it would not know of a text that was changed behind it.
    const editor = this.#view.editors.get(paragraph.id)?.current;
    if (editor?.selection() && editor.insert(typed)) return;
    const { text } = paragraph;
    const { cursor } = this.#view;
    const at = cursor?.id === id ? Math.min(cursor!.offset, text.length) : text.length;
    paragraph.edit(text.slice(0, at) + typed + text.slice(at));
  }

  #collect(): void {
    const { shadowRoot } = this.#view.host;
    if (shadowRoot) this.ahead.begin(shadowRoot);
  }
}
