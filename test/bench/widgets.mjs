/**
 * Display widgets on a bare page, from their data to the paint: profiles, job graphs, a long
 * history. Their code is loaded before.
 */
import { series } from './statistics.mjs';

export const title = 'Display widgets';

/** Runs inside the page: creates payloads and draws them. */
function prepare() {
  const fields = (count) => ({
    tableName: 'core.wide',
    rowCount: 500,
    createdAt: '2024-05-02T10:00:00Z',
    fieldProfiles: Array.from({ length: count }, (_, at) => ({
      fieldIndex: at,
      fieldName: `field_${at}`,
      inferredProfileType: ['Text', 'Numerical', 'Date'][at % 3],
      nullCount: at % 20,
      distinctValueCount: at % 400,
      topValues: Array.from({ length: 10 }, (_, rank) => ({
        value: `value ${rank}`,
        count: 40 - rank,
      })),
      ...(at % 3 === 1
        ? {
            numericalProfile: {
              min: 0,
              max: at,
              mean: at / 2,
              histogram: Array.from({ length: 8 }, (_, bin) => ({
                from: bin,
                to: bin + 1,
                count: (at * bin) % 90,
              })),
            },
          }
        : {}),
      ...(at % 3 === 2
        ? {
            countByMonth: Array.from({ length: 12 }, (_, month) => ({
              value: month + 1,
              count: (at + month) % 60,
            })),
          }
        : {}),
    })),
  });
  /** A tree with additional edges across it, like a job. */
  const graph = (count) => ({
    rootNodeId: 'p.j',
    nodes: Array.from({ length: count }, (_, at) => ({
      id: `p.j.t${at}`,
      projectName: 'p',
      jobName: 'j',
      nodeType: at % 4 ? 'Script' : 'SqlMapper',
      task: {
        name: `t${at}`,
        predecessor: at === 0 ? null : `t${Math.floor((at - 1) / 3)}`,
        successors: at > 0 && at % 7 === 0 && at + 9 < count ? [`t${at + 9}`] : [],
      },
    })),
  });
  const history = (count) => ({
    projectName: 'flights',
    jobName: 'daily_load',
    history: Array.from({ length: count }, (_, at) => ({
      jobRunId: `r${at}`,
      state: at % 9 ? 'Succeeded' : 'Failed',
      userName: 'ana@example.org',
      startTime: new Date(1_600_000_000_000 + ((at * 7919) % count) * 60_000).toISOString(),
      endTime: new Date(1_600_000_030_000 + ((at * 7919) % count) * 60_000).toISOString(),
      taskRuns: [],
      logs: [],
    })),
  });
  const tasks = [];
  new PerformanceObserver((list) =>
    tasks.push(...list.getEntries().map(({ duration }) => duration)),
  ).observe({ type: 'longtask' });
  const holder = document.body.appendChild(document.createElement('main'));
  const drawn = {
    'tiding-profile': (root) => root.querySelector('tr.field-row td.name'),
    'tiding-job-graph': (root) =>
      root.querySelector('.flow-node') && root.querySelector('.react-flow__edge-path'),
    'tiding-job-history': (root) => root.querySelector('tbody td'),
  };
  const rest = () => new Promise((resolve) => setTimeout(resolve, 300));
  /** Time from inserting the element to its first paint, and the longest task until idle, in ms. */
  const place = async (tag, data) => {
    holder.replaceChildren();
    const element = Object.assign(document.createElement(tag), { data });
    await rest();
    tasks.length = 0;
    const ms = await window.bench.settle(
      () => holder.append(element),
      () => element.shadowRoot && drawn[tag](element.shadowRoot),
    );
    await rest();
    return { ms, longest: Math.max(0, ...tasks), element };
  };
  const type = (input, text) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  window.widgets = {
    profile: async (count) => {
      const { element, ms, longest } = await place('tiding-profile', fields(count));
      const root = element.shadowRoot;
      const last = `field_${count - 1}`;
      const filter = await window.bench.settle(
        () => type(root.querySelector('[aria-label="Name contains"]'), last),
        () => root.querySelector('td.name')?.textContent === last,
      );
      return { ms, longest, filter };
    },
    graph: async (count) => {
      const { ms, longest } = await place('tiding-job-graph', graph(count));
      return { ms, longest };
    },
    history: async (count) => {
      const { element, ms, longest } = await place('tiding-job-history', history(count));
      const root = element.shadowRoot;
      const head = [...root.querySelectorAll('th .sort')].find(
        (each) => each.textContent === 'Started',
      );
      const first = () => root.querySelector('tbody td:nth-child(2)')?.textContent;
      const before = first();
      const sort = await window.bench.settle(
        () => head.click(),
        () => first() !== before,
      );
      return { ms, longest, sort };
    },
  };
}

async function openPage(context, { url }) {
  const page = await context.newPage();
  const body =
    '<!doctype html><html lang="en"><title>Widgets</title>' +
    '<body><script type="module" src="/tiding.js"></script></body></html>';
  await page.route(`${url}/bench-widgets`, (route) =>
    route.fulfill({ contentType: 'text/html', body }),
  );
  await page.goto(`${url}/bench-widgets`);
  await page.waitForFunction(() => customElements.get('tiding-job-graph'));
  await page.evaluate(prepare);
  // Warm up: code, fonts and the worker of the layout.
  await page.evaluate(async () => {
    await window.widgets.profile(5);
    await window.widgets.graph(5);
    await window.widgets.history(5);
  });
  return page;
}

/** Measures the section. */
export async function measure(world, repeats) {
  const cases = [
    ['profile', 500, 'profile of 500 fields', 'filter', 'filter by name'],
    ['profile', 5_000, 'profile of 5,000 fields', 'filter', 'filter by name'],
    ['graph', 500, 'job graph of 500 nodes, laid out and drawn'],
    ['graph', 5_000, 'job graph of 5,000 nodes, laid out and drawn'],
    ['history', 100_000, 'history of 100,000 runs', 'sort', 'sort by a column'],
  ].map(([what, count, name, more, moreName]) => ({
    what,
    count,
    more,
    ms: series(`${name}: data → painted`, 'ms'),
    longest: series('… longest task', 'ms'),
    moreMs: more && series(`… ${moreName}`, 'ms'),
  }));
  const context = await world.context();
  try {
    const page = await openPage(context, world.server);
    for (const _ of repeats()) {
      for (const { what, count, more, ms, longest, moreMs } of cases) {
        const found = await page.evaluate(
          ([name, size]) => window.widgets[name](size),
          [what, count],
        );
        ms.add(found.ms);
        longest.add(found.longest);
        moreMs?.add(found[more]);
      }
    }
  } finally {
    await context.close();
  }
  return cases.flatMap(({ ms, longest, moreMs }) => [ms, longest, ...(moreMs ? [moreMs] : [])]);
}
