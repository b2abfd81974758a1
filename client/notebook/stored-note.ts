/**
 * Notes as servers store them: defaults, reading files and imports, and the wire format. The file
 * format is that of Zeppelin 0.8.
 */

import { isJsonObject } from '../model/json-object.ts';
import { normalizePath, notePath } from '../model/notes/note-path.ts';
import { isRunning } from '../model/notes/paragraph-status.ts';
import { formatStorageDate, formatWireDate } from '../model/text/date-format.ts';
import { parseDate } from '../model/text/date-parser.ts';
import { MAX_AUTHORS } from '../model/text/text-history.ts';
import {
  type JsonObject,
  type Note,
  note as noteSchema,
  type Paragraph,
  paragraph as paragraphSchema,
} from '../protocol/index.ts';
import { valuesIn } from './bound-values.ts';
import { currentParagraph } from './older-paragraph.ts';
import { noSuchParagraph, Refusal } from './refusal.ts';
import type { IdSource, NotebookRules, NoteLimits, StoredNote, StoredParagraph } from './types.ts';

/** Ids accepted in storage: safe as folder names. */
export const idPattern: RegExp = /^[0-9A-Za-z_-]{1,64}$/;

/** Formats a date for the live channel. Default: now. */
export const wireDate = (date: Date = new Date()): string => formatWireDate(date);

/** Fields of a new paragraph. */
export type ParagraphInit = Partial<Pick<Paragraph, 'text' | 'title' | 'config' | 'user'>>;

/** Returns a new paragraph, by default an empty one. */
export function createParagraph(ids: IdSource, init: ParagraphInit = {}): StoredParagraph {
  const now = new Date();
  const { id, jobName } = ids.paragraph(now);
  return {
    id,
    jobName,
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

/**
 * Returns the revision of a removed paragraph that is restored: higher than any that it had.
 * Otherwise, edits by users who typed in it before would be applied to a text they haven't seen.
 */
export const revOfRestored = (rev: number): number => Math.max(rev + 1, Date.now());

/** Returns a new note with these paragraphs; a blank name becomes `Note {id}`. */
export function createNote(
  ids: IdSource,
  name: string,
  paragraphs: StoredParagraph[],
  id: string = ids.note(),
): StoredNote {
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

/** Returns a paragraph of a note; throws a 404 refusal if it does not exist. */
export function paragraphOf<P extends { readonly id: string }>(
  { paragraphs = [] }: { readonly paragraphs?: readonly P[] | undefined },
  id: string,
): P {
  const paragraph = paragraphs.find((entry) => entry.id === id);
  if (!paragraph) throw noSuchParagraph(id);
  return paragraph;
}

/** Notes that are running as a whole; newer clients read this from the note. */
export const runningNotes = new WeakSet<StoredNote>();

/**
 * When the last run in a note started, in ms, so that the job list is in order: the dates of
 * paragraphs have whole seconds. After a restart, only these are known.
 */
export const lastRunStarts = new WeakMap<StoredNote, number>();

/** Returns a paragraph in wire format, without what only the server needs. */
export function paragraphOnWire({ authorSeqs: _stored, ...rest }: StoredParagraph): Paragraph {
  return rest;
}

/** Returns a note in wire format, with the fields of both protocol generations. */
export function noteOnWire(
  note: StoredNote,
  { canSchedule }: Pick<NotebookRules, 'canSchedule'>,
): Note {
  const { bindings, info: { isRunning: _stored, ...info } = {}, ...rest } = note;
  return {
    ...rest,
    paragraphs: note.paragraphs.map(paragraphOnWire),
    info: runningNotes.has(note) ? { ...info, isRunning: true } : info,
    config: canSchedule ? { ...note.config, isZeppelinNotebookCronEnable: true } : note.config,
    path: `/${note.name}`,
    ...(bindings?.[0] ? { defaultInterpreterGroup: bindings[0] } : {}),
  };
}

/** Why a run ended that was under way when the server stopped. */
export const SERVER_STOPPED = 'The server stopped while this paragraph ran.';

const DATES = ['dateCreated', 'dateUpdated', 'dateStarted', 'dateFinished'] as const;

function withDates<P extends object>(paragraph: P, format: (date: Date) => string): P {
  const next = { ...paragraph } as JsonObject;
  for (const key of DATES) {
    const value = next[key];
    const date =
      typeof value === 'string' || typeof value === 'number' ? parseDate(value) : undefined;
    // A year without three or four digits is an error, and could not be read back.
    if (date && date.getUTCFullYear() > 99 && date.getUTCFullYear() < 10_000)
      next[key] = format(date);
    else delete next[key];
  }
  return next as P;
}

/** Returns a note as its file contains it, which is JSON with an indentation of two. */
export const noteInFile = (note: StoredNote): StoredNote => ({
  ...note,
  paragraphs: note.paragraphs.map((paragraph) => withDates(paragraph, formatStorageDate)),
});

/** Returns a note as it is exported, without bindings: each server has its own settings. */
export function exportedNote(note: StoredNote): object {
  const { bindings: _bindings, ...rest } = noteInFile(note);
  return { ...rest, paragraphs: rest.paragraphs.map(paragraphOnWire) };
}

const encoder = new TextEncoder();

/** Throws a refusal if a text is too long. */
export function checkText(text: string, { maxTextBytes }: Pick<NoteLimits, 'maxTextBytes'>): void {
  // A UTF-16 unit has at most three bytes, so most texts need no encoding.
  if (text.length * 3 > maxTextBytes && encoder.encode(text).length > maxTextBytes)
    throw new Refusal(400, `A paragraph can have at most ${maxTextBytes} bytes of text.`);
}

/** Throws a refusal if a note would have too many paragraphs. */
export function checkCount(
  count: number,
  { maxParagraphs }: Pick<NoteLimits, 'maxParagraphs'>,
): void {
  if (count > maxParagraphs)
    throw new Refusal(400, `A note can have at most ${maxParagraphs} paragraphs.`);
}

/** Returns an output without the reference to its full table, which only the server may set. */
export function withoutRows<M extends { rows?: number | undefined }>({
  rows: _rows,
  ...message
}: M): Omit<M, 'rows'> {
  return message;
}

/**
 * Returns the fields of an external object, without those whose type differs from the protocol's: a
 * client that can't read one field can't read the note.
 */
function fitting(schema: typeof paragraphSchema | typeof noteSchema, raw: JsonObject): JsonObject {
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
 * Reads a paragraph from a file, an import or an undo. `own`: from the server's own file; in any
 * other, references to full tables are invalid.
 */
export function parseParagraph(ids: IdSource, given: JsonObject, own = false): StoredParagraph {
  const raw = currentParagraph(given);
  const base = createParagraph(ids);
  const id = typeof raw['id'] === 'string' && idPattern.test(raw['id']) ? raw['id'] : base.id;
  const fit = fitting(
    paragraphSchema,
    withDates({ ...raw, id }, formatWireDate),
  ) as Partial<StoredParagraph>;
  const { authorSeqs, ...fields } = fit;
  const paragraph: StoredParagraph = {
    ...base,
    ...fields,
    id,
    text: fit.text ?? '',
    status: fit.status ?? 'READY',
    config: { enabled: true, ...fit.config },
    rev: Number.isSafeInteger(fit.rev) && fit.rev! > 0 ? fit.rev! : 1,
  };
  const seqs = Object.entries(own ? (authorSeqs ?? {}) : {});
  // Anybody can write what they like into any other file.
  if (seqs.length > 0)
    paragraph.authorSeqs = Object.fromEntries(
      seqs.filter(([, seq]) => Number.isFinite(seq)).slice(-MAX_AUTHORS),
    );
  if (!own && paragraph.results?.msg?.some(({ rows }) => rows !== undefined))
    paragraph.results = { ...paragraph.results, msg: paragraph.results.msg.map(withoutRows) };
  if (isRunning(paragraph.status)) {
    paragraph.status = 'ABORT';
    paragraph.errorMessage = SERVER_STOPPED;
  }
  return paragraph;
}

/** Reads the shared values of a file that have a name, and assigns them to the new note. */
function readObjects(raw: unknown, noteId: string): JsonObject {
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
 * Reads a note from a file, an import, or an export of any Zeppelin generation. Throws if it is not
 * a note. `id` is assigned by the server, never taken from the file; `own` as in `parseParagraph`.
 */
export function parseNote(ids: IdSource, raw: unknown, id: string, own = false): StoredNote {
  if (!isJsonObject(raw)) throw new Error('not a note');
  // Images are stored as files.
  const { paragraphs: list, bindings, angularObjects, images: _images, ...source } = raw;
  if (!Array.isArray(list)) throw new Error('a note without paragraphs');
  const seen = new Set<string>();
  const paragraphs = list
    .filter((entry): entry is JsonObject => typeof entry === 'object' && entry !== null)
    .map((entry) => {
      const paragraph = parseParagraph(ids, entry, own);
      if (seen.has(paragraph.id)) ({ id: paragraph.id } = ids.paragraph(new Date()));
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
