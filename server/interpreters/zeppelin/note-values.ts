/** Forms and shared values of a note that interpreters of Zeppelin create, by requests to it. */
import { jsonObjectOf } from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';
import type { Run } from '../contract.ts';
import { textOf } from '../kernels/jupyter-messages.ts';

/** Maximum number of paragraphs whose forms are remembered. */
const MAX_PARAGRAPHS = 1_000;

/** Names of the operation that shows a form, by Zeppelin's type of it. */
const operations: Readonly<Record<string, string>> = {
  TextBox: 'input',
  Password: 'password',
  Select: 'select',
  CheckBox: 'checkbox',
};

interface Gui {
  readonly forms: JsonObject;
  readonly params: JsonObject;
}

/** Forms of a paragraph and of its note, in Zeppelin's JSON. */
export interface Forms {
  readonly gui: string;
  readonly noteGui: string;
}

const guiOf = (text: string | undefined): Gui => {
  try {
    const gui = jsonObjectOf(JSON.parse(text ?? '{}'));
    return { forms: jsonObjectOf(gui['forms']), params: jsonObjectOf(gui['params']) };
  } catch {
    return { forms: {}, params: {} };
  }
};

/** A value that code shares with pages. */
interface SharedName {
  readonly name: string;
  readonly noteId: string;
  readonly paragraphId: string;
  /** JSON of the value that the process knows. */
  known: string;
}

/** What a process shares with the notes that it serves. */
export class NoteValues {
  readonly #forms = new Map<string, { paragraph: Gui; note: Gui }>();
  readonly #names = new Map<string, SharedName>();

  /** Returns the forms that earlier runs of a paragraph created, with their current values. */
  async forms(run: Run): Promise<Forms> {
    const known = this.#forms.get(run.paragraphId);
    const [paragraph, note] = await Promise.all([
      withValues(known?.paragraph, run, false),
      withValues(known?.note, run, true),
    ]);
    return { gui: JSON.stringify(paragraph), noteGui: JSON.stringify(note) };
  }

  async show(run: Run, gui: string | undefined, noteGui: string | undefined): Promise<void> {
    const found = { paragraph: guiOf(gui), note: guiOf(noteGui) };
    this.#forms.delete(run.paragraphId);
    if (Object.keys({ ...found.paragraph.forms, ...found.note.forms }).length === 0) return;
    const [oldest] = this.#forms.keys();
    if (oldest !== undefined && this.#forms.size >= MAX_PARAGRAPHS) this.#forms.delete(oldest);
    this.#forms.set(run.paragraphId, found);
    await withValues(found.paragraph, run, false);
    await withValues(found.note, run, true);
  }

  /** Passes on a value that code has bound. */
  async bind(run: Run, text: string): Promise<void> {
    const { name, object, noteId, paragraphId } = jsonObjectOf(JSON.parse(text));
    if (typeof name !== 'string' || !run.request) return;
    const place = { noteId: textOf(noteId), paragraphId: textOf(paragraphId) };
    if (this.#names.size >= MAX_PARAGRAPHS) this.#names.clear();
    const known = JSON.stringify(object ?? null);
    this.#names.set(JSON.stringify([name, place]), { name, ...place, known });
    const bound = { name, value: object };
    if (place.noteId === '') await run.request('angularBindGlobal', bound);
    else await run.request('angularBind', { ...bound, paragraphId: place.paragraphId || null });
  }

  /** Passes on that code has removed a value. */
  async unbind(run: Run, name: string, noteId = '', paragraphId = ''): Promise<void> {
    this.#names.delete(JSON.stringify([name, { noteId, paragraphId }]));
    if (noteId === '') await run.request?.('angularUnbindGlobal', { name });
    else await run.request?.('angularUnbind', { name, paragraphId: paragraphId || null });
  }

  /** Returns the values that pages have changed since the process last knew them. */
  async changed(run: Run): Promise<(SharedName & { readonly json: string })[]> {
    const changed: (SharedName & { readonly json: string })[] = [];
    for (const entry of this.#names.values()) {
      const { name, noteId, paragraphId } = entry;
      if (noteId !== '' && noteId !== run.noteId) continue;
      const operation = noteId === '' ? 'angularGlobal' : 'angular';
      const value = await run
        .request?.(operation, { name, ...(paragraphId ? { paragraphId } : {}) })
        .catch(() => undefined);
      const json = JSON.stringify(value ?? null);
      if (value === undefined || value === null || json === entry.known) continue;
      entry.known = json;
      changed.push({ ...entry, json });
    }
    return changed;
  }
}

/** Asks the note to show forms. Returns them with the values that users have chosen. */
async function withValues(known: Gui | undefined, run: Run, noteWide: boolean): Promise<Gui> {
  const forms = known?.forms ?? {};
  const params: JsonObject = { ...known?.params };
  for (const [name, given] of Object.entries(forms)) {
    const { type, defaultValue, options } = jsonObjectOf(given);
    const operation = operations[String(type)];
    if (!operation || !run.request) continue;
    const value = await run.request(operation, {
      name,
      defaultValue,
      ...(Array.isArray(options) ? { options } : {}),
      noteWide,
    });
    if (value !== undefined && value !== null) params[name] = value as JsonObject[string];
  }
  return { forms, params };
}
