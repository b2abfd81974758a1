/**
 * Undo and redo of paragraph operations on this page: insert, copy, move, remove, split, join,
 * clear, and the resolution of a conflict. Typed text is undone by the editor itself.
 */
import {
  isTidingError,
  type Note,
  type Paragraph,
  type ParagraphSnapshot,
  paragraphText,
} from '@tiding/client';
import { joinParagraphTexts } from '@tiding/client/model';
import { createViewStore } from '../runtime/store.ts';
import { collaborationTexts } from './presence/texts.ts';

/** Kinds of steps that can be undone. */
export type StepName = keyof typeof collaborationTexts.steps;

/** An operation that was done. */
interface Step {
  readonly name: StepName;
  /** Reverts the operation; resolves to the step that redoes it. */
  readonly revert: () => Promise<Step>;
  /**
   * Snapshots with text that exists nowhere else. Such a step stays in the history if reverting it
   * fails.
   */
  readonly snapshots?: readonly ParagraphSnapshot[];
}

/** Names of the next undo and redo steps; `undefined` if there is none. */
interface UndoState {
  readonly undo: StepName | undefined;
  readonly redo: StepName | undefined;
}

/** Maximum number of steps kept. */
const LIMIT = 100;

/**
 * Undo stack of one page of one note. Operations run one at a time, in the order in which they were
 * requested.
 */
export class UndoStack {
  readonly note: Note;
  readonly state = createViewStore<UndoState>({ undo: undefined, redo: undefined });
  readonly #limit: number;
  readonly #steps: Record<'done' | 'undone', Step[]> = { done: [], undone: [] };
  #turn: Promise<unknown> = Promise.resolve();

  constructor(note: Note, limit = LIMIT) {
    this.note = note;
    this.#limit = limit;
  }

  /** Paragraphs whose text only an undo or a redo can bring back. */
  get held(): ParagraphSnapshot[] {
    return [...this.#steps.done, ...this.#steps.undone].flatMap(({ snapshots = [] }) => snapshots);
  }

  /** The step that `undo` would revert next. */
  get last(): Step | undefined {
    return this.#steps.done.at(-1);
  }

  /** Reverts the last step; resolves to its name. */
  undo(): Promise<StepName | undefined> {
    return this.#revert('done', 'undone');
  }

  /** Redoes the step that was undone last; resolves to its name. */
  redo(): Promise<StepName | undefined> {
    return this.#revert('undone', 'done');
  }

  insert(index: number, source?: string): Promise<Paragraph> {
    return this.#do(async () => {
      const paragraph = await this.note.insert({ index, text: source });
      return [paragraph, this.#uninsert('insert', paragraph)];
    });
  }

  copy(id: string): Promise<Paragraph> {
    return this.#do(async () => {
      const paragraph = await this.note.paragraph(id).copy();
      return [paragraph, this.#uninsert('copy', paragraph)];
    });
  }

  move(id: string, index: number): Promise<void> {
    return this.#do(async () => [undefined, await this.#move(id, index)]);
  }

  remove(id: string): Promise<void> {
    return this.#do(async () => [undefined, await this.#remove(id)]);
  }

  /** Clears the output of a paragraph, or of all paragraphs. */
  clear(id?: string): Promise<void> {
    return this.#do(async () => [
      undefined,
      await this.#clear(
        (id === undefined ? this.note.state.order : [id]).map((each) => this.note.snapshot(each)),
        () => (id === undefined ? this.note.clear() : this.note.paragraph(id).clear()),
        id === undefined ? 'clearAll' : 'clear',
      ),
    ]);
  }

  split(id: string, offset: number): Promise<Paragraph> {
    return this.#do(async () => {
      const second = await this.note.paragraph(id).split(offset);
      return [second, this.#unsplit(id, second.id)];
    });
  }

  join(id: string, otherId: string): Promise<void> {
    return this.#do(async () => [undefined, await this.#join(id, otherId)]);
  }

  /** Discards the local text of a conflict; undoing that shows the conflict again. */
  takeTheirs(id: string): Promise<void> {
    return this.#do(async () => {
      const before = this.note.snapshot(id);
      this.note.paragraph(id).discard();
      return [undefined, this.#untake(before)];
    });
  }

  /** Saves the local text of a conflict over the server's. */
  keepMine(id: string): Promise<void> {
    return this.#do(async () => {
      const before = this.note.snapshot(id);
      const { conflict, draft = '' } = before.state;
      // Pushed before the save, so that the server's text is kept even if saving fails.
      if (conflict) this.#push(this.#rewrite('keepMine', id, draft, conflict.theirs, before));
      await this.note.paragraph(id).keepMine();
      return [undefined, undefined];
    });
  }

  /** Runs `work` after all operations that were requested before. */
  #next<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  #do<Result>(work: () => Promise<[Result, Step | undefined]>): Promise<Result> {
    return this.#next(async () => {
      const [result, step] = await work();
      if (step) this.#push(step);
      return result;
    });
  }

  #push(step: Step): void {
    const steps = this.#steps;
    steps.done = [...steps.done, step].slice(-this.#limit);
    // Steps that hold the only copy of a text can still be redone.
    steps.undone = steps.undone.filter(({ snapshots }) => snapshots);
    this.#publish();
  }

  #publish(): void {
    const [undo, redo] = [this.last?.name, this.#steps.undone.at(-1)?.name];
    this.state.set({ undo, redo });
  }

  #revert(from: 'done' | 'undone', to: 'done' | 'undone'): Promise<StepName | undefined> {
    return this.#next(async () => {
      const step = this.#steps[from].pop();
      if (!step) return undefined;
      try {
        const inverse = await step.revert();
        this.#steps[to].push(inverse);
        return step.name;
      } catch (error) {
        // Steps that hold the only copy of a text, or that failed before the server answered, can
        // be tried again.
        if (
          step.snapshots ||
          isTidingError(error, 'timeout') ||
          isTidingError(error, 'closed') ||
          isTidingError(error, 'network')
        )
          this.#steps[from].push(step);
        throw error;
      } finally {
        this.#publish();
      }
    });
  }

  async #remove(id: string, name: StepName = 'remove'): Promise<Step> {
    const watch = this.note.watch(id);
    try {
      return this.#restore(await this.note.paragraph(id).remove(), name);
    } catch (error) {
      if (this.#mayBeGone(error, id)) this.#push(this.#restore(watch.last, name));
      throw error;
    } finally {
      watch.stop();
    }
  }

  /**
   * Whether the removal may have happened although the request failed. Its text must be kept in
   * that case.
   */
  #mayBeGone(error: unknown, id: string): boolean {
    if (
      !isTidingError(error) ||
      !['server', 'forbidden', 'conflict', 'busy', 'not-found'].includes(error.code)
    )
      return true;
    try {
      // A removed paragraph with unsaved text is still shown.
      return this.note.snapshot(id).state.removed;
    } catch {
      return true;
    }
  }

  #restore(removed: ParagraphSnapshot, name: StepName): Step {
    return {
      name,
      snapshots: [removed],
      revert: async () => {
        const { paragraph } = await this.note.restore(removed);
        return { name, revert: () => this.#remove(paragraph.id, name) };
      },
    };
  }

  /** Reverts an insertion, unless somebody has written in the paragraph. */
  #uninsert(name: StepName, { id }: Paragraph): Step {
    const { text: made = '' } = this.note.snapshot(id).state.server;
    return {
      name,
      revert: async () => {
        const { state, text } = this.note.paragraph(id);
        if (state.draft !== undefined || text !== made) throw new Error(collaborationTexts.written);
        return this.#remove(id, name);
      },
    };
  }

  async #move(id: string, index: number): Promise<Step> {
    const before = this.note.paragraph(id).index;
    await this.note.paragraph(id).move(index);
    return {
      name: 'move',
      revert: () => this.#move(id, Math.min(before, this.note.state.order.length - 1)),
    };
  }

  async #clear(
    before: readonly ParagraphSnapshot[],
    clear: () => Promise<void>,
    name: StepName,
  ): Promise<Step | undefined> {
    const printed = before.filter(({ state }) => state.server.results);
    await clear();
    // A server that can't restore paragraphs has lost the outputs.
    if (printed.length === 0 || !this.note.canRestore) return undefined;
    return {
      name,
      revert: async () => {
        // Restore only the output: the text was not cleared and may have changed.
        for (const each of printed)
          if (Object.hasOwn(this.note.state.paragraphs, each.id))
            await this.note.restore({ ...each, state: { ...each.state, draft: undefined } });
        return {
          name,
          revert: async () =>
            (await this.#clear(printed, clear, name)) ?? {
              name,
              revert: () => Promise.reject(new Error(collaborationTexts.written)),
            },
        };
      },
    };
  }

  #unsplit(id: string, second: string): Step {
    return {
      name: 'split',
      revert: async () => {
        const offset = this.note.paragraph(id).text.length;
        await this.#join(id, second);
        return {
          name: 'split',
          revert: async () => this.#unsplit(id, (await this.note.paragraph(id).split(offset)).id),
        };
      },
    };
  }

  async #join(id: string, otherId: string): Promise<Step> {
    const [first, second] = [this.note.paragraph(id), this.note.paragraph(otherId)];
    const before = first.text;
    const watch = this.note.watch(otherId);
    let removed: ParagraphSnapshot;
    try {
      removed = await first.join(second);
    } catch (error) {
      if (this.#mayBeGone(error, otherId)) this.#push(this.#restore(watch.last, 'remove'));
      throw error;
    } finally {
      watch.stop();
    }
    // Use the text right after the join, not the current text: text typed since is not part of the
    // join and stays when the join is undone.
    const joined = joinParagraphTexts(before, paragraphText(removed.state));
    return {
      name: 'join',
      snapshots: [removed],
      revert: async () => {
        const { paragraph } = await this.note.restore(removed);
        // If others have written in the paragraph since, its text stays as it is. Duplicated text
        // is better than lost text.
        await this.#putBack(id, joined, before);
        await this.note.paragraph(id).commit();
        return { name: 'join', revert: () => this.#join(id, paragraph.id) };
      },
    };
  }

  #untake(before: ParagraphSnapshot): Step {
    return {
      name: 'takeTheirs',
      snapshots: [before],
      revert: async () => {
        await this.note.restoreDraft(before);
        return {
          name: 'takeTheirs',
          revert: async () => {
            const now = this.note.snapshot(before.id);
            this.note.paragraph(before.id).discard();
            return this.#untake(now);
          },
        };
      },
    };
  }

  #rewrite(name: StepName, id: string, from: string, to: string, held: ParagraphSnapshot): Step {
    return {
      name,
      snapshots: [held],
      revert: async () => {
        await this.#putBack(id, from, to);
        await this.note.paragraph(id).commit();
        return this.#rewrite(name, id, to, from, held);
      },
    };
  }

  /** Reverts a text change and keeps what others have written since. */
  async #putBack(id: string, from: string, to: string): Promise<void> {
    const { mergeText } = await import('@tiding/client/changes');
    const paragraph = this.note.paragraph(id);
    const merged = mergeText(from, to, paragraph.text);
    if ('conflict' in merged) throw new Error(collaborationTexts.written);
    paragraph.edit(merged.text);
  }
}
