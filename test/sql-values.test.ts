/**
 * Values of the SQL engine on the server's surfaces. Each is compared with the text of the engine
 * itself, CAST(… AS VARCHAR), so that no format agrees only with another one of the server.
 */
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { type Client, createClient, type Note, outputText, type RunResult } from '@tiding/client';
import { arrowFormat, hasArrowValue } from '@tiding/client/model';
import type { RecordBatch } from 'apache-arrow';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { startEmpty } from './support/raw.ts';

type Texts = readonly (readonly (string | null)[])[];

/** Statements by name: `-- name`, and a statement below it. */
const statements = readFileSync(new URL('fixtures/sql-values.sql', import.meta.url), 'utf8')
  .split(/^-- /m)
  .slice(1)
  .map((part): [string, string] => {
    const end = part.indexOf('\n');
    return [part.slice(0, end), part.slice(end).trim().replace(/;$/, '')];
  });

let embedded: Awaited<ReturnType<typeof startEmpty>>;
let token: string;
let client: Client;
let engine: DuckDBConnection;
let note: Note;

beforeAll(async () => {
  embedded = await startEmpty({ logLevel: 'silent' });
  token = (await new AccessTokenStore(embedded.data).create('admin')).token!;
  client = createClient({ server: embedded.server.url, auth: { token } });
  note = await client.open(await client.notes.create({ path: 'Values' }));
  engine = await DuckDBConnection.create();
  await engine.run("SET timezone = 'UTC'");
});
afterAll(async () => {
  client.close();
  engine.closeSync();
  await embedded.stop();
});

/** The same text for each spelling of a value that the documentation allows. */
function spelled(value: unknown): string | null {
  if (value === null) return null;
  return (
    String(value)
      .replace(/^(-?)inf$/, '$1Infinity')
      .replace(/^nan$/, 'NaN')
      .replace(/^(\d+-\d\d-\d\d(?: \(BC\))?)T/, '$1 ')
      .replace(/(\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|\+00)$/, '$1+00')
      .replace(/^(-?\d+)\.0$/, '$1')
      .replace(/^(-?\d+)\.0e/, '$1e')
      .replace(/^goo\0se$/, 'goo se')
      // The engine's package drops it.
      .replace(/^\uFEFF/, '')
  );
}

/** The rows of a statement as the engine writes them itself; nested values as JSON. */
async function ask(from: string, names: readonly string[]): Promise<Texts> {
  const renamed = names.map((_, at) => `c${at}`);
  const source = `(${from}) t(${renamed.join(', ')})`;
  const types = (await engine.run(`SELECT * FROM ${source} LIMIT 0`)).columnTypes();
  const list = types.map((type, at) => {
    const isNested = /\[\d*\]$|^(?:STRUCT|MAP)\(/.test(String(type));
    const own = isNested ? `nullif(CAST(to_json(c${at}) AS VARCHAR), 'null')` : `c${at}`;
    return `CAST(${own} AS VARCHAR)`;
  });
  const rows = await engine.runAndReadAll(`SELECT ${list.join(', ')} FROM ${source}`);
  return rows.getRows().map((row) => row.map(spelled));
}

const textsOf = (batches: readonly RecordBatch[]): Texts =>
  batches.flatMap((batch) => {
    const columns = batch.data.children.map((data) => ({
      data,
      read: arrowFormat(data.type).text(data),
    }));
    return Array.from({ length: batch.numRows }, (_, row) =>
      columns.map(({ data, read }) => (hasArrowValue(data, row) ? spelled(read(row)) : null)),
    );
  });

/** How the engine reads a file again. */
const readers: Readonly<Record<string, (file: string, names: readonly string[]) => string>> = {
  csv: (file, names) =>
    `read_csv('${file}', header = true, all_varchar = true, delim = ',', quote = '"', ` +
    `escape = '"', allow_quoted_nulls = ${names.length === 1})`,
  json: (file, names) =>
    `read_json('${file}', columns = {${names.map((name) => `'${name}': 'VARCHAR'`).join(', ')}})`,
  parquet: (file) => `read_parquet('${file}')`,
};

async function download(resultId: string, format: string): Promise<string> {
  const answer = await fetch(
    `${embedded.server.url}/api/magpie/result/${resultId}?format=${format}`,
    {
      headers: { authorization: `Bearer ${token}` },
    },
  );
  const file = join(embedded.data, `${resultId}.${format}`);
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  return file;
}

async function run(code: string): Promise<{ result: RunResult; resultId: string }> {
  const paragraph = await note.insert({ text: `%sql\n${code}` });
  const result = await paragraph.run();
  expect(result.status).toBe('FINISHED');
  const index = result.outputs.findIndex(({ type }) => type === 'TABLE');
  return { result, resultId: `${note.id}.${paragraph.id}.${index}` };
}

/** Columns that a format, or the engine's reader of it, can't hold. */
const lacking: Readonly<Record<string, readonly string[]>> = {
  json: ['blob', 'n', 'i', 'dec38_10', 'd', 'nz'],
  parquet: ['tn'],
};

it.each(statements)('%s has its values on every surface', async (_, sql) => {
  const { result, resultId } = await run(sql);
  const table = await result.table();
  const names = table.schema.fields.map(({ name: column }) => String(column));
  const wanted = await ask(sql, names);
  // A value that scripts can't read would throw here.
  table.toArray().map((row) => row.toJSON());
  expect(textsOf(table.batches)).toEqual(wanted);

  const [, ...lines] = outputText(result.outputs[0]!).split('\n');
  const shown = wanted.map((row) => row.map((text) => text?.replace(/[\t\r\n]/g, ' ') ?? 'null'));
  expect(lines.slice(0, wanted.length).map((line) => line.split('\t').map(spelled))).toEqual(shown);

  for (const [format, reader] of Object.entries(readers)) {
    const from = `SELECT * FROM ${reader(await download(resultId, format), names)}`;
    const has = names.map((column) => !lacking[format]?.includes(column));
    const only = (rows: Texts): Texts => rows.map((row) => row.filter((_, at) => has[at]));
    expect([format, only(await ask(from, names))]).toEqual([format, only(wanted)]);
  }
});

it('shows instants in the zone of the session', async () => {
  const { result, resultId } = await run(
    "set timezone = 'Asia/Tokyo'; select timestamptz '2023-12-31 15:30:00+00' as t, [t] as l",
  );
  const text = '2024-01-01 00:30:00+09:00';
  expect(outputText(result.outputs.at(-1)!)).toBe(`t\tl\n${text}\t["${text}"]\n`);
  expect(textsOf((await result.table()).batches)[0]![0]).toBe(text);
  expect(await readFile(await download(resultId, 'csv'), 'utf8')).toContain(`\r\n${text},`);
});
