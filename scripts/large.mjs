/**
 * `npm run bench:large`: measures results that are larger than memory, beside DuckDB alone on the
 * same file. It needs a build, and disk space: 10 million rows have about 400 MB. On a busy machine
 * the comparison is not fair: the server's engine has a lower priority, and DuckDB alone has not.
 *
 * npm run bench:large -- [--rows 1000000,10000000] [--csv 1000000000] [--folder /tmp/large]
 *
 * `--rows`: sizes of Parquet files; `--csv`: size of a CSV file in bytes. The files and the
 * server's data are deleted at the end. Memory is that of the server with its engine processes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { createClient, outputText } from '@tiding/client';

const PASSWORD = 'only-for-measuring';
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000,10000000' },
    csv: { type: 'string' },
    folder: { type: 'string', default: tmpdir() },
  },
});

/** Columns of every common type; `price` is random, `customer` has 200,000 values. */
const select = (rows) => `
  SELECT i AS id, timestamp '2020-01-01' + interval (i % 100000000) second AS moment,
    ['north', 'south', 'east', 'west', 'centre'][1 + (hash(i) % 5)::int] AS region,
    'Customer ' || (hash(i * 7) % 200000) AS customer, (hash(i * 3) % 1000)::int AS units,
    (hash(i * 11) % 100000) / 100.0 AS price, (i % 2 = 0) AS paid,
    date '2020-01-01' + (i % 1500)::int AS day
  FROM range(${rows}) t(i)`;

const root = join(import.meta.dirname, '..');
mkdirSync(values.folder, { recursive: true });
const folder = mkdtempSync(join(values.folder, 'tiding-large-'));
const data = join(folder, 'data');
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Milliseconds that `work` takes, and its result. */
async function timed(work) {
  const began = performance.now();
  const result = await work();
  return { ms: performance.now() - began, result };
}

const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '2GB' });
const duckdb = await instance.connect();
const alone = (sql) => timed(async () => (await duckdb.runAndReadAll(sql)).getRows());

/** Bytes of a folder. */
const sizeOf = (path) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

/** Peak resident memory of a process and its children, in bytes (Linux). */
function peakOf(pid) {
  const own =
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [...children.split(' ').filter(Boolean)].reduce((sum, child) => sum + peakOf(child), own);
}

async function startServer() {
  const child = spawn(
    process.execPath,
    [
      join(root, 'server/bin/tiding.mjs'),
      '--no-open',
      ...['--port', '0', '--data', data],
      ...['--limit', 'result-rows=200000000', '--limit', `result-bytes=${2 ** 35}`],
    ],
    {
      env: { ...process.env, TIDING_LOG: 'error', TIDING_ADMIN_PASSWORD: PASSWORD },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const url = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /(http:\/\/[^/\s]+)/.exec(text);
      if (found) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  process.on('exit', () => child.kill('SIGKILL'));
  return { url, child };
}

const ms = (value) => `${Math.round(value).toLocaleString('en')} ms`;
const mb = (value) => `${Math.round(value / 1e6).toLocaleString('en')} MB`;
const print = (...cells) =>
  process.stdout.write(
    `| ${cells.map((cell, at) => String(cell).padEnd(at ? 14 : 44)).join(' | ')} |\n`,
  );

async function measure(note, title, file) {
  const from = `'${file}'`;
  print(title, 'Tiding', 'DuckDB alone');
  print('---', '---', '---');
  print('size of the file', mb(statSync(file).size), '');
  const one = await note.insert({ text: '%sql\nselect 1' });
  const { ms: started } = await timed(() => one.run());
  print('one row (the first time starts the process)', ms(started), '');
  const paragraph = await note.insert({ text: `%sql\nselect * from ${from}` });
  const began = performance.now();
  let first;
  const stop = note.client.subscribeParagraph(note.id, paragraph.id, () => {
    if (!first && paragraph.outputs[0] && outputText(paragraph.outputs[0]).length > 1_000)
      first = performance.now() - began;
  });
  await paragraph.run();
  stop();
  const all = performance.now() - began;
  const { ms: head } = await alone(`SELECT * FROM ${from} LIMIT 1000`);
  print('first rows', ms(first), ms(head));
  const copy = join(folder, 'alone.duckdb');
  const { ms: stored } = await alone(
    `ATTACH '${copy}' AS c; CREATE TABLE c.t AS SELECT * FROM ${from}; CHECKPOINT c; DETACH c`,
  );
  print('all rows stored', ms(all), ms(stored));
  print('bytes on disk', mb(sizeOf(join(data, 'results'))), mb(statSync(copy).size));
  rmSync(copy, { force: true });
  const columns = ['id', 'moment', 'region', 'customer', 'units', 'price', 'paid', 'day'];
  const column = (name) => columns.indexOf(name);
  const ask = (query) => timed(() => paragraph.query(0, query));
  const compare = async (name, query, sql) => {
    const { ms: own } = await ask(query);
    print(name, ms(own), ms((await alone(sql)).ms));
  };
  const rows = (offset) => ({ kind: 'rows', offset, limit: 500 });
  const byPrice = [{ column: column('price'), as: 'number', descending: true }];
  const byCustomer = [{ column: column('customer'), as: 'string' }];
  const middle = Math.floor(paragraph.outputs[0].rows / 2);
  await compare(
    'a page in the middle (starts the process)',
    { question: rows(middle) },
    `SELECT * FROM ${from} LIMIT 500 OFFSET ${middle}`,
  );
  await compare(
    'another page',
    { question: rows(middle + 50_000) },
    `SELECT * FROM ${from} LIMIT 500 OFFSET ${middle + 50_000}`,
  );
  await compare(
    'sort by a number, first page',
    { sorts: byPrice, question: rows(0) },
    `SELECT * FROM ${from} ORDER BY price DESC LIMIT 500`,
  );
  await compare(
    'sort by a number, page in the middle',
    { sorts: byPrice, question: rows(middle) },
    `SELECT * FROM ${from} ORDER BY price DESC LIMIT 500 OFFSET ${middle}`,
  );
  await compare(
    'next page of it',
    { sorts: byPrice, question: rows(middle + 500) },
    `SELECT * FROM ${from} ORDER BY price DESC LIMIT 500 OFFSET ${middle + 500}`,
  );
  await compare(
    'sort by a text, first page',
    { sorts: byCustomer, question: rows(0) },
    `SELECT * FROM ${from} ORDER BY customer LIMIT 500`,
  );
  await compare(
    'filter by a part of a text',
    {
      filters: [{ column: column('customer'), as: 'string', test: 'contains', text: '7777' }],
      question: rows(0),
    },
    `SELECT * FROM ${from} WHERE contains(lower(customer), '7777') LIMIT 500`,
  );
  await compare(
    'find a text',
    {
      question: {
        kind: 'find',
        columns: [{ column: column('customer'), as: 'string', text: '199999' }],
        limit: 10_000,
      },
    },
    `SELECT id FROM ${from} WHERE contains(lower(customer), '199999')`,
  );
  await compare(
    'chart: sum per day',
    {
      question: {
        kind: 'groups',
        keys: [{ column: column('moment'), period: 'day' }],
        values: [{ column: column('price'), aggregate: 'sum' }],
        order: 'key',
        limit: 50_000,
      },
    },
    `SELECT date_trunc('day', moment) AS d, sum(price) FROM ${from} GROUP BY d ORDER BY d`,
  );
  await compare(
    'chart: sum per region',
    {
      question: {
        kind: 'groups',
        keys: [{ column: column('region') }],
        values: [{ column: column('price'), aggregate: 'sum' }],
        order: 'first',
        limit: 50_000,
      },
    },
    `SELECT region, sum(price) FROM ${from} GROUP BY region`,
  );
  await compare(
    'chart: sample of 20,000 rows',
    { question: { kind: 'sample', columns: [column('price'), column('units')], limit: 20_000 } },
    `SELECT price, units FROM ${from} USING SAMPLE reservoir(20000 ROWS)`,
  );
  await paragraph.remove();
}

const { url, child } = await startServer();
const client = createClient({ server: url, autosave: 0, timeout: 600_000 });
await client.session.login('admin', PASSWORD);
const note = await client.open(await client.notes.create({ path: 'Large' }));
for (const count of values.rows.split(',').map(Number).filter(Boolean)) {
  const file = join(folder, 'rows.parquet');
  await duckdb.run(`COPY (${select(count)}) TO '${file}' (FORMAT parquet)`);
  await measure(
    { client, id: note.id, insert: (given) => note.insert(given) },
    `${count.toLocaleString('en')} rows, Parquet`,
    file,
  );
  print(
    'memory of the server and its processes, peak',
    mb(peakOf(child.pid)),
    mb(process.memoryUsage().rss),
  );
  rmSync(file);
}
if (values.csv) {
  const file = join(folder, 'rows.csv');
  // A row has about 75 bytes.
  await duckdb.run(`COPY (${select(Math.round(Number(values.csv) / 75))}) TO '${file}'`);
  await measure({ client, id: note.id, insert: (given) => note.insert(given) }, 'CSV', file);
  print(
    'memory of the server and its processes, peak',
    mb(peakOf(child.pid)),
    mb(process.memoryUsage().rss),
  );
}
client.close();
child.kill('SIGTERM');
await once(child, 'exit');
process.exit(0);
