/** Outputs printed from the data of sample notes: text, HTML in its frame, images and tables. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Note, outputText, type Paragraph } from '@tiding/client';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteMenu } from '../support/page.ts';
import { pdfPages } from '../support/pdf.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, startWalk } from '../support/walk.ts';

/**
 * A `%js` preamble that reads the weather file into `days`: date, precipitation, temp_max,
 * temp_min, wind, weather.
 */
const weather = `%js
const { readFileSync, existsSync } = await import('node:fs');
const text = readFileSync('seattle-weather.csv', 'utf8').trim();
const [header, ...days] = text.split('\\n').map((line) => line.split(','));
`;
const texts = {
  Log: `${weather}
const esc = String.fromCharCode(27);
console.log('Data: https://example.org/seattle-weather?from=2012&to=2015. Four years.');
console.log('\\rreading 10 %\\rreading 55 %\\rread all');
for (const [date, rain, high, low, , kind] of days) {
  const colour = Number(high) >= 30 ? 31 : kind === 'rain' ? 34 : 0;
  const shown = colour ? esc + '[1;' + colour + 'm' + date + esc + '[0m' : date;
  console.log(shown + ' ' + high + ' ' + kind);
}
console.log('hottest: ' + Math.max(...days.map((day) => Number(day[2]))));`,
  Page: `${weather}
const years = new Map();
for (const [date, rain] of days) {
  const year = date.slice(0, 4);
  years.set(year, (years.get(year) ?? 0) + Number(rain));
}
const bar = ([year, sum]) =>
  '<p class="year">' + year + ': ' + sum.toFixed(1) + ' mm</p>'
  + '<div class="bar" style="width:' + sum / 4 + 'px"></div>';
z.html('<style>body { margin: 0 } .bar { background: currentColor; height: 12px }</style>'
  + '<h3>Rain by year</h3>'
  + [...years].map(bar).join('')
  + '<button id="more">Months</button><p id="reach"></p><div id="months"></div>'
  + '<script>let reached = [];'
  + 'for (const [name, look] of [["page", () => parent.document.title],'
  + ' ["cookie", () => document.cookie], ["store", () => localStorage.length]])'
  + ' { try { look(); reached.push(name); } catch {} }'
  + 'document.getElementById("reach").textContent ='
  + ' "reached: " + (reached.join() || "nothing") + ", origin " + origin;'
  + 'document.getElementById("more").onclick = () => {'
  + ' document.getElementById("months").innerHTML = "<p>one month</p>".repeat(12);'
  + ' };</scr' + 'ipt>');`,
  Picture: `${weather}
const { deflateSync, crc32 } = await import('node:zlib');
const chunk = (type, data) => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
};
const width = 365, high = 40, pixels = Buffer.alloc((width * 3 + 1) * high * 4);
for (let y = 0; y < high * 4; y++) for (let x = 0; x < width; x++) {
  const t = Number(days[Math.floor(y / high) * 365 + x][2]), at = y * (width * 3 + 1) + 1 + x * 3;
  pixels[at] = Math.max(0, Math.min(255, t * 7));
  pixels[at + 1] = 90;
  pixels[at + 2] = 255 - pixels[at];
}
const head = Buffer.alloc(13);
head.writeUInt32BE(width, 0);
head.writeUInt32BE(high * 4, 4);
head[8] = 8;
head[9] = 2;
const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const data = chunk('IDAT', deflateSync(pixels));
const png = Buffer.concat([signature, chunk('IHDR', head), data, chunk('IEND', Buffer.alloc(0))]);
console.log('%img ' + png.toString('base64'));`,
  Stream: `${weather}
const until = async (name) => {
  while (!existsSync(name)) await new Promise((resolve) => setTimeout(resolve, 20));
};
const print = (from, to) => {
  for (const [date, , high] of days.slice(from, to)) console.log(date + '\\t' + high);
};
console.log('reading');
console.log('%table date\\ttemp_max');
print(0, 3);
await until('go-on');
print(3, 8);
await until('end');
console.log('');
console.log('%text done with ' + days.length);`,
} as const;
type Title = keyof typeof texts;

/** Polls for a state with a timeout that suits a busy machine. */
const eventually = <T>(look: () => T, options: { timeout?: number; interval?: number } = {}) =>
  expect.poll(look, { ...options });

const { embedded, watched, page, client } = untilEnd(await startWalk());

describe.skipIf(inFront)('outputs of sample data in a browser', () => {
  let note: Note;
  let days: string[][];
  const of = (title: Title): Paragraph =>
    note.paragraphs.find(({ state }) => state.server.title === title)!;
  const article = (title: Title) =>
    page.locator('article').filter({ has: page.locator('.paragraph-title', { hasText: title }) });
  const shown = async (title: Title): Promise<Locator> => {
    const at = article(title);
    await at.scrollIntoViewIfNeeded();
    return at;
  };
  const download = async (
    press: () => Promise<unknown>,
  ): Promise<{ name: string; data: Buffer }> => {
    const [file] = await Promise.all([page.waitForEvent('download'), press()]);
    return { name: file.suggestedFilename(), data: await readFile(await file.path()) };
  };

  beforeAll(async () => {
    days = (await readFile(join(embedded.data, 'files/shared/seattle-weather.csv'), 'utf8'))
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    note = untilEnd(await client.open(await client.notes.create({ path: 'Outputs' })));
    for (const [title, text] of Object.entries(texts)) await note.insert({ title, text });
    await note.paragraphs[0]!.remove();
    for (const paragraph of note.paragraphs)
      await paragraph.configure({ title: true, editorHide: true });
    for (const title of Object.keys(texts) as Title[])
      if (title !== 'Stream') expect((await of(title).run()).error).toBeUndefined();
    await page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
    await page.reload();
    await page
      .locator('article')
      .nth(Object.keys(texts).length - 1)
      .waitFor();
  });
  afterAll(() => expect(watched.complaints).toEqual([]));

  it('text: shows the end with colours, more on demand and all as a download', async () => {
    const at = await shown('Log');
    const box = at.locator('.text-box');
    await box.getByText('hottest: 35.6').waitFor();
    await eventually(() =>
      box.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight),
    ).toBeLessThan(2);
    await expect.poll(() => at.locator('.text-above').textContent()).toMatch(/^\d+ lines above/);
    expect(await box.textContent()).not.toContain('2012-01-01');
    const whole = await download(() => at.getByRole('button', { name: 'Download text' }).click());
    expect(whole.name).toMatch(/^Log.*\.txt$/);
    expect(whole.data.toString()).toBe(outputText(of('Log').outputs[0]!));
    while ((await at.getByRole('button', { name: 'Show more' }).count()) > 0)
      await at.getByRole('button', { name: 'Show more' }).click();
    await box.evaluate((element) => (element.scrollTop = 0));
    const link = box.getByRole('link');
    await eventually(() => link.getAttribute('href')).toBe(
      'https://example.org/seattle-weather?from=2012&to=2015',
    );
    await expect.poll(() => link.getAttribute('rel')).toContain('noopener');
    const text = await box.textContent();
    expect(text).toContain('read all');
    expect(text).not.toContain('reading');
    expect(text).not.toContain('[1;3');
    // Hot days are red and rainy days blue, in the colours of the theme.
    const dates = (className: string) => box.locator(`.${className}`).allTextContents();
    expect(await dates('ansi-fg-1')).toEqual(
      days.filter((day) => Number(day[2]) >= 30).map(([date]) => date),
    );
    expect(await dates('ansi-fg-4')).toEqual(
      days.filter((day) => Number(day[2]) < 30 && day[5] === 'rain').map(([date]) => date),
    );
  });

  it('HTML: is isolated in a frame that fits its height and theme', async () => {
    const at = await shown('Page');
    const frame = at.frameLocator('iframe');
    const sums = ['2012', '2013', '2014', '2015'].map(
      (year) =>
        `${year}: ${days
          .filter(([date]) => date!.startsWith(year))
          .reduce((sum, day) => sum + Number(day[1]), 0)
          .toFixed(1)} mm`,
    );
    await frame.locator('#reach').getByText('origin').waitFor();
    await expect.poll(() => frame.locator('.year').allTextContents()).toEqual(sums);
    await expect
      .poll(() => frame.locator('#reach').textContent())
      .toBe('reached: nothing, origin null');
    const height = () => at.locator('iframe').evaluate((element) => element.clientHeight);
    // The frame does not scroll.
    await eventually(() =>
      frame.locator('html').evaluate((html) => html.scrollHeight - html.clientHeight),
    ).toBe(0);
    expect(await height()).toBeLessThan(400);
    const before = await height();
    await frame.locator('#more').click();
    await eventually(height).toBeGreaterThan(before + 150);
    const colour = () => frame.locator('h3').evaluate((element) => getComputedStyle(element).color);
    const light = await colour();
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually(colour).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'light' });
    await eventually(colour).toBe(light);
  });

  it('HTML: note search finds and marks text inside the frame', async () => {
    await noteMenu(page, 'Search code');
    await page
      .getByRole('checkbox', { name: 'Include results' })
      .or(page.getByRole('button', { name: 'Include results' }))
      .first()
      .click();
    await page.getByRole('textbox', { name: 'Find', exact: true }).fill('rain by year');
    // One match in the code and one in its output.
    await eventually(() => page.locator('.find-count').textContent()).toBe('1 of 2');
    const marked = () =>
      article('Page')
        .frameLocator('iframe')
        .locator('body')
        .evaluate(() =>
          ['found', 'found-here'].flatMap((name) =>
            [...(CSS.highlights.get(name) ?? [])].map(String),
          ),
        );
    await page.keyboard.press('Enter');
    await eventually(() => page.locator('.find-count').textContent()).toBe('2 of 2');
    await eventually(marked).toEqual(['Rain by year']);
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Find', exact: true }).waitFor({ state: 'detached' });
    await eventually(marked).toEqual([]);
  });

  it('HTML: is printed with the rest of the note', async () => {
    const pages = (await pdfPages(await page.pdf({ format: 'A4' })))
      .join(' ')
      .replaceAll(/\s+/g, '');
    for (const words of ['Rainbyyear', 'hottest:35.6']) expect(pages).toContain(words);
  });

  it('image: has its natural size, opens full size and downloads', async () => {
    const at = await shown('Picture');
    const image = at.locator('img.result-image');
    await eventually(() =>
      image.evaluate((element) => (element as HTMLImageElement).naturalWidth),
    ).toBe(365);
    expect(await image.evaluate((element) => [element.clientWidth, element.clientHeight])).toEqual([
      365, 160,
    ]);
    await image.hover();
    const file = await download(() => at.getByRole('button', { name: 'Download picture' }).click());
    expect(file.name).toMatch(/^Picture.*\.png$/);
    expect(file.data.toString('base64')).toBe(outputText(of('Picture').outputs[0]!).trim());
    await at.getByRole('button', { name: 'Full size' }).click();
    await eventually(() => page.locator('.image-view.full').count()).toBe(1);
    await page.keyboard.press('Escape');
    await eventually(() => page.locator('.image-view.full').count()).toBe(0);
  });

  it('adds streamed rows to a table and shows later outputs below it', async () => {
    const at = await shown('Stream');
    const files = join(embedded.data, 'files/notes', note.id);
    await at.hover();
    await at.getByRole('button', { name: 'Run this paragraph (Shift+Enter)' }).click();
    const rows = async () => Number(await at.getByRole('grid').getAttribute('aria-rowcount')) - 1;
    await at.getByRole('grid').waitFor();
    await at.getByText('reading', { exact: true }).waitFor();
    await eventually(rows).toBe(3);
    await expect.poll(() => at.getAttribute('data-status')).toBe('RUNNING');
    // The table is visible before the run ends.
    await writeFile(join(files, 'go-on'), '');
    await eventually(rows).toBe(8);
    await expect.poll(() => at.getAttribute('data-status')).toBe('RUNNING');
    await writeFile(join(files, 'end'), '');
    await eventually(() => at.getAttribute('data-status')).toBe('FINISHED');
    await at.getByText(`done with ${days.length}`).waitFor();
    expect(await rows()).toBe(8);
    await expect
      .poll(() => at.getByRole('gridcell').allTextContents())
      .toEqual(expect.arrayContaining([days[7]![0], days[7]![2]]));
  });

  it('text: follows 20,000 lines to the end, unless the reader scrolls up', async () => {
    const quick = join(embedded.data, 'files/notes', note.id, 'quick');
    await writeFile(quick, '');
    const text = `%js
const { existsSync } = await import('node:fs');
for (let line = 1; line <= 20_000; line += 1) {
  console.log('line ' + line);
  if (line % 100 === 0 || (line > 5_000 && !existsSync('quick')))
    await new Promise((resolve) => setTimeout(resolve, 25));
}`;
    const paragraph = await note.insert({ title: 'Many lines', text });
    await paragraph.configure({ title: true, editorHide: true });
    const at = page
      .locator('article')
      .filter({ has: page.locator('.paragraph-title', { hasText: 'Many lines' }) });
    await at.scrollIntoViewIfNeeded();
    const box = at.locator('.text-box');
    const fromEnd = () =>
      box.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    const lastLine = async () => Number(/line (\d+)\s*$/.exec((await box.textContent())!)?.[1]);

    let run = paragraph.run();
    await at.getByRole('button', { name: 'Scroll Top' }).waitFor();
    const left = await box.evaluate(
      (element) =>
        new Promise<string[]>((resolve) => {
          const result = element.closest('.result-text')!;
          const states: string[] = [];
          const observer = new MutationObserver(() => {
            const label = result.querySelector('.text-follow')?.textContent ?? '';
            if (label !== states.at(-1)) states.push(label);
            if (!/line 20000\s*$/.test(element.textContent!)) return;
            observer.disconnect();
            resolve(states);
          });
          observer.observe(result, { childList: true, characterData: true, subtree: true });
        }),
    );
    expect(left).toEqual(['Scroll Top']);
    expect((await run).error).toBeUndefined();
    await eventually(fromEnd).toBeLessThan(2);
    expect(await lastLine()).toBe(20_000);

    // Scroll up with the wheel, while lines come one by one.
    await rm(quick);
    run = paragraph.run();
    await eventually(lastLine).toBeLessThan(18_000);
    await eventually(lastLine).toBeGreaterThan(2_000);
    await box.hover();
    await page.mouse.wheel(0, -200);
    await at.getByRole('button', { name: 'Follow Output' }).waitFor();
    const firstOf = () =>
      box.evaluate((element) => {
        const { left: x, top: y } = element.getBoundingClientRect();
        const root = element.getRootNode() as ShadowRoot;
        return root
          .elementsFromPoint(x + 40, y + 20)
          .find((hit) => hit.parentElement?.classList.contains('text-lines'))
          ?.textContent?.split('\n')[0];
      });
    // The wheel scrolls smoothly.
    let block: string | undefined;
    await eventually(async () => block === (block = await firstOf())).toBe(true);
    const last = await lastLine();
    await eventually(lastLine).toBeGreaterThan(last);
    expect(await firstOf()).toBe(block);
    await writeFile(quick, '');
    await box.focus();
    await page.keyboard.press('End');
    await at.getByRole('button', { name: 'Scroll Top' }).waitFor();
    expect((await run).error).toBeUndefined();
    await eventually(fromEnd).toBeLessThan(2);
    expect(await lastLine()).toBe(20_000);
    await paragraph.remove();
  });

  it('SQL table: right-aligns and groups sums and averages, keeps all digits of ids', async () => {
    const text = `%sql
select kind, city, sum(x) as total, avg(x) as mean, max(long) as serial
from (values
  ('a', 'Ulm', 0.1::double, 12345678901234567),
  ('a', 'Ulm', 0.2, 12345678901234568),
  ('b', 'Bonn', 45429.69999999998, 12345678901234569)
) t(kind, city, x, long)
group by all order by kind`;
    const paragraph = await note.insert({ title: 'Sums', text });
    await paragraph.configure({ title: true, editorHide: true });
    expect((await paragraph.run()).error).toBeUndefined();
    const at = page
      .locator('article')
      .filter({ has: page.locator('.paragraph-title', { hasText: 'Sums' }) });
    await at.scrollIntoViewIfNeeded();
    const grid = at.getByRole('grid');
    await grid.getByText('45,429.69999999998').first().waitFor();
    const heads = grid.getByRole('columnheader');
    const right = (cells: Locator) =>
      cells.evaluateAll((all) => all.map((cell) => cell.classList.contains('right')));
    await eventually(async () => (await right(heads)).slice(-5)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    await expect
      .poll(() => grid.getByRole('gridcell').allTextContents())
      .toEqual(
        expect.arrayContaining([
          '0.30000000000000004',
          '0.15000000000000002',
          '12,345,678,901,234,568',
          '12,345,678,901,234,569',
        ]),
      );
    await at.getByRole('radio', { name: 'Bar Chart' }).click();
    const data = at.locator('.chart-body table');
    await eventually(() => data.locator('thead').textContent()).toContain('total');
    await expect.poll(() => data.locator('tbody').textContent()).toMatch(/45,?429\.7/);
    await paragraph.remove();
  });
});
