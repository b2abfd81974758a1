/** The page of the recorded figures, and `npm run bench -- --record`, which updates them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths, root } from './layout.mjs';
import { page, sentence, table } from './markdown.mjs';

/** A number with its significant digits. */
const figure = (value) =>
  value === undefined
    ? ''
    : value === 0 || Math.abs(value) >= 100
      ? value.toFixed(0)
      : value.toFixed(Math.abs(value) >= 10 ? 1 : 2);

const publishedBlocks = ({ title, text, tables = [] }) => [
  `## ${title}`,
  sentence(text),
  ...tables.map(({ columns, rows }) =>
    table(
      columns.map((each) => sentence(each)),
      rows.map((row) => row.map((cell) => sentence(cell))),
    ),
  ),
];

function runBlocks([section, run]) {
  const { title, repeats, date, machine, rows } = run;
  const { cores, cpu, node, chromium, load } = machine;
  return [
    `### ${title}`,
    [
      date.slice(0, 10),
      repeats === 1 ? 'one repeat' : `${repeats} repeats`,
      `${cores} cores (${sentence(cpu)})`,
      `load ${load.toFixed(1)}`,
      `Node ${node}`,
      `Chromium ${chromium}.`,
    ].join(', '),
    ...(wholes[section]
      ? [wholes[section], partsTable(rows)]
      : [...(methods[section] ?? []), figuresTable(rows)]),
    ...missingBlocks(rows),
  ];
}

/** Why rows have no values, or no floor. */
function missingBlocks(rows) {
  const missing = rows.filter(({ skipped }) => skipped);
  if (missing.length === 0) return [];
  const lines = missing.map(({ name, skipped }) => `- ${sentence(name)}: ${sentence(skipped)}`);
  return ['Not measured on this machine:', lines.join('\n')];
}

const figuresTable = (rows) =>
  table(
    [
      '',
      'Unit',
      'Repeats',
      'Median',
      'Minimum',
      'Maximum',
      'Floor, median',
      'Times the floor',
      'Goal',
    ],
    rows.map(({ name, unit, ours, floor, ratio, goal }) => [
      sentence(name),
      sentence(unit),
      String(ours?.n ?? 0),
      ...[ours?.median, ours?.min, ours?.max, floor?.median, ratio, goal].map(figure),
    ]),
  );

/**
 * Rows named 'task: part' as a table of tasks and parts: medians, and those of the bare page in
 * brackets.
 */
function partsTable(rows) {
  const tasks = new Map();
  const parts = new Set();
  for (const { name, ours, floor } of rows) {
    const [task, part] = name.split(': ');
    parts.add(part);
    const cells = tasks.get(task) ?? tasks.set(task, new Map()).get(task);
    cells.set(
      part,
      floor ? `${figure(ours?.median)} (${figure(floor.median)})` : figure(ours?.median),
    );
  }
  const columns = [...parts].sort((a, b) => (a === 'others') - (b === 'others'));
  return table(
    ['', ...columns.map(sentence)],
    [...tasks].map(([task, cells]) => [
      sentence(task),
      ...columns.map((part) => cells.get(part) ?? ''),
    ]),
  );
}

/** Sections whose rows are parts of a whole, and how to read them. */
const wholes = {
  breakdown:
    'Milliseconds of the main thread by kind of work; those of a bare page with the same task in ' +
    'brackets. While it waits, the network, the server, another process or the next frame is ' +
    'due. Tracing makes each task slower.',
  bytes:
    'Kilobytes that are transferred, by package and by room of this repository. The bytes of a ' +
    'file are shared out by the length of its modules before they are minified.',
};

/** How sections were measured, if their titles don't say it. */
const methods = {
  engines: [
    'In this table, the floor is the engine or the other product that a row names, measured ' +
      'in the same run on the same machine. The start of a kernel is the time from the call ' +
      'of `run()` in Node.js to its end, beside `jupyter_client`, which starts the same ' +
      'kernel and waits for the output of `print(1)`.',
    'A print is measured from the key to the paint in the page, with the kernel already ' +
      'running. The page of JupyterLab 4 is measured with the same script in the same ' +
      'browser. Zeppelin 0.10 has no published page, so `@tiding/client` runs the same ' +
      'paragraph on both servers, from the call to its end.',
    'The tables have a million rows and 20 columns. The floor of `%python` is pyarrow ' +
      'writing the DataFrame to a file, that of PostgreSQL is its driver for Node.js ' +
      'receiving all rows, and that of Spark is `toArrow()`. PostgreSQL and Spark may take ' +
      'that long and one second more, because they first have to make the rows; a DataFrame ' +
      'is ready when the key is pressed. Spark reads a million rows only if `spark.maxRows` ' +
      'allows it; the default is 10,000.',
    'Memory is that of all processes below the server. An idle process ends when the idle ' +
      'time has passed and the server looks for idle processes, which it does at the same ' +
      'interval, at most once a minute.',
  ],
};

/** The page of the recorded figures, by its path. */
export function performancePages({ published, runs }) {
  const recorded = Object.entries(runs);
  return new Map([
    [
      'performance/results.md',
      page(
        {
          title: 'Recorded figures',
          order: 1,
          description:
            'Recorded measurements of Tiding, with the machine and the command to repeat them.',
        },
        [
          'These figures were measured on a small machine that did other work at the same time. ' +
            'Run the command of a section to measure on yours.',
          ...(recorded.length === 0
            ? []
            : [
                '## Figures with goals',
                '`npm run bench -- --record` writes these tables. The floor is the same task in ' +
                  'a bare page, on a bare server or with bare calls, in the same run.',
                ...recorded.flatMap(runBlocks),
              ]),
          published.flatMap(publishedBlocks),
        ],
      ),
    ],
  ]);
}

/** Updates the measured sections of a report in the file of results and keeps all others. */
export function recordRun({ machine, repeats, sections }, file = join(root, paths.results)) {
  const results = JSON.parse(readFileSync(file, 'utf8'));
  const { date, ...rest } = machine;
  for (const { name, title, rows, error } of sections) {
    if (error === undefined && rows.length > 0)
      results.runs[name] = { title, date, repeats, machine: rest, rows };
  }
  const rounded = (_key, value) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value;
  writeFileSync(file, `${JSON.stringify(results, rounded, 2)}\n`);
}
