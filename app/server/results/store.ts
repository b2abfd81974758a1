/**
 * Whole tables of outputs, as Arrow streams in files beside the notes: `results/<noteId>/<paragraphId>.<index>.<random>.arrow`.
 *
 * An output that has one says so by `rows`, and a file serves only the output whose text it was made with. Files are written
 * under another name and renamed when they are complete; those that no output has are removed when the note is stored, and at the start.
 */
import { randomBytes } from 'node:crypto';
import { copyFile, link, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResultMessage } from 'tiding/protocol';
import type { TableKeeper } from '../interpreters/contract.ts';
import type { Logger } from '../log.ts';
import type { StoredNote } from '../notes/note.ts';
import { AdoptedTable, WrittenTable, type KeptFile, type KeptLimits } from './kept-file.ts';
import { StoredTable } from './stored-table.ts';
import { digestOf, readTrailer, type Trailer } from './trailer.ts';

interface Entry {
  readonly file: string;
  readonly trailer: Trailer;
}

/** An output of a run and the table whose beginning it is. */
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

/** See the head of this file. */
export class ResultStore {
  readonly #folder: string;
  readonly #limits: KeptLimits;
  readonly #log: Logger;
  /** By note, then by paragraph and number of the output. */
  readonly #entries = new Map<string, Map<string, Entry>>();

  constructor(data: string, limits: KeptLimits, log: Logger) {
    this.#folder = join(data, 'results');
    this.#limits = limits;
    this.#log = log;
  }

  /** Reads which files there are; what was not finished is removed. Call it before notes are read. */
  async load(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const noteId of await readdir(this.#folder)) {
      if (!noteName.test(noteId)) continue;
      const folder = join(this.#folder, noteId);
      const names = await readdir(folder).catch(() => []);
      await Promise.all(
        names.map((name) => this.#take(noteId, name).catch((error: Error) => this.#failed(error))),
      );
      if (!this.#entries.has(noteId))
        await rm(folder, { recursive: true, force: true }).catch((error: Error) =>
          this.#failed(error),
        );
    }
  }

  async #take(noteId: string, name: string): Promise<void> {
    const file = join(this.#folder, noteId, name);
    const [, paragraphId, index] = fileName.exec(name) ?? [];
    if (unfinished.test(name)) await rm(file, { force: true });
    if (paragraphId === undefined) return;
    const handle = await open(file, 'r');
    const trailer = await readTrailer(handle).finally(() => handle.close());
    // Whole, or not there.
    if (!trailer) return rm(file, { force: true });
    const before = this.#entries.get(noteId)?.get(keyOf(paragraphId, Number(index)));
    this.#register(noteId, paragraphId, Number(index), { file, trailer });
    // Two of one output: a server stopped between them. Which one it is its digest says, and at most one is kept.
    if (before) await rm(before.file, { force: true });
  }

  /** Removes what belongs to none of these notes; `broken` ones cannot be read and keep theirs. */
  sweep(notes: readonly StoredNote[], broken: ReadonlyMap<string, string>): void {
    const known = new Map(notes.map((note) => [note.id, note]));
    for (const id of [...this.#entries.keys()]) if (!broken.has(id)) this.settle(id, known.get(id));
  }

  #failed(error: Error): void {
    this.#log.warn({ error: error.message }, 'a whole table could not be kept');
  }

  #register(noteId: string, paragraphId: string, index: number, entry: Entry): void {
    let entries = this.#entries.get(noteId);
    if (!entries) this.#entries.set(noteId, (entries = new Map()));
    entries.set(keyOf(paragraphId, index), entry);
  }

  #name(paragraphId: string, index: number): string {
    return `${paragraphId}.${index}.${randomBytes(8).toString('hex')}.arrow`;
  }

  /** Keeps the tables of a run. */
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

  /** The whole table of an output; undefined where it has none. */
  find(
    noteId: string,
    paragraphId: string,
    index: number,
    message: ResultMessage,
  ): StoredTable | undefined {
    const entry = this.#entry(noteId, paragraphId, index, message);
    return entry && new StoredTable(entry.file, entry.trailer);
  }

  /** Takes `rows` from outputs whose table is not here: nobody shall look for it. */
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

  /** A note was stored, read or removed: files that no output of it has any more are removed. */
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

  /** Gives a copy of a note, whose paragraphs stand in the same order, the tables of the note; `rows` go where that fails. */
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
          // Nobody writes to a finished file: one may stand in two places.
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

/** {@link TableKeeper} of a run. */
export interface RunKeeper extends TableKeeper {
  begin(...given: Parameters<TableKeeper['begin']>): KeptFile;
  adopt(file: string): KeptFile;
  /** The run is over, and these are shown: their files are finished and all others gone. The answer is called when the outputs are the paragraph's. */
  commit(shown: readonly Kept[]): Promise<() => void>;
}

/** An output whose whole table is not kept. */
export function withoutRows<M extends { rows?: number | undefined }>({
  rows: _rows,
  ...message
}: M): Omit<M, 'rows'> {
  return message;
}
