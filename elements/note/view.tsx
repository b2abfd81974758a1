/**
 * What the page of a note knows beside the note itself: which paragraph has the focus, which panel is open, what is asked.
 * Bars, menus, keys, the palette and the paragraphs all act through it, so that a command does the same from everywhere.
 */
import { createContext, useContext, type ReactNode, type RefObject } from 'react';
import { isTidingError, type Client, type Note, type Paragraph } from 'tiding/client';
import { isTrashed } from 'tiding/model';
import type { EditorHandle } from '../editor/code-editor.tsx';
import type { Look } from '../paragraph/look.ts';
import { tell } from '../runtime/define-element.ts';
import { createStore, useStore, type Store } from '../runtime/store.ts';
import { text } from '../text/en.ts';
import type { PanelId } from './panels/index.ts';

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
}

/** What a page gives its view. */
export interface NoteViewOptions {
  readonly look?: Look | undefined;
  /** One paragraph alone: no other can be reached from it. */
  readonly single?: boolean;
  /** Shows a short message; `tiding-error` was told and nobody prevented it. */
  readonly toast: (kind: 'danger' | 'success' | 'info', message: string) => void;
}

const nothingLocked: Readonly<Record<string, unknown>> = {};

/** Values that hold: an object, else none do. */
export const lockedOf = (given: unknown): Readonly<Record<string, unknown>> =>
  (typeof given === 'object' && given !== null && !Array.isArray(given) ? given as Record<string, unknown> : nothingLocked);

/** One page of one note. Made when the note is open; holds no resources. */
export class NoteView {
  readonly client: Client;
  readonly note: Note;
  readonly host: HTMLElement;
  readonly single: boolean;
  readonly state: Store<NoteViewState>;
  /** Editors on the page, by paragraph. */
  readonly editors = new Map<string, RefObject<EditorHandle | null>>();
  /** Asks a panel with unsaved changes before it closes; answers whether it may. */
  mayClosePanel: (() => Promise<boolean>) | undefined;
  /** Whether to leave unsaved text is being asked: the question takes the cursor out of the editor, which must not save it. */
  leaving = false;
  readonly #toast: NoteViewOptions['toast'];

  constructor(client: Client, note: Note, host: HTMLElement, { look = 'default', single = false, toast }: NoteViewOptions) {
    this.client = client;
    this.note = note;
    this.host = host;
    this.single = single;
    this.#toast = toast;
    this.state = createStore<NoteViewState>({
      focused: undefined, added: undefined, left: !single && window.innerWidth >= 1100, panel: undefined, dialog: undefined, look, locked: nothingLocked,
    });
  }

  /** A paragraph by id; `undefined` when it has been removed meanwhile. */
  paragraph(id: string | undefined): Paragraph | undefined {
    return id !== undefined && Object.hasOwn(this.note.state.paragraphs, id) ? this.note.paragraph(id) : undefined;
  }

  /** Whether the note can be changed here: not in report look, not in a revision, not while it lies in the trash. */
  get editable(): boolean {
    return this.state.get().look !== 'report' && this.state.get().look !== 'embed' && !isTrashed(this.note.path);
  }

  /** Does something and shows why it failed. What a paragraph shows itself (a conflict, a text not saved) is not said twice. */
  readonly act = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (isTidingError(error, 'closed') || isTidingError(error, 'conflict') || isTidingError(error, 'aborted')) return;
      this.fail(isTidingError(error) ? error.message : String(error));
    }
  };

  /** Tells the page, and shows it unless the page prevents that. */
  readonly fail = (message: string): void => {
    if (tell(this.host, 'tiding-error', { message })) this.#toast('danger', message);
  };

  /** A short message that there is nothing to do about. */
  readonly hint = (message: string): void => this.#toast('info', message);

  /** A short message that something went well. */
  readonly say = (message: string): void => this.#toast('success', message);

  /** What every run is given: values that hold. Those of the note's own forms are stored first, where a run takes them from. */
  async runParams(chosen: Readonly<Record<string, unknown>> = {}): Promise<{ params?: Record<string, unknown> }> {
    const { locked } = this.state.get();
    const { forms, params } = this.note.state;
    const ofNote = Object.entries(locked).filter(([name, value]) => Object.hasOwn(forms, name) && JSON.stringify(params[name]) !== JSON.stringify(value));
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
        this.open((close) => <QuestionDialog question={question} onClose={(confirmed) => (close(), resolve(confirmed))} />);
      });
    });
  }

  /** Asks, then acts. */
  async confirm(question: Question, work: () => unknown): Promise<void> {
    if (await this.ask(question)) await this.act(work);
  }

  /** Something that there is no choice about. */
  async alert(title: string, more?: string): Promise<void> {
    await this.ask({ title, action: text.close, cancel: null, ...(more === undefined ? {} : { text: more }) });
  }

  // What changes which paragraphs there are goes through these, so that it can be taken back.

  /** Adds a paragraph at a place from 0, with the cursor in it. */
  async insert(index = this.note.state.order.length, source?: string): Promise<void> {
    const paragraph = await this.note.insert({ index, ...(source === undefined ? {} : { text: source }) });
    this.reveal(paragraph.id);
  }

  /** Adds a copy below (specification: with its editor shown). */
  async copy(id: string): Promise<void> {
    const copy = await this.note.paragraph(id).copy();
    this.reveal(copy.id);
    if (copy.state.server.config?.editorHide) await copy.configure({ editorHide: false });
  }

  /** Moves a paragraph to a place from 0; what is typed in it and in its neighbours is saved first (specification's client). */
  async move(id: string, index: number): Promise<void> {
    const { order } = this.note.state;
    const other = order[index];
    await Promise.all([id, other].map((one) => this.paragraph(one)?.commit()));
    await this.note.paragraph(id).move(index);
    this.show(id);
  }

  /** Asks, and removes a paragraph; the next one then has the focus. The only one stays. */
  async remove(id: string): Promise<void> {
    const { order } = this.note.state;
    if (order.length <= 1) return this.alert(text.paragraph.lastRemains);
    if (!await this.ask({ title: text.paragraph.confirmRemove, action: text.paragraph.remove, danger: true })) return;
    const at = order.indexOf(id);
    const next = order[at + 1] ?? order[at - 1];
    await this.paragraph(id)?.remove();
    if (next !== undefined) this.focus(next);
  }

  /** The cursor goes to a paragraph that was just added here; it comes into view after 500 ms (specification's client). */
  readonly reveal = (id: string): void => {
    this.state.set({ focused: id, added: id });
    setTimeout(() => this.element(id)?.scrollIntoView({ block: 'nearest' }), 500);
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
    return this.host.shadowRoot?.querySelector<HTMLElement>(`[data-paragraph="${CSS.escape(id)}"]`) ?? null;
  }

  /** Focuses a paragraph and brings it to the top, below the bars. */
  readonly show = (id: string): void => {
    this.focus(id);
    this.element(id)?.scrollIntoView({ block: 'start', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
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

/** The view around a component of a note's page. */
export const NoteViewContext = createContext<NoteView | undefined>(undefined);

/** The view around this component. Throws outside of one. */
export function useNoteView(): NoteView {
  const view = useContext(NoteViewContext);
  if (!view) throw new Error('there is no note around this component');
  return view;
}

/** Some of the view's state; renders again only when that is another. */
export function useViewState<Part>(view: NoteView, select: (state: NoteViewState) => Part): Part {
  return useStore(view.state, select);
}
