/** State and actions of the interpreter settings page. */

import { type Client, isHttpError, isTidingError } from '@tiding/client';
import { isAnonymous } from '@tiding/client/model';
import type { InterpreterSetting, InterpreterTemplate, Principals } from '@tiding/client/protocol';
import { permissionTexts } from '../note/panels/texts.ts';
import { createViewStore, type ViewStore } from '../runtime/store.ts';
import { toggled, without } from '../runtime/toggled.ts';
import { fill } from '../text/fill.ts';
import type { ConfirmQuestion } from '../ui/dialogs.tsx';
import { suggestionsOf } from '../ui/fields/suggestions.ts';
import {
  changeOf,
  type Draft,
  draftOf,
  isEdited,
  nameProblem,
  newDraft,
  PROPERTY_TYPES,
  rowProblem,
} from './draft.ts';
import { interpreterTexts as t } from './texts.ts';

/** A setting being edited. `problem` is why it was not saved. */
export interface Edit {
  readonly initial: Draft;
  readonly draft: Draft;
  readonly busy: boolean;
  readonly problem?: string | undefined;
}

/** Stands for the id of a setting that is being created. */
export const NEW_SETTING = '';

/** What is open on the page, by setting id. */
interface PageState {
  readonly open: ReadonlySet<string>;
  readonly edits: ReadonlyMap<string, Edit>;
  readonly restarting: ReadonlySet<string>;
  /** Available property types. */
  readonly types: readonly string[];
  /** Templates for new settings; `undefined` until they are needed. */
  readonly templates: Readonly<Record<string, InterpreterTemplate>> | undefined;
  /**
   * The setting whose name receives the focus: it was just created, or the focused form was closed.
   */
  readonly focusOn: string | undefined;
}

/** How the page interacts with the user. */
interface SettingsPageHost {
  readonly confirm: ConfirmQuestion;
  readonly toast: (kind: 'danger' | 'success' | 'info', message: string) => void;
  /** Replaces a setting of the list with the server's answer. */
  readonly changed: (id: string, setting: InterpreterSetting | undefined) => void;
  readonly settings: () => readonly InterpreterSetting[];
}

/** The server's error message, otherwise that it could not be reached (specification). */
export function failureOf(error: unknown): string {
  if (isHttpError(error)) {
    const { message } = (error.body ?? {}) as { message?: unknown };
    return typeof message === 'string' && message.trim() !== '' ? message : t.unreachable;
  }
  return isTidingError(error) && error.code !== 'network' && error.code !== 'timeout'
    ? error.message
    : t.unreachable;
}

/** State and actions of the interpreter settings page; kept while views are remounted. */
export class SettingsPage {
  readonly client: Client;
  readonly state: ViewStore<PageState> = createViewStore<PageState>({
    open: new Set(),
    edits: new Map(),
    restarting: new Set(),
    types: PROPERTY_TYPES,
    templates: undefined,
    focusOn: undefined,
  });
  /** Suggests owners. */
  readonly suggest: (term: string) => Promise<Principals>;
  #host: SettingsPageHost | undefined;
  #typed = false;

  constructor(client: Client) {
    this.client = client;
    this.suggest = suggestionsOf(client);
  }

  /** Sets the view that is mounted now. */
  attach(host: SettingsPageHost): void {
    this.#host = host;
  }

  get #on(): SettingsPageHost {
    return this.#host!;
  }

  /** Name of the user; empty if unknown. */
  get user(): string {
    return this.client.session.current?.principal ?? '';
  }

  get signedIn(): boolean {
    return this.user !== '' && !isAnonymous(this.user);
  }

  /** Whether a form has unsaved changes. */
  get dirty(): boolean {
    return [...this.state.get().edits.values()].some(isChanged);
  }

  /** Asks about unsaved changes. If the user agrees, they are discarded. */
  readonly mayLeave = async (): Promise<boolean> => {
    if (!this.dirty) return true;
    const leaves = await this.#confirmDiscard();
    if (leaves) this.state.set({ edits: new Map() });
    return leaves;
  };

  #confirmDiscard(): Promise<boolean> {
    return this.#on.confirm({ title: t.discard, action: t.discardAction, danger: true });
  }

  /** Expands or collapses a setting; its form is kept. */
  toggle(id: string): void {
    this.state.set({ open: toggled(this.state.get().open, id) });
  }

  /** Opens the form of a setting. */
  edit(setting: InterpreterSetting): void {
    const { id } = setting;
    this.#begin(id, draftOf(setting));
    this.state.set({ open: new Set([...this.state.get().open, id]), focusOn: id });
  }

  /** Opens the form for a new setting. */
  startCreate(): void {
    void this.#loadTemplates();
    this.#begin(NEW_SETTING, newDraft());
  }

  /** Stores what was typed in the form of a setting. */
  type(id: string, draft: Draft): void {
    const edit = this.state.get().edits.get(id);
    if (edit) this.#setEdit(id, { ...edit, draft });
  }

  /** Closes a form; asks first if it has unsaved changes. */
  async cancel(id: string): Promise<void> {
    const edit = this.state.get().edits.get(id);
    if (!edit || (isChanged(edit) && !(await this.#confirmDiscard()))) return;
    this.#setEdit(id, undefined);
    if (id !== NEW_SETTING) this.state.set({ focusOn: id });
  }

  /** Saves a form. On failure it is reopened with the reason. */
  async save(id: string): Promise<void> {
    const edit = this.state.get().edits.get(id);
    if (!edit || edit.busy) return;
    const isNew = id === NEW_SETTING;
    const names = this.#on.settings().map(({ name }) => name);
    const wrong = (isNew ? nameProblem(edit.draft, names) : undefined) ?? rowProblem(edit.draft);
    if (wrong !== undefined) return this.#setEdit(id, { ...edit, problem: wrong });
    const draft = await this.#withOwners(edit.draft);
    if (!draft) return;
    if (!isNew && !(await this.#on.confirm({ title: t.saveQuestion, action: t.saveAction })))
      return;
    this.#setEdit(id, { ...edit, draft, busy: true, problem: undefined });
    const { interpreters } = this.client;
    const change = changeOf(draft, this.signedIn);
    const name = draft.name.trim();
    try {
      const setting = await (isNew
        ? interpreters.create({ name, group: draft.group, ...change })
        : interpreters.update(id, change));
      const key = isNew ? setting.id : id;
      this.state.set({ focusOn: key });
      if (isNew) this.state.set({ open: new Set([...this.state.get().open, key]) });
      this.#setEdit(id, undefined);
      this.#on.changed(key, setting);
      this.#on.toast('success', fill(isNew ? t.created : t.saved, { name }));
    } catch (error) {
      this.#setEdit(id, { ...edit, draft, busy: false, problem: failureOf(error) });
    }
  }

  /** Restarts the interpreter after confirmation. */
  async restart({ id }: InterpreterSetting): Promise<void> {
    if (
      this.state.get().restarting.has(id) ||
      !(await this.#on.confirm({ title: t.restartQuestion, action: t.restartAction }))
    )
      return;
    this.state.set({ restarting: new Set([...this.state.get().restarting, id]) });
    try {
      this.#on.changed(id, await this.client.interpreters.restart(id));
      this.#on.toast('success', t.restarted);
    } catch (error) {
      void this.#on.confirm({ title: t.restartFailed, text: failureOf(error) });
    } finally {
      this.state.set({ restarting: without(this.state.get().restarting, id) });
    }
  }

  /** Deletes a setting after confirmation. */
  async remove({ id, name }: InterpreterSetting): Promise<void> {
    if (
      !(await this.#on.confirm({ title: t.removeQuestion, action: t.removeAction, danger: true }))
    )
      return;
    try {
      await this.client.interpreters.remove(id);
      this.#setEdit(id, undefined);
      this.state.set({ open: without(this.state.get().open, id) });
      this.#on.changed(id, undefined);
      this.#on.toast('success', fill(t.removed, { name }));
    } catch (error) {
      void this.#on.confirm({ title: fill(t.removeFailed, { name }), text: failureOf(error) });
    }
  }

  /**
   * Opens the engine's page in a new window, or shows its message or that nothing is running
   * (specification).
   */
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
    void this.#on.confirm({ title: told ?? t.sparkNone });
  }

  /** Shows why the dependencies of a setting are missing. */
  explain({ errorReason }: InterpreterSetting): void {
    void this.#on.confirm({ title: t.errorTitle, text: errorReason ?? t.errorUnknown });
  }

  /**
   * Whether permissions may be set. Users who are not signed in get an explanation (specification).
   */
  confirmPermissions(): boolean {
    if (!this.signedIn)
      void this.#on.confirm({
        title: permissionTexts.anonymousTitle,
        text: permissionTexts.anonymousText,
      });
    return this.signedIn;
  }

  /** A permission without owners goes to the current user, if they agree (specification). */
  async #withOwners(draft: Draft): Promise<Draft | undefined> {
    const { setPermission, owners = [] } = draft.option;
    if (!setPermission || owners.some((name) => name.trim() !== '')) return draft;
    const { ownersTitle, ownersText, ownersSet } = permissionTexts;
    if (
      !(await this.#on.confirm({
        title: ownersTitle,
        text: fill(ownersText, { user: this.user }),
        action: ownersSet,
      }))
    )
      return undefined;
    return { ...draft, option: { ...draft.option, owners: [this.user] } };
  }

  #begin(id: string, draft: Draft): void {
    void this.#loadTypes();
    if (!this.state.get().edits.has(id)) this.#setEdit(id, { initial: draft, draft, busy: false });
  }

  #setEdit(id: string, edit: Edit | undefined): void {
    const edits = new Map(this.state.get().edits);
    if (edit) edits.set(id, edit);
    else edits.delete(id);
    this.state.set({ edits });
  }

  async #loadTypes(): Promise<void> {
    if (this.#typed) return;
    this.#typed = true;
    try {
      const types = await this.client.interpreters.propertyTypes();
      if (types.length > 0) this.state.set({ types });
    } catch {
      // Offer the types every server has; the next form requests them again.
      this.#typed = false;
    }
  }

  async #loadTemplates(): Promise<void> {
    try {
      this.state.set({ templates: await this.client.interpreters.templates() });
    } catch (error) {
      const edit = this.state.get().edits.get(NEW_SETTING);
      const problem = `${t.templatesFailed} ${failureOf(error)}`;
      if (edit) this.#setEdit(NEW_SETTING, { ...edit, problem });
    }
  }
}

const isChanged = ({ initial, draft }: Edit): boolean => isEdited(initial, draft);
