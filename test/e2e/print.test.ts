/** Prints of notes that were just opened: all rows and whole charts are on the paper. */
import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { noteMenu, showNote } from '../support/page.ts';
import { pdfFills, pdfPages } from '../support/pdf.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, startWalk, type Walk } from '../support/walk.ts';

const COUNT = 60;
const BARS = 12;
const SLICES = 5;
/** Charts with bars, and as many pies. */
const CHARTS_OF_KIND = COUNT / 6;
const MARGIN_PT = (12 / 25.4) * 72;
const column = (name: string, index: number, aggr = 'sum') => ({ name, index, aggr });

const markdown = (n: number): string =>
  `<div class="markdown-body"><h2>Head ${n}</h2><p>mark${n}. ${'Words. '.repeat(60)}</p></div>`;

/** Markdown, a table and a chart in turn; every fourth table is long, every second chart a pie. */
const paragraphs = Array.from({ length: COUNT }, (_, n) => {
  const kind = n % 3;
  const isPie = n % 2 === 0;
  const rows = kind === 2 ? (isPie ? SLICES : BARS) : n % 12 === 1 ? 40 : 6;
  const lines = Array.from({ length: rows }, (_, row) => `p${n}c${row}x\t${20 + ((row * 7) % 13)}`);
  const graph = {
    mode: kind === 1 ? 'table' : isPie ? 'pieChart' : 'multiBarChart',
    height: 300,
    keys: [column('k', 0)],
    groups: [],
    values: [column('v', 1)],
  };
  return {
    text: kind === 0 ? `%md\n## Head ${n}` : `%sql\nselect ${n}`,
    config: {
      colWidth: 12,
      enabled: true,
      ...(kind === 0 ? { editorHide: true } : { results: { 0: { graph } } }),
    },
    settings: { params: {}, forms: {} },
    results: {
      code: 'SUCCESS',
      msg: [
        kind === 0
          ? {
              type: 'HTML',
              data: markdown(n),
            }
          : { type: 'TABLE', data: `k\tv\n${lines.join('\n')}` },
      ],
    },
    status: 'FINISHED',
  };
});
const words = paragraphs.flatMap(({ results }, n) =>
  n % 3 === 2 ? [] : results.msg[0]!.data.match(n % 3 === 0 ? /mark\d+\./g : /p\d+c\d+x/g)!,
);

/** Chooses *Print this note*. The function that it returns waits until the browser would print. */
async function startPrint(page: Page): Promise<() => Promise<void>> {
  const printed = page.waitForEvent('console', (message) => message.text() === 'prints');
  await page.evaluate(() => {
    window.print = () => console.log('prints');
  });
  await noteMenu(page, 'Print this note');
  return async () => void (await printed);
}
const notice = 'This print was started before everything had loaded';

let walk: Walk;
beforeAll(async () => {
  if (!inFront) walk = untilEnd(await startWalk());
});

describe.skipIf(inFront)('a table whose rows arrive late', () => {
  it('is waited for, or the print says that it is incomplete', async () => {
    const { client, embedded } = walk;
    const graph = { mode: 'multiBarChart', height: 300 };
    const note = await client.open(
      await client.notes.importNote({
        name: 'Late',
        paragraphs: [{}, { results: { 0: { graph } } }].map((config) => ({
          text: "%sql\nselect 'late' || range k, range v from range(40)",
          config,
        })),
      } as never),
    );
    for (const paragraph of note.paragraphs) await paragraph.run();
    const page = await walk.page.context().newPage();
    const textOf = async () => (await pdfPages(await page.pdf())).join(' ');
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/result/**', async (route) => {
      await held;
      await route.continue();
    });
    await showNote(page, embedded.server.url, note.id, 2);
    await page.locator('[role=grid]').waitFor();
    expect(await textOf()).toContain(notice);
    await page.getByRole('status').getByRole('button', { name: 'Print this note' }).waitFor();
    const printed = await startPrint(page);
    let isPrinted = false;
    const end = printed().then(() => (isPrinted = true));
    await page.waitForTimeout(500);
    expect(isPrinted).toBe(false);
    release();
    await end;
    const pdf = await page.pdf();
    expect((await pdfPages(pdf)).join(' ')).not.toContain(notice);
    expect((await pdfPages(pdf)).join(' ')).toContain('late39');
    const bars = (await pdfFills(pdf)).filter(
      ({ left, right }) => right - left > 3 && right - left < 30,
    );
    expect(bars.length).toBeGreaterThanOrEqual(39);
    await page.close();
  });
});

it.skipIf(inFront)(
  'a table of 25 columns has all of them on A4, in words that can be read',
  async () => {
    const { client, page: first, embedded } = walk;
    const note = await client.open(await client.notes.create({ path: 'Wide' }));
    const list = Array.from({ length: 25 }, (_, n) => `'cell${n}of' || k || 'x' as "head${n}x"`);
    const paragraph = await note.insert({
      text: `%sql\nselect ${list.join(', ')} from range(4) t(k)`,
    });
    await paragraph.run();
    const page = await first.context().newPage();
    await showNote(page, embedded.server.url, note.id, 1);
    await page.getByRole('gridcell').first().waitFor();
    const pdf = await page.pdf({
      format: 'A4',
      margin: { top: '12mm', bottom: '12mm', left: '12mm', right: '12mm' },
    });
    const text = (await pdfPages(pdf)).join(' ');
    for (let n = 0; n < 25; n += 1) {
      const row = [`head${n}x`, ...[0, 1, 2, 3].map((k) => `cell${n}of${k}x`)];
      expect(row.filter((word) => !text.includes(word))).toEqual([]);
    }
    await page.close();
  },
);

it.skipIf(inFront)('leaves a note whose code for prints has not arrived', async () => {
  const { client, page, watched, embedded } = walk;
  const id = await client.notes.create({ path: 'Left early' });
  const asked = new Promise<Route>((resolve) => {
    void page.route('**/chunks/print-note-*', resolve);
  });
  await showNote(page, embedded.server.url, id, 1);
  const route = await asked;
  await page.goto(`${embedded.server.url}/#/`);
  await page.getByRole('button', { name: 'Import' }).waitFor();
  await Promise.all([page.waitForResponse(/print-note/), route.continue()]);
  await page.waitForTimeout(300);
  expect(watched.complaints).toEqual([]);
});

describe.skipIf(inFront)('a long note that is printed for the first time', () => {
  let id: string;
  beforeAll(async () => {
    if (walk) id = await walk.client.notes.importNote({ name: 'Paper', paragraphs } as never);
  });

  it.each([
    ['default', 'A4', 595, 'command'],
    ['default', 'Letter', 612, 'keys'],
    ['report', 'A4', 595, 'keys'],
    ['report', 'Letter', 612, 'command'],
  ] as const)(
    '%s look, %s: has all rows and whole charts (%s %s)',
    async (look, format, paperWidth, way) => {
      const note = await walk.client.open(id);
      await note.configure({ looknfeel: look });
      const page = await walk.page.context().newPage();
      try {
        await showNote(page, walk.embedded.server.url, id, COUNT);
        if (way === 'command') await (await startPrint(page))();
        else {
          // The code of tables and of both kinds of charts has loaded.
          for (const n of [1, 4, 7])
            await page.locator('article').nth(n).getByRole('grid').waitFor();
          for (const n of [2, 5])
            await page
              .locator('article')
              .nth(n)
              .locator('svg path')
              .first()
              .waitFor({ state: 'attached' });
        }
        const margin = '12mm';
        const pdf = await page.pdf({
          format,
          printBackground: true,
          margin: { top: margin, bottom: margin, left: margin, right: margin },
        });
        const text = (await pdfPages(pdf)).join(' ').replaceAll(/\s/g, '');
        expect(words.filter((word) => !text.includes(word))).toEqual([]);
        // A legend has a small square for each slice.
        const counts = new Map<string, number>();
        for (const { color, left, right, top, bottom } of await pdfFills(pdf)) {
          const channels = [1, 3, 5].map((at) => Number(`0x${color.slice(at, at + 2)}`) / 255);
          if (Math.max(...channels) - Math.min(...channels) < 0.1) continue;
          const isLarge = right - left > 15 && top - bottom > 15;
          if (isLarge) counts.set(color, (counts.get(color) ?? 0) + 1);
          expect(left).toBeGreaterThan(MARGIN_PT - 1);
          expect(right).toBeLessThan(paperWidth - MARGIN_PT + 1);
        }
        expect([...counts.values()].sort((one, other) => other - one)).toEqual([
          CHARTS_OF_KIND * BARS,
          ...Array.from({ length: SLICES }, () => CHARTS_OF_KIND),
        ]);
      } finally {
        await page.close();
      }
    },
  );
});
