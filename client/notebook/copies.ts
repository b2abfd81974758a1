/** Creating notes: new ones, copies, and imports. */
import { isJsonObject } from '../model/json-object.ts';
import { normalizePath } from '../model/notes/note-path.ts';
import { isRunning } from '../model/notes/paragraph-status.ts';
import type { EndpointBody, JsonObject, NoteConfig, Sends } from '../protocol/index.ts';
import { changeValues } from './bound-values.ts';
import { validPath } from './names.ts';
import { Refusal } from './refusal.ts';
import { checkCount, checkText, createNote, createParagraph, parseNote } from './stored-note.ts';
import type { NotebookRules, StoredNote } from './types.ts';

const pathOf = (name: string | undefined, rules: NotebookRules): string =>
  name?.trim() ? validPath(name, rules) : '';

/** Creates a note as a page asks for it; `settings` are the ids of the interpreter settings. */
export function createdNote(
  { name, defaultInterpreterId, defaultInterpreterGroup }: Sends['NEW_NOTE'],
  user: string,
  settings: readonly string[],
  rules: NotebookRules,
): StoredNote {
  const note = createNote(rules.ids, pathOf(name, rules), [createParagraph(rules.ids, { user })]);
  bindFirst(note, defaultInterpreterId ?? defaultInterpreterGroup, settings);
  return note;
}

/** Makes a setting the default of a note, if it exists. */
function bindFirst(note: StoredNote, first: string | undefined, settings: readonly string[]): void {
  if (first && settings.includes(first))
    note.bindings = [first, ...settings.filter((id) => id !== first)];
}

/** Creates a note as a REST call asks for it; `settings` as in {@link createdNote}. */
export function postedNote(
  {
    name,
    notePath,
    paragraphs: inits = [],
    addingEmptyParagraph,
    defaultInterpreterGroup,
  }: EndpointBody<'createNote'>,
  user: string,
  settings: readonly string[],
  rules: NotebookRules,
): StoredNote {
  checkCount(inits.length, rules.limits);
  for (const { text } of inits) checkText(text ?? '', rules.limits);
  const paragraphs = inits.map(({ text, title, config }) =>
    createParagraph(rules.ids, { text, title, config, user }),
  );
  if (paragraphs.length === 0 || addingEmptyParagraph)
    paragraphs.push(createParagraph(rules.ids, { user }));
  const note = createNote(rules.ids, pathOf(name ?? notePath, rules), paragraphs);
  bindFirst(note, defaultInterpreterGroup, settings);
  return note;
}

/**
 * Returns the settings of a note without its schedule. A schedule runs in a user's name, so copies
 * don't inherit it.
 */
export function withoutSchedule(config: NoteConfig): NoteConfig {
  const { cron: _cron, cronExecutingUser: _user, cronExecutingRoles: _roles, ...rest } = config;
  return rest;
}

/**
 * The name in a file if it does not belong to the path there: programs that import a note under
 * another name change `name` alone, which is all that a Zeppelin reads.
 */
function changedName({ name, path }: JsonObject): string | undefined {
  if (typeof name !== 'string' || typeof path !== 'string') return undefined;
  const [given, whole] = [normalizePath(name), normalizePath(path)];
  const isOfPath = given === whole || given === whole.split('/').at(-1);
  return given === '' || whole === '' || isOfPath ? undefined : given;
}

/** Creates a note from an exported one. `nameless` is the name of a note without one. */
export function importedNote(raw: JsonObject, nameless: string, rules: NotebookRules): StoredNote {
  const { paragraphs } = raw;
  if (!Array.isArray(paragraphs) || paragraphs.length === 0 || !paragraphs.every(isJsonObject))
    throw new Refusal(400, 'Invalid JSON');
  checkCount(paragraphs.length, rules.limits);
  let note: StoredNote;
  try {
    note = parseNote(rules.ids, raw, rules.ids.note());
  } catch (error) {
    throw new Refusal(400, (error as Error).message);
  }
  note.config = withoutSchedule(note.config);
  for (const { text } of note.paragraphs) checkText(text, rules.limits);
  note.name =
    raw['name'] || raw['path'] ? validPath(changedName(raw) ?? note.name, rules) : nameless;
  return note;
}

/** Copies JSON data. A copy by way of its text would copy long outputs twice. */
function jsonCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonCopy);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([key, field]) => [key, jsonCopy(field)]));
}

/**
 * Copies a note with new ids. A run continues in the source only, so its paragraph counts as never
 * run in the copy.
 */
export function copiedNote(
  source: StoredNote,
  name: string | undefined,
  rules: NotebookRules,
): StoredNote {
  const copy = parseNote(rules.ids, jsonCopy(source), rules.ids.note());
  copy.config = withoutSchedule(copy.config);
  copy.name = validPath(name?.trim() || `${source.name} copy`, rules);
  const ids = new Map<string, string>();
  for (const [at, paragraph] of copy.paragraphs.entries()) {
    const { id } = rules.ids.paragraph(new Date());
    ids.set(paragraph.id, id);
    paragraph.id = id;
    if (isRunning(source.paragraphs[at]?.status)) {
      paragraph.status = 'READY';
      delete paragraph.errorMessage;
    }
  }
  copy.angularObjects = changeValues(copy.angularObjects, ({ paragraphId, ...entry }) => {
    if (!paragraphId) return entry;
    const id = ids.get(paragraphId);
    return id === undefined ? undefined : { ...entry, paragraphId: id };
  });
  return copy;
}
