/** A filter and six tables and charts of two servers on one page, from a click to the paint. */
import { series } from './statistics.mjs';

export const title = 'A filter for six elements of two servers';

const ROWS = 1_000;
const regions = ['EU', 'US', 'Asia', 'Africa'];
const rows = Array.from(
  { length: ROWS },
  (_, at) => `${regions[at % regions.length]}\t${2020 + (at % 5)}\t${(at * 7919) % 1000}`,
);
const table = `region\tyear\tsold\n${rows.join('\n')}`;

/** A paragraph with a stored result, in a view. */
const paragraph = (mode) => ({
  text: '%js\n',
  status: 'FINISHED',
  config: { results: { 0: { graph: { mode, height: 240, optionOpen: false } } } },
  results: { code: 'SUCCESS', msg: [{ type: 'TABLE', data: table }] },
});

/** Adds a note to a server; returns what its elements need. */
async function notesOf({ url, client }) {
  const id = await client.notes.importNote({
    name: 'Bench/Portal',
    paragraphs: ['table', 'multiBarChart', 'table'].map(paragraph),
  });
  const note = await client.open(id);
  const paragraphs = note.paragraphs.map((each) => each.id);
  note.close();
  const { token } = await client.tokens.create({ description: 'portal' });
  return { url, id, paragraphs, token };
}

/** Runs inside the page: adds the elements. */
function prepare(servers) {
  const main = document.body.appendChild(document.createElement('main'));
  const filter = Object.assign(document.createElement('tiding-filter'), {
    portal: 'sales',
    column: 'region',
    options: ['EU', 'US', 'Asia', 'Africa'],
  });
  main.append(filter);
  const shown = servers.flatMap(({ url, id, paragraphs, token }) =>
    paragraphs.map((each) =>
      Object.assign(document.createElement('tiding-paragraph'), {
        server: url,
        token,
        note: id,
        paragraph: each,
        look: 'embed',
        portal: 'sales',
      }),
    ),
  );
  main.append(...shown);
  /** Whether a table has this many rows, or a chart this many bars. */
  const has = ({ shadowRoot: root }, rowCount, bars) =>
    root.querySelector('[role=grid]')
      ? root.querySelector('[role=grid]').getAttribute('aria-rowcount') === String(rowCount + 1)
      : root.querySelectorAll('.chart-body table tbody th').length === bars;
  const box = () => filter.shadowRoot.querySelector('[type=checkbox]');
  window.portal = {
    ready: () => box() && shown.every((each) => has(each, 1000, 4)),
    choose: () =>
      window.bench.settle(
        () => box().click(),
        () => shown.every((each) => has(each, 250, 1)),
      ),
    clear: () =>
      window.bench.settle(
        () => box().click(),
        () => shown.every((each) => has(each, 1000, 4)),
      ),
  };
}

/** Measures the section. */
export async function measure({ server, bare, startServer, context: newContext }, repeats) {
  const second = await startServer('portal', {}, ['--allow-origin', bare.url]);
  const servers = [await notesOf(server), await notesOf(second)];
  bare.serve({
    pages: {
      '/portal':
        '<!doctype html><title>Portal</title><body>' +
        `<script type="module" src="${server.url}/tiding.js"></script></body>`,
    },
  });
  const choose = series('click in the filter → six elements painted', 'ms', { goal: 100 });
  const clear = series('… the value removed again → painted', 'ms', { goal: 100 });
  const context = await newContext();
  try {
    const page = await context.newPage();
    await page.setViewportSize({ width: 1440, height: 2600 });
    await page.goto(`${bare.url}/portal`);
    await page.evaluate(prepare, servers);
    await page.waitForFunction(() => window.portal.ready());
    // Warm up.
    await page.evaluate(async () => {
      await window.portal.choose();
      await window.portal.clear();
    });
    for (const _ of repeats()) {
      choose.add(await page.evaluate(() => window.portal.choose()));
      clear.add(await page.evaluate(() => window.portal.clear()));
    }
  } finally {
    await context.close();
    await second.stop();
  }
  return [choose, clear];
}
