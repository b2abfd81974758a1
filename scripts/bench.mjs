/**
 * `npm run bench`: measures the product, and beside each figure a floor: the least time that the
 * same machine needs for the same task in the same run. Figures with a goal are in the sections
 * that run by default. No figure makes it fail: the exit code is 1 only if something could not be
 * measured.
 *
 * `--record` also writes the figures to docs/performance/results.json, from which `npm run docs`
 * generates the page of figures.
 *
 * npm run bench -- [--repeats 3] [--json] [--record] [all] [home] [slow] [table] [dataframe]
 * [typing] [run] [stream] [embed] [bundles] [memory] [note] [engines] [breakdown] [bytes] [lab]
 */
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { install } from './install.mjs';

/** Time limit for starting the servers and the browser, in ms. */
const START_MS = 60_000;
/** Time limit for a section, in ms. */
const SECTION_MS = 600_000;
/** The sections with goals, which run by default. */
const defaults = [
  'home',
  'slow',
  'table',
  'dataframe',
  'typing',
  'run',
  'stream',
  'embed',
  'bundles',
  'memory',
  // The longest.
  'note',
];
const names = [...defaults, 'breakdown', 'bytes', 'engines', 'lab'];
const say = (text) => process.stderr.write(`${text}\n`);

function readArguments() {
  const { values, positionals } = parseArgs({
    options: {
      repeats: { type: 'string', default: '3' },
      json: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const repeats = Number(values.repeats);
  if (!Number.isInteger(repeats) || repeats < 1)
    throw new Error('--repeats must be a positive integer');
  const unknown = positionals.find((name) => name !== 'all' && !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`unknown section '${unknown}'; use 'all' or some of: ${names.join(', ')}`);
  const chosen = positionals.length === 0 ? defaults : positionals;
  return {
    repeats,
    json: values.json,
    record: values.record,
    wanted: names.filter((name) => chosen.includes('all') || chosen.includes(name)),
  };
}

function options() {
  try {
    return readArguments();
  } catch (error) {
    say(error.message);
    return process.exit(1);
  }
}

/** Settles like `promise`, or rejects after `ms` and says what has not ended. */
async function within(promise, ms, what) {
  let timer;
  const late = new Promise(
    (_, reject) =>
      (timer = setTimeout(
        () => reject(new Error(`${what} has not ended after ${ms / 1_000} s`)),
        ms,
      )),
  );
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Measures one section after another; one that fails or hangs does not stop the others. */
async function measureAll(world, sections, repeats) {
  const results = [];
  for (const { name, title, measure } of sections) {
    say(`Measuring: ${title} …`);
    try {
      const rows = await within(
        measure(world, () => Array(repeats).keys()),
        SECTION_MS,
        'the section',
      );
      results.push({ name, title, rows: rows.map((row) => row.row()) });
    } catch (error) {
      results.push({ name, title, rows: [], error: error.message });
    }
  }
  return results;
}

const machine = (browser) => ({
  cores: cpus().length,
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  node: process.versions.node,
  chromium: browser.version(),
  platform: `${process.platform} ${process.arch}`,
  load: loadavg()[0],
  date: new Date().toISOString(),
});

function print({ sections, machine: { cores, cpu, node, chromium, platform, load, date } }, table) {
  console.log(table(sections));
  console.log(
    '\nFloor: the same task in a bare page, on a bare server or with bare calls, in the same run.' +
      ' × floor: ratio of the medians.',
  );
  const busy = load === 0 ? '' : `, load ${load.toFixed(1)} before`;
  const time = date.slice(0, 16).replace('T', ' ');
  console.log(
    `${cores} cores, ${cpu}, ${platform}${busy}, Node ${node}, Chromium ${chromium}, ${time} UTC`,
  );
}

/** Prints the report in the requested format, and names the sections that failed. */
function writeReport(report) {
  if (json) console.log(JSON.stringify(report, rounded, 2));
  else print(report, table);
  for (const { title, error } of report.sections) {
    if (error === undefined) continue;
    say(`Not measured: ${title}: ${error}`);
    process.exitCode = 1;
  }
}

const rounded = (_key, value) => (typeof value === 'number' ? Number(value.toFixed(3)) : value);

const { repeats, json, record, wanted } = options();
install(say);
const { build } = await import('./build.mjs');
await build({ say });
const bench = (name) => import(join(import.meta.dirname, `../test/bench/${name}.mjs`));
const { Cleanup, createWorld } = await bench('world');
const { table } = await bench('format');
const cleanup = new Cleanup();
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    stopped = true;
    void cleanup.run().then(() => process.exit(130));
  });
}

try {
  const sections = await Promise.all(
    wanted.map(async (name) => ({ name, ...(await bench(name)) })),
  );
  const world = await within(
    createWorld(cleanup),
    START_MS,
    'starting the servers and the browser',
  );
  const report = {
    machine: machine(world.browser),
    repeats,
    sections: await measureAll(world, sections, repeats),
  };
  if (!stopped) writeReport(report);
  if (!stopped && record) (await import('./docs/performance.mjs')).recordRun(report);
} catch (error) {
  if (!stopped) say(`Nothing could be measured: ${error.stack}`);
  process.exitCode = 1;
} finally {
  await cleanup.run();
}
// A page that timed out may still hold a handle.
process.exit();
