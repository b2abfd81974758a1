/** Sessions of a DuckDB file. */
import {
  type DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
  ResultReturnType,
  StatementType,
} from '@duckdb/node-api';
import { formatterOf } from '../../sql/engine/format.ts';
import { bytesText, countRows } from '../../table-text.ts';
import type { ColumnKind, TextColumn, TextRow } from '../text-columns.ts';
import {
  type FileEngine,
  type FileSession,
  type OpenFile,
  READ_ONLY,
  type StartedStatement,
} from './file-messages.ts';

/** Statements that change nothing in the file. */
const READING = new Set([
  StatementType.SELECT,
  StatementType.EXPLAIN,
  StatementType.SET,
  StatementType.VARIABLE_SET,
  StatementType.TRANSACTION,
]);

/** Opens the file. Statements of its sessions can't use other files or load extensions. */
export async function openDuckdbFile(options: OpenFile): Promise<FileEngine> {
  const { file, megabytes, readOnly, temporaryFolder } = options;
  const instance = await DuckDBInstance.create(file, {
    access_mode: readOnly ? 'READ_ONLY' : 'READ_WRITE',
    memory_limit: `${megabytes}MB`,
    temp_directory: temporaryFolder,
    max_temp_directory_size: '20GiB',
    errors_as_json: 'true',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const first = await instance.connect();
  await first.run('SET enable_external_access=false');
  await first.run('SET lock_configuration=true');
  first.disconnectSync();
  return { connect: async () => new DuckdbSession(await instance.connect()) };
}

class DuckdbSession implements FileSession {
  readonly #connection: DuckDBConnection;
  #prepared: DuckDBPreparedStatement | undefined;
  #result: DuckDBResult | undefined;
  #formatters: readonly ((value: DuckDBValue) => string | null)[] = [];
  #rows: TextRow[] = [];
  #isStream = false;

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  async execute(sql: string, readOnly: boolean): Promise<StartedStatement> {
    await this.skip();
    const extracted = await this.#connection.extractStatements(sql);
    let started: StartedStatement = { summary: 'OK' };
    // The engine may split one statement into several. The result is that of the last one.
    for (let index = 0; index < extracted.count; index += 1) {
      this.#prepared?.destroySync();
      this.#prepared = await extracted.prepare(index);
      started = await this.#start(this.#prepared, sql, readOnly);
    }
    return started;
  }

  async #start(
    prepared: DuckDBPreparedStatement,
    sql: string,
    readOnly: boolean,
  ): Promise<StartedStatement> {
    const type = prepared.statementType;
    const executes = type === StatementType.EXPLAIN && /\banalyze\b/i.test(sql);
    if (readOnly && (!READING.has(type) || executes)) throw new Error(READ_ONLY);
    this.#isStream = type === StatementType.SELECT;
    const result = this.#isStream ? await prepared.stream() : await prepared.run();
    if (result.returnType === ResultReturnType.CHANGED_ROWS)
      return { summary: `OK, ${countRows(result.rowsChanged)} changed` };
    if (result.returnType !== ResultReturnType.QUERY_RESULT || result.columnCount === 0)
      return { summary: 'OK' };
    const columns = result.columnNames().map((name, at): TextColumn => {
      return { name, kind: kindOf(result, at) };
    });
    this.#result = result;
    this.#formatters = columns.map(({ kind }, at) => textOf(kind, result.columnType(at)));
    return { columns, summary: '' };
  }

  async read(count: number): Promise<readonly TextRow[]> {
    while (this.#result && this.#rows.length < count) {
      const chunk = await this.#result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) {
        const isFailed = this.#result.returnType === ResultReturnType.INVALID;
        this.#result = undefined;
        // A failed stream looks like a complete one. It runs again for its error.
        if (isFailed) {
          await this.#prepared!.run();
          throw new Error('The statement failed while reading its rows. Run it again.');
        }
        break;
      }
      for (const row of chunk.getRows())
        this.#rows.push(
          row.map((value, at) => (value === null ? null : this.#formatters[at]!(value))),
        );
    }
    return this.#rows.splice(0, count);
  }

  async skip(): Promise<void> {
    this.#rows = [];
    // A stream that was not read to its end is closed by the next statement.
    if (this.#result && this.#isStream) await this.#connection.run('SELECT 1');
    this.#result = undefined;
  }

  interrupt(): void {
    this.#connection.interrupt();
  }

  close(): void {
    this.#prepared?.destroySync();
    this.#connection.disconnectSync();
  }
}

const KINDS = new Map<number, ColumnKind>([
  [DuckDBTypeId.BOOLEAN, 'boolean'],
  [DuckDBTypeId.TINYINT, 'int8'],
  [DuckDBTypeId.SMALLINT, 'int16'],
  [DuckDBTypeId.INTEGER, 'int32'],
  [DuckDBTypeId.BIGINT, 'int64'],
  [DuckDBTypeId.UTINYINT, 'uint8'],
  [DuckDBTypeId.USMALLINT, 'uint16'],
  [DuckDBTypeId.UINTEGER, 'uint32'],
  [DuckDBTypeId.UBIGINT, 'uint64'],
  [DuckDBTypeId.FLOAT, 'float32'],
  [DuckDBTypeId.DOUBLE, 'float64'],
  // Sums of integers; most have few digits.
  [DuckDBTypeId.HUGEINT, {}],
  [DuckDBTypeId.DATE, 'date'],
  [DuckDBTypeId.TIME, 'time'],
  [DuckDBTypeId.TIMESTAMP, 'timestamp'],
  [DuckDBTypeId.TIMESTAMP_S, 'timestamp'],
  [DuckDBTypeId.TIMESTAMP_MS, 'timestamp'],
  [DuckDBTypeId.TIMESTAMP_TZ, 'instant'],
  [DuckDBTypeId.BLOB, 'bytes'],
]);

function kindOf(result: DuckDBResult, at: number): ColumnKind {
  const type = result.columnType(at);
  if (type.typeId === DuckDBTypeId.DECIMAL && 'width' in type)
    return { precision: Number(type.width), scale: Number(type.scale) };
  return KINDS.get(type.typeId) ?? 'text';
}

const textOf = (kind: ColumnKind, type: DuckDBType): ((value: DuckDBValue) => string | null) =>
  kind === 'bytes' ? (value) => bytesText((value as DuckDBBlobValue).bytes) : formatterOf(type);
