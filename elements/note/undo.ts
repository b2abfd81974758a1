/**
 * What was done with the paragraphs of a note on this page, so that it can be taken back and done again: which there are and
 * where, what they printed, and which text of a conflict was dropped. What is typed is the editor's own to undo.
 */
import {
  isTidingError,
  paragraphText,
  type Note,
  type Paragraph,
  type Snapshot,
} from 'tiding/client';
import { joinTexts, mergeText } from 'tiding/model';
import { createStore, type Store } from '../runtime/store.ts';
import { together } from '../text/together.ts';

/** What can be taken back. */
export type StepName = keyof typeof together.steps;

/** One thing that was done. */
export interface Step {
  readonly name: StepName;
  /** Takes it back; answers what does it again. */
  readonly back: () => Promise<Step>;
  /** The text that nobody else has: such a step stays when taking it back fails. */
  readonly holds?: readonly Snapshot[];
}

/** What the next undo and the next redo are about; `undefined`: there is none. */
export interface UndoState {
  readonly undo: StepName | undefined;
  readonly redo: StepName | undefined;
}

/** Steps that are remembered. */
const LIMIT = 100;

const inserted = (paragraph: Paragraph, note: Note): Snapshot => note.snapshot(paragraph.id);

/** The undo stack of one page of one note. One thing is done at a time, in the order in which it was asked for. */
export class Undo {
  readonly note: Note;
  readonly state: Store<UndoState> = createStore<UndoState>({ undo: undefined, redo: undefined });
  readonly #limit: number;
  #done: Step[] = [];
  #undone: Step[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor(note: Note, limit = LIMIT) {
    this.note = note;
    this.#limit = limit;
  }

  /** Paragraphs whose text only an undo or a redo brings back. */
  get held(): Snapshot[] {
    return [...this.#done, ...this.#undone].flatMap(({ holds = [] }) => holds);
  }

  /** What would be taken back next. */
  get last(): Step | undefined {
    return this.#done.at(-1);
  }

  /** Takes the last thing back; answers what it was. */
  undo(): Promise<StepName | undefined> {
    return this.#again(
      () => this.#done,
      () => this.#undone,
    );
  }

  /** Does again what was taken back last. */
  redo(): Promise<StepName | undefined> {
    return this.#again(
      () => this.#undone,
      () => this.#done,
    );
  }

  insert(index: number, source?: string): Promise<Paragraph> {
    return this.#do(async () => {
      const paragraph = await this.note.insert({
        index,
        ...(source === undefined ? {} : { text: source }),
      });
      return [paragraph, this.#uninsert('insert', inserted(paragraph, this.note))];
    });
  }

  copy(id: string): Promise<Paragraph> {
    return this.#do(async () => {
      const paragraph = await this.note.paragraph(id).copy();
      return [paragraph, this.#uninsert('copy', inserted(paragraph, this.note))];
    });
  }

  move(id: string, index: number): Promise<void> {
    return this.#do(async () => [undefined, await this.#move(id, index)]);
  }

  remove(id: string): Promise<void> {
    return this.#do(async () => [undefined, await this.#remove(id)]);
  }

  clear(id: string): Promise<void> {
    return this.#do(async () => [
      undefined,
      await this.#clear([this.note.snapshot(id)], () => this.note.paragraph(id).clear()),
    ]);
  }

  clearAll(): Promise<void> {
    return this.#do(async () => [
      undefined,
      await this.#clear(
        this.note.state.order.map((id) => this.note.snapshot(id)),
        () => this.note.clear(),
        'clearAll',
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

  /** Drops the own text of a conflict; taking that back shows the conflict again. */
  takeTheirs(id: string): Promise<void> {
    return this.#do(async () => {
      const before = this.note.snapshot(id);
      this.note.paragraph(id).discard();
      return [undefined, this.#untake(before)];
    });
  }

  /** Saves the own text of a conflict over the server's. */
  keepMine(id: string): Promise<void> {
    return this.#do(async () => {
      const before = this.note.snapshot(id);
      const { conflict, draft = '' } = before.state;
      // Whatever becomes of it: their text is not in the way any more.
      if (conflict) this.#push(this.#rewrite('keepMine', id, draft, conflict.theirs, before));
      await this.note.paragraph(id).keepMine();
      return [undefined, undefined];
    });
  }

  /** After all that was asked for before. */
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
    this.#done = [...this.#done, step].slice(-this.#limit);
    // What holds the only copy of a text can still be done again.
    this.#undone = this.#undone.filter(({ holds }) => holds);
    this.#tell();
  }

  #tell(): void {
    const [undo, redo] = [this.#done.at(-1)?.name, this.#undone.at(-1)?.name];
    this.state.set({ undo, redo });
  }

  #again(from: () => Step[], to: () => Step[]): Promise<StepName | undefined> {
    return this.#next(async () => {
      const step = from().pop();
      if (!step) return undefined;
      try {
        const inverse = await step.back();
        to().push(inverse);
        return step.name;
      } catch (error) {
        // What holds the only copy of a text, or could not be asked at all, can be tried again.
        if (
          step.holds ||
          isTidingError(error, 'timeout') ||
          isTidingError(error, 'closed') ||
          isTidingError(error, 'network')
        )
          from().push(step);
        throw error;
      } finally {
        this.#tell();
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

  /** It may have happened although it failed: its text must be somewhere then. */
  #mayBeGone(error: unknown, id: string): boolean {
    if (
      !isTidingError(error, 'server') &&
      !isTidingError(error, 'forbidden') &&
      !isTidingError(error, 'conflict')
    )
      return true;
    try {
      // What is unsaved of one that is gone is still shown.
      return this.note.snapshot(id).state.removed;
    } catch {
      return true;
    }
  }

  #restore(removed: Snapshot, name: StepName): Step {
    return {
      name,
      holds: [removed],
      back: async () => {
        const { paragraph } = await this.note.restore(removed);
        return { name, back: () => this.#remove(paragraph.id, name) };
      },
    };
  }

  /** Takes an insertion back, as long as nobody has written there. */
  #uninsert(name: StepName, made: Snapshot): Step {
    return {
      name,
      back: async () => {
        const { state, text } = this.note.paragraph(made.id);
        if (state.draft !== undefined || text !== (made.state.server.text ?? ''))
          throw new Error(together.written);
        return this.#remove(made.id, name);
      },
    };
  }

  async #move(id: string, index: number): Promise<Step> {
    const before = this.note.paragraph(id).index;
    await this.note.paragraph(id).move(index);
    return {
      name: 'move',
      back: () => this.#move(id, Math.min(before, this.note.state.order.length - 1)),
    };
  }

  async #clear(
    before: readonly Snapshot[],
    clear: () => Promise<void>,
    name: StepName = 'clear',
  ): Promise<Step | undefined> {
    const printed = before.filter(({ state }) => state.server.results);
    await clear();
    // A server that is not ours has forgotten them.
    if (printed.length === 0 || !this.note.canRestore) return undefined;
    return {
      name,
      back: async () => {
        // Their output alone: the text has stayed, and gone on.
        for (const each of printed)
          if (Object.hasOwn(this.note.state.paragraphs, each.id))
            await this.note.restore({ ...each, state: { ...each.state, draft: undefined } });
        return {
          name,
          back: async () =>
            (await this.#clear(printed, clear, name)) ?? {
              name,
              back: () => Promise.reject(new Error(together.written)),
            },
        };
      },
    };
  }

  #unsplit(id: string, second: string): Step {
    return {
      name: 'split',
      back: async () => {
        const offset = this.note.paragraph(id).text.length;
        await this.#join(id, second);
        return {
          name: 'split',
          back: async () => this.#unsplit(id, (await this.note.paragraph(id).split(offset)).id),
        };
      },
    };
  }

  async #join(id: string, otherId: string): Promise<Step> {
    const [first, second] = [this.note.paragraph(id), this.note.paragraph(otherId)];
    const before = first.text;
    const watch = this.note.watch(otherId);
    let removed: Snapshot;
    try {
      removed = await first.join(second);
    } catch (error) {
      if (this.#mayBeGone(error, otherId)) this.#push(this.#restore(watch.last, 'remove'));
      throw error;
    } finally {
      watch.stop();
    }
    // Not what stands there now: what was typed meanwhile is not of the joining, and stays when that is taken back.
    const joined = joinTexts(before, paragraphText(removed.state));
    return {
      name: 'join',
      holds: [removed],
      back: async () => {
        const { paragraph } = await this.note.restore(removed);
        // Where others have written in it since, the text stays as it is, and stands twice rather than not at all.
        this.#putBack(id, joined, before);
        await this.note.paragraph(id).commit();
        return { name: 'join', back: () => this.#join(id, paragraph.id) };
      },
    };
  }

  #untake(before: Snapshot): Step {
    return {
      name: 'takeTheirs',
      holds: [before],
      back: async () => {
        await this.note.bringBack(before);
        return {
          name: 'takeTheirs',
          back: async () => {
            const now = this.note.snapshot(before.id);
            this.note.paragraph(before.id).discard();
            return this.#untake(now);
          },
        };
      },
    };
  }

  #rewrite(name: StepName, id: string, from: string, to: string, held: Snapshot): Step {
    return {
      name,
      holds: [held],
      back: async () => {
        this.#putBack(id, from, to);
        await this.note.paragraph(id).commit();
        return this.#rewrite(name, id, to, from, held);
      },
    };
  }

  /** Takes a change of a text back, with what others have written since. */
  #putBack(id: string, from: string, to: string): void {
    const paragraph = this.note.paragraph(id);
    const merged = mergeText(from, to, paragraph.text);
    if ('conflict' in merged) throw new Error(together.written);
    paragraph.edit(merged.text);
  }
}
