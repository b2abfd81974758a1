/**
 * The charts of the sample notes: each chart type and style is measured on the page and compared
 * with the numbers of the query.
 */

import type { Note, Paragraph } from '@tiding/client';
import type { Table } from 'apache-arrow';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { inFront, startWalk } from '../support/walk.ts';

interface Mark {
  /** Edges in px, relative to the corner of the drawing. */
  left: number;
  right: number;
  top: number;
  bottom: number;
  fill: string;
  stroke: string;
  dash: string;
  /** Corners of the path, in px. */
  points: [number, number][];
}

const column = (name: string, index: number, aggr = 'sum') => ({ name, index, aggr });
const article = (title: string) =>
  page.locator('article').filter({ has: page.locator('.paragraph-title', { hasText: title }) });
const box = (at: Locator) => at.locator('.chart-box');

/** Resolves when an animated drawing has not changed for 20 frames. */
const rested = (at: Locator): Promise<void> =>
  box(at).evaluate(async (element) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    let [last, same] = ['', 0];
    while (same < 20) {
      await frame();
      const now = element.querySelector('svg')?.outerHTML ?? '';
      same = now !== '' && now === last ? same + 1 : 0;
      last = now;
    }
  });
/** All marks drawn in a palette colour. */
async function marks(at: Locator): Promise<Mark[]> {
  await rested(at);
  return box(at).evaluate((element) => {
    const host = element.closest('.chart-body') ?? element;
    const probe = element.appendChild(document.createElement('span'));
    const colours = [
      'mono',
      'other',
      ...Array.from({ length: 8 }, (_, number) => String(number + 1)),
    ].map((name) => {
      probe.style.color = `var(--_chart-${name})`;
      return getComputedStyle(probe).color;
    });
    probe.remove();
    const svg = host.querySelector('.chart-box svg')!;
    const from = svg.getBoundingClientRect();
    return [...svg.querySelectorAll<SVGPathElement>('path, polyline, circle')].flatMap((path) => {
      const { fill, stroke, strokeDasharray: dash } = getComputedStyle(path);
      if (![fill, stroke].some((colour) => colours.includes(colour))) return [];
      const { left, right, top, bottom } = path.getBoundingClientRect();
      const numbers =
        (path.getAttribute('points') ?? path.getAttribute('d') ?? '')
          .match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g)
          ?.map(Number) ?? [];
      const points = numbers.flatMap((x, place): [number, number][] =>
        place % 2 === 0 ? [[x, numbers[place + 1]!]] : [],
      );
      return [
        {
          left: left - from.left,
          right: right - from.left,
          top: top - from.top,
          bottom: bottom - from.top,
          fill,
          stroke,
          dash,
          points,
        },
      ];
    });
  });
}
/**
 * Samples `steps` points along a line or circle and counts, by fill colour, the points that lie
 * inside a filled mark.
 */
const covered = (
  at: Locator,
  line: { from: [number, number]; to: [number, number] } | { around: true; radius: number },
  steps: number,
) =>
  box(at)
    .locator('svg')
    .evaluate(
      (svg, { line, steps }) => {
        const found: Record<string, number> = {};
        const { width, height } = svg.getBoundingClientRect();
        const paths = [...svg.querySelectorAll<SVGPathElement>('path')].filter(
          (path) => !['none', 'transparent'].includes(path.getAttribute('fill') ?? 'none'),
        );
        for (let step = 0; step < steps; step++) {
          const part = (step + 0.5) / steps;
          const [x, y] =
            'around' in line
              ? [
                  width / 2 + line.radius * Math.sin(2 * Math.PI * part),
                  height / 2 - line.radius * Math.cos(2 * Math.PI * part),
                ]
              : [
                  line.from[0] + part * (line.to[0] - line.from[0]),
                  line.from[1] + part * (line.to[1] - line.from[1]),
                ];
          for (const path of paths) {
            // Paths may be transformed.
            const matrix = path
              .getCTM()!
              .inverse()
              .multiply((svg as SVGSVGElement).getCTM() ?? new DOMMatrix());
            const point = new DOMPoint(x, y).matrixTransform(matrix);
            if (path.isPointInFill(point))
              found[getComputedStyle(path).fill] = (found[getComputedStyle(path).fill] ?? 0) + 1;
          }
        }
        return found;
      },
      { line, steps },
    );
/** Names and colours in the legend. */
const legend = (at: Locator) =>
  at
    .locator('.chart-legend li')
    .evaluateAll((items) =>
      items.map(
        (item) =>
          [
            item.textContent!,
            getComputedStyle(item.querySelector('.chart-key')!).backgroundColor,
          ] as const,
      ),
    );
const labels = (at: Locator) => box(at).locator('svg text').allTextContents();
/** Expects two series to be proportional within `tolerance`, in units of `drawn`. */
function proportion(drawn: readonly number[], wanted: readonly number[], tolerance: number): void {
  expect(drawn).toHaveLength(wanted.length);
  const [low, high] = [Math.min(...wanted), Math.max(...wanted)];
  const [first, last] = [drawn[wanted.indexOf(low)]!, drawn[wanted.indexOf(high)]!];
  for (const [at, value] of wanted.entries())
    expect(
      Math.abs(drawn[at]! - (first + ((value - low) / (high - low)) * (last - first))),
      `mark ${at} with value ${value}`,
    ).toBeLessThan(tolerance);
}
const height = ({ top, bottom }: Mark) => bottom - top;
const middle = ({ left, right }: Mark) => (left + right) / 2;
const byLeft = (a: Mark, b: Mark) => a.left - b.left;

async function opened(path: string): Promise<Note> {
  const entry = (await client.notes.list()).find((one) => one.path === path)!;
  return client.open(entry.id);
}
const titled = (note: Note, title: string): Paragraph =>
  note.paragraphs.find(({ state }) => state.server.title === title)!;
/** The rows as plain objects. */
const records = (table: Table): Record<string, unknown>[] =>
  table
    .toArray()
    .map((row) =>
      Object.fromEntries(
        Object.entries(row!.toJSON() as object).map(([name, value]) => [
          name,
          typeof value === 'bigint' ? Number(value) : value,
        ]),
      ),
    );

const { embedded, watched, page, client } = untilEnd(await startWalk());

describe.skipIf(inFront)('the charts of the sample notes', () => {
  let note: Note;
  afterAll(() => {
    note?.close();
    expect(watched.complaints).toEqual([]);
  });
  const words = {
    multiBarChart: 'Bar Chart',
    pieChart: 'Pie Chart',
    stackedAreaChart: 'Area Chart',
    lineChart: 'Line Chart',
    scatterChart: 'Scatter Chart',
  } as const;
  const show = async (
    paragraph: Paragraph,
    graph: { mode: keyof typeof words; [setting: string]: unknown },
    title: string,
  ): Promise<Locator> => {
    await paragraph.configure({
      results: { 0: { graph: { height: 300, optionOpen: false, ...graph } } },
    });
    const at = article(title);
    await at.scrollIntoViewIfNeeded();
    // A horizontal grid line has no height, so Playwright considers it hidden.
    await at
      .locator(`.chart-box[aria-label^="${words[graph.mode]}"] svg path`)
      .first()
      .waitFor({ state: 'attached' });
    return at;
  };

  describe('Seattle weather', () => {
    const title = 'Days by kind of weather and year';
    const fields = {
      keys: [column('year', 0)],
      groups: [column('weather', 1)],
      values: [column('days', 2)],
    };
    let paragraph: Paragraph;
    let years: number[];
    let kinds: string[];
    let days: (kind: string, year: number) => number;
    beforeAll(async () => {
      note = await opened('Samples/Seattle weather');
      paragraph = titled(note, title);
      await page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
      const rows = records(await (await paragraph.run()).table());
      years = [...new Set(rows.map(({ year }) => year as number))];
      kinds = [...new Set(rows.map(({ weather }) => weather as string))];
      days = (kind, year) =>
        (rows.find((row) => row['weather'] === kind && row['year'] === year)?.['days'] as
          | number
          | undefined) ?? 0;
      expect([years.length, kinds.length]).toEqual([4, 5]);
    });

    it('draws grouped bars with heights in days, side by side in legend colours', async () => {
      const at = await show(
        paragraph,
        { mode: 'multiBarChart', ...fields, setting: { multiBarChart: { stacked: false } } },
        title,
      );
      const drawn = (await marks(at)).sort(byLeft);
      const names = await legend(at);
      expect(names.map(([name]) => name)).toEqual(kinds);
      const wanted = years.flatMap((year) =>
        kinds.map((kind) => ({ kind, value: days(kind, year) })).filter(({ value }) => value > 0),
      );
      expect(drawn.map(({ fill }) => fill)).toEqual(
        wanted.map(({ kind }) => names.find(([name]) => name === kind)![1]),
      );
      proportion(
        drawn.map(height),
        wanted.map(({ value }) => value),
        1,
      );
      for (const [place, mark] of drawn.entries())
        if (place > 0) expect(mark.left).toBeGreaterThanOrEqual(drawn[place - 1]!.right - 0.5);
      expect(await labels(at)).toEqual(expect.arrayContaining([...years.map(String), '0']));
    });

    it('stacks bars when the setting changes', async () => {
      const at = article(title);
      await at.getByRole('button', { name: 'Fields' }).click();
      await at.getByRole('radio', { name: 'Stacked' }).click();
      await at.getByRole('button', { name: 'Fields' }).click();
      await expect
        .poll(() => JSON.stringify(paragraph.state.server.config?.['results']))
        .toContain('"stacked":true');
      const drawn = await marks(at);
      const names = await legend(at);
      const rain = drawn
        .filter(({ fill }) => fill === names.find(([name]) => name === 'rain')![1])
        .sort(byLeft);
      for (const [place, year] of years.entries()) {
        const stack = drawn
          .filter(
            (mark) =>
              height(mark) > 0.2 &&
              mark.left <= middle(rain[place]!) &&
              mark.right >= middle(rain[place]!),
          )
          .sort((a, b) => b.bottom - a.bottom);
        expect(stack.map(({ fill }) => names.find(([, colour]) => colour === fill)![0])).toEqual(
          kinds.filter((kind) => days(kind, year) > 0),
        );
        for (const [order, mark] of stack.entries())
          if (order > 0) expect(Math.abs(mark.bottom - stack[order - 1]!.top)).toBeLessThan(1.5);
      }
      proportion(
        rain.map(height),
        years.map((year) => days('rain', year)),
        1.5,
      );
    });

    it('draws pie slices with angles proportional to the days', async () => {
      const at = await show(
        paragraph,
        { mode: 'pieChart', keys: [column('weather', 1)], groups: [], values: [column('days', 2)] },
        title,
      );
      await rested(at);
      const names = await legend(at);
      const sum = (kind: string) => years.reduce((all, year) => all + days(kind, year), 0);
      const all = kinds.reduce((total, kind) => total + sum(kind), 0);
      const { height: high } = (await box(at).boundingBox())!;
      const steps = 1_440;
      const around = await covered(at, { around: true, radius: high * 0.3 }, steps);
      expect(names.map(([name]) => name)).toEqual(kinds);
      for (const [name, colour] of names)
        expect(Math.abs(around[colour]! / steps - sum(name) / all), name).toBeLessThan(0.004);
    });

    it.each(['stack', 'stream', 'expand'] as const)(
      'draws %s areas with thickness proportional to the days',
      async (style) => {
        const at = await show(
          paragraph,
          { mode: 'stackedAreaChart', ...fields, setting: { stackedAreaChart: { style } } },
          title,
        );
        const drawn = (await marks(at)).filter(({ fill }) => fill !== 'none');
        const names = await legend(at);
        const [left, right] = [
          Math.min(...drawn.map((mark) => mark.left)),
          Math.max(...drawn.map((mark) => mark.right)),
        ];
        const high = (await box(at).boundingBox())!.height;
        const thickness = await Promise.all(
          years.map((_, place) => {
            // The first and last points lie on the edges of the areas.
            const x = Math.min(
              right - 0.75,
              Math.max(left + 0.75, left + ((right - left) * place) / (years.length - 1)),
            );
            return covered(at, { from: [x, 0], to: [x, high] }, Math.round(high * 4));
          }),
        );
        const whole = (year: number) => kinds.reduce((total, kind) => total + days(kind, year), 0);
        const wanted = years.flatMap((year) =>
          kinds.map((kind) =>
            style === 'expand' ? days(kind, year) / whole(year) : days(kind, year),
          ),
        );
        proportion(
          years.flatMap((_, place) =>
            names.map(([, colour]) => (thickness[place]![colour] ?? 0) / 4),
          ),
          wanted,
          2,
        );
        const texts = await labels(at);
        if (style === 'expand') expect(texts).toEqual(expect.arrayContaining(['0%', '100%']));
        else if (style === 'stack')
          expect(texts).toEqual(expect.arrayContaining(['0', ...years.map(String)]));
        else expect(texts.filter((text) => !/^20\d\d$/.test(text))).toEqual(['days']);
      },
    );

    it('draws a labelled line through the days of each kind', async () => {
      const at = await show(paragraph, { mode: 'lineChart', ...fields }, title);
      const all = (await marks(at)).filter(({ fill }) => fill === 'none').sort(byLeft);
      // The leader of a label has the same colour; it lies to the right of the line.
      const drawn = (await legend(at)).map(
        ([, colour]) => all.find(({ stroke }) => stroke === colour)!,
      );
      expect(await labels(at)).toEqual(expect.arrayContaining(kinds));
      proportion(
        drawn.flatMap(({ points }) => points.map(([, y]) => -y)),
        kinds.flatMap((kind) => years.map((year) => days(kind, year)).filter((count) => count > 0)),
        1,
      );
      expect(drawn.map(({ dash }) => dash !== 'none')).toEqual([false, false, false, false, true]);
    });

    it('draws daily lines with dates and zooms into a range', async () => {
      const daily = await note.insert({
        text:
          '%sql\nselect date::varchar as day, temp_max, temp_min ' +
          "from 'seattle-weather.csv' order by date",
        title: 'Every day',
      });
      await daily.configure({ title: true });
      const rows = records(await (await daily.run()).table());
      expect(rows).toHaveLength(1_461);
      const at = await show(
        daily,
        {
          mode: 'lineChart',
          keys: [column('day', 0)],
          groups: [],
          values: [column('temp_max', 1), column('temp_min', 2)],
          setting: {
            lineChart: {
              lineWithFocus: true,
              isDateFormat: true,
              dateFormat: 'MMM YYYY',
              forceY: true,
            },
          },
        },
        'Every day',
      );
      const long = async () =>
        (await marks(at)).filter(
          ({ stroke, fill, points }) => fill === 'none' && stroke !== 'none' && points.length > 200,
        );
      const drawn = await long();
      expect(drawn).toHaveLength(2);
      // The chart drops points that coincide with the previous one.
      const { points } = drawn[0]!;
      const [start, end] = [points[0]![0], points.at(-1)![0]];
      expect(points.length).toBeGreaterThan(1_200);
      const least = Math.min(...points.slice(1).map(([x], place) => x - points[place]![0]));
      const step = (end - start) / Math.round((end - start) / least);
      const dayOf = ([x]: readonly [number, number]) => Math.round((x - start) / step);
      proportion(
        points.map(([, y]) => -y),
        points.map((point) => rows[dayOf(point)]!['temp_max'] as number),
        1,
      );
      expect(
        (await labels(at)).filter((text) => /^[A-Z][a-z]{2} 201[2-5]$/.test(text)).length,
      ).toBeGreaterThan(2);
      const months = (await labels(at)).join();
      await box(at).focus();
      for (let times = 0; times < 4; times++) await page.keyboard.press('+');
      await expect.poll(async () => (await labels(at)).join()).not.toBe(months);
      const near = await long();
      expect(near[0]!.points.at(-1)![0] - near[0]!.points[0]![0]).toBeGreaterThan(
        2 * (end - start),
      );
    });
  });

  describe('Flight delays', () => {
    beforeAll(async () => {
      note.close();
      note = await opened('Samples/Flight delays');
      await page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
      await titled(note, 'Names for the files').run();
    });

    it('draws bars of one series in a single colour, above and below zero', async () => {
      const title = 'Average delay by hour of departure';
      const paragraph = titled(note, title);
      const rows = records(await (await paragraph.run()).table()).map(
        ({ hour, avg_delay_min: delay }) => ({ hour: Number(hour), delay: Number(delay) }),
      );
      const at = await show(
        paragraph,
        {
          mode: 'multiBarChart',
          keys: [column('hour', 0)],
          groups: [],
          values: [column('avg_delay_min', 1)],
        },
        title,
      );
      const drawn = (await marks(at)).sort(byLeft);
      expect(new Set(drawn.map(({ fill }) => fill)).size).toBe(1);
      expect(await legend(at)).toEqual([]);
      expect(drawn).toHaveLength(rows.length);
      proportion(
        drawn.map(height),
        rows.map(({ delay }) => Math.abs(delay)),
        1,
      );
    });

    it('draws each airport at its distance and delay, sized by flights', async () => {
      const title = 'Busiest airports';
      const paragraph = titled(note, title);
      const rows = records(await (await paragraph.run()).table()).map((row) => ({
        miles: Number(row['avg_miles']),
        delay: Number(row['avg_delay_min']),
        flights: Number(row['flights']),
      }));
      expect(rows.length).toBeGreaterThan(20);
      const at = await show(
        paragraph,
        {
          mode: 'scatterChart',
          setting: {
            scatterChart: {
              xAxis: column('avg_miles', 5),
              yAxis: column('avg_delay_min', 4),
              group: null,
              size: column('flights', 2),
            },
          },
        },
        title,
      );
      const drawn = await marks(at);
      proportion(
        drawn.map(middle),
        rows.map(({ miles }) => miles),
        1,
      );
      proportion(
        drawn.map(({ top, bottom }) => -(top + bottom) / 2),
        rows.map(({ delay }) => delay),
        1,
      );
      const size = drawn.map(height);
      // Areas grow linearly from the smallest to the largest.
      proportion(
        size.map((one) => (one - Math.min(...size)) ** 2),
        rows.map(({ flights }) => flights),
        12,
      );
      expect(await labels(at)).toEqual(expect.arrayContaining(['avg_miles', 'avg_delay_min']));
    });
  });
});
