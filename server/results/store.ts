/**
 * Stores complete tables of outputs, as Arrow streams in files beside the notes:
 * `results/<noteId>/<paragraphId>.<index>.<random>.arrow`.
 *
 * `rows` of an output says that it has a complete table. A file belongs only to the output whose
 * text it was created with. Files are written under temporary names and renamed when complete.
 * Files without an output are deleted when the note is stored, and at startup.
 */
import { randomBytes } from 'node:crypto';
import { copyFile, link, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutRows } from '@tiding/client/notebook';
import type { ResultMessage } from '@tiding/client/protocol';
import type { TableKeeper } from '../interpreters/contract.ts';
import type { Logger } from '../logging/log.ts';
import type { StoredNote } from '../notes/note.ts';
import { AdoptedTable, type KeptFile, type KeptLimits, WrittenTable } from './kept-file.ts';
import { StoredTable } from './stored-table.ts';
import { digestOf, readTrailer, type Trailer } from './trailer.ts';

interface Entry {
  readonly file: string;
  readonly trailer: Trailer;
}

/** An output of a run and the complete table of which it shows the first rows. */
export interface Kept {
  readonly index: number;
  readonly data: string;
  readonly table: KeptFile;
}

const fileName = /^([0-9A-Za-z_-]{1,64})\.(\d{1,4})\.[0-9a-f]{16}\.arrow$/;
const unfinished = /^\..*\.tmp$/;
const noteName = /^[0-9A-Za-z_-]{1,64}$/;
const keyOf = (paragraphId: string, index: number) => `${paragraphId}.${index}`;
const digests = new WeakMap<ResultMessage, string>();

function digest(message: ResultMessage): string {
  let known = digests.get(message);
  if (known === undefined) digests.set(message, (known = digestOf(message.data)));
  return known;
}

/** The complete tables of a data folder. */
export class ResultStore {
  readonly #folder: string;
  readonly #limits: KeptLimits;
  readonly #log: Logger;
  /** Entries by note id, then by paragraph id and index of the output. */
  readonly #entries = new Map<string, Map<string, Entry>>();

  constructor(data: string, limits: KeptLimits, log: Logger) {
    this.#folder = join(data, 'results');
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
      await Promise.all(
        names.map((name) =>
          this.#loadFile(noteId, name).catch((error: Error) => this.#failed(error)),
        ),
      );
      if (!this.#entries.has(noteId))
        await rm(folder, { recursive: true, force: true }).catch((error: Error) =>
          this.#failed(error),
        );
    }
  }

  async #loadFile(noteId: string, name: string): Promise<void> {
    const file = join(this.#folder, noteId, name);
    const [, paragraphId, index] = fileName.exec(name) ?? [];
    if (unfinished.test(name)) await rm(file, { force: true });
    if (paragraphId === undefined) return;
    const handle = await open(file, 'r');
    const trailer = await readTrailer(handle).finally(() => handle.close());
    // The file is incomplete.
    if (!trailer) return rm(file, { force: true });
    const before = this.#entries.get(noteId)?.get(keyOf(paragraphId, Number(index)));
    this.#register(noteId, paragraphId, Number(index), { file, trailer });
    // Two files of one output exist if the server stopped between writing and deleting. The digest
    // identifies the current one. At most one is kept.
    if (before) await rm(before.file, { force: true });
  }

  /** Deletes files of notes that no longer exist. `broken` notes are unreadable and keep theirs. */
  sweep(notes: readonly StoredNote[], broken: ReadonlyMap<string, string>): void {
    const known = new Map(notes.map((note) => [note.id, note]));
    for (const id of [...this.#entries.keys()]) if (!broken.has(id)) this.settle(id, known.get(id));
  }

  #failed(error: Error): void {
    this.#log.warn({ error: error.message }, 'a complete table could not be stored');
  }

  #register(noteId: string, paragraphId: string, index: number, entry: Entry): void {
    let entries = this.#entries.get(noteId);
    if (!entries) this.#entries.set(noteId, (entries = new Map()));
    entries.set(keyOf(paragraphId, index), entry);
  }

  #name(paragraphId: string, index: number): string {
    return `${paragraphId}.${index}.${randomBytes(8).toString('hex')}.arrow`;
  }

  /** Returns a keeper for the tables of a run. */
  keeper({ id: noteId }: StoredNote, paragraphId: string): RunKeeper {
    const folder = join(this.#folder, noteId);
    const tables: KeptFile[] = [];
    const fail = (error: Error) => this.#failed(error);
    let made: Promise<unknown> | undefined;
    const ready = () => (made ??= mkdir(folder, { recursive: true, mode: 0o700 }));
    const add = (table: KeptFile) => {
      tables.push(table);
      return table;
    };
    return {
      limits: this.#limits,
      begin: (schema) =>
        add(
          new WrittenTable(
            join(folder, `.${randomBytes(8).toString('hex')}.tmp`),
            schema,
            this.#limits,
            fail,
            ready,
          ),
        ),
      adopt: (file) => add(new AdoptedTable(file, this.#limits, fail)),
      commit: async (shown) => {
        if (shown.length > 0) await ready().catch(fail);
        const done: (() => void)[] = [];
        for (const { index, data, table } of shown) {
          const file = join(folder, this.#name(paragraphId, index));
          const trailer = await table.finish(file, digestOf(data));
          if (trailer)
            done.push(() => this.#register(noteId, paragraphId, index, { file, trailer }));
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
      entry.trailer.rows === message.rows &&
      entry.trailer.digest === digest(message)
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
    return entry && new StoredTable(entry.file, entry.trailer);
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
    const gone: string[] = [];
    for (const [key, { file }] of [...entries]) {
      const dot = key.lastIndexOf('.');
      const [paragraphId, index] = [key.slice(0, dot), Number(key.slice(dot + 1))];
      if (
        this.#entry(noteId, paragraphId, index, paragraphs.get(paragraphId)?.results?.msg?.[index])
      )
        continue;
      entries.delete(key);
      gone.push(file);
    }
    if (entries.size === 0) this.#entries.delete(noteId);
    void Promise.all(gone.map((file) => rm(file, { force: true })))
      .then(() =>
        note ? undefined : rm(join(this.#folder, noteId), { recursive: true, force: true }),
      )
      .catch((error: Error) => this.#failed(error));
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
        const file = join(folder, this.#name(own.id, index));
        try {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          // Finished files never change, so two notes can share one.
          await link(entry.file, file).catch(() => copyFile(entry.file, file));
          there.rows = entry.trailer.rows;
          this.#register(copy.id, own.id, index, { file, trailer: entry.trailer });
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
