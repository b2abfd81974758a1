/** What the page of interpreter settings knows and does; its views draw it. */
import { isHttpError, isTidingError, type Client } from 'tiding/client';
import { isAnonymous } from 'tiding/model';
import type { InterpreterSetting, InterpreterTemplate, Principals } from 'tiding/protocol';
import { createStore, type Store } from '../runtime/store.ts';
import { fill, text } from '../text/en.ts';
import {
  changeOf,
  differs,
  draftOf,
  nameProblem,
  newDraft,
  PROPERTY_TYPES,
  rowProblem,
  type Draft,
  type NewDraft,
} from './draft.ts';
import type { Ask } from './use-question.tsx';

const t = text.interpreters;

/** A setting in its form. `problem`: why it was not saved. */
export interface Edit {
  readonly initial: Draft;
  readonly draft: Draft;
  readonly busy: boolean;
  readonly problem?: string | undefined;
}

/** A setting that does not exist yet, in its form. */
export interface Creating {
  readonly initial: NewDraft;
  readonly draft: NewDraft;
  readonly busy: boolean;
  readonly problem?: string | undefined;
}

/** What is open on the page; by id of a setting. */
export interface PageState {
  readonly open: ReadonlySet<string>;
  readonly edits: ReadonlyMap<string, Edit>;
  readonly creating: Creating | undefined;
  readonly restarting: ReadonlySet<string>;
  /** Types a property may have. */
  readonly types: readonly string[];
  /** What settings may be made of; absent until they are needed. */
  readonly templates: Readonly<Record<string, InterpreterTemplate>> | undefined;
  /** The setting whose name takes the focus: it was made, or what had the focus is gone with its form. */
  readonly focusOn: string | undefined;
}

/** How the page talks to its reader. */
export interface Manner {
  readonly ask: Ask;
  readonly toast: (kind: 'danger' | 'success' | 'info', message: string) => void;
  /** Puts what a call has answered in its place of the list. */
  readonly changed: (id: string, setting: InterpreterSetting | undefined) => void;
  readonly settings: () => readonly InterpreterSetting[];
}

/** The server's words about a failed call, else that it could not be reached (specification). */
export function failureOf(error: unknown): string {
  if (isHttpError(error)) {
    const { message } = (error.body ?? {}) as { message?: unknown };
    return typeof message === 'string' && message.trim() !== '' ? message : t.unreachable;
  }
  return isTidingError(error) && error.code !== 'network' && error.code !== 'timeout'
    ? error.message
    : t.unreachable;
}

/** See the head of this file. */
export class SettingsPage {
  readonly client: Client;
  readonly state: Store<PageState> = createStore<PageState>({
    open: new Set(),
    edits: new Map(),
    creating: undefined,
    restarting: new Set(),
    types: PROPERTY_TYPES,
    templates: undefined,
    focusOn: undefined,
  });
  #manner: Manner | undefined;
  #people: Promise<Principals | undefined> | undefined;
  #typed = false;

  constructor(client: Client) {
    this.client = client;
  }

  /** The view that is on the page now. */
  attach(manner: Manner): void {
    this.#manner = manner;
  }

  get #on(): Manner {
    return this.#manner!;
  }

  /** Name of the person; empty where it is not known. */
  get user(): string {
    return this.client.session.current?.principal ?? '';
  }

  get signedIn(): boolean {
    return this.user !== '' && !isAnonymous(this.user);
  }

  /** Whether a form has what is not saved. */
  get dirty(): boolean {
    const { edits, creating } = this.state.get();
    return (
      [...edits.values()].some(({ initial, draft }) => differs(initial, draft)) ||
      (creating !== undefined && differs(creating.initial, creating.draft))
    );
  }

  /** Drops what is in the forms. */
  discard(): void {
    this.state.set({ edits: new Map(), creating: undefined });
  }

  /** Asks whether what is not saved may go. */
  mayDiscard(): Promise<boolean> {
    return this.#on.ask({ title: t.discard, action: t.discardAction, danger: true });
  }

  /** Shows or hides a setting; its form stays as it is. */
  toggle(id: string): void {
    this.state.set({ open: toggled(this.state.get().open, id) });
  }

  /** Opens the form of a setting. */
  edit(setting: InterpreterSetting): void {
    const { id } = setting;
    void this.#loadTypes();
    const initial = draftOf(setting);
    if (!this.state.get().edits.has(id))
      this.#setEdit(id, { initial, draft: initial, busy: false });
    this.state.set({ open: new Set([...this.state.get().open, id]), focusOn: id });
  }

  /** What is typed in the form of a setting. */
  type(id: string, draft: Draft): void {
    const edit = this.state.get().edits.get(id);
    if (edit) this.#setEdit(id, { ...edit, draft });
  }

  /** Closes a form; asks where something in it is not saved. */
  async cancel(id: string): Promise<void> {
    const edit = this.state.get().edits.get(id);
    if (edit && (!differs(edit.initial, edit.draft) || (await this.mayDiscard()))) this.#close(id);
  }

  /** Saves a form; where that fails it is open again with the reason. */
  async save({ id, name }: InterpreterSetting): Promise<void> {
    const edit = this.state.get().edits.get(id);
    if (!edit || edit.busy) return;
    const wrong = rowProblem(edit.draft);
    if (wrong !== undefined) return this.#setEdit(id, { ...edit, problem: wrong });
    const draft = await this.#withOwners(edit.draft);
    if (!draft || !(await this.#on.ask({ title: t.saveQuestion, action: t.saveAction }))) return;
    this.#setEdit(id, { ...edit, draft, busy: true, problem: undefined });
    try {
      const setting = await this.client.interpreters.update(id, changeOf(draft, this.signedIn));
      this.#close(id);
      this.#on.changed(id, setting);
      this.#on.toast('success', fill(t.saved, { name }));
    } catch (error) {
      this.#setEdit(id, { ...edit, draft, busy: false, problem: failureOf(error) });
    }
  }

  /** Ends the processes of a setting after a question. */
  async restart({ id }: InterpreterSetting): Promise<void> {
    if (
      this.state.get().restarting.has(id) ||
      !(await this.#on.ask({ title: t.restartQuestion, action: t.restartAction }))
    )
      return;
    this.state.set({ restarting: new Set([...this.state.get().restarting, id]) });
    try {
      this.#on.changed(id, await this.client.interpreters.restart(id));
      this.#on.toast('success', t.restarted);
    } catch (error) {
      void this.#on.ask({ title: t.restartFailed, text: failureOf(error) });
    } finally {
      this.state.set({ restarting: without(this.state.get().restarting, id) });
    }
  }

  /** Deletes a setting after a question. */
  async remove({ id, name }: InterpreterSetting): Promise<void> {
    if (!(await this.#on.ask({ title: t.removeQuestion, action: t.removeAction, danger: true })))
      return;
    try {
      await this.client.interpreters.remove(id);
      this.#setEdit(id, undefined);
      this.state.set({ open: without(this.state.get().open, id) });
      this.#on.changed(id, undefined);
      this.#on.toast('success', fill(t.removed, { name }));
    } catch (error) {
      void this.#on.ask({ title: fill(t.removeFailed, { name }), text: failureOf(error) });
    }
  }

  /** Shows the engine's own page in a new window, else its message, else that nothing runs (specification). */
  async showEngine({ id }: InterpreterSetting): Promise<void> {
    let told: string | undefined;
    try {
      const { url, message } = (await this.client.interpreters.metadata(id)) ?? {};
      if (url !== undefined && /^https?:\/\//i.test(url))
        return void window.open(url, '_blank', 'noopener,noreferrer');
      told = message || url;
    } catch (error) {
      if (!isTidingError(error, 'unsupported')) told = failureOf(error);
    }
    void this.#on.ask({ title: told ?? t.sparkNone });
  }

  /** Tells why the dependencies of a setting are not there. */
  explain({ errorReason }: InterpreterSetting): void {
    void this.#on.ask({ title: t.errorTitle, text: errorReason ?? t.errorUnknown });
  }

  /** Opens the form of a new setting. */
  startCreate(): void {
    void this.#loadTypes();
    void this.#loadTemplates();
    const initial = newDraft();
    if (!this.state.get().creating)
      this.state.set({ creating: { initial, draft: initial, busy: false } });
  }

  /** What is typed in the form of a new setting. */
  typeNew(draft: NewDraft): void {
    const { creating } = this.state.get();
    if (creating) this.state.set({ creating: { ...creating, draft } });
  }

  /** Closes the form of a new setting; asks where something is in it. */
  async cancelCreate(): Promise<void> {
    const { creating } = this.state.get();
    if (creating && (!differs(creating.initial, creating.draft) || (await this.mayDiscard())))
      this.state.set({ creating: undefined });
  }

  /** Makes the new setting; where that fails the form is open again with the reason. */
  async create(): Promise<void> {
    const { creating } = this.state.get();
    if (!creating || creating.busy) return;
    const wrong =
      nameProblem(
        creating.draft,
        this.#on.settings().map(({ name }) => name),
      ) ?? rowProblem(creating.draft);
    if (wrong !== undefined) return this.state.set({ creating: { ...creating, problem: wrong } });
    const draft = await this.#withOwners(creating.draft);
    if (!draft) return;
    this.state.set({ creating: { ...creating, draft, busy: true, problem: undefined } });
    const name = draft.name.trim();
    try {
      const setting = await this.client.interpreters.create({
        name,
        group: draft.group,
        ...changeOf(draft, this.signedIn),
      });
      this.state.set({
        creating: undefined,
        open: new Set([...this.state.get().open, setting.id]),
        focusOn: setting.id,
      });
      this.#on.changed(setting.id, setting);
      this.#on.toast('success', fill(t.created, { name }));
    } catch (error) {
      this.state.set({ creating: { ...creating, draft, busy: false, problem: failureOf(error) } });
    }
  }

  /** Users and roles for a term: from the list of all where the server has one, else by its search. */
  readonly suggest = async (term: string): Promise<Principals> => {
    this.#people ??= this.client.people.list().catch(() => undefined);
    const known = await this.#people;
    if (!known) return this.client.people.find(term);
    const wanted = term.toLowerCase();
    const fit = (names: readonly string[]) =>
      names.filter((name) => name.toLowerCase().includes(wanted)).slice(0, 20);
    return { users: fit(known.users), roles: fit(known.roles) };
  };

  /** Whether a permission may be set; somebody who is not signed in is told that he may not (specification). */
  mayPermit(): boolean {
    if (!this.signedIn)
      void this.#on.ask({
        title: text.permissions.anonymousTitle,
        text: text.permissions.anonymousText,
      });
    return this.signedIn;
  }

  /** A permission without owners is its maker's, if he agrees (specification). */
  async #withOwners<Some extends Draft>(draft: Some): Promise<Some | undefined> {
    const { setPermission, owners = [] } = draft.option;
    if (!setPermission || owners.some((name) => name.trim() !== '')) return draft;
    const { ownersTitle, ownersText, ownersSet } = text.permissions;
    if (
      !(await this.#on.ask({
        title: ownersTitle,
        text: fill(ownersText, { user: this.user }),
        action: ownersSet,
      }))
    )
      return undefined;
    return { ...draft, option: { ...draft.option, owners: [this.user] } };
  }

  #setEdit(id: string, edit: Edit | undefined): void {
    const edits = new Map(this.state.get().edits);
    if (edit) edits.set(id, edit);
    else edits.delete(id);
    this.state.set({ edits });
  }

  /** Ends a form. */
  #close(id: string): void {
    this.#setEdit(id, undefined);
    this.state.set({ focusOn: id });
  }

  async #loadTypes(): Promise<void> {
    if (this.#typed) return;
    this.#typed = true;
    try {
      const types = await this.client.interpreters.propertyTypes();
      if (types.length > 0) this.state.set({ types });
    } catch {
      // Those that every server has are offered; the next form asks again.
      this.#typed = false;
    }
  }

  async #loadTemplates(): Promise<void> {
    try {
      this.state.set({ templates: await this.client.interpreters.templates() });
    } catch (error) {
      const { creating } = this.state.get();
      if (creating)
        this.state.set({
          creating: { ...creating, problem: `${t.templatesFailed} ${failureOf(error)}` },
        });
    }
  }
}

function without<Value>(all: ReadonlySet<Value>, value: Value): Set<Value> {
  return new Set([...all].filter((each) => each !== value));
}

function toggled<Value>(all: ReadonlySet<Value>, value: Value): Set<Value> {
  return all.has(value) ? without(all, value) : new Set([...all, value]);
}
