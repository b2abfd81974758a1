/**
 * A million rows of each engine, from the key to the paint of the first rows and of the number of
 * all rows. The floor is the engine alone handing all rows to a client.
 */
import { outputText } from '@tiding/client';
import PgClient from 'pg/lib/client.js';
import PgQuery from 'pg/lib/query.js';
import { postgres, pyspark } from '../../../scripts/test/engine-programs.mjs';
import { frame, noteMakers } from '../content.mjs';
import { series } from '../statistics.mjs';
import { cells } from '../table.mjs';
import { openEditor } from '../world.mjs';

/** The password that `startPostgres` sets. */
const PASSWORD = 'only-for-tests';
/** Time from the moment when the engine has all rows, in ms. The DataFrame has them at the key. */
const GOAL_MS = 1_000;
const total = frame.rows.toLocaleString('en');
/** Places of the paragraphs that prepare, show the table, and measure the floor. */
const [PREPARED, SHOWN, FLOOR] = [0, 1, 2];

async function runParagraph(paragraph) {
  const { status, outputs } = await paragraph.run();
  const text = outputs.map(outputText).join('').trim();
  if (status !== 'FINISHED') throw new Error(`a paragraph ended as ${status}: ${text}`);
  return text;
}

/** Runs the paragraph of the table with a key. Times in ms. */
async function show(page, note) {
  await note.clear();
  await page.waitForFunction((cell) => !window.bench.view().querySelector(cell), cells.ours);
  await openEditor(page, SHOWN);
  await page.evaluate(
    ([cell, wanted]) => {
      const { bench } = window;
      window.pending = Promise.all([
        bench.afterKey(() => bench.view().querySelectorAll(cell).length > 10),
        bench.afterKey(() =>
          bench.view().querySelector('.result-meta')?.textContent.includes(wanted),
        ),
      ]);
    },
    [cells.ours, `${total} rows`],
  );
  await page.keyboard.press('Shift+Enter');
  const [first, all] = await page.evaluate(() => window.pending);
  await page.evaluate(
    (at) => window.bench.until(() => window.note.paragraphs[at].status === 'FINISHED'),
    SHOWN,
  );
  return { first: first.painted, all: all.painted };
}

/** Measures one engine. `floor` returns the least time in ms, given the note. */
async function measureEngine([first, all], world, repeats, paragraphs, floor) {
  const { client, url } = world.engines;
  const id = await client.notes.importNote({ name: 'Bench/Million rows', paragraphs });
  const note = await client.open(id);
  const context = await world.context(world.engines);
  try {
    if (paragraphs[PREPARED].text) await runParagraph(note.paragraphs[PREPARED]);
    const page = await context.newPage();
    await page.goto(`${url}/#/notebook/${id}`);
    await page.evaluate(
      async ([noteId, count]) => {
        await window.bench.shown('article', count);
        window.note = await document.querySelector('tiding-workbench').client.open(noteId);
      },
      [id, paragraphs.length],
    );
    // Warm up: the first run loads the code of the table and compiles the query.
    await show(page, note);
    for (const _ of repeats()) {
      const least = await floor(note);
      const ours = await show(page, note);
      first.add(ours.first, least);
      all.add(ours.all, least);
    }
  } finally {
    await context.close();
    note.close();
    await client.notes.remove(id);
  }
}

/** The floor of an engine that prints it in a paragraph. */
const printed = async (note) => Number(await runParagraph(note.paragraphs[FLOOR]));

async function python(rows, world, repeats) {
  const { paragraphs } = noteMakers.frame('');
  const floor = `%python
import os, tempfile, time
import pyarrow as pa, pyarrow.feather
began = time.perf_counter()
with tempfile.TemporaryDirectory() as folder:
    pa.feather.write_feather(
        pa.Table.from_pandas(frame), os.path.join(folder, 'frame'), compression='uncompressed'
    )
print((time.perf_counter() - began) * 1000)`;
  await measureEngine(rows, world, repeats, [...paragraphs.slice(0, 2), { text: floor }], printed);
}

/** Columns beside id, price and region, as SQL. */
const numbers = (name) =>
  Array.from({ length: frame.columns - 3 }, (_, at) => `, ${name} * ${at + 3} % 9973 as n${at}`);

const columns = (name, text) =>
  `${name} as id, (${name} + 1) * 7919 % 1000003 / 4.0 as price, ${text} as region` +
  numbers(name).join('');

/** Time in which a client has received all rows, in ms. It keeps none. */
async function fetchAll({ port, query }) {
  const client = new PgClient({
    ...{ host: '127.0.0.1', port, user: 'postgres', password: PASSWORD, database: 'postgres' },
  });
  await client.connect();
  try {
    const began = performance.now();
    let count = 0;
    await new Promise((resolve, reject) => {
      const sent = new PgQuery({ text: query, rowMode: 'array' });
      sent.on('row', () => (count += 1));
      sent.once('end', resolve);
      sent.once('error', reject);
      client.query(sent);
    });
    if (count !== frame.rows) throw new Error(`PostgreSQL sent ${count} rows`);
    return performance.now() - began;
  } finally {
    await client.end();
  }
}

async function postgresql(rows, world, repeats) {
  const server = await world.startPostgres([], postgres.folder);
  world.cleanup.add(() => server.stop());
  try {
    await server.query(
      `create unlogged table wide as select ${columns('i', "'region ' || i % 17")}
       from generate_series(0::bigint, ${frame.rows - 1}) i`,
    );
    await server.query('vacuum analyze wide');
    await world.engines.client.interpreters.create({
      name: 'wide',
      group: 'postgresql',
      properties: {
        ...{ host: '127.0.0.1', port: String(server.port), database: 'postgres' },
        ...{ user: 'postgres', password: PASSWORD },
      },
    });
    const query = 'select * from wide';
    const texts = ['%wide\nselect 1 as one', `%wide\n${query}`, '%md\nend'];
    await measureEngine(
      rows,
      world,
      repeats,
      texts.map((text) => ({ text })),
      () => fetchAll({ port: server.port, query }),
    );
  } finally {
    await server.stop();
  }
}

async function spark(rows, world, repeats) {
  await world.engines.client.interpreters.create({
    name: 'pyspark',
    group: 'pyspark',
    properties: {
      'python.path': pyspark.prepare(),
      'spark.conf': 'spark.master=local[*]\nspark.driver.memory=2g\nspark.ui.enabled=false',
      'spark.maxRows': String(frame.rows),
    },
  });
  const text = "concat('region ', id % 17)";
  const texts = [
    `%pyspark
rows = spark.range(${frame.rows}).selectExpr(*${JSON.stringify(columnList(text))}).cache()
rows.createOrReplaceTempView('wide')
print(rows.count())`,
    '%spark.sql\nselect * from wide',
    `%pyspark
import time
began = time.perf_counter()
count = spark.table('wide').toArrow().num_rows
print((time.perf_counter() - began) * 1000)`,
  ];
  await measureEngine(
    rows,
    world,
    repeats,
    texts.map((each) => ({ text: each })),
    printed,
  );
}

/** Expressions of the columns for `selectExpr`. */
const columnList = (text) => [
  'id',
  '(id + 1) * 7919 % 1000003 / 4.0D as price',
  `${text} as region`,
  ...numbers('id').map((each) => each.slice(2)),
];

/** A part with two rows of one engine. `problem` says why it can't be measured. */
const part = (name, goal, problem, measureRows) => ({
  rowsOf: () => ({
    first: series(
      `${name}: Shift+Enter → first rows painted, beside all rows in a client`,
      'ms',
      goal,
    ),
    all: series(`${name}: … → number of all rows painted`, 'ms'),
  }),
  async measure({ first, all }, world, repeats) {
    if (!problem) return measureRows([first, all], world, repeats);
    for (const row of [first, all]) row.skip(problem);
  },
});

export const parts = [
  part('%python', { goal: GOAL_MS }, undefined, python),
  part(
    'PostgreSQL',
    { beyond: GOAL_MS },
    postgres.folder ? undefined : postgres.missing,
    postgresql,
  ),
  part('Spark', { beyond: GOAL_MS }, pyspark.folder ? undefined : pyspark.missing, spark),
];
