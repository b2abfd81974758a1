/** Databases of other makers: the values of a query, and the texts that their own client prints. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MARIADB_PASSWORD, startMariadb } from '../engines/mariadb-server.ts';
import { POSTGRES_PASSWORD, startPostgres } from '../engines/postgres-server.ts';
import { root } from './sources.ts';

type Texts = readonly (string | null)[];

/** A database that was started. */
interface ValueDatabase {
  readonly group: string;
  readonly properties: Readonly<Record<string, string>>;
  /** A row of values, and one without. */
  readonly query: string;
  /** The names of its columns and its rows, as the client of the database prints them. */
  readonly lines: readonly Texts[];
  stop(): Promise<void>;
}

const run = promisify(execFile);
const sqlOf = (name: string): string[] =>
  readFileSync(join(root, `test/fixtures/values/of-${name}.sql`), 'utf8').split('-- select\n');
/** A second row has no values. */
const withNulls = (sql: string): string =>
  `select v.* from (select 1 as n union all select 2) r left join (${sql.trim()}) v on r.n = 1 ` +
  'order by r.n';

/** Binary values as DuckDB writes them. */
export const bytesText = (hex: string): string =>
  Buffer.from(hex, 'hex')
    .toString('latin1')
    .replace(
      /[^ -[\]-~]/g,
      (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
    );

/** PostgreSQL, as `psql` says. Its spelling of what other databases have too is DuckDB's. */
async function postgresql(): Promise<ValueDatabase> {
  const [setup = '', sql = ''] = sqlOf('postgresql');
  const { port, query, stop } = await startPostgres();
  await query(setup);
  const separators = ['-F', '\x1f', '-R', '\x1e', '-P', 'null=\x1d', '-P', 'footer=off'];
  const login = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres'];
  const { stdout } = await run(
    'psql',
    [...login, '-X', '-A', ...separators, '-c', withNulls(sql)],
    { env: { ...process.env, PGPASSWORD: POSTGRES_PASSWORD, PGTZ: 'UTC' } },
  );
  const lines = stdout
    .replace(/\n$/, '')
    .split('\x1e')
    .map((line) => line.split('\x1f'));
  return {
    group: 'postgresql',
    properties: {
      ...{ host: '127.0.0.1', port: String(port), database: 'postgres' },
      ...{ user: 'postgres', password: POSTGRES_PASSWORD },
    },
    query: withNulls(sql),
    lines: lines.map((line) =>
      line.map((text, at) => {
        if (text === '\x1d') return null;
        if (/^\\x[\da-f]*$/.test(text)) return bytesText(text.slice(2));
        if (lines[0]![at] === 'yes') return text.replace(/^t$/, 'true');
        return text.replace(/^([-\d]+)(.*) BC$/, '$1 (BC)$2');
      }),
    ),
    stop,
  };
}

/** MariaDB, as `mariadb` says. */
async function mariadb(): Promise<ValueDatabase> {
  const [setup = '', sql = ''] = sqlOf('mariadb');
  const { port, query, stop } = await startMariadb();
  await query(`use shop; ${setup}`);
  const { stdout } = await run('mariadb', [
    ...['--no-defaults', '--host=127.0.0.1', `--port=${port}`, '--user=tester', '--batch'],
    ...[`--password=${MARIADB_PASSWORD}`, '--default-character-set=utf8mb4', '--binary-as-hex'],
    ...['shop', '-e', withNulls(sql)],
  ]);
  const escaped: Readonly<Record<string, string>> = { t: '\t', n: '\n', '0': '\0' };
  return {
    group: 'mysql',
    properties: {
      ...{ host: '127.0.0.1', port: String(port), database: 'shop' },
      ...{ user: 'tester', password: MARIADB_PASSWORD },
    },
    query: withNulls(sql),
    lines: stdout
      .trimEnd()
      .split('\n')
      .map((line, row) =>
        line.split('\t').map((text) => {
          // It prints binary values that are NULL like empty ones.
          if (text === 'NULL' || (text === '0x' && row === 2)) return null;
          if (/^0x[\dA-F]*$/.test(text)) return bytesText(text.slice(2));
          return text.replace(/\\(.)/g, (_, code: string) => escaped[code] ?? code);
        }),
      ),
    stop,
  };
}

/** Spark, as Python prints what it casts to texts. */
async function spark(): Promise<ValueDatabase> {
  const [sql = ''] = sqlOf('spark');
  const python = process.env['TIDING_TEST_PYSPARK']!;
  const { stdout } = await run(python, ['-c', SPARK_TEXTS, withNulls(sql)]);
  return {
    group: 'pyspark',
    properties: {
      'python.path': python,
      'spark.conf':
        'spark.master=local[1]\nspark.driver.memory=512m\nspark.sql.session.timeZone=UTC',
    },
    query: withNulls(sql),
    lines: (JSON.parse(stdout.trim().split('\n').at(-1)!) as Texts[]).map((line) =>
      line.map((text) => (text?.startsWith('\\x') ? bytesText(text.slice(2)) : text)),
    ),
    stop: async () => undefined,
  };
}
const SPARK_TEXTS = `
import json, sys
from pyspark.sql import SparkSession
from pyspark.sql.functions import col, concat, hex, lit, to_json
session = SparkSession.builder.master("local[1]").config("spark.sql.session.timeZone", "UTC")
frame = session.config("spark.ui.enabled", "false").getOrCreate().sql(sys.argv[1])
def text(name, kind):
    if kind.startswith(("array", "map", "struct")):
        return to_json(col(name)).alias(name)
    if kind == "binary":
        return concat(lit("\\\\x"), hex(col(name))).alias(name)
    return concat(col(name).cast("string"), lit("+00" if kind == "timestamp" else "")).alias(name)

texts = frame.select([text(*each) for each in frame.dtypes])
print(json.dumps([frame.columns, *map(list, texts.collect())]))
`;

const given = (variable: string): string | undefined =>
  process.env[variable] === undefined ? 'npm run test:engines -- values has it' : undefined;

/** Databases by name. Those with a reason are missing here. */
export const valueDatabases: Readonly<
  Record<string, { readonly missing: string | undefined; start(): Promise<ValueDatabase> }>
> = {
  PostgreSQL: { missing: given('TIDING_TEST_POSTGRESQL'), start: postgresql },
  MariaDB: { missing: given('TIDING_TEST_MARIADB'), start: mariadb },
  Spark: { missing: given('TIDING_TEST_PYSPARK'), start: spark },
};
