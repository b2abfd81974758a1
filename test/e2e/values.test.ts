/**
 * Values of SQL and of data frames on every surface, in a real browser and in files that other
 * programs read. The values are those that the engine itself writes: DuckDB, pandas, polars, or
 * the client of a database.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DuckDBConnection } from '@duckdb/node-api';
import { createClient, type Note, outputText, type Paragraph } from '@tiding/client';
import { arrowFormat, arrowRows, hasArrowValue, plainText, runNow } from '@tiding/client/model';
import { renderPage } from '@tiding/elements/snapshot';
import { DataType } from 'apache-arrow';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { formatTick } from '../../elements/result/parts/numbers.ts';
import { typedNumber } from '../../elements/result/rows/filter-range.ts';
import { orderRows } from '../../elements/result/rows/row-order.ts';
import { naturalType } from '../../elements/result/visualizations/table/layout/cell-formats.ts';
import { AccessTokenStore } from '../../server/auth/tokens.ts';
import { connectAgent } from '../support/mcp.ts';
import { pythonEnvironment } from '../support/python-environment.ts';
import { root } from '../support/sources.ts';
import { untilEnd } from '../support/until-end.ts';
import { bytesText, valueDatabases } from '../support/value-databases.ts';
import { startWalk, type Walk } from '../support/walk.ts';

/** Texts of each column; null is a missing value. */
type Columns = Readonly<Record<string, readonly (string | null)[]>>;

/** What spellings a column has: texts have one. */
type Kind = 'text' | 'nested' | 'number' | 'other';
/** What an engine says of a table. */
interface Wanted {
  readonly texts: Columns;
  readonly kinds: Readonly<Record<string, Kind>>;
}

const fixtures = join(root, 'test/fixtures/values');

let walk: Walk;
let page: Page;
let note: Note;
let token: string;
let engine: DuckDBConnection;
let python: Awaited<ReturnType<typeof pythonEnvironment>>;

/** All statements of the file beside each other, in one table. */
async function sqlTable(): Promise<string> {
  const parts = readFileSync(join(fixtures, 'of-duckdb.sql'), 'utf8').split(/^-- /m).slice(1);
  const names: string[] = [];
  const tables: string[] = [];
  for (const [at, part] of parts.entries()) {
    const end = part.indexOf('\n');
    const sql = part.slice(end).trim().replace(/;$/, '');
    for (const name of (await engine.run(sql)).columnNames())
      names.push(`t${at}."${name}" as "${part.slice(0, end)}.${name}"`);
    tables.push(`(${sql}) t${at}`);
  }
  return `select ${names.join(', ')} from ${tables.join('\npositional join ')}`;
}

/** The columns of a query as the engine writes them itself; nested values as JSON. */
async function ask(query: string): Promise<Wanted> {
  const found = await engine.run(`SELECT * FROM (${query}) LIMIT 0`);
  const names = found.columnNames();
  const kinds = found.columnTypes().map((type): Kind => {
    const name = String(type);
    if (/\[\d*\]$|^(?:STRUCT|MAP)\(/.test(name)) return 'nested';
    if (name === 'VARCHAR') return 'text';
    return /INT|DOUBLE|FLOAT|DECIMAL/.test(name) && !/^(?:INTERVAL|UNION)/.test(name)
      ? 'number'
      : 'other';
  });
  const list = kinds.map((kind, at) => {
    const own = kind === 'nested' ? `nullif(CAST(to_json(c${at}) AS VARCHAR), 'null')` : `c${at}`;
    return `CAST(${own} AS VARCHAR)`;
  });
  const renamed = names.map((_, at) => `c${at}`).join(', ');
  const answer = await engine.runAndReadAll(
    `SELECT ${list.join(', ')} FROM (${query}) t(${renamed})`,
  );
  return {
    texts: columnsOf(names, answer.getRows() as (string | null)[][]),
    kinds: Object.fromEntries(names.map((name, at) => [name, kinds[at]!])),
  };
}

const columnsOf = (
  names: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): Columns =>
  Object.fromEntries(names.map((name, at) => [name, rows.map((row) => row[at] ?? null)]));

/** A process that reads tables: importing the packages takes longer than reading. */
let reader: { readonly child: ChildProcess; readonly lines: AsyncIterator<string> } | undefined;
function startReader() {
  if ('missing' in python) throw new Error(python.missing);
  const child = spawn(python.program, [join(fixtures, 'read-tables.py')], {
    env: {
      ...process.env,
      PYTHONPATH: join(root, 'clients/python/src'),
      PYTHONWARNINGS: 'ignore',
      PYTHONDONTWRITEBYTECODE: '1',
      TIDING_SERVER: walk.embedded.server.url,
      TIDING_TOKEN: token,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
}

/** Reads tables with the packages of Python. */
async function readAll<T>(...places: (readonly [kind: string, place: unknown])[]): Promise<T[]> {
  reader ??= startReader();
  reader.child.stdin!.write(`${JSON.stringify(places)}\n`);
  const { done, value } = await reader.lines.next();
  if (done) throw new Error('The process that reads tables has ended.');
  return JSON.parse(value) as T[];
}

/** A table of the note, and what its engine says. */
interface Shown {
  readonly at: number;
  readonly paragraph: Paragraph;
  /** Index of its output. */
  readonly index: number;
  readonly wanted: Columns;
  readonly kinds: Wanted['kinds'];
}
const shown = new Map<string, Shown>();
const stops: (() => Promise<void>)[] = [];
const kindOf = (type: DataType): Kind => {
  if (DataType.isUtf8(type)) return 'text';
  if (/^(?:List|Struct|Map)/.test(String(type))) return 'nested';
  return /int|Float|Decimal/i.test(String(type)) ? 'number' : 'other';
};

beforeAll(async () => {
  python = await pythonEnvironment();
  if ('folder' in python) vi.stubEnv('TIDING_PYTHON_ENV', python.folder);
  walk = untilEnd(await startWalk());
  ({ page } = walk);
  token = (await new AccessTokenStore(walk.embedded.data).create('admin')).token!;
  engine = await DuckDBConnection.create();
  await engine.run("SET timezone = 'UTC'");
  const sql = await sqlTable();
  const programs = 'missing' in python ? [] : ['pandas', 'polars'];
  note = untilEnd(await walk.client.open(await walk.client.notes.create({ path: 'Values' })));
  const add = async (name: string, text: string, { texts, kinds }: Wanted) => {
    const paragraph = await note.insert({ text });
    const { status, outputs, error } = await paragraph.run();
    expect([name, status, error]).toEqual([name, 'FINISHED', undefined]);
    const index = outputs.findIndex(({ type }) => type === 'TABLE');
    shown.set(name, { at: shown.size, paragraph, index, wanted: texts, kinds });
  };
  await add('DuckDB', `%sql\n${sql}`, await ask(sql));
  const files = programs.map((name) => join(fixtures, `of-${name}.py`));
  const answers = files.length > 0 ? await readAll<Wanted>(...files.map(asProgram)) : [];
  await note.paragraphs[0]!.remove();
  for (const [at, name] of programs.entries())
    await add(name, `%python\n${readFileSync(files[at]!, 'utf8')}`, answers[at]!);
  for (const [name, { missing, start }] of Object.entries(valueDatabases)) {
    if (missing) continue;
    const { group, properties, query, lines, stop } = await start();
    stops.push(stop);
    await walk.client.interpreters.create({ name: group, group, properties });
    const [names = [], ...rows] = lines;
    const magic = group === 'pyspark' ? 'spark.sql' : group;
    await add(name, `%${magic}\n${query}`, {
      texts: columnsOf(names as string[], rows),
      kinds: {},
    });
    // Their other types are stored as texts.
    const { schema } = await shown.get(name)!.paragraph.result.table();
    const kinds = schema.fields.map(({ name: column, type }) => [String(column), kindOf(type)]);
    shown.set(name, { ...shown.get(name)!, kinds: Object.fromEntries(kinds) });
  }
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
}, 900_000);
afterAll(async () => {
  reader?.child.kill();
  engine?.closeSync();
  await Promise.all(stops.map((stop) => stop()));
  vi.unstubAllEnvs();
});
const asProgram = (file: string) => ['program', file] as const;

const article = ({ paragraph }: Shown) => page.locator(`article[data-paragraph="${paragraph.id}"]`);

/** Names of the formats in the menu of a table, by the extension of their files. */
const menu = { csv: 'CSV', tsv: 'TSV', xlsx: 'Excel', arrow: 'Arrow' } as const;

async function saved(table: Shown, format: keyof typeof menu): Promise<string> {
  await article(table).getByRole('button', { name: 'Download as' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: menu[format] }).first().click();
  const file = join(walk.embedded.data, `${table.at}.page.${format}`);
  await (await download).saveAs(file);
  return file;
}
async function exported({ paragraph, index, at }: Shown, format: string): Promise<string> {
  const answer = await fetch(
    `${walk.embedded.server.url}/api/magpie/result/${note.id}.${paragraph.id}.${index}` +
      `?format=${format}`,
    { headers: { authorization: `Bearer ${token}` } },
  );
  expect(answer.status).toBe(200);
  const file = join(walk.embedded.data, `${at}.server.${format}`);
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  return file;
}
const delimited = async (file: string, delimiter: string) =>
  (
    await ask(
      `SELECT * FROM read_csv('${file}', header = true, all_varchar = true, quote = '"', ` +
        `delim = '${delimiter}', escape = '"', allow_quoted_nulls = false)`,
    )
  ).texts;
const one = async (kind: string, place: unknown) => (await readAll<Columns>([kind, place]))[0]!;

/** Cells of the tables in HTML. */
async function cellsOf(html: string, { wanted, at }: Shown): Promise<Columns> {
  const other = await page.context().newPage();
  await other.setContent(html);
  const rows = await other
    .locator('table')
    .nth(at)
    .evaluate((table) =>
      [...table.querySelectorAll('tbody tr')].map((row) =>
        [...row.querySelectorAll('td')].map((cell) => {
          if (cell.firstElementChild?.tagName === 'I') return null;
          for (const end of cell.querySelectorAll('br')) end.replaceWith('\n');
          return cell.textContent;
        }),
      ),
    );
  await other.close();
  return columnsOf(Object.keys(wanted), rows);
}

/** Cells of the grid, which draws only columns in view. */
async function gridCells(table: Shown): Promise<Columns> {
  const grid = article(table).getByRole('grid');
  await grid.scrollIntoViewIfNeeded();
  const rows: (string | null)[][] = [];
  const seen = new Set<number>();
  const names = Object.keys(table.wanted);
  for (let left = 0; seen.size < names.length; left += 600) {
    expect(left, `columns ${[...seen].at(-1)}`).toBeLessThan(60_000);
    const cells = await grid.evaluate(async (box, to) => {
      box.scrollLeft = to;
      for (let wait = 0; wait < 3; wait += 1) await new Promise(requestAnimationFrame);
      return [...box.querySelectorAll<HTMLElement>('[role=gridcell][data-column]')].map((cell) => [
        Number(cell.dataset['row']),
        Number(cell.dataset['column']),
        cell.querySelector('.grid-null') ? null : cell.textContent,
      ]);
    }, left);
    for (const [row, column, text] of cells as [number, number, string | null][]) {
      (rows[row] ??= [])[column] = text;
      seen.add(column);
    }
  }
  return columnsOf(names, rows);
}

/** The lines of a copied range, as a spreadsheet takes them. */
async function copied(table: Shown): Promise<Columns> {
  await article(table)
    .getByRole('grid')
    .evaluate((box) => (box.scrollLeft = 0));
  await article(table).getByRole('gridcell').first().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(Object.values(table.wanted)[0]![0]!);
  const file = join(walk.embedded.data, `${table.at}.copied.tsv`);
  const names = Object.keys(table.wanted).join('\t');
  const text = await page.evaluate(() => navigator.clipboard.readText());
  await writeFile(file, `${names}\n${text}\n`);
  return delimited(file, '\t');
}

async function nodeRows({ paragraph }: Shown): Promise<Columns> {
  const table = await paragraph.result.table();
  // A value that scripts can't read would throw here.
  table.toArray().map((row) => row.toJSON());
  return Object.fromEntries(
    table.schema.fields.map(({ name }, at) => [
      String(name),
      table.batches.flatMap(({ data }) => {
        const child = data.children[at]!;
        const read = arrowFormat(child.type).text(child);
        return Array.from({ length: data.length }, (_, row) =>
          hasArrowValue(child, row) ? read(row) : null,
        );
      }),
    ]),
  );
}

async function agentRows({ paragraph, index }: Shown): Promise<Columns> {
  const client = createClient({ server: walk.embedded.server.url, auth: { token } });
  const agent = await connectAgent(client, 'read');
  const { data } = await agent.call('read_result', {
    note: note.id,
    paragraph: paragraph.id,
    output: index,
  });
  await agent.close();
  client.close();
  const { columns, rows } = data['table'] as {
    columns: { name: string }[];
    rows: (string | number | boolean | null)[][];
  };
  return columnsOf(
    columns.map(({ name }) => name),
    rows.map((row) => row.map((cell) => (cell === null ? null : String(cell)))),
  );
}

const noteText = async ({ paragraph, index, wanted }: Shown): Promise<Columns> =>
  columnsOf(
    Object.keys(wanted),
    outputText(paragraph.outputs[index]!)
      .split('\n')
      .slice(1, 1 + Object.values(wanted)[0]!.length)
      .map((line) => line.split('\t')),
  );

async function notebookCells(table: Shown): Promise<Columns> {
  const file = JSON.parse(await walk.client.notes.export(note.id, { format: 'ipynb' })) as {
    cells: { outputs?: { data?: Record<string, string | string[]> }[] }[];
  };
  const html = file.cells
    .flatMap(({ outputs = [] }) => outputs.flatMap(({ data }) => data?.['text/html'] ?? []))
    .join('');
  return cellsOf(html, table);
}

/** The values whose rows a filter by them keeps, if these are all rows with the value. */
async function filtered({ paragraph, wanted }: Shown): Promise<Columns> {
  const local = arrowRows();
  for (const batch of (await paragraph.result.table()).batches) local.add(batch);
  const source = local.snapshot({ complete: true });
  const all = Array.from({ length: source.length }, (_, row) => row);
  const found = source.columns.map((column, index): Columns[string] => {
    const texts = wanted[column.name]!;
    const as = naturalType(column);
    return texts.map((text, at) => {
      const value = source.value(at, index);
      const shown = value == null ? null : plainText(value, column);
      const term = as === 'number' && shown !== null ? typedNumber(shown) : shown;
      const filters = [[index, { operator: 'oneOf', values: [term] }]] as const;
      const kept = runNow(orderRows(source, { sorts: [], filters, typeOf: () => as }));
      // 0 and -0 are equal.
      const isZero = (each: string | null) =>
        as === 'number' && each !== null && Number(each) === 0;
      const isSame = (other: string | null) => other === text || (isZero(other) && isZero(text));
      const rows = all.filter((row) => isSame(texts[row]!));
      return String(kept ?? all) === String(rows) ? text : `rows ${kept} for ${term}`;
    });
  });
  return columnsOf(
    Object.keys(wanted),
    all.map((row) => found.map((texts) => texts[row]!)),
  );
}

/** The categories of a chart in the page, if what it draws of each is right. */
async function charted(table: Shown): Promise<Columns> {
  const chart = article(table).locator('.chart-body .visually-hidden table');
  const draw = (graph: object) =>
    table.paragraph.configure({ results: { [table.index]: { graph } } });
  const found: Record<string, (string | null)[]> = {};
  for (const [index, [name, texts]] of Object.entries(table.wanted).entries()) {
    const isNumber = table.kinds[name] === 'number';
    const field = { name, index, aggr: isNumber ? 'min' : 'count' };
    await draw({ mode: 'multiBarChart', keys: [], groups: [field], values: [field] });
    const header = (text: string) => chart.getByText(text, { exact: true });
    await header(name)
      .or(header(`${field.aggr} of ${name}`))
      .waitFor();
    const rows = await chart
      .locator('tbody tr')
      .evaluateAll((all) =>
        all.map(({ children }) => [...children].map((each) => each.textContent)),
      );
    const values = [...new Set(texts)];
    found[name] = texts.map((text) => {
      const [label = '', drawn] = rows[values.indexOf(text)] ?? [];
      const count = text === null ? 0 : texts.filter((each) => each === text).length;
      const number = Number(label);
      const right = isNumber ? (Number.isFinite(number) ? formatTick(number) : '') : String(count);
      return drawn === right ? label : `${label} drawn as ${drawn}`;
    });
  }
  await draw({ mode: 'table', keys: [], groups: [], values: [] });
  return found;
}

const surfaces: Readonly<Record<string, (table: Shown) => Promise<Columns>>> = {
  page: gridCells,
  copy: copied,
  'page CSV': async (table) => delimited(await saved(table, 'csv'), ','),
  'page TSV': async (table) => delimited(await saved(table, 'tsv'), '\t'),
  'page Excel': async (table) => one('excel', await saved(table, 'xlsx')),
  'page Arrow': async (table) => one('arrow', await saved(table, 'arrow')),
  CSV: async (table) => delimited(await exported(table, 'csv'), ','),
  JSON: async (table) => one('json', await exported(table, 'json')),
  Arrow: async (table) => one('arrow', await exported(table, 'arrow')),
  Parquet: async (table) => one('parquet', await exported(table, 'parquet')),
  'Jupyter file': notebookCells,
  HTML: async (table) =>
    cellsOf(
      await renderPage(await walk.client.notes.export(note.id), { client: walk.client }),
      table,
    ),
  'note text': noteText,
  Node: nodeRows,
  'Python frame': async (table) => (await pythonClient(table)).frame,
  'Python Arrow': async (table) => (await pythonClient(table)).arrow,
  'Python rows': async (table) => (await pythonClient(table)).rows,
  agent: agentRows,
  filter: filtered,
  chart: charted,
};
const pythonClient = async ({ paragraph }: Shown) =>
  (
    await readAll<{ frame: Columns; arrow: Columns; rows: Columns }>([
      'client',
      [note.id, paragraph.id],
    ])
  )[0]!;

/** The same text for each spelling of a value that the documentation allows. */
function spelled(value: string | null | undefined, kind: Kind): string | null | undefined {
  if (value === null || value === undefined) return value;
  // The engine's package drops it.
  if (kind === 'text') return value.replace(/^\uFEFF/, '');
  if (kind === 'nested')
    return value.replace(/(\d\.\d*?)0+(?=[,\]}])/g, '$1').replace(/\.(?=[,\]}])/g, '');
  if (/^-?\d+(?:\.\d+)?e[-+]?\d+$/i.test(value)) return String(Number(value));
  return value
    .replace(/^(-?)inf$/, '$1Infinity')
    .replace(/^nan$/, 'NaN')
    .replace(/^(\d+-\d\d-\d\d(?: \(BC\))?)T/, '$1 ')
    .replace(/(\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|\+00:00|\+00)$/, '$1+00')
    .replace(/^(-?\d+)\.0$/, '$1');
}

type Spell = (text: string | null) => string | null;
const each =
  (change: (text: string) => string | null): Spell =>
  (text) =>
    text === null ? null : change(text);
const bytesOf = (text: string): Buffer =>
  Buffer.from(
    text.replace(/\\x(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
const BYTES = /\.blob$|bytes$|^binary$|^flag$/;
const shortest = (text: string): string =>
  text
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .replace(/^-0$/, '0');
const NOT_FINITE = /^(?:-?inf(?:inity)?|nan)$/i;
const finite = (text: string): string | null => (/^nan$/i.test(text) ? null : text);
/** Where a value has another spelling on purpose: on which surfaces, in which columns, and why. */
const differing: readonly {
  on: RegExp;
  columns: RegExp;
  spell: Spell;
  /** Whether the surface has several spellings, of which all are right. */
  both?: true;
  why: string;
}[] = [
  // The engine's package for time zones computes with doubles.
  {
    on: /^(?!filter$)/,
    columns: /all_types.timestamp_tz$/,
    spell: each((text) => text.replace('.776806', '.775806')),
    why: 'exact',
  },
  {
    on: /^(?:page|HTML)$/,
    columns: BYTES,
    spell: each((text) => {
      const bytes = bytesOf(text);
      const cut = bytes.length > 12 ? '…' : '';
      const start = bytes.subarray(0, 12).toString('hex');
      return bytes.length === 0 ? '0 B' : `${bytes.length} B · ${start}${cut}`;
    }),
    why: 'hexadecimal',
  },
  {
    on: /^(?:page|HTML)$/,
    columns: /./,
    spell: each((text) => (text.length > 300 ? `${text.slice(0, 300)}…` : text)),
    why: 'short',
  },
  {
    on: /^(?:page|HTML)$/,
    columns: /./,
    spell: each((text) => text.replace(/\r\n|[\r\n]/g, '⏎')),
    why: 'line',
  },
  {
    on: /^(?:page|HTML)$/,
    columns: /^(?:words.html|marks)$/,
    spell: each((text) => text.replace(/^%html <.>(.*)<..>$/, '$1')),
    why: 'Zeppelin',
  },
  {
    on: /^(?:HTML|Jupyter file)$/,
    columns: /./,
    spell: each((text) => text.replaceAll('\0', '').replaceAll('\r', '\n')),
    why: 'markup',
  },
  {
    on: /^(?!.*(?:Arrow|frame|filter))/,
    columns: /double_array$/,
    spell: each((text) => text.replace(/-?Infinity|NaN/g, '"$&"')),
    why: 'JSON',
  },
  {
    on: /^Python frame$/,
    columns: /double_array$/,
    spell: each((text) => text.replace(/-?Infinity|NaN/g, 'null')),
    why: 'JSON',
  },
  {
    on: /^Python frame$/,
    columns: /(?:map|nested\.(?:m|md|mj|lj))$/,
    spell: () => null,
    both: true,
    why: 'pairs',
  },
  {
    on: /^Python frame$/,
    columns: /nested\.st?$/,
    spell: each((text) =>
      text
        .replace(/"([\d.]+)"/g, '$1')
        .replace('"{\\"x\\":\\"y\\"}"', '{"x":"y"}')
        .replace('1.10', '1.1'),
    ),
    both: true,
    why: 'Decimal',
  },
  {
    on: /^Python frame$/,
    columns: /^bc_time$/,
    spell: each(() => '-043-03-15 12:00:00'),
    why: 'pandas',
  },
  {
    on: /^Python frame$/,
    columns: /^record$/,
    spell: each((text) => text.replace(/"1.50?"|1.50?/, '1.5')),
    both: true,
    why: 'Decimal',
  },
  // The text of a note is what the database writes.
  {
    on: /^note text$/,
    columns: /^bc/,
    spell: each((text) => text.replace(/ \(BC\)(.*)/, '$1 BC')),
    why: 'text',
  },
  {
    on: /^note text$/,
    columns: /bytes$|^flag$/,
    spell: each((text) => (/^\\x[\da-f]*$/.test(text) ? bytesText(text.slice(2)) : text)),
    both: true,
    why: 'text',
  },
  {
    on: /./,
    columns: /^moment$/,
    spell: each((text) => text.replace(/(\.\d*?)0+$/, '$1')),
    both: true,
    why: 'fraction',
  },
  {
    on: /./,
    columns: /^span$/,
    spell: each((text) =>
      text.replace(
        /^INTERVAL '(\d+) (\d+)(:.*)' DAY.*/,
        (_, days: string, hours: string, rest: string) => `${24 * +days + +hours}${rest}`,
      ),
    ),
    both: true,
    why: 'hours',
  },
  {
    on: /^chart$/,
    columns: BYTES,
    spell: each((text) => bytesOf(text).toString('hex')),
    why: 'hexadecimal',
  },
  {
    on: /^chart$/,
    columns: /./,
    spell: (text) => text?.replace(/^"null"$/, 'null') ?? 'null',
    both: true,
    why: 'key of missing values',
  },
  // A column of Arrow has one number of digits, Excel and Python's JSON have numbers.
  { on: /./, columns: /^decimal(?:_nan)?$/, spell: each(shortest), both: true, why: 'scale' },
  {
    on: /^(?:page Excel|Python rows)$/,
    columns: /^(?:more\.d.*|zero|price)$/,
    spell: each(shortest),
    both: true,
    why: 'scale',
  },
  {
    on: /^page Excel$/,
    columns: /^(?:more.nz|float|arrow_float)$/,
    spell: each((text) => text.replace(/^-0(?:\.0)?$/, '0')),
    why: 'Excel',
  },
  {
    on: /^page Excel$/,
    columns: /./,
    // Excel reads this spelling of control characters, openpyxl leaves it as it is.
    spell: each((text) =>
      text.replace(/_x([\dA-F]{4})_/g, (_, code: string) => String.fromCharCode(+`0x${code}`)),
    ),
    both: true,
    why: 'Excel',
  },
  {
    on: /^page Excel$/,
    columns: /^(?:dates.tz|dst)$/,
    spell: each((text) => text.replace('+00', '')),
    why: 'zone',
  },
  { on: /^Python frame$/, columns: /^(?:more.n|float|nan)$/, spell: each(finite), why: 'pandas' },
  { on: /^(?:copy|page Excel)$/, columns: /./, spell: (text) => text || null, why: 'empty' },
  {
    on: /^note text$/,
    columns: /./,
    spell: (text) => text?.replace(/\r\n|[\t\r\n]/g, ' ') ?? 'null',
    why: 'text',
  },
  {
    on: /^(?:JSON|Python rows)$/,
    columns: BYTES,
    spell: each((text) => bytesOf(text).toString('base64')),
    why: 'base64',
  },
  {
    on: /^(?:JSON|Python rows)$/,
    columns: /^(?:more\.[ni]|infinite|float|nan|(?:minus_)?inf)$/,
    spell: each((text) => (NOT_FINITE.test(text) ? null : text)),
    why: 'JSON',
  },
];

const REASON = () => ('missing' in python ? python.missing : undefined);
describe.each(['DuckDB', 'pandas', 'polars', ...Object.keys(valueDatabases)])(
  'a table of %s',
  (engineName) => {
    it.each(Object.keys(surfaces))('has its values: %s', async (surface) => {
      const table = shown.get(engineName);
      const missing = valueDatabases[engineName]?.missing ?? REASON();
      if (!table || (missing && /Python|Arrow|Excel|JSON|Parquet/.test(surface)))
        return console.log(`skipped: ${missing}`);
      const found = await surfaces[surface]!(table);
      const isFormatted = /^(?:page|HTML)$/.test(surface);
      const wrong: unknown[] = [];
      for (const [name, texts] of Object.entries(table.wanted)) {
        const kind = table.kinds[name]!;
        const changes = differing.filter(
          ({ on, columns }) => on.test(surface) && columns.test(name),
        );
        const should = texts.map((text) =>
          spelled(
            changes.reduce((now, { spell }) => spell(now), text),
            kind,
          ),
        );
        const is = texts.map((_, row) => {
          const text = found[name]?.[row] ?? null;
          const plain =
            isFormatted && kind === 'number'
              ? text?.replace(/,/g, '').replace('\u2212', '-')
              : text;
          return spelled(
            changes.reduce((now, { both, spell }) => (both ? spell(now) : now), plain ?? null),
            kind,
          );
        });
        if (JSON.stringify(is) !== JSON.stringify(should)) wrong.push([name, is, should]);
      }
      expect(wrong).toEqual([]);
    });
  },
);

it('instants have the zone of the session, and a table without rows its columns', async () => {
  const text = '2024-01-01 00:30:00+09:00';
  const paragraph = await note.insert({
    text:
      "%sql\nset timezone = 'Asia/Tokyo'; " +
      "select timestamptz '2023-12-31 15:30:00+00' as t, [t] as l; select 1 as a where false",
  });
  const { outputs } = await paragraph.run();
  expect(outputs.filter(({ type }) => type === 'TABLE').map(outputText)).toEqual([
    `t\tl\n${text}\t["${text}"]\n`,
    'a\n\n',
  ]);
});
