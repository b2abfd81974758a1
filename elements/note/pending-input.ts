/**
 * Buffers keys typed after a command that adds a paragraph, until the new paragraph's editor
 * exists.
 */
import type { Client, Note } from '@tiding/client';
import { TypeAhead } from '../editor/type-ahead.ts';
import { takesText } from '../runtime/takes-text.ts';
import type { ParagraphViewport } from './paragraph-viewport.ts';
import type { Editors } from './ui/editors.ts';
import type { ParagraphFocus } from './ui/focus.ts';
import type { Messages } from './ui/messages.ts';

/**
 * Time in ms, from the server's first message about a run, after which it is assumed not to add a
 * paragraph.
 */
const NEW_PARAGRAPH_TIMEOUT_MS = 3_000;

/** Delay before a paragraph that was just added is scrolled into view, in ms (as in Zeppelin). */
const REVEAL_DELAY_MS = 500;

/** What {@link PendingInput} works with. */
interface PendingInputContext {
  readonly client: Client;
  readonly note: Note;
  readonly host: HTMLElement;
  readonly single: boolean;
  readonly focus: ParagraphFocus;
  readonly editors: Editors;
  readonly viewport: ParagraphViewport;
  readonly messages: Messages;
}

/**
 * Buffers keys for a paragraph that is being added, and delivers them to its editor or its text.
 */
export class PendingInput {
  readonly #context: PendingInputContext;
  /** Holds the keys until an editor takes them. */
  readonly ahead: TypeAhead;

  /**
   * Ids of paragraphs that keep the cursor if the server adds one below them, as after a run that
   * stays.
   */
  readonly stayed = new Set<string>();

  constructor(context: PendingInputContext) {
    this.#context = context;
    this.ahead = new TypeAhead((typed) => context.editors.get(context.focus.id)?.insert(typed));
  }

  /**
   * Buffers keys until `added` settles and the new editor takes them. If it rejects, the keys go to
   * the paragraph that had the focus.
   */
  async during<Result>(added: Promise<Result>): Promise<Result> {
    const focused = this.#context.focus.id;
    this.#collect();
    try {
      return await added;
    } catch (error) {
      this.deliver(focused);
      throw error;
    }
  }

  /**
   * Runs a paragraph. If it is the last one, the server adds another paragraph, which gets the
   * cursor, unless the user has moved it meanwhile, and the buffered keys.
   */
  async duringRun(id: string, run: () => Promise<void>): Promise<void> {
    const { note, client, focus, single } = this.#context;
    this.stayed.delete(id);
    // `note.state` throws when the user has left the note; its run may continue.
    const last = () => client.state.open[note.id]?.order.at(-1);
    const { connection, paragraphs } = note.state;
    if (single || last() !== id || focus.id !== id || connection !== 'open') return run();
    const startedBefore = paragraphs[id]?.server.dateStarted;
    let settled = false;
    let late: ReturnType<typeof setTimeout> | undefined;
    const settle = (): void => {
      if (settled) return;
      settled = true;
      undo();
      clearTimeout(late);
      const added = last();
      if (added !== undefined && added !== id && this.isAt(id)) this.reveal(added);
      else this.deliver(added);
    };
    const undo = note.subscribe((now) => {
      if (last() !== id || now.connection !== 'open') settle();
      else if (now.paragraphs[id]?.server.dateStarted !== startedBefore)
        late ??= setTimeout(settle, NEW_PARAGRAPH_TIMEOUT_MS);
    });
    const ran = run();
    this.#collect();
    return ran.finally(settle);
  }

  /** Whether the cursor is still at a paragraph, and not in a field such as a form. */
  isAt(id: string | undefined): boolean {
    const { focus, host } = this.#context;
    const active = host.shadowRoot?.activeElement ?? document.activeElement;
    const isInField = takesText(active) && !this.ahead.focused && !active?.closest('.cm-editor');
    return focus.id === id && !isInField;
  }

  /**
   * Moves the cursor to a paragraph that was just added on this page and scrolls it into view after
   * a delay.
   */
  readonly reveal = (id: string): void => {
    const { focus, editors, viewport } = this.#context;
    // Until the new editor is rendered, no element would receive the keys.
    if (focus.state.get().added !== id) this.#collect();
    focus.state.set({ focused: id, added: id });
    setTimeout(() => {
      viewport.element(id)?.scrollIntoView({ block: 'nearest' });
      // Its code is hidden, so no editor will take the typed keys.
      if (focus.state.get().added === id && !editors.has(id)) this.deliver(id);
    }, REVEAL_DELAY_MS);
  };

  /**
   * Writes the buffered keys into a paragraph's text at its last cursor position. Used if no editor
   * appears.
   */
  deliver(id: string | undefined): void {
    const typed = this.ahead.abandon();
    if (typed !== '') void this.#context.messages.act(() => this.#write(id, typed));
  }

  #write(id: string | undefined, typed: string): void {
    const { note, editors, focus } = this.#context;
    if (id === undefined || !Object.hasOwn(note.state.paragraphs, id)) return;
    const paragraph = note.paragraph(id);
    // An open editor receives the next key directly, and would not notice a text that is changed
    // behind its back.
    const editor = editors.get(id);
    if (editor?.selection() && editor.insert(typed)) return;
    const { text } = paragraph;
    const at = Math.min(focus.cursorIn(id) ?? text.length, text.length);
    paragraph.edit(text.slice(0, at) + typed + text.slice(at));
  }

  #collect(): void {
    const { shadowRoot } = this.#context.host;
    if (shadowRoot) this.ahead.begin(shadowRoot);
  }
}
