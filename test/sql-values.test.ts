/**
 * Values of the SQL engine on the server's surfaces. Each is compared with the text of the engine
 * itself, CAST(… AS VARCHAR), so that no format agrees only with another one of the server.
 */
import { readFileSync } from 'node:fs';
import { DuckDBConnection } from '@duckdb/node-api';
import { type Client, createClient, outputText, type Paragraph } from '@tiding/client';
import { arrowFormat, hasArrowValue } from '@tiding/client/model';
import { type RecordBatch, type Table, tableFromIPC } from 'apache-arrow';
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

beforeAll(async () => {
  embedded = await startEmpty({ logLevel: 'silent' });
  token = (await new AccessTokenStore(embedded.data).create('admin')).token!;
  client = createClient({ server: embedded.server.url, auth: { token } });
  engine = await DuckDBConnection.create();
});
afterAll(async () => {
  client.close();
  engine.closeSync();
  await embedded.stop();
});

/** The same text for each spelling of a value that the documentation allows. */
function spelled(value: unknown): string | null {
  if (value === null) return null;
  return String(value)
    .replace(/^(-?)inf$/, '$1Infinity')
    .replace(/^nan$/, 'NaN')
    .replace(/^(\d+-\d\d-\d\d(?: \(BC\))?)T/, '$1 ')
    .replace(/(\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|\+00)$/, '$1+00')
    .replace(/^(-?\d+)\.0$/, '$1')
    .replace(/^(-?\d+)\.0e/, '$1e')
    .replace(/^goo\0se$/, 'goo se');
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

async function download(resultId: string, format: string): Promise<string> {
  const answer = await fetch(`${embedded.server.url}/api/magpie/result/${resultId}?format=${format}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const file = join(embedded.data, `${resultId}.${format}`);
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  return file;
}

async function run(name: string, code: string): Promise<{ result: RunResult; resultId: string }> {
  const note = await client.open(await client.notes.create({ path: `Values/${name}` }));
  const paragraph = await note.insert({ text: `%sql\n${code}` });
  const result = await paragraph.run();
  expect(result.status).toBe('FINISHED');
  return { result, resultId: `${note.id}.${paragraph.id}.${result.outputs.length - 1}` };
}

it.each(statements)('%s has its values on every surface', async (name, sql) => {
  const { result } = await run(name, sql);
  const [output] = result.outputs;
  const table = await result.table();
  const names = table.schema.fields.map(({ name: column }) => String(column));
  const wanted = await ask(sql, names);
  // Nothing throws.
  table.toArray().map((row) => row.toJSON());
  expect(textsOf(table.batches)).toEqual(wanted);

  const [, ...lines] = outputText(output!).trimEnd().split('\n');
  const first = lines.map((text) => text.split('\t').map(spelled));
  const shown = wanted.map((row) => row.map((text) => text?.replace(/[\t\r\n]/g, ' ') ?? 'null'));
  expect(first).toEqual(shown);
});
