import type { Note, Paragraph } from '@tiding/client';
import { fill } from '../../text/fill.ts';
import { paragraphTexts } from '../paragraph/texts.ts';
import type { PendingInput } from '../pending-input.ts';
import { collaborationTexts } from '../presence/texts.ts';
import type { UndoStack } from '../undo-stack.ts';
import type { Dialogs } from './dialogs.tsx';
import type { ParagraphFocus } from './focus.ts';
import type { Messages } from './messages.ts';

/** What {@link ParagraphOperations} works with. */
interface OperationContext {
  readonly note: Note;
  readonly single: boolean;
  readonly undo: UndoStack;
  readonly focus: ParagraphFocus;
  readonly dialogs: Dialogs;
  readonly messages: Messages;
  readonly pendingInput: PendingInput;
}

/** Operations that add, move, change or remove paragraphs of a note, and can be undone. */
export class ParagraphOperations {
  readonly #context: OperationContext;
  /** Last pending step of a move by keyboard. */
  #moved: Promise<void> = Promise.resolve();
  #numbers:
    | { readonly order: readonly string[]; readonly of: ReadonlyMap<string, number> }
    | undefined;

  constructor(context: OperationContext) {
    this.#context = context;
  }

  get #note(): Note {
    return this.#context.note;
  }

  /** Returns a paragraph by id, or `undefined` if it has been removed. */
  get(id: string | undefined): Paragraph | undefined {
    return id !== undefined && Object.hasOwn(this.#note.state.paragraphs, id)
      ? this.#note.paragraph(id)
      : undefined;
  }

  /** Label of a paragraph's code, and of a paragraph without a title, with its number. */
  labelOf(id: string): string {
    const { order } = this.#note.state;
    if (this.#numbers?.order !== order)
      this.#numbers = { order, of: new Map(order.map((each, index) => [each, index + 1])) };
    return fill(paragraphTexts.code, {
      n: this.#context.single ? 1 : (this.#numbers.of.get(id) ?? 1),
    });
  }

  /** Adds a paragraph at a zero-based index, moves the cursor into it, and returns its id. */
  async insert(index = this.#note.state.order.length, source?: string): Promise<string> {
    const { pendingInput, undo } = this.#context;
    const paragraph = await pendingInput.during(undo.insert(index, source));
    pendingInput.reveal(paragraph.id);
    return paragraph.id;
  }

  /** Adds a copy below, with its editor shown (specification). */
  async copy(id: string): Promise<void> {
    const { pendingInput, undo } = this.#context;
    const copy = await pendingInput.during(undo.copy(id));
    pendingInput.reveal(copy.id);
    if (copy.state.server.config?.editorHide) await copy.configure({ editorHide: false });
  }

  /**
   * Moves a paragraph to a zero-based index. Unsaved text in it and in the paragraph at the target
   * index is saved first (as in Zeppelin).
   */
  async move(id: string, index: number): Promise<void> {
    const { order } = this.#note.state;
    const other = order[index];
    await Promise.all([id, other].map((one) => this.get(one)?.commit()));
    await this.#context.undo.move(id, index);
    this.#context.focus.scrollTo(id);
  }

  /**
   * Moves a paragraph by a number of places. Keys can be pressed faster than the server answers, so
   * each step starts where the previous one ended.
   */
  moveBy(id: string, places: number): Promise<void> {
    const step = this.#moved.then(async () => {
      const { order } = this.#note.state;
      const index = order.indexOf(id) + places;
      if (order.includes(id) && index >= 0 && index < order.length) await this.move(id, index);
    });
    this.#moved = step.catch(() => {});
    return step;
  }

  /**
   * Removes a paragraph and selects the next one. Asks first only if its output can't be restored.
   * The last remaining paragraph can't be removed.
   */
  async remove(id: string): Promise<void> {
    const { dialogs, undo, focus } = this.#context;
    const { order } = this.#note.state;
    if (order.length <= 1) return dialogs.alert(paragraphTexts.lastRemains);
    const at = order.indexOf(id);
    const next = order[at + 1] ?? order[at - 1];
    const losesOutput = this.get(id)?.state.server.results !== undefined && !this.#note.canRestore;
    if (
      losesOutput &&
      !(await dialogs.ask({
        title: paragraphTexts.confirmRemove,
        text: paragraphTexts.removeLosesOutput,
        action: paragraphTexts.remove,
        danger: true,
        remember: 'remove-paragraph',
      }))
    )
      return;
    await undo.remove(id);
    this.#showDone(
      losesOutput ? collaborationTexts.removedWithoutOutput : collaborationTexts.removed,
    );
    if (next !== undefined) focus.select(next);
  }

  /** Merges a paragraph with the one below or above; the upper one remains and is selected. */
  async join(id: string, side: 'above' | 'below'): Promise<void> {
    const { order } = this.#note.state;
    const at = order.indexOf(id);
    const [first, second] = side === 'below' ? [id, order[at + 1]] : [order[at - 1], id];
    if (first === undefined || second === undefined) return;
    await this.#context.undo.join(first, second);
    this.#showDone(collaborationTexts.joined);
    this.#context.focus.select(first);
  }

  /** Splits a paragraph at the cursor, or at the last cursor position in it. */
  async split(id: string): Promise<void> {
    const { pendingInput, undo, focus } = this.#context;
    const second = await pendingInput.during(
      undo.split(id, focus.cursorIn(id) ?? this.#note.paragraph(id).text.length),
    );
    pendingInput.reveal(second.id);
  }

  /** Clears the output of one paragraph, or of all paragraphs. */
  async clear(id?: string): Promise<void> {
    const { undo } = this.#context;
    await undo.clear(id);
    if (this.#note.canRestore) this.#showDone(collaborationTexts.cleared);
  }

  /**
   * Resolves a conflict: `'mine'` overwrites the server's text, `'theirs'` discards the local text.
   * Both can be undone.
   */
  async resolve(id: string, keep: 'mine' | 'theirs'): Promise<void> {
    const { undo } = this.#context;
    await (keep === 'mine' ? undo.keepMine(id) : undo.takeTheirs(id));
    this.#showDone(keep === 'mine' ? collaborationTexts.keptMine : collaborationTexts.tookTheirs);
  }

  /** Undoes the last paragraph operation and shows what was undone. */
  readonly undo = async (): Promise<void> => {
    const { messages, undo } = this.#context;
    const name = await undo.undo();
    if (name === undefined) messages.success(collaborationTexts.nothingToUndo);
    else
      messages.success(fill(collaborationTexts.undone, { step: collaborationTexts.steps[name] }), {
        label: collaborationTexts.redo,
        run: () => void messages.act(this.redo),
      });
  };

  /** Redoes the operation that was undone last. */
  readonly redo = async (): Promise<void> => {
    const { messages, undo } = this.#context;
    const name = await undo.redo();
    if (name === undefined) messages.success(collaborationTexts.nothingToRedo);
    else this.#showDone(fill(collaborationTexts.redone, { step: collaborationTexts.steps[name] }));
  };

  /** Shows a success toast with a button that undoes the last step. */
  #showDone(message: string): void {
    const { messages, undo } = this.#context;
    const { last } = undo;
    messages.success(message, {
      label: collaborationTexts.undo,
      run: () =>
        void messages.act(() =>
          undo.last === last ? this.undo() : messages.success(collaborationTexts.later),
        ),
    });
  }
}
