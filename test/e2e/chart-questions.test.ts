/**
 * Fifteen ordinary questions, each with the chart that answers it: the values of the chart's table
 * are those of the data.
 */
import type { Note } from '@tiding/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/axe.ts';
import { untilEnd } from '../support/until-end.ts';
import { noteOf, partsOf, startWalk } from '../support/walk.ts';

const column = (name: string, index: number, more: object = {}) => ({
  name,
  index,
  aggr: 'sum',
  ...more,
});

interface Question {
  readonly asks: string;
  readonly sql: string;
  readonly mode: string;
  /** Fields and settings, if the default chart is not the answer. */
  readonly graph?: object;
  /** First rows of the chart's table; cells are separated by `|`. */
  readonly rows: readonly string[];
  /** Part of what is written in or below the chart. */
  readonly says?: string;
}

const orders = `(select date '2025-01-01' + cast(i % 365 as integer) as day,
  ['A', 'B', 'C'][1 + i % 3] as product, 'shop ' || (i * i % 23) as shop,
  10.0 + (i * 7919) % 190 as amount from range(4200) t(i))`;

const questions: readonly Question[] = [
  {
    asks: 'trend with missing months',
    sql: `select date_trunc('month', day) as month, sum(amount) as revenue from ${orders}
      where month(day) not in (4, 9) group by all`,
    mode: 'lineChart',
    graph: { setting: { lineChart: { axes: { trend: true, title: 'Revenue' } } } },
    rows: ['Key|revenue', 'Jan 2025|38,800', 'Feb 2025|35,128', 'Mar 2025|38,712', 'Apr 2025|'],
    says: 'Trend of revenue: from ',
  },
  {
    asks: 'the ten best and Other',
    sql: `select shop, sum(amount) as revenue from ${orders} group by all order by shop`,
    mode: 'multiBarChart',
    graph: {
      setting: { multiBarChart: { axes: { top: 10, sort: 'largest', labels: true } } },
    },
    rows: ['Key|revenue', 'shop 3|38,275', 'shop 6|38,273'],
    says: "2 of 12 categories are combined into 'Other'",
  },
  {
    asks: 'share',
    sql: `select product, count(*) as orders from ${orders} group by all order by 1`,
    mode: 'pieChart',
    rows: ['Key|orders', 'A|1,400', 'B|1,400', 'C|1,400'],
    says: 'A 33.3%',
  },
  {
    asks: 'distribution',
    sql: `select amount from ${orders}`,
    mode: 'histogram',
    rows: ['Key|count of amount', '10 to 20|222', '20 to 30|221', '30 to 40|222'],
    says: 'count of amount',
  },
  {
    asks: 'correlation of many rows',
    sql: 'select i / 100.0 as x, 3 * i / 100.0 + (i * 7919) % 100 as y from range(50000) t(i)',
    mode: 'scatterChart',
    graph: { setting: { scatterChart: { axes: { trend: true } } } },
    rows: ['Colour|x|y'],
    says: 'A random sample of 20,000 of 50,000 rows.',
  },
  {
    asks: 'two measures with an axis each',
    sql: `select month(day) as month, sum(amount) as revenue, count(*) as orders from ${orders}
      group by all order by 1`,
    mode: 'comboChart',
    rows: ['Key|revenue|orders', '1|38,800|372', '2|35,128|336'],
    says: 'orders',
  },
  {
    asks: 'a line for each group, side by side',
    sql: `select date_trunc('month', day) as month, product, sum(amount) as revenue from ${orders}
      group by all order by 1, 2`,
    mode: 'lineChart',
    graph: {
      keys: [column('month', 0)],
      groups: [column('product', 1)],
      values: [column('revenue', 2)],
      setting: { lineChart: { axes: { facets: true } } },
    },
    rows: ['Key|A|B|C', 'Jan 2025|12,060|12,920|13,820'],
  },
  {
    asks: 'places',
    sql: `select 48 + (i % 10) / 10 as latitude, 2 + (i % 7) / 7 as longitude, i as visits
      from range(70) t(i)`,
    mode: 'scatterChart',
    rows: ['Colour|longitude|latitude', '(longitude, latitude)|2|48'],
  },
  {
    asks: 'weekdays by months',
    sql: `select dayname(day) as weekday, month(day) as month, count(*) as n from ${orders}
      group by all order by dayofweek(any_value(day)), 2`,
    mode: 'heatMap',
    rows: ['Key|1|2|3|4|5|6|7|8|9|10|11|12'],
    says: 'Colours show n, from ',
  },
  {
    asks: 'steps of a funnel',
    sql: "select unnest(['visit', 'cart', 'paid']) as step, unnest([900, 300, 120]) as people",
    mode: 'funnel',
    rows: ['Key|people', 'visit|900', 'cart|300', 'paid|120'],
    says: 'paid is 13.3% of visit.',
  },
  {
    asks: 'when tasks begin and end',
    sql: `select * from (values ('Plan', date '2026-01-05', date '2026-01-16', 'office'),
      ('Build', date '2026-01-12', date '2026-02-20', 'site'),
      ('Open', date '2026-02-20', date '2026-02-20', 'site'),
      ('Later', date '2026-03-01', null, 'site')) t(task, begins, ends, place)`,
    mode: 'gantt',
    graph: {
      keys: [column('task', 0), column('begins', 1), column('ends', 2)],
      groups: [column('place', 3)],
      values: [],
    },
    rows: [
      'Key|office|site',
      'Plan: Jan 5, 2026 – Jan 16, 2026|1|',
      'Build: Jan 12, 2026 – Feb 20, 2026||1',
      'Open: Feb 20, 2026 – Feb 20, 2026||1',
    ],
    says: '1 task without a start or an end',
  },
  {
    asks: 'cohorts',
    sql: `select 'cohort ' || c as cohort, 'month ' || m as month, 100 - 9 * m - c as kept
      from range(6) a(c), range(6) b(m) where c + m < 6 order by c, m`,
    mode: 'heatMap',
    graph: {
      keys: [column('month', 1)],
      groups: [column('cohort', 0)],
      values: [column('kept', 2)],
      setting: { heatMap: { axes: { unit: '%', xTitle: 'Months since the first order' } } },
    },
    rows: ['Key|cohort 0|cohort 1|cohort 2', 'month 0|100|99|98', 'month 1|91|90|89'],
    says: '100\u00a0%',
  },
  {
    asks: 'spread by group',
    sql: `select product, amount from ${orders}`,
    mode: 'boxPlot',
    rows: [
      'Key|min of amount|q1 of amount|median of amount|q3 of amount|max of amount',
      'A|10|57|104|151.25|199',
    ],
    says: 'Boxes contain the middle half of the values',
  },
  {
    asks: 'shares over time',
    sql: `select quarter(day) as quarter, product, sum(amount) as revenue from ${orders}
      group by all order by 1, 2`,
    mode: 'multiBarChart',
    graph: {
      keys: [column('quarter', 0)],
      groups: [column('product', 1)],
      values: [column('revenue', 2)],
      setting: { multiBarChart: { stacked: true, full: true, axes: { labels: true } } },
    },
    rows: ['Key|A|B|C', '1|37,990|36,850|37,800'],
    says: '100%',
  },
  {
    asks: 'cumulative and moving average',
    sql: `select day, sum(amount) as revenue from ${orders} group by all order by 1`,
    mode: 'comboChart',
    graph: {
      keys: [column('day', 0)],
      groups: [],
      values: [
        column('revenue', 1, { running: 'total' }),
        column('revenue', 1, { running: 'mean', window: 7 }),
      ],
    },
    rows: [
      'Key|cumulative sum of revenue|7-point average of sum of revenue',
      'Jan 1, 2025|1,230|1,230',
    ],
  },
  {
    asks: 'this month and the one before',
    sql: `select date_trunc('month', day) as month, sum(amount) as revenue, count(*) as orders
      from ${orders} group by all order by 1`,
    mode: 'bigNumber',
    graph: { setting: { bigNumber: { axes: { format: 'currency', unit: 'EUR' } } } },
    rows: ['Key|revenue|orders', 'Jan 2025|38,800|372'],
    says: 'compared with Nov 2025',
  },
  {
    asks: 'places on a map',
    sql: `select * from (values ('Oslo', 59.91, 10.75, 709), ('Bergen', 60.39, 5.32, 291),
      ('Nowhere', 160, 10, 1)) t(city, latitude, longitude, thousands)`,
    mode: 'map',
    graph: {
      setting: {
        map: {
          xAxis: column('longitude', 2),
          yAxis: column('latitude', 1),
          group: column('city', 0),
          size: column('thousands', 3),
        },
      },
    },
    rows: ['Colour|longitude|latitude|Size', 'Oslo|10.75|59.91|709', 'Bergen|5.32|60.39|291'],
    says: '1 row has no longitude from −180 to 180 with a latitude from −90 to 90',
  },
];

const walk = untilEnd(await startWalk());
const { embedded, page, client } = walk;
let note: Note;
const { article } = partsOf(() => page);

beforeAll(async () => {
  note = await noteOf(
    client,
    'Questions',
    questions.map(({ sql }) => `%sql\n${sql}`),
  );
  await note.run();
  await Promise.all(
    questions.map(({ mode, graph }, at) =>
      note.paragraphs[at]!.configure({
        results: { 0: { graph: { mode, height: 300, ...graph } } },
      }),
    ),
  );
  await page.goto(`${embedded.server.url}/#/notebook/${note.noteId}`);
});

describe('a chart answers', () => {
  it.each(questions.map((question, at) => ({ at, ...question })))(
    '$asks',
    async ({ at, rows, says = '' }) => {
      const chart = article(at).locator('.chart-body');
      await article(at).scrollIntoViewIfNeeded();
      const found = chart.locator('.visually-hidden table tr');
      const texts = async () =>
        (await found.evaluateAll((all) =>
          all.map((row) => [...row.children].map(({ textContent }) => textContent).join('|')),
        )) as string[];
      await expect
        .poll(async () =>
          (await texts())
            .slice(0, rows.length)
            .map((row, line) => row.slice(0, rows[line]!.length)),
        )
        .toEqual(rows);
      await expect.poll(() => chart.textContent()).toContain(says);
    },
  );

  it('without findings of axe, also with its settings', async () => {
    await article(8).getByRole('button', { name: 'Fields' }).click();
    await article(8).getByRole('group', { name: 'Chart settings' }).waitFor();
    expect(await accessibilityFindings(page, 'charts')).toEqual([]);
  });
});

it('a chart whose code is missing offers to load the page again', async () => {
  const own = await noteOf(client, 'Missing code', ['%sql\nselect 60 as lat, 11 as lon']);
  await own.run();
  const page = await walk.page.context().newPage();
  const { article } = partsOf(() => page);
  await page.goto(`${embedded.server.url}/#/notebook/${own.noteId}`);
  await article(0).getByRole('grid').waitFor();
  await page.waitForLoadState('networkidle');
  await page.route('**/chunks/**', (route) => route.abort());
  await own.paragraphs[0]!.configure({ results: { 0: { graph: { mode: 'map' } } } });
  const reload = article(0).getByRole('button', { name: 'Reload the page' });
  await reload.waitFor();
  await page.unroute('**/chunks/**');
  await reload.click();
  await article(0)
    .getByRole('img', { name: /^Map: / })
    .waitFor();
  await page.close();
  own.close();
});
