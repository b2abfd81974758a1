/** Runs of paragraphs and of whole notes: their content, forms, states and messages. */
import { isSameJson } from '../model/json-object.ts';
import { codeForms, textWithForms } from '../model/notes/form-params.ts';
import { parseForms } from '../model/notes/form-templates.ts';
import { substituteForms } from '../model/notes/form-values.ts';
import { isRunning } from '../model/notes/paragraph-status.ts';
import {
  type Form,
  type JsonObject,
  jsonObject,
  type NoteRun,
  type ParagraphStatus,
  paragraphConfig,
  type ResultMessage,
  textChange,
} from '../protocol/index.ts';
import { boundValues } from './bound-values.ts';
import { formsChange } from './content.ts';
import { editedFields, type ParagraphContent } from './editing.ts';
import { paragraphInsertion } from './paragraphs.ts';
import { Refusal } from './refusal.ts';
import { runningNotes, wireDate } from './stored-note.ts';
import type {
  FieldChanges,
  NotebookRules,
  NoteChange,
  NoteMessage,
  StoredNote,
  StoredParagraph,
} from './types.ts';

/**
 * Returns the content that a user may run. `requireWriter` throws if they may not write: then they
 * can only run the stored text, because another text would be an edit.
 */
export function runnableContent(
  paragraph: StoredParagraph,
  content: ParagraphContent,
  isWriter: boolean,
  requireWriter: () => void,
): ParagraphContent {
  if (isWriter) return content;
  if (content.paragraph !== undefined && content.paragraph !== paragraph.text) requireWriter();
  return content.params ? { params: content.params } : {};
}

function readContent(entry: JsonObject): ParagraphContent {
  const text = (key: string) => (typeof entry[key] === 'string' ? { [key]: entry[key] } : {});
  const object = (key: string, schema: typeof paragraphConfig | typeof jsonObject) => {
    const parsed = schema.safeParse(entry[key]);
    return parsed.success ? { [key]: parsed.data } : {};
  };
  const changes = textChange.safeParse(entry['changes']);
  const number = (key: string) => (Number.isSafeInteger(entry[key]) ? { [key]: entry[key] } : {});
  return {
    ...text('title'),
    ...text('paragraph'),
    ...text('author'),
    ...number('baseRev'),
    ...number('authorSeq'),
    ...(changes.success ? { changes: changes.data } : {}),
    ...object('config', paragraphConfig),
    ...object('params', jsonObject),
  };
}

/**
 * Reads the `paragraphs` of a request to run the whole note: the content of each paragraph that the
 * note has, as the sender sees it. `parse` reads untrusted JSON; `permit` returns the content that
 * the sender may run.
 */
export function runContents(
  note: StoredNote,
  paragraphs: string | readonly JsonObject[] | undefined,
  parse: (text: string) => unknown,
  permit: (paragraph: StoredParagraph, content: ParagraphContent) => ParagraphContent,
): Map<string, ParagraphContent> {
  const list = typeof paragraphs === 'string' ? parse(paragraphs) : (paragraphs ?? []);
  if (!Array.isArray(list))
    throw new Refusal(400, 'The field paragraphs must be a JSON array as text.');
  const wanted = list.filter(
    (each): each is JsonObject => typeof each === 'object' && each !== null,
  );
  const contents = new Map<string, ParagraphContent>();
  for (const entry of wanted) {
    const paragraph = note.paragraphs.find(({ id }) => id === entry['id']);
    if (paragraph) contents.set(paragraph.id, permit(paragraph, readContent(entry)));
  }
  if (wanted.length > 0 && contents.size === 0)
    throw new Refusal(404, 'None of these paragraphs is in the note.');
  return contents;
}

/** Fields of a paragraph that a user has written or chosen. */
const CONTENT = ['text', 'rev', 'title', 'config', 'settings'] as const;

/** The start of a run. */
export interface RunStart {
  /** Fields of the paragraph that the start changes. */
  readonly fields: FieldChanges<StoredParagraph>;
  /** Whether the paragraph is run: a disabled one is only saved. */
  readonly isEnabled: boolean;
  /** Whether the paragraph's text or another part that users write changes. */
  readonly hasNewContent: boolean;
}

/**
 * Returns the fields that the start of a run changes: the paragraph is saved and becomes PENDING. A
 * disabled paragraph is saved but not run, as in Zeppelin. Throws if it is already running.
 */
export function runStart(
  paragraph: StoredParagraph,
  content: ParagraphContent,
  user: string,
  rules: NotebookRules,
): RunStart {
  if (isRunning(paragraph.status)) throw new Refusal(423, 'The paragraph is already running.');
  const edited = {
    ...editedFields(paragraph, content, user, rules),
    dateFinished: undefined,
    errorMessage: undefined,
  };
  const hasNewContent = CONTENT.some(
    (name) => name in edited && !isSameJson(edited[name], paragraph[name]),
  );
  if ((edited.config ?? paragraph.config)?.enabled === false)
    return { fields: edited, isEnabled: false, hasNewContent };
  return {
    hasNewContent,
    fields: {
      ...edited,
      status: 'PENDING',
      dateStarted: wireDate(),
      tookMs: undefined,
      results: undefined,
      runtimeInfos: undefined,
    },
    isEnabled: true,
  };
}

/**
 * As in Zeppelin, running the last paragraph adds an empty one with the same magic below it.
 * `undefined` if there is nothing in the paragraph.
 */
export const runGrowth = (
  note: StoredNote,
  paragraph: StoredParagraph,
  user: string,
  rules: NotebookRules,
): NoteChange | undefined =>
  paragraph.text.trim() === ''
    ? undefined
    : paragraphInsertion(note, note.paragraphs.length, { user }, rules, true);

/**
 * Fills in the forms of a paragraph. Returns the text to run, and the forms and values that change.
 * `language` is that of its interpreter.
 * `locked` values override all others. A value bound by a template replaces the form value of the
 * same name, as in Zeppelin.
 */
export function filledForms(
  note: StoredNote,
  paragraph: StoredParagraph,
  language: string | null | undefined,
  locked: JsonObject = {},
): { readonly text: string; readonly change: NoteChange } {
  const withForms = textWithForms(paragraph.text, language);
  const found = parseForms(withForms);
  // Forms that code creates stay until it creates them again, so that they don't flicker.
  const own = codeForms({ text: paragraph.text, forms: paragraph.settings?.forms });
  let { noteForms } = note;
  for (const { form, noteWide } of found) {
    const name = form.name ?? '';
    if (!noteWide) own[name] = form;
    else if (!isSameJson(noteForms[name], form)) noteForms = { ...noteForms, [name]: form };
  }
  const bound = boundValues(note, paragraph.id, Object.keys(own));
  for (const name of Object.keys(bound)) delete own[name];
  const params = { ...(paragraph.settings?.params ?? {}), ...locked } as JsonObject;
  for (const [name, form] of Object.entries(own))
    if (params[name] === undefined && form.defaultValue !== undefined)
      params[name] = form.defaultValue;
  return {
    text:
      withForms === ''
        ? paragraph.text
        : substituteForms(
            paragraph.text,
            { ...params, ...bound, ...locked },
            { ...note.noteParams, ...locked },
          ),
    change: {
      ...(noteForms === note.noteForms
        ? { messages: [], changesJob: false }
        : formsChange(note, { noteForms })),
      paragraphs: new Map([[paragraph, { settings: { params, forms: own } }]]),
    },
  };
}

/**
 * Returns the value of a form that the code of a paragraph creates: the value that was chosen, else
 * the form's default. `locked` values override both. The change shows the form; it is undefined if
 * the form is shown already.
 */
export function formFromCode(
  note: StoredNote,
  paragraph: StoredParagraph,
  { form, noteWide }: { form: Form & { name: string }; noteWide: boolean },
  locked: JsonObject = {},
): { readonly value: unknown; readonly change: NoteChange | undefined } {
  const { name } = form;
  const { params, forms } = paragraph.settings ?? {};
  const chosen = { ...(noteWide ? note.noteParams : params), ...locked };
  const value = chosen[name] ?? form.defaultValue;
  if (noteWide) {
    const isShown = isSameJson(note.noteForms[name], form);
    const noteForms = { ...note.noteForms, [name]: form };
    return { value, change: isShown ? undefined : formsChange(note, { noteForms }) };
  }
  if (isSameJson(forms?.[name], form) && (value == null || isSameJson(params?.[name], value)))
    return { value, change: undefined };
  const settings = {
    params: { ...params, ...(value == null ? {} : { [name]: value }) } as JsonObject,
    forms: { ...forms, [name]: form },
  };
  return {
    value,
    change: {
      messages: [],
      changesJob: false,
      paragraphs: new Map([[paragraph, { settings }]]),
    },
  };
}

/**
 * Returns the fields that the end of a run changes; `tookMs` is its duration. `stopped` says why
 * the run was stopped, if not by a user.
 */
export const runEnd = (
  status: Extract<ParagraphStatus, 'FINISHED' | 'ERROR' | 'ABORT'>,
  outputs: ResultMessage[],
  tookMs: number,
  stopped?: string,
): FieldChanges<StoredParagraph> => ({
  status,
  errorMessage: stopped,
  results: { code: status === 'FINISHED' ? 'SUCCESS' : 'ERROR', msg: outputs },
  dateFinished: wireDate(),
  tookMs: Math.round(tookMs),
});

/** How a server runs the paragraphs of a whole note. */
export interface NoteRunner {
  /** Name of the user who started the run. */
  readonly user: string;
  /** Aborts when the run is cancelled. */
  readonly signal: AbortSignal;
  /** Runs a paragraph; resolves when it is over. */
  start(id: string, content: ParagraphContent): Promise<void>;
  /** Sends a message to the viewers of the note. */
  send(message: NoteMessage): void;
  /** Called when a paragraph can't be started. */
  onError(error: Error): void;
  /** Called at the end; `entry` is absent if there was nothing to run. */
  onEnd(entry: NoteRun | undefined): void;
}

/**
 * Runs a note paragraph by paragraph until the first failure. `contents` are the texts as the
 * caller sees them, by paragraph id; if any are given, only these paragraphs run, as in Zeppelin.
 */
export async function runWholeNote(
  note: StoredNote,
  contents: ReadonlyMap<string, ParagraphContent>,
  { user, signal, start, send, onError, onEnd }: NoteRunner,
): Promise<void> {
  runningNotes.add(note);
  send({ op: 'NOTE_RUNNING_STATUS', data: { status: true } });
  const began = Date.now();
  let status: string | undefined;
  try {
    for (const { id } of [...note.paragraphs]) {
      const paragraph = note.paragraphs.find((entry) => entry.id === id);
      if (signal.aborted || !paragraph || (contents.size > 0 && !contents.has(id))) continue;
      const content = contents.get(id) ?? {};
      const isEnabled = (content.config ?? paragraph.config)?.enabled !== false;
      if (!isEnabled || (content.paragraph ?? paragraph.text).trim() === '') continue;
      await start(id, content);
      ({ status } = paragraph);
      if (status === 'ERROR' || status === 'ABORT') break;
    }
  } catch (error) {
    status = 'ERROR';
    onError(error as Error);
    const info = (error as Error).message;
    send({ op: 'ERROR_INFO', data: { info, op: 'RUN_ALL_PARAGRAPHS' } });
  } finally {
    runningNotes.delete(note);
    onEnd(
      status === undefined
        ? undefined
        : {
            start: began,
            end: Date.now(),
            status: signal.aborted ? 'ABORT' : status,
            who: user,
          },
    );
    send({ op: 'NOTE_RUNNING_STATUS', data: { status: false } });
  }
}
