/** Pages of the workbench, from a click to the paint, and filters of ten thousand entries. */
import { series } from './statistics.mjs';

export const title =
  'Pages of the workbench (goals: 100 ms from the click, 50 ms for a filter of 10,000)';

const MANY = 10_000;
const name = (at) => `Team ${at % 20}/Entry ${String(at).padStart(5, '0')}`;
const clusters = () => ({
  currentClusterId: null,
  clusters: Array.from({ length: MANY }, (_, at) => ({
    clusterId: `c${at}`,
    name: name(at),
    state: at % 2 ? 'Running' : 'Stopped',
    description: `All of ${at}`,
    driverType: { name: 'small' },
    workerType: { name: 'large' },
    workerCount: 2,
  })),
});
const settings = () =>
  Object.fromEntries(
    Array.from({ length: MANY }, (_, at) => [`key.${String(at).padStart(5, '0')}`, `value ${at}`]),
  );
const jobs = () =>
  Array.from({ length: MANY }, (_, at) => ({
    noteId: `n${at}`,
    noteName: name(at),
    noteType: 'normal',
    interpreter: 'sql',
    isRunningJob: false,
    isRemoved: false,
    unixTimeLastRun: at,
    paragraphs: [{ id: 'p', name: 'p', status: 'FINISHED' }],
  }));
const notes = () =>
  Array.from({ length: MANY }, (_, at) => ({ id: `n${at}`, path: `/${name(at)}` }));

/** For each page: route, element, and a selector of its content. */
const pages = {
  home: ['#/', 'tiding-home', '[role=treeitem]'],
  jobs: ['#/jobmanager', 'tiding-job-manager', '.job'],
  clusters: ['#/clusters', 'tiding-clusters', 'article'],
  interpreters: ['#/interpreter', 'tiding-interpreters', '.setting'],
  credentials: ['#/credential', 'tiding-credentials', 'h1'],
  people: ['#/people', 'tiding-people', 'tbody tr'],
  packages: ['#/helium', 'tiding-packages', '[role=tab]'],
  'revision control': ['#/revision-control', 'tiding-revision-control', 'input'],
  configuration: ['#/configuration', 'tiding-configuration', 'tbody tr'],
  'access tokens': ['#/account', 'tiding-access-tokens', '.page-empty, tbody tr'],
  search: ['#/search/echo', 'tiding-search', '.hit, .page-empty'],
};

const go = (page, [hash, tag, selector]) =>
  page.evaluate(
    ([to, element, wanted]) =>
      window.bench.settle(
        () => (location.hash = to),
        () =>
          document.querySelector(element)?.shadowRoot?.querySelector(wanted) !== null &&
          document.querySelector(element)?.shadowRoot?.querySelector(wanted) !== undefined,
      ),
    [hash, tag, selector],
  );

/** Time from typing into the filter to the matching entries; then clears the filter. */
const filter = (page, [, tag, selector], text, count) =>
  page.evaluate(
    ([element, wanted, value, left]) => {
      const root = document.querySelector(element).shadowRoot;
      const field = root.querySelector('input');
      const type = (words) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, words);
        field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
        field.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }),
        );
      };
      const shown = () => root.querySelectorAll(wanted).length;
      const before = shown();
      return window.bench
        .settle(
          () => type(value),
          () => shown() === left,
        )
        .then(async (time) => {
          await window.bench.settle(
            () => type(''),
            () => shown() === before,
          );
          return time;
        });
    },
    [tag, selector, text, count],
  );

/** A page of the app with ten thousand notes, jobs, clusters and settings from the server. */
async function crowded(context, server) {
  const page = await context.newPage();
  const fulfil = (body) => (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: body }) : route.continue();
  await page.route('**/api/magpie/clusters', fulfil(clusters()));
  await page.route('**/api/configurations/all', fulfil({ status: 'OK', body: settings() }));
  const [manyNotes, manyJobs] = [notes(), jobs()];
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const upstream = socket.connectToServer();
    upstream.onMessage((text) => {
      const message = JSON.parse(String(text));
      if (message.op === 'NOTES_INFO') message.data.notes = manyNotes;
      if (message.op === 'LIST_NOTE_JOBS') message.data.noteJobs.jobs = manyJobs;
      socket.send(JSON.stringify(message));
    });
  });
  await page.goto(`${server.url}/#/`);
  await page.locator('[role=treeitem]').first().waitFor();
  return page;
}

/** Measures the section. */
export async function measure({ context: newContext, server }, repeats) {
  const opened = Object.fromEntries(
    Object.keys(pages).map((each) => [each, series(`click → ${each} painted`, 'ms')]),
  );
  const filtered = Object.fromEntries(
    ['home', 'clusters', 'configuration', 'jobs'].map((each) => [
      each,
      series(`filter of 10,000: ${each}`, 'ms'),
    ]),
  );
  const context = await newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${server.url}/#/`);
    await page.locator('tiding-home [role=treeitem]').first().waitFor();
    // Visit each page once, so that its code and data are loaded.
    for (const each of Object.values(pages)) await go(page, each);
    const many = await crowded(context, server);
    for (const _ of repeats()) {
      for (const [each, where] of Object.entries(pages)) {
        await page.evaluate(() => (location.hash = '#/sso/error'));
        await page.locator('tiding-sso-error').waitFor();
        opened[each].add(await go(page, where));
      }
      for (const [each, rows] of Object.entries(filtered)) {
        await go(many, pages[each]);
        rows.add(
          await filter(many, pages[each], each === 'configuration' ? '07777' : 'Entry 07777', 1),
        );
      }
    }
  } finally {
    await context.close();
  }
  return [...Object.values(opened), ...Object.values(filtered)];
}
