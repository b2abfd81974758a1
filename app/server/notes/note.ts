/** A note as the server keeps it, and the ids and dates it makes. Format: upstream 0.8, `<noteId>/note.json`. */
import { randomInt } from 'node:crypto';
import {
  formatStorageDate,
  formatWireDate,
  isRunning,
  normalizePath,
  notePath,
  parseDate,
} from 'tiding/model';
import {
  note as noteSchema,
  paragraph as paragraphSchema,
  type Bag,
  type Form,
  type Note,
  type NoteConfig,
  type Paragraph,
} from 'tiding/protocol';
import { Refusal } from '../errors.ts';
import type { Limits } from '../limits.ts';
import { valuesIn } from './bound-values.ts';

/** A paragraph in memory: what may be absent on the wire is there. */
export interface StoredParagraph extends Paragraph {
  text: string;
  status: NonNullable<Paragraph['status']>;
  rev: number;
}

/** A note in memory. `name` is the whole path without a leading slash. */
export interface StoredNote {
  id: string;
  name: string;
  paragraphs: StoredParagraph[];
  config: NoteConfig;
  info: Bag;
  noteParams: Bag;
  noteForms: Record<string, Form>;
  angularObjects: Bag;
  /** Ids of bound interpreter settings in order; the first is the default. Absent: all, in the server's order. */
  bindings?: string[];
}

const ALPHABET = '123456789ABCDEFGHJKMNPQRSTUVWXYZ';
/** Ids the server accepts in storage: safe as names of folders. */
export const idPattern = /^[0-9A-Za-z_-]{1,64}$/;

/** A note id: `2` and eight characters without those that look alike. */
export function newNoteId(): string {
  return `2${Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
}

/** A paragraph id as 0.8 makes them. */
export function newParagraphId(now = new Date()): string {
  const digits = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${digits}_${randomInt(2 ** 31)}`;
}

/** A date as it goes over the live channel. */
export const wireDate = (date = new Date()): string => formatWireDate(date);

/** A new, empty paragraph. */
export function newParagraph(
  init: { text?: string; title?: string; config?: Bag; user?: string } = {},
): StoredParagraph {
  const now = new Date();
  return {
    id: newParagraphId(now),
    jobName: `paragraph_${now.getTime()}_${randomInt(2 ** 31)}`,
    ...(init.title === undefined ? {} : { title: init.title }),
    text: init.text ?? '',
    ...(init.user === undefined ? {} : { user: init.user }),
    config: { enabled: true, ...init.config },
    settings: { params: {}, forms: {} },
    apps: [],
    status: 'READY',
    dateCreated: wireDate(now),
    dateUpdated: wireDate(now),
    progressUpdateIntervalMs: 500,
    rev: 1,
  };
}

/** A new note with the given paragraphs. */
export function newNote(name: string, paragraphs: StoredParagraph[], id = newNoteId()): StoredNote {
  return {
    id,
    name: normalizePath(name) || `Note ${id}`,
    paragraphs,
    config: { looknfeel: 'default', personalizedMode: 'false' },
    info: {},
    noteParams: {},
    noteForms: {},
    angularObjects: {},
  };
}

/** Notes that run as a whole: clients of the newer generation read that off the note. */
export const runningNotes = new WeakSet<StoredNote>();

/** What travels: both generations' fields, so that clients of both find theirs. */
export function wireNote(note: StoredNote): Note {
  const { bindings, info: { isRunning: _stored, ...info } = {}, ...rest } = note;
  return {
    ...rest,
    info: runningNotes.has(note) ? { ...info, isRunning: true } : info,
    config: { ...note.config, isZeppelinNotebookCronEnable: true },
    path: `/${note.name}`,
    ...(bindings?.[0] ? { defaultInterpreterGroup: bindings[0] } : {}),
  };
}

const DATES = ['dateCreated', 'dateUpdated', 'dateStarted', 'dateFinished'] as const;

function withDates<P extends object>(paragraph: P, format: (date: Date) => string): P {
  const next = { ...paragraph } as Bag;
  for (const key of DATES) {
    const value = next[key];
    const date =
      typeof value === 'string' || typeof value === 'number' ? parseDate(value) : undefined;
    // A year of other than three or four digits is a mistake, and would not be read again.
    if (date && date.getUTCFullYear() > 99 && date.getUTCFullYear() < 10_000)
      next[key] = format(date);
    else delete next[key];
  }
  return next as P;
}

/** Text of the note's file. */
export function serializeNote(note: StoredNote): string {
  const paragraphs = note.paragraphs.map((paragraph) => withDates(paragraph, formatStorageDate));
  return JSON.stringify({ ...note, paragraphs }, null, 2);
}

/** Refuses a text that is too long. */
export function checkText(text: string, { maxTextBytes }: Pick<Limits, 'maxTextBytes'>): void {
  if (Buffer.byteLength(text) > maxTextBytes)
    throw new Refusal(400, `a paragraph holds at most ${maxTextBytes} bytes of text`);
}

/**
 * What of a foreign object may travel: its fields but those that the protocol gives another type, because a client that
 * cannot read one field cannot read the note.
 */
function fitting(schema: typeof paragraphSchema | typeof noteSchema, raw: Bag): Bag {
  const parsed = schema.safeParse(raw);
  if (!parsed.success) {
    const bad = new Set(parsed.error.issues.map(({ path }) => path[0]));
    return fitting(
      schema,
      Object.fromEntries(Object.entries(raw).filter(([key]) => !bad.has(key))),
    );
  }
  return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
}

/**
 * One paragraph of a file, an import or an undo. Very old notes keep one output in `result`. `own`: of the server's own file; the whole
 * tables of any other are somewhere else.
 */
export function readParagraph({ result, ...raw }: Bag, own = false): StoredParagraph {
  const old = result as { code?: string; type?: string; msg?: string } | null | undefined;
  const results =
    raw['results'] ??
    (old?.msg == null
      ? undefined
      : { code: old.code, msg: [{ type: old.type ?? 'TEXT', data: old.msg }] });
  const base = newParagraph();
  const id = typeof raw['id'] === 'string' && idPattern.test(raw['id']) ? raw['id'] : base.id;
  const fit = fitting(
    paragraphSchema,
    withDates({ ...raw, id, results }, formatWireDate),
  ) as Partial<StoredParagraph>;
  const paragraph: StoredParagraph = {
    ...base,
    ...fit,
    id,
    text: fit.text ?? '',
    status: fit.status ?? 'READY',
    config: { enabled: true, ...fit.config },
    rev: Number.isSafeInteger(fit.rev) && fit.rev! > 0 ? fit.rev! : 1,
  };
  if (!own && paragraph.results?.msg?.some(({ rows }) => rows !== undefined))
    paragraph.results = {
      ...paragraph.results,
      msg: paragraph.results.msg.map(({ rows: _rows, ...message }) => message),
    };
  if (isRunning(paragraph.status)) {
    paragraph.status = 'ABORT';
    paragraph.errorMessage = 'The server stopped while this paragraph ran.';
  }
  return paragraph;
}

/** The shared values of a file, those that have a name, as values of the note that it becomes. */
function readObjects(raw: unknown, noteId: string): Bag {
  if (typeof raw !== 'object' || raw === null) return {};
  return Object.fromEntries(
    Object.entries(raw).map(([group, list]) => [
      group,
      valuesIn(list)
        .filter(({ name }) => typeof name === 'string')
        .map((entry) => (entry.noteId ? { ...entry, noteId } : entry)),
    ]),
  );
}

/**
 * A note from the JSON of a file, an export of any generation, or an import. Throws where it is not one.
 * `id` is the server's, never the file's; `own` as in {@link readParagraph}.
 */
export function readNote(raw: unknown, id: string, own = false): StoredNote {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new Error('not a note');
  const { paragraphs: list, bindings, angularObjects, ...source } = raw as Bag;
  if (!Array.isArray(list)) throw new Error('a note without paragraphs');
  const seen = new Set<string>();
  const paragraphs = list
    .filter((entry): entry is Bag => typeof entry === 'object' && entry !== null)
    .map((entry) => {
      const paragraph = readParagraph(entry, own);
      if (seen.has(paragraph.id)) paragraph.id = newParagraphId();
      seen.add(paragraph.id);
      return paragraph;
    });
  const { path, ...rest } = fitting(noteSchema, { ...source, id }) as Partial<Note>;
  return {
    ...rest,
    id,
    name: normalizePath(notePath({ id, name: rest.name, path })) || `Note ${id}`,
    paragraphs,
    config: rest.config ?? {},
    info: {},
    noteParams: rest.noteParams ?? {},
    noteForms: rest.noteForms ?? {},
    angularObjects: readObjects(angularObjects, id),
    ...(Array.isArray(bindings)
      ? { bindings: bindings.filter((entry) => typeof entry === 'string') }
      : {}),
  };
}
