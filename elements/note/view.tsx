/**
 * What the page of a note knows beside the note itself: which paragraph has the focus, which panel is open, what is asked.
 * Bars, menus, keys, the palette and the paragraphs all act through it, so that a command does the same from everywhere.
 */
import type { ReactNode, RefObject } from 'react';
import {
  isTidingError,
  paragraphText,
  type Client,
  type Note,
  type Paragraph,
} from 'tiding/client';
import { collectForms, isTrashed } from 'tiding/model';
import type { Revision } from 'tiding/protocol';
import type { EditorHandle } from '../editor/handle.ts';
import type { Look } from '../paragraph/look.ts';
import { tell } from '../runtime/define-element.ts';
import { createStore, useStore, type Store } from '../runtime/store.ts';
import { fill, text } from '../text/en.ts';
import { together } from '../text/together.ts';
import type { ToastAction } from '../ui/toasts.tsx';
import { createDrag, type DragState } from './drag/drag.ts';
import { FindStore } from './find/store.ts';
import { bringToTop } from './bring.ts';
import { LeadingOn } from './leading-on.ts';
import { Nearness } from './nearness.ts';
import type { PanelId } from './panels/index.ts';
import { Undo } from './undo.ts';

/** A question before something that cannot be taken back. */
export interface Question {
  readonly title: string;
  readonly text?: string;
  /** What the button that goes on says. Without `cancel` it is the only one. */
  readonly action: string;
  readonly danger?: boolean;
  readonly cancel?: string | null;
}

/** A dialog; it is given what closes it. */
export type DialogView = (close: () => void) => ReactNode;

/** See the head of this file. */
export interface NoteViewState {
  /** Id of the paragraph that keys act on. */
  readonly focused: string | undefined;
  /** Id of a paragraph that was just added here: its editor takes the cursor. */
  readonly added: string | undefined;
  /** The panel on the left: notes and outline. */
  readonly left: boolean;
  /** The panel on the right, one at a time. */
  readonly panel: PanelId | undefined;
  readonly dialog: DialogView | undefined;
  /** Values of forms that are given from outside: shown, not editable, and those of every run. */
  readonly locked: Readonly<Record<string, unknown>>;
  /** As it is shown: set from outside, else chosen here (in a revision), else the note's. */
  readonly look: Look;
  /** The look that was chosen here alone: in a revision, which cannot be changed. */
  readonly ownLook: Look | undefined;
  /** Revisions of the note, `Head` first; `undefined`: not known, or the server keeps none. */
  readonly revisions: readonly Revision[] | undefined;
  /** What is typed about the next checkpoint. */
  readonly commitMessage: string;
}

/** What a page gives its view. */
export interface NoteViewOptions {
  readonly look?: Look | undefined;
  /** One paragraph alone: no other can be reached from it. */
  readonly single?: boolean;
  /** Shows a short message; `tiding-error` was told and nobody prevented it. */
  readonly toast: (
    kind: 'danger' | 'success' | 'info',
    message: string,
    action?: ToastAction,
    stays?: boolean,
  ) => void;
}

const nothingLocked: Readonly<Record<string, unknown>> = {};

/** Values that hold: an object, else none do. */
export const lockedOf = (given: unknown): Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? (given as Record<string, unknown>)
    : nothingLocked;

/** One page of one note. Made when the note is open; holds no resources. */
export class NoteView {
  readonly client: Client;
  readonly note: Note;
  readonly host: HTMLElement;
  readonly single: boolean;
  readonly state: Store<NoteViewState>;
  /** The search of the note's code. */
  readonly find = new FindStore();
  /** A paragraph on its way to another place. */
  readonly drag: Store<DragState> = createDrag();
  /** Editors on the page, by paragraph. */
  readonly editors = new Map<string, RefObject<EditorHandle | null>>();
  /** What is typed for a paragraph that is being added, from the command on. */
  readonly leading = new LeadingOn(this);
  /** Which paragraphs are near the window. */
  readonly nearness = new Nearness();
  /** Puts the paragraphs on the page that are still to follow, before it returns. */
  complete: (() => void) | undefined;
  /** Asks a panel with unsaved changes before it closes; answers whether it may. */
  mayClosePanel: (() => Promise<boolean>) | undefined;
  /** What was done with paragraphs here, to be taken back. */
  readonly steps: Undo;
  /** Where the cursor was last, in the text of a paragraph. */
  cursor: { readonly id: string; readonly offset: number } | undefined;
  /** Whether to leave unsaved text is being asked: the question takes the cursor out of the editor, which must not save it. */
  leaving = false;
  readonly #toast: NoteViewOptions['toast'];
  /** The last step of a move by keys. */
  #moved: Promise<void> = Promise.resolve();
  #numbers:
    | { readonly order: readonly string[]; readonly of: ReadonlyMap<string, number> }
    | undefined;

  constructor(
    client: Client,
    note: Note,
    host: HTMLElement,
    { look = 'default', single = false, toast }: NoteViewOptions,
  ) {
    this.client = client;
    this.note = note;
    this.host = host;
    this.single = single;
    this.#toast = toast;
    this.steps = new Undo(note);
    this.state = createStore<NoteViewState>({
      focused: undefined,
      added: undefined,
      left: !single && window.innerWidth >= 1100,
      panel: undefined,
      dialog: undefined,
      look,
      locked: nothingLocked,
      ownLook: undefined,
      revisions: undefined,
      commitMessage: '',
    });
  }

  /** A paragraph by id; `undefined` when it has been removed meanwhile. */
  paragraph(id: string | undefined): Paragraph | undefined {
    return id !== undefined && Object.hasOwn(this.note.state.paragraphs, id)
      ? this.note.paragraph(id)
      : undefined;
  }

  /** Whether the note can be changed here: not in report look, not in a revision, not while it lies in the trash. */
  get editable(): boolean {
    return (
      this.note.revision === undefined &&
      this.state.get().look !== 'report' &&
      this.state.get().look !== 'embed' &&
      !isTrashed(this.note.path)
    );
  }

  /** Chooses a look: the note's, or where that cannot be changed this page's alone. */
  readonly setLook = (look: Look): void => {
    if (this.note.revision === undefined)
      void this.act(() => this.note.configure({ looknfeel: look }));
    else this.state.set({ ownLook: look });
  };

  /** Does something and shows why it failed. What a paragraph shows itself (a conflict, a text not saved) is not said twice. */
  readonly act = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (
        isTidingError(error, 'closed') ||
        isTidingError(error, 'conflict') ||
        isTidingError(error, 'aborted')
      )
        return;
      this.fail(isTidingError(error) ? error.message : String(error));
    }
  };

  /** Tells the page, and shows it unless the page prevents that. */
  readonly fail = (message: string): void => {
    if (tell(this.host, 'tiding-error', { message })) this.#toast('danger', message);
  };

  /** The same, to be dismissed: what a script did wrong, whose author may not be looking. */
  readonly failForGood = (message: string): void => {
    if (tell(this.host, 'tiding-error', { message }))
      this.#toast('danger', message, undefined, true);
  };

  /** A short message that there is nothing to do about. */
  readonly hint = (message: string): void => this.#toast('info', message);

  /** A short message that something went well. */
  readonly say = (message: string): void => this.#toast('success', message);

  /** The same, with a button that takes back what was done last. */
  readonly sayDone = (message: string): void => {
    const { last } = this.steps;
    this.#toast('success', message, {
      label: together.undo,
      run: () =>
        void this.act(() => (this.steps.last === last ? this.undo() : this.say(together.later))),
    });
  };

  /** Takes back what was done last with paragraphs, and says what it was. */
  readonly undo = async (): Promise<void> => {
    const name = await this.steps.undo();
    if (name === undefined) this.say(together.nothingToUndo);
    else
      this.#toast('success', fill(together.undone, { step: together.steps[name] }), {
        label: together.redo,
        run: () => void this.act(this.redo),
      });
  };

  /** Does again what was taken back last. */
  readonly redo = async (): Promise<void> => {
    const name = await this.steps.redo();
    if (name === undefined) this.say(together.nothingToRedo);
    else this.sayDone(fill(together.redone, { step: together.steps[name] }));
  };

  /** What every run is given: values that hold. Those of the note's own forms are stored first, where a run takes them from. */
  async runParams(
    chosen: Readonly<Record<string, unknown>> = {},
  ): Promise<{ params?: Record<string, unknown> }> {
    const { locked } = this.state.get();
    const { forms, params, paragraphs } = this.note.state;
    // Before its first run a form stands in a text alone.
    const written = new Set(
      Object.keys(locked).length === 0
        ? []
        : Object.values(paragraphs).flatMap((paragraph) =>
            Object.keys(collectForms(paragraphText(paragraph)).noteForms),
          ),
    );
    const ofNote = Object.entries(locked).filter(
      ([name, value]) =>
        (Object.hasOwn(forms, name) || written.has(name)) &&
        JSON.stringify(params[name]) !== JSON.stringify(value),
    );
    if (ofNote.length > 0) await this.note.setParams(Object.fromEntries(ofNote));
    const all = { ...chosen, ...locked };
    return Object.keys(all).length > 0 ? { params: all } : {};
  }

  /** Opens a dialog in place of the one before. */
  readonly open = (dialog: DialogView): void => this.state.set({ dialog });

  readonly close = (): void => this.state.set({ dialog: undefined });

  /** Asks, and answers whether to go on. */
  ask(question: Question): Promise<boolean> {
    return new Promise((resolve) => {
      void import('./dialogs/question.tsx').then(({ QuestionDialog }) => {
        this.open((close) => (
          <QuestionDialog
            question={question}
            onClose={(confirmed) => (close(), resolve(confirmed))}
          />
        ));
      });
    });
  }

  /** Asks, then acts. */
  async confirm(question: Question, work: () => unknown): Promise<void> {
    if (await this.ask(question)) await this.act(work);
  }

  /** Something that there is no choice about. */
  async alert(title: string, more?: string): Promise<void> {
    await this.ask({
      title,
      action: text.close,
      cancel: null,
      ...(more === undefined ? {} : { text: more }),
    });
  }

  // What changes which paragraphs there are goes through these, so that it can be taken back.

  /** Adds a paragraph at a place from 0, with the cursor in it. */
  async insert(index = this.note.state.order.length, source?: string): Promise<void> {
    const paragraph = await this.leading.to(this.steps.insert(index, source));
    this.reveal(paragraph.id);
  }

  /** Adds a copy below (specification: with its editor shown). */
  async copy(id: string): Promise<void> {
    const copy = await this.leading.to(this.steps.copy(id));
    this.reveal(copy.id);
    if (copy.state.server.config?.editorHide) await copy.configure({ editorHide: false });
  }

  /** Moves a paragraph to a place from 0; what is typed in it and in its neighbours is saved first (specification's client). */
  async move(id: string, index: number): Promise<void> {
    const { order } = this.note.state;
    const other = order[index];
    await Promise.all([id, other].map((one) => this.paragraph(one)?.commit()));
    await this.steps.move(id, index);
    this.show(id);
  }

  /** Moves a paragraph by so many places. Keys come faster than answers: each step starts where the one before has ended. */
  moveBy(id: string, places: number): Promise<void> {
    const step = this.#moved.then(async () => {
      const { order } = this.note.state;
      const index = order.indexOf(id) + places;
      if (order.includes(id) && index >= 0 && index < order.length) await this.move(id, index);
    });
    this.#moved = step.catch(() => {});
    return step;
  }

  /** Asks, and removes a paragraph; the next one then has the focus. The only one stays. */
  async remove(id: string): Promise<void> {
    const { order } = this.note.state;
    if (order.length <= 1) return this.alert(text.paragraph.lastRemains);
    if (
      !(await this.ask({
        title: text.paragraph.confirmRemove,
        action: text.paragraph.remove,
        danger: true,
      }))
    )
      return;
    const at = order.indexOf(id);
    const next = order[at + 1] ?? order[at - 1];
    const printed = this.paragraph(id)?.state.server.results !== undefined;
    await this.steps.remove(id);
    this.sayDone(
      printed && !this.note.canRestore ? together.removedWithoutOutput : together.removed,
    );
    if (next !== undefined) this.focus(next);
  }

  /** Takes over the text of the paragraph below or above; the upper one stays. */
  async join(id: string, side: 'above' | 'below'): Promise<void> {
    const { order } = this.note.state;
    const at = order.indexOf(id);
    const [first, second] = side === 'below' ? [id, order[at + 1]] : [order[at - 1], id];
    if (first === undefined || second === undefined) return;
    await this.steps.join(first, second);
    this.sayDone(together.joined);
    this.focus(first);
  }

  /** Splits a paragraph where the cursor is, or was last in it. */
  async split(id: string): Promise<void> {
    const second = await this.leading.to(
      this.steps.split(
        id,
        this.cursor?.id === id ? this.cursor.offset : this.note.paragraph(id).text.length,
      ),
    );
    this.reveal(second.id);
  }

  /** Clears the output of a paragraph, or of all. */
  async clear(id?: string): Promise<void> {
    await (id === undefined ? this.steps.clearAll() : this.steps.clear(id));
    if (this.note.canRestore) this.sayDone(together.cleared);
  }

  /** Drops the own text of a conflict, or saves it over theirs; either can be taken back. */
  async resolve(id: string, keep: 'mine' | 'theirs'): Promise<void> {
    await (keep === 'mine' ? this.steps.keepMine(id) : this.steps.takeTheirs(id));
    this.sayDone(keep === 'mine' ? together.keptMine : together.tookTheirs);
  }

  /** The cursor is in a paragraph: the others on the note are told. */
  readonly place = (id: string, anchor: number, head: number): void => {
    this.cursor = { id, offset: head };
    this.note.announce({ paragraphId: id, anchor, head });
  };

  /** The cursor goes to a paragraph that was just added here; it comes into view after 500 ms (specification's client). */
  readonly reveal = (id: string): void => {
    this.state.set({ focused: id, added: id });
    setTimeout(() => {
      this.element(id)?.scrollIntoView({ block: 'nearest' });
      // Its code is hidden: no editor comes to take what was typed.
      if (this.state.get().added === id && !this.editors.has(id)) this.leading.deliver(id);
    }, 500);
  };

  /** Opens a panel, or closes it when it is open; only one is open at a time. */
  readonly toggle = async (panel: PanelId | undefined): Promise<void> => {
    const now = this.state.get().panel;
    if (now !== undefined && this.mayClosePanel && !(await this.mayClosePanel())) return;
    this.mayClosePanel = undefined;
    this.state.set({ panel: now === panel ? undefined : panel });
    if (now !== panel && panel !== undefined) window.scrollTo({ top: 0 });
  };

  /** Makes a paragraph the one that keys act on. */
  readonly focus = (id: string): void => this.state.set({ focused: id });

  /** The element of a paragraph on the page. */
  element(id: string): HTMLElement | null {
    const find = () =>
      this.host.shadowRoot?.querySelector<HTMLElement>(`[data-paragraph="${CSS.escape(id)}"]`) ??
      null;
    const found = find();
    if (found || !this.complete) return found;
    this.complete();
    return find();
  }

  /** Name of a paragraph without a title, and of its code: by its number in the note. */
  labelOf(id: string): string {
    const { order } = this.note.state;
    if (this.#numbers?.order !== order)
      this.#numbers = { order, of: new Map(order.map((each, index) => [each, index + 1])) };
    return fill(text.paragraph.code, { n: this.single ? 1 : (this.#numbers.of.get(id) ?? 1) });
  }

  /** Focuses a paragraph and brings it to the top, below the bars. */
  readonly show = (id: string): void => {
    this.focus(id);
    const element = this.element(id);
    if (element) bringToTop(element);
  };

  /** Moves the focus to a neighbour, and the cursor into its editor; where that is hidden to the paragraph itself. */
  readonly go = (from: string | undefined, direction: 'up' | 'down'): void => {
    const { order } = this.note.state;
    const at = from === undefined ? -1 : order.indexOf(from);
    const id = order[direction === 'up' ? at - 1 : at + 1];
    if (id === undefined) return;
    this.focus(id);
    const element = this.element(id);
    element?.scrollIntoView({ block: 'nearest' });
    const editor = this.editors.get(id)?.current;
    if (editor) editor.focus(direction === 'up' ? 'end' : 'start');
    else element?.focus({ preventScroll: true });
  };
}

/** Some of the view's state; renders again only when that is another. */
export function useViewState<Part>(view: NoteView, select: (state: NoteViewState) => Part): Part {
  return useStore(view.state, select);
}
