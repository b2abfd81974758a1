/**
 * A network of the weather in a sample note: the drawing, its labels, selection and zoom. With
 * `TIDING_SHOTS`, takes pictures.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, Note } from '@tiding/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shoot } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, startWalk, type Walk } from '../support/walk.ts';

/**
 * A `%js` preamble that reads the weather file into `days`: date, precipitation, temp_max,
 * temp_min, wind, weather.
 */
const weather = `%js
const { readFileSync, existsSync } = await import('node:fs');
const text = readFileSync('seattle-weather.csv', 'utf8').trim();
const [header, ...days] = text.split('\\n').map((line) => line.split(','));
`;
const code = `${weather}
const kinds = [...new Set(days.map((day) => day[5]))];
const years = [...new Set(days.map((day) => day[0].slice(0, 4)))];
const count = (list) =>
  list.reduce((all, name) => all.set(name, (all.get(name) ?? 0) + 1), new Map());
const ends = (pair) => ({ source: pair.split('>')[0], target: pair.split('>')[1] });
const changes = days.slice(1).map((day, at) => days[at][5] + '>' + day[5]);
const turns = count(changes.filter((turn) => ends(turn).source !== ends(turn).target));
const had = count(days.map((day) => day[0].slice(0, 4) + '>' + day[5]));
console.log('%network ' + JSON.stringify({
  nodes: [
    ...kinds.map((kind) => {
      const data = { name: kind, days: days.filter((day) => day[5] === kind).length };
      return { id: kind, label: 'Weather', data };
    }),
    ...years.map((year) => ({ id: year, label: 'Year', data: { name: year } })),
  ],
  edges: [
    ...[...turns].map(([turn, n], at) => (
      { id: 't' + at, ...ends(turn), label: 'TURNED_INTO', data: { times: n } })),
    ...[...had].map(([pair, n], at) => (
      { id: 'h' + at, ...ends(pair), label: 'HAD', data: { days: n } })),
  ],
  labels: { Weather: '#ff0000', Year: '#00a000' }, types: ['TURNED_INTO', 'HAD'], directed: true,
}));`;

/** Polls for a state with a timeout that suits a busy machine. */
const eventually = <T>(look: () => T, options: { timeout?: number; interval?: number } = {}) =>
  expect.poll(look, { ...options });

describe.skipIf(inFront)('a network of sample data in a browser', () => {
  let walk: Walk;
  let page: Page;
  let client: Client;
  let note: Note;
  let days: string[][];
  const article = () => page.locator('article').first();
  const shown = async () => {
    await article().scrollIntoViewIfNeeded();
    return article();
  };
  const graph = () =>
    (
      note.paragraphs[0]!.state.server.config?.results as
        | Record<string, { graph?: Record<string, unknown> }>
        | undefined
    )?.[0]?.graph;

  beforeAll(async () => {
    walk = untilEnd(await startWalk());
    ({ page, client } = walk);
    // Record the texts that the page draws on canvases.
    await page.addInitScript(() => {
      const written: string[] = [];
      Object.assign(window, { written });
      const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.clearRect = function (...box) {
        written.length = 0;
        clearRect.apply(this, box);
      };
      CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        written.push(text);
        fillText.call(this, text, ...place);
      };
    });
    days = (await readFile(join(walk.embedded.data, 'files/shared/seattle-weather.csv'), 'utf8'))
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    note = untilEnd(await client.open(await client.notes.create({ path: 'Network' })));
    const paragraph = await note.insert({ title: 'Net', text: code });
    await note.paragraphs[0]!.remove();
    await paragraph.configure({ title: true, editorHide: true });
    expect((await paragraph.run()).error).toBeUndefined();
    await page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
    await page.reload();
    await article().waitFor();
  });
  afterAll(async () => {
    expect(walk?.watched.complaints ?? []).toEqual([]);
  });

  const stage = () => article().getByRole('application');
  const written = () =>
    page.evaluate(() => [...(window as unknown as { written: string[] }).written]);
  /** Centres of the areas of a colour, in page px. */
  const middles = (colour: readonly [number, number, number]) =>
    stage()
      .locator('canvas')
      .evaluate((canvas: HTMLCanvasElement, [red, green, blue]) => {
        const { data, width } = canvas
          .getContext('2d')!
          .getImageData(0, 0, canvas.width, canvas.height);
        const box = canvas.getBoundingClientRect();
        const ratio = canvas.width / box.width;
        const found: { x: number; y: number; n: number }[] = [];
        for (let at = 0; at < data.length; at += 4) {
          if (
            Math.abs(data[at]! - red) > 12 ||
            Math.abs(data[at + 1]! - green) > 12 ||
            Math.abs(data[at + 2]! - blue) > 12 ||
            data[at + 3]! < 240
          )
            continue;
          const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
          const near = found.find(
            (area) => Math.hypot(area.x / area.n - x, area.y / area.n - y) < 14 * ratio,
          );
          if (near) Object.assign(near, { x: near.x + x, y: near.y + y, n: near.n + 1 });
          else found.push({ x, y, n: 1 });
        }
        return found
          .filter(({ n }) => n > 20)
          .map(({ x, y, n }) => ({ x: box.left + x / n / ratio, y: box.top + y / n / ratio }));
      }, colour);
  const rested = async (): Promise<{ x: number; y: number }[]> => {
    let last = '';
    let now: { x: number; y: number }[] = [];
    await eventually(
      async () => {
        now = await middles([255, 0, 0]);
        const same = now.length > 0 && JSON.stringify(now) === last;
        last = JSON.stringify(now);
        return same;
      },
      { timeout: 60_000, interval: 250 },
    ).toBe(true);
    return now;
  };
  const kinds = () => [...new Set(days.map((day) => day[5]!))];
  const turns = () => {
    const all = new Map<string, number>();
    for (const [at, day] of days.slice(1).entries())
      if (days[at]![5] !== day[5])
        all.set(`${days[at]![5]}>${day[5]}`, (all.get(`${days[at]![5]}>${day[5]}`) ?? 0) + 1);
    return all;
  };
  const had = () => new Set(days.map((day) => `${day[0]!.slice(0, 4)}>${day[5]}`));

  it('draws the counts, labels and types', async () => {
    const at = await shown();
    const edges = turns().size + had().size;
    await eventually(() => stage().getAttribute('aria-label')).toBe(
      `Net, network: ${kinds().length + 4} nodes · ${edges} relationships`,
    );
    await expect
      .poll(() => at.locator('.network-head > div').allTextContents())
      .toEqual([`Nodes ${kinds().length + 4}WeatherYear`, `Relationships ${edges}TURNED_INTOHAD`]);
    expect(
      await at
        .locator('.network-key')
        .evaluateAll((keys) => keys.map((key) => getComputedStyle(key).backgroundColor)),
    ).toEqual(['rgb(255, 0, 0)', 'rgb(0, 160, 0)']);
    await rested();
    expect((await middles([0, 160, 0])).length).toBeGreaterThan(0);
    // Labels are not drawn at this zoom level.
    expect(await written()).toEqual([]);
    await shoot(page, 'output-network');
  });

  it('shows the details of a clicked node and emits tiding-select', async () => {
    await page.evaluate(() =>
      document.addEventListener(
        'tiding-select',
        (event) => Object.assign(window, { chosen: (event as CustomEvent).detail }),
        { once: true },
      ),
    );
    const [node] = await rested();
    await page.mouse.click(node!.x, node!.y);
    const details = article().locator('.network-details');
    await details.waitFor();
    const { values } = await page.evaluate(
      () => (window as unknown as { chosen: { values: Record<string, unknown> } }).chosen,
    );
    const kind = values['id'] as string;
    expect(kinds()).toContain(kind);
    expect(values).toEqual({
      id: kind,
      label: 'Weather',
      name: kind,
      days: days.filter((day) => day[5] === kind).length,
    });
    await expect
      .poll(() => details.locator('.network-details-head').textContent())
      .toBe(`NodeID ${kind}Weather`);
    await expect
      .poll(() => details.locator('dl > div').allTextContents())
      .toEqual([`name${kind}`, `days${values['days']}`]);
    await shoot(page, 'output-network-chosen');
    await details.getByRole('button', { name: 'Close' }).click();
    await details.waitFor({ state: 'detached' });
  });

  it('shows labels from zoom 1.3 on, zooms between 1 and 10 and saves the label', async () => {
    const at = article();
    await stage().focus();
    await page.keyboard.press('0');
    await page.mouse.move(0, 0);
    await eventually(async () => (await written()).length).toBeLessThan(2);
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await eventually(
      async () => (await written()).filter((text) => text === 'TURNED_INTO').length,
    ).toBeGreaterThan(0);
    expect(await written()).toEqual(expect.arrayContaining(['Weather']));
    await shoot(page, 'output-network-named');
    await at.getByRole('button', { name: 'Settings', exact: true }).click();
    for (const label of ['Weather', 'Year'])
      await at
        .locator('.network-settings label')
        .filter({ hasText: label })
        .getByRole('combobox')
        .selectOption('name');
    await at.getByRole('button', { name: 'Save configuration' }).click();
    await eventually(
      async () =>
        (await written()).filter((text) => kinds().includes(text) || /^20\d\d$/.test(text)).length,
    ).toBeGreaterThan(0);
    await eventually(() => JSON.stringify(graph())).toContain('"Weather":{"selected":"name"');
    await at.getByRole('button', { name: 'Settings', exact: true }).click();
    await stage().focus();
    // Each key press zooms by a factor of 1.3; twelve of them pass either limit.
    const scale = () =>
      stage()
        .locator('canvas')
        .evaluate((canvas) => (canvas as unknown as { __zoom: { k: number } }).__zoom.k);
    await eventually(scale).toBeGreaterThan(1.3);
    for (let times = 0; times < 12; times++) await page.keyboard.press('+');
    await eventually(scale).toBe(10);
    await page.keyboard.press('+');
    await page.keyboard.press('-');
    await eventually(scale).toBeCloseTo(10 / 1.3, 5);
    for (let times = 0; times < 12; times++) await page.keyboard.press('-');
    await eventually(scale).toBe(1);
    await page.keyboard.press('-');
    await page.keyboard.press('+');
    await eventually(scale).toBeCloseTo(1.3, 5);
    await page.keyboard.press('0');
    await eventually(scale).toBe(1);
    expect((await rested()).length).toBeGreaterThan(1);
  });

  it('shows nodes and relationships as a table', async () => {
    const at = article();
    await at.getByRole('radio', { name: 'Table' }).click();
    await at.getByRole('grid').waitFor();
    await expect
      .poll(() => at.getByRole('columnheader').allTextContents())
      .toEqual(
        ['id', 'label', 'name', 'days', 'times'].map(
          (name) => expect.stringMatching(new RegExp(` ${name}$`)) as string,
        ),
      );
    await eventually(
      async () => Number(await at.getByRole('grid').getAttribute('aria-rowcount')) - 1,
    ).toBe(kinds().length + 4 + turns().size + had().size);
    await at.getByRole('radio', { name: 'Network' }).click();
    await stage().waitFor();
  });
});
