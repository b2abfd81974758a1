/** Reads the tables of an SQLite database. */
import { symlink } from 'node:fs/promises';
import type { Database, SQLite3Error } from 'node-sqlite3-wasm';
import { quoteName } from '../../script.ts';
import { isoKindOf } from './dates.ts';
import { FileProblem } from './problem.ts';
import type { TableSource } from './table-source.ts';
import type { TypedTable, ValueKind } from './typed-table.ts';

/** Other kinds of objects that a database lists, and what they are called. */
const NOT_READ: Readonly<Record<string, string>> = {
  view: 'is a view',
  virtual: 'is a virtual table',
};

/**
 * Opens a database.
 * @param folder for temporary files
 */
export async function openSqlite(file: string, folder: string): Promise<TableSource> {
  // SQLite creates a lock beside the name under which it opens a file.
  const link = `${folder}/database`;
  await symlink(file, link);
  const { default: sqlite } = await import('node-sqlite3-wasm');
  const database = new sqlite.Database(link, { fileMustExist: true, readOnly: true });
  const close = (): void => database.close();
  try {
    // A database in WAL mode opens without its shared memory only if nobody else uses it.
    database.exec('PRAGMA locking_mode = exclusive; PRAGMA trusted_schema = off');
    const listed = database.all(
      "SELECT name, type FROM pragma_table_list WHERE schema = 'main' " +
        "AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite@_%' ESCAPE '@' " +
        'ORDER BY (SELECT rowid FROM sqlite_schema AS s WHERE s.name = pragma_table_list.name)',
    ) as { name: string; type: string }[];
    return {
      kind: 'table',
      tables: listed
        .filter(({ type }) => type === 'table')
        .map(({ name }) => ({ name, read: (table) => readTable(database, name, table) })),
      skipped: listed.flatMap(({ name, type }) =>
        NOT_READ[type] === undefined ? [] : [{ name, reason: NOT_READ[type] }],
      ),
      close,
    };
  } catch (error) {
    close();
    throw damaged(error);
  }
}

const damaged = (error: unknown) =>
  error instanceof FileProblem
    ? error
    : new FileProblem(`can't be read: ${(error as SQLite3Error).message}.`);

/** How the values of a column are read, by its declared type. */
interface SqliteColumn {
  readonly name: string;
  readonly isReal: boolean;
  readonly isBoolean: boolean;
  readonly isTime: boolean;
}

async function readTable(database: Database, name: string, table: TypedTable): Promise<string[]> {
  try {
    const columns = (
      database.all('SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden <> 1', [name]) as {
        name: string;
        type: string;
      }[]
    ).map(
      ({ name: column, type }): SqliteColumn => ({
        name: column,
        isReal: /REAL|FLOA|DOUB|DEC|NUM/i.test(type),
        isBoolean: /BOOL/i.test(type),
        isTime: /DATE|TIME/i.test(type),
      }),
    );
    // Short names, because a result is an object.
    const list = columns.map((column, at) => `${quoteName(column.name)} AS c${at}`).join(', ');
    const statement = database.prepare(`SELECT ${list} FROM ${quoteName(name)}`);
    try {
      for (const row of statement.iterate()) {
        for (const [at, column] of columns.entries()) {
          const value = row[`c${at}`];
          if (value === null || value === undefined) continue;
          const known = value as Exclude<typeof value, object> | Uint8Array;
          const { kind, text } = sqliteValue(known, column);
          table.set(at, kind, text);
        }
        table.endRow();
        if (table.isFull) await table.flush();
      }
    } finally {
      statement.finalize();
    }
    return columns.map((column) => column.name);
  } catch (error) {
    throw damaged(error);
  }
}

function sqliteValue(
  value: number | bigint | string | Uint8Array,
  { isReal, isBoolean, isTime }: SqliteColumn,
): { kind: ValueKind; text: string } {
  if (value instanceof Uint8Array)
    return { kind: 'blob', text: Buffer.from(value).toString('hex') };
  if (typeof value === 'string')
    return { kind: (isTime && isoKindOf(value)) || 'text', text: value };
  if (isBoolean && (value === 0 || value === 1))
    return { kind: 'boolean', text: value === 1 ? 'true' : 'false' };
  const isInteger = typeof value === 'bigint' || (Number.isSafeInteger(value) && !isReal);
  return { kind: isInteger ? 'integer' : 'number', text: String(value) };
}
