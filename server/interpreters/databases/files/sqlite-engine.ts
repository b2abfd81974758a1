/**
 * Sessions of an SQLite file. The library doesn't see the locks of other programs, so a session
 * only reads, and notices when another program writes.
 */
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import sqlite, { type Database, type Statement } from 'node-sqlite3-wasm';
import { tokenize } from '../../sql/script.ts';
import { bytesText } from '../../table-text.ts';
import type { ColumnKind, TextColumn, TextRow } from '../text-columns.ts';
import {
  type FileEngine,
  type FileSession,
  type OpenFile,
  READ_ONLY,
  type StartedStatement,
} from './file-messages.ts';

/** Rows that decide the types of columns, because values have types and columns don't. */
const FIRST_ROWS = 200;
const CHANGED = 'Another program is writing to the file. Run the paragraph again when it is done.';

type Value = number | bigint | string | Uint8Array | null;
type Row = Readonly<Record<string, Value>>;

export async function openSqliteFile({ file, temporaryFolder }: OpenFile): Promise<FileEngine> {
  return { connect: async () => new SqliteSession(file, temporaryFolder) };
}

class SqliteSession implements FileSession {
  readonly #file: string;
  readonly #folder: string;
  readonly #database: Database;
  #statement: Statement | undefined;
  #rows: Iterator<Row> | undefined;
  #names: readonly string[] = [];
  #first: Row[] = [];
  #state = '';

  constructor(file: string, temporaryFolder: string) {
    this.#file = file;
    this.#folder = mkdtempSync(join(temporaryFolder, 'session-'));
    // SQLite creates a lock beside the name under which it opens a file.
    const link = join(this.#folder, 'database');
    symlinkSync(file, link);
    this.#database = new sqlite.Database(link, { fileMustExist: true, readOnly: true });
    try {
      this.#database.exec('PRAGMA locking_mode = exclusive; PRAGMA trusted_schema = off');
      this.#database.all('SELECT count(*) FROM sqlite_schema');
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Throws if changes of another program are not in the file yet. */
  #check(): string {
    if (
      ['-wal', '-journal'].some(
        (end) => existsSync(this.#file + end) && statSync(this.#file + end).size > 0,
      )
    )
      throw new Error(CHANGED);
    const { ino, mtimeMs, size } = statSync(this.#file);
    return `${ino} ${mtimeMs} ${size}`;
  }

  async execute(sql: string): Promise<StartedStatement> {
    await this.skip();
    const [first] = tokenize(sql);
    if (!first) return { summary: 'OK' };
    // Others could change the file, or open another one.
    if (!['select', 'with', 'values'].includes(first.text.toLowerCase()))
      throw new Error(READ_ONLY);
    this.#state = this.#check();
    // The columns of a view have different names, and are known without a row.
    this.#run('DROP VIEW IF EXISTS temp._tiding_result');
    this.#run(`CREATE TEMP VIEW _tiding_result AS\n${sql}`);
    this.#names = this.#database
      .all("SELECT name FROM pragma_table_xinfo('_tiding_result')")
      .map((row) => String(row['name']));
    this.#statement = this.#database.prepare('SELECT * FROM temp._tiding_result');
    this.#rows = this.#statement.iterate() as IterableIterator<Row>;
    this.#first = this.#next(FIRST_ROWS);
    const columns = this.#names.map((name): TextColumn => {
      return {
        name: name.replace(/:\d+$/, ''),
        kind: kindOf(this.#first.map((row) => row[name] ?? null)),
      };
    });
    return { columns, summary: '' };
  }

  #run(sql: string): void {
    const statement = this.#database.prepare(sql);
    try {
      statement.run();
    } finally {
      statement.finalize();
    }
  }

  #next(count: number): Row[] {
    const rows: Row[] = [];
    while (this.#rows && rows.length < count) {
      const { done, value } = this.#rows.next();
      if (done) this.#rows = undefined;
      else rows.push(value);
    }
    if (!this.#rows && this.#check() !== this.#state) throw new Error(CHANGED);
    return rows;
  }

  async read(count: number): Promise<readonly TextRow[]> {
    const rows = this.#first.splice(0, count);
    if (rows.length < count) rows.push(...this.#next(count - rows.length));
    return rows.map((row) => this.#names.map((name) => textOf(row[name] ?? null)));
  }

  async skip(): Promise<void> {
    this.#rows = undefined;
    this.#first = [];
    this.#statement?.finalize();
    this.#statement = undefined;
  }

  /** A statement can't be interrupted: the server ends the process. */
  interrupt(): void {}

  close(): void {
    this.#statement?.finalize();
    this.#database.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function kindOf(values: readonly Value[]): ColumnKind {
  const some = values.filter((value) => value !== null);
  const are = (fits: (value: Value) => boolean): boolean => some.length > 0 && some.every(fits);
  if (are((value) => typeof value === 'bigint' || Number.isSafeInteger(value))) return 'int64';
  if (are((value) => typeof value === 'number')) return 'float64';
  return are((value) => value instanceof Uint8Array) ? 'bytes' : 'text';
}

const textOf = (value: Value): string | null =>
  value instanceof Uint8Array ? bytesText(value) : value === null ? null : String(value);
