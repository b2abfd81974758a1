/**
 * Stores complete tables of outputs in files beside the notes:
 * `results/<noteId>/<paragraphId>.<index>.<random>.<extension>`. Small tables are Arrow streams
 * (`arrow`), which are served as they are. Large ones are compressed databases (`duckdb`) with a
 * description (`json`), which an engine process reads and queries.
 *
 * `rows` of an output says that it has a complete table. A file belongs only to the output whose
 * text it was created with, and so to its note. Files are written under temporary names and renamed
 * when complete. Files without an output are deleted when the note is stored, and at startup. All
 * files together stay below a limit: a table that doesn't fit is cut. Tables that a run replaces
 * don't count, and can be read until its end.
 */
import { randomBytes } from 'node:crypto';
import { copyFile, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { withoutRows } from '@tiding/client/notebook';
import type { ResultMessage } from '@tiding/client/protocol';
import type { TableKeeper } from '../interpreters/contract.ts';
import type { Logger } from '../logging/log.ts';
import type { StoredNote, StoredParagraph } from '../notes/note.ts';
import { descriptionFile, readDescription, removeStored } from './database/database-file.ts';
import { DatabaseTable } from './database/database-table.ts';
import { QueryEngine } from './database/query-engine.ts';
import {
  AdoptedTable,
  type FinishedFile,
  type KeptFile,
  type KeptLimits,
  WrittenTable,
} from './kept-file.ts';
import { ArrowFileTable, type StoredTable } from './stored-table.ts';
import { digestOf, readTrailer } from './trailer.ts';

interface Entry extends FinishedFile {
  /** Size in bytes. */
  readonly bytes: number;
}

interface StoreLimits extends KeptLimits {
  /** Bytes of all tables together. */
  readonly totalBytes: number;
  /** Returns the bytes that a new table of a note may have. */
  room?(noteId: string): number;
}

/** An output of a run and the complete table of which it shows the first rows. */
export interface Kept {
  readonly index: number;
  readonly data: string;
  readonly table: KeptFile;
}

const fileName = /^([0-9A-Za-z_-]{1,64})\.(\d{1,4})\.[0-9a-f]{16}\.(?:arrow|duckdb)$/;
const unfinished = /^\..*\.tmp(?:\.wal|\.json)?$/;
const noteName = /^[0-9A-Za-z_-]{1,64}$/;
const keyOf = (paragraphId: string, index: number | '') => `${paragraphId}.${index}`;
const digests = new WeakMap<ResultMessage, string>();

function digest(message: ResultMessage): string {
  let known = digests.get(message);
  if (known === undefined) digests.set(message, (known = digestOf(message.data)));
  return known;
}

/** The complete tables of a data folder. */
export class ResultStore {
  readonly #folder: string;
  readonly #limits: StoreLimits;
  readonly #log: Logger;
  readonly #engine: QueryEngine;
  /** Entries by note id, then by paragraph id and index of the output. */
  readonly #entries = new Map<string, Map<string, Entry>>();
  /** Files of outputs that a new run has replaced, by note id. They go once the note is stored. */
  readonly #replaced = new Map<string, string[]>();
  /** Results that runs in progress will replace. Pages read their tables until then. */
  readonly previous = new WeakMap<StoredParagraph, StoredParagraph['results']>();

  constructor(data: string, limits: StoreLimits, log: Logger) {
    this.#folder = join(data, 'results');
    this.#engine = new QueryEngine(join(this.#folder, '.engine'));
    this.#limits = limits;
    this.#log = log;
  }

  /**
   * Reads the list of files and deletes unfinished ones. Must be called before notes are read.
   */
  async load(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const noteId of await readdir(this.#folder)) {
      if (!noteName.test(noteId)) continue;
      const folder = join(this.#folder, noteId);
      const names = await readdir(folder).catch(() => []);
      await Promise.all(names.map((name) => this.#loadFile(noteId, name).catch(this.#failed)));
      if (!this.#entries.has(noteId))
        await rm(folder, { recursive: true, force: true }).catch(this.#failed);
    }
  }

  async #loadFile(noteId: string, name: string): Promise<void> {
    const file = join(this.#folder, noteId, name);
    const [, paragraphId, index] = fileName.exec(name) ?? [];
    if (unfinished.test(name)) await rm(file, { force: true });
    if (paragraphId === undefined) return;
    const about = await readAbout(file);
    // The file is incomplete.
    if (!about) return removeStored(file);
    const before = this.#entries.get(noteId)?.get(keyOf(paragraphId, Number(index)));
    this.#register(noteId, paragraphId, Number(index), await entryOf({ file, about }));
    // Two files of one output exist if the server stopped between writing and deleting. The digest
    // identifies the current one. At most one is kept.
    if (before) await removeStored(before.file);
  }

  /** Deletes files of notes that no longer exist. `broken` notes are unreadable and keep theirs. */
  sweep(notes: readonly StoredNote[], broken: ReadonlyMap<string, string>): void {
    const known = new Map(notes.map((note) => [note.id, note]));
    for (const id of [...this.#entries.keys()]) if (!broken.has(id)) this.settle(id, known.get(id));
  }

  readonly #failed = (error: Error): void =>
    this.#log.warn({ error: error.message }, 'a complete table could not be stored');

  #register(noteId: string, paragraphId: string, index: number, entry: Entry): void {
    let entries = this.#entries.get(noteId);
    if (!entries) this.#entries.set(noteId, (entries = new Map()));
    entries.set(keyOf(paragraphId, index), entry);
  }

  #replace(noteId: string, paragraphId: string, index: number, entry: Entry): void {
    const before = this.#entries.get(noteId)?.get(keyOf(paragraphId, index));
    if (before) this.#replaced.set(noteId, [...(this.#replaced.get(noteId) ?? []), before.file]);
    this.#register(noteId, paragraphId, index, entry);
  }

  #name(paragraphId: string, index: number): string {
    return `${paragraphId}.${index}.${randomBytes(8).toString('hex')}`;
  }

  get bytes(): number {
    return this.noteIds().reduce((sum, noteId) => sum + this.bytesOf(noteId), 0);
  }

  noteIds(): string[] {
    return [...this.#entries.keys()];
  }

  /** Returns the bytes of the tables of a note, or of one of its paragraphs. */
  bytesOf(noteId: string, paragraphId?: string): number {
    let sum = 0;
    for (const [key, { bytes }] of this.#entries.get(noteId) ?? [])
      if (paragraphId === undefined || key.startsWith(keyOf(paragraphId, ''))) sum += bytes;
    return sum;
  }

  /** Returns the tables that each query names; undefined if it can't be parsed. Runs none. */
  queryTables(queries: readonly string[]): ReturnType<QueryEngine['tables']> {
    return this.#engine.tables(queries);
  }

  /** Ends the process that queries tables. */
  close(): Promise<void> {
    return this.#engine.close();
  }

  keeper({ id: noteId }: StoredNote, paragraphId: string): RunKeeper {
    const folder = join(this.#folder, noteId);
    const tables: KeptFile[] = [];
    const { rows, bytes, totalBytes } = this.#limits;
    const free = Math.min(totalBytes - this.bytes, this.#limits.room?.(noteId) ?? bytes);
    const room = free + this.bytesOf(noteId, paragraphId);
    const limits = { rows, bytes: Math.min(bytes, Math.max(0, room)) };
    let made: Promise<unknown> | undefined;
    const ready = () => (made ??= mkdir(folder, { recursive: true, mode: 0o700 }));
    const context = { limits, engine: this.#engine, ready, fail: this.#failed };
    const add = (table: KeptFile) => {
      tables.push(table);
      return table;
    };
    return {
      limits,
      begin: (schema) => {
        const file = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
        return add(new WrittenTable(file, schema, context));
      },
      adopt: (file) => add(new AdoptedTable(file, context)),
      commit: async (shown) => {
        if (shown.length > 0) await ready().catch(this.#failed);
        const done: (() => void)[] = [];
        for (const { index, data, table } of shown) {
          const file = join(folder, this.#name(paragraphId, index));
          const finished = await table.finish(file, digestOf(data));
          if (!finished) continue;
          const entry = await entryOf(finished);
          done.push(() => this.#replace(noteId, paragraphId, index, entry));
        }
        const used = new Set(shown.map(({ table }) => table));
        await Promise.all(
          tables.filter((table) => !used.has(table)).map((table) => table.discard()),
        );
        return () => done.forEach((register) => register());
      },
    };
  }

  #entry(
    noteId: string,
    paragraphId: string,
    index: number,
    message: ResultMessage | undefined,
  ): Entry | undefined {
    const entry = this.#entries.get(noteId)?.get(keyOf(paragraphId, index));
    return entry &&
      message?.type === 'TABLE' &&
      entry.about.rows === message.rows &&
      entry.about.digest === digest(message)
      ? entry
      : undefined;
  }

  /** Returns the complete table of an output; undefined if it has none. */
  find(
    noteId: string,
    paragraphId: string,
    index: number,
    message: ResultMessage,
  ): StoredTable | undefined {
    const entry = this.#entry(noteId, paragraphId, index, message);
    if (!entry) return undefined;
    const { file, about } = entry;
    return 'schema' in about
      ? new DatabaseTable(file, about, this.#engine)
      : new ArrowFileTable(file, about);
  }

  /** Removes `rows` from outputs whose table is missing, so that clients do not request it. */
  check(note: StoredNote): void {
    for (const paragraph of note.paragraphs) {
      const messages = paragraph.results?.msg;
      if (!messages?.some(({ rows }) => rows !== undefined)) continue;
      paragraph.results = {
        ...paragraph.results,
        msg: messages.map((message, index) =>
          this.#entry(note.id, paragraph.id, index, message) ? message : withoutRows(message),
        ),
      };
    }
  }

  /** Deletes files without an output, after a note was stored, read or removed. */
  settle(noteId: string, note: StoredNote | undefined): void {
    const entries = this.#entries.get(noteId);
    if (!entries) return;
    const paragraphs = new Map(note?.paragraphs.map((paragraph) => [paragraph.id, paragraph]));
    const gone = this.#replaced.get(noteId) ?? [];
    this.#replaced.delete(noteId);
    for (const [key, { file }] of [...entries]) {
      const dot = key.lastIndexOf('.');
      const [paragraphId, index] = [key.slice(0, dot), Number(key.slice(dot + 1))];
      const paragraph = paragraphs.get(paragraphId);
      const results = paragraph && (this.previous.get(paragraph) ?? paragraph.results);
      if (this.#entry(noteId, paragraphId, index, results?.msg?.[index])) continue;
      entries.delete(key);
      gone.push(file);
    }
    if (entries.size === 0) this.#entries.delete(noteId);
    void Promise.all(gone.map(removeStored))
      .then(() =>
        note ? undefined : rm(join(this.#folder, noteId), { recursive: true, force: true }),
      )
      .catch(this.#failed);
  }

  /**
   * Copies the tables of a note to its copy, whose paragraphs have the same order. If that
   * fails, `rows` is removed from the output.
   */
  async copy(source: StoredNote, copy: StoredNote): Promise<void> {
    const folder = join(this.#folder, copy.id);
    for (const [at, { id, results }] of source.paragraphs.entries()) {
      const own = copy.paragraphs[at];
      for (const [index, message] of (results?.msg ?? []).entries()) {
        const entry =
          message.rows === undefined ? undefined : this.#entry(source.id, id, index, message);
        const there = own?.results?.msg?.[index];
        if (!entry || !own || !there) continue;
        const extension = extname(entry.file);
        const file = join(folder, this.#name(own.id, index)) + extension;
        try {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          // Finished files never change, so two notes can share one.
          await linkOrCopy(entry.file, file);
          if (extension === '.duckdb')
            await linkOrCopy(descriptionFile(entry.file), descriptionFile(file));
          there.rows = entry.about.rows;
          this.#register(copy.id, own.id, index, { ...entry, file });
        } catch (error) {
          this.#failed(error as Error);
          delete there.rows;
        }
      }
    }
  }
}

/** {@link TableKeeper} of a run, which also finishes the files. */
export interface RunKeeper extends TableKeeper {
  begin(...given: Parameters<TableKeeper['begin']>): KeptFile;
  adopt(file: string): KeptFile;
  /**
   * Called at the end of the run with the tables that are shown. Finishes their files and deletes
   * all others. The returned function must be called once the paragraph has the outputs.
   */
  commit(shown: readonly Kept[]): Promise<() => void>;
}

/** Reads what identifies a file and locates its rows; undefined if the file is incomplete. */
async function readAbout(file: string): Promise<FinishedFile['about'] | undefined> {
  if (file.endsWith('.duckdb')) return readDescription(file);
  const handle = await open(file, 'r');
  return readTrailer(handle).finally(() => handle.close());
}

async function entryOf(finished: FinishedFile): Promise<Entry> {
  return { ...finished, bytes: (await stat(finished.file)).size };
}

const linkOrCopy = (from: string, to: string): Promise<void> =>
  link(from, to).catch(() => copyFile(from, to));
