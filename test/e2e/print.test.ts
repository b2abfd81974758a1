/** The first print of a long note: all rows and whole charts are on the paper. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { showNote } from '../support/page.ts';
import { pdfFills, pdfPages } from '../support/pdf.ts';
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

describe.skipIf(inFront)('a long note that is printed for the first time', () => {
  let walk: Walk;
  let id: string;
  beforeAll(async () => {
    walk = await startWalk();
    id = await walk.client.notes.importNote({ name: 'Paper', paragraphs } as never);
  });
  afterAll(() => walk?.stop());

  it.each([
    ['default', 'A4', 595],
    ['default', 'Letter', 612],
    ['report', 'A4', 595],
    ['report', 'Letter', 612],
  ] as const)('%s look, %s: has all rows and whole charts', async (look, format, paperWidth) => {
    const note = await walk.client.open(id);
    await note.configure({ looknfeel: look });
    const page = await walk.page.context().newPage();
    try {
      await showNote(page, walk.embedded.server.url, id, COUNT);
      // The code of tables and of both kinds of charts has loaded.
      for (const n of [1, 4, 7]) await page.locator('article').nth(n).getByRole('grid').waitFor();
      for (const n of [2, 5])
        await page
          .locator('article')
          .nth(n)
          .locator('svg path')
          .first()
          .waitFor({ state: 'attached' });
      const margin = '12mm';
      const pdf = await page.pdf({
        format,
        printBackground: true,
        margin: { top: margin, bottom: margin, left: margin, right: margin },
      });
      const folder = process.env['TIDING_SHOTS'];
      if (folder) await writeFile(join(folder, `print-${look}-${format}.pdf`), pdf);
      const text = pdfPages(pdf).join(' ').replaceAll(/\s/g, '');
      expect(words.filter((word) => !text.includes(word))).toEqual([]);
      // A legend has a small square for each slice.
      const counts = new Map<string, number>();
      for (const { color, left, right, top, bottom } of pdfFills(pdf)) {
        const channels = color.split(' ').map(Number);
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
  });
});
