/**
 * Every type of output, printed from the data of the sample notes and used as a reader would: text, markup in its frame, pictures, JSON,
 * widgets, several in one paragraph while they come. With `TIDING_SHOTS` pictures are taken, light and dark.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputText, type Client, type Note, type Paragraph } from 'tiding/client';
import { pdfPages } from '../support/pdf.ts';
import { shoot } from '../support/page.ts';
import { inFront, startWalk, type Walk } from '../support/walk.ts';

/** `%js` that has the days of the weather file as `days`: date, precipitation, temp_max, temp_min, wind, weather. */
const weather = `%js
const { readFileSync, existsSync } = await import('node:fs');
const [header, ...days] = readFileSync('seattle-weather.csv', 'utf8').trim().split('\\n').map((line) => line.split(','));
`;
const texts = {
  Log: `${weather}
const esc = String.fromCharCode(27);
console.log('Data: https://example.org/seattle-weather?from=2012&to=2015. Four years.');
console.log('\\rreading 10 %\\rreading 55 %\\rread all');
for (const [date, rain, high, low, , kind] of days) {
  const colour = Number(high) >= 30 ? 31 : kind === 'rain' ? 34 : 0;
  console.log(colour ? esc + '[1;' + colour + 'm' + date + esc + '[0m ' + high + ' ' + kind : date + ' ' + high + ' ' + kind);
}
console.log('hottest: ' + Math.max(...days.map((day) => Number(day[2]))));`,
  Page: `${weather}
const years = new Map();
for (const [date, rain] of days) years.set(date.slice(0, 4), (years.get(date.slice(0, 4)) ?? 0) + Number(rain));
z.html('<style>body { margin: 0 } .bar { background: currentColor; height: 12px }</style><h3>Rain by year</h3>'
  + [...years].map(([year, sum]) => '<p class="year">' + year + ': ' + sum.toFixed(1) + ' mm</p><div class="bar" style="width:' + sum / 4 + 'px"></div>').join('')
  + '<button id="more">Months</button><p id="reach"></p><div id="months"></div>'
  + '<script>let reached = []; for (const [name, look] of [["page", () => parent.document.title], ["cookie", () => document.cookie], ["store", () => localStorage.length]]) { try { look(); reached.push(name); } catch {} }'
  + 'document.getElementById("reach").textContent = "reached: " + (reached.join() || "nothing") + ", origin " + origin;'
  + 'document.getElementById("more").onclick = () => { document.getElementById("months").innerHTML = "<p>one month</p>".repeat(12); };</scr' + 'ipt>');`,
  Picture: `${weather}
const { deflateSync, crc32 } = await import('node:zlib');
const chunk = (type, data) => { const body = Buffer.concat([Buffer.from(type), data]); const out = Buffer.alloc(body.length + 8); out.writeUInt32BE(data.length, 0); body.copy(out, 4); out.writeUInt32BE(crc32(body), body.length + 4); return out; };
const width = 365, high = 40, pixels = Buffer.alloc((width * 3 + 1) * high * 4);
for (let y = 0; y < high * 4; y++) for (let x = 0; x < width; x++) {
  const t = Number(days[Math.floor(y / high) * 365 + x][2]), at = y * (width * 3 + 1) + 1 + x * 3;
  pixels[at] = Math.max(0, Math.min(255, t * 7)); pixels[at + 1] = 90; pixels[at + 2] = 255 - pixels[at];
}
const head = Buffer.alloc(13); head.writeUInt32BE(width, 0); head.writeUInt32BE(high * 4, 4); head[8] = 8; head[9] = 2;
const png = Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]);
console.log('%img ' + png.toString('base64'));`,
  Drawing: `${weather}
console.log('%html <p>before</p>');
console.log('%text words between');
console.log('%table kind\\tdays');
for (const kind of new Set(days.map((day) => day[5]))) console.log(kind + '\\t' + days.filter((day) => day[5] === kind).length);`,
  Document: `${weather}
console.log(JSON.stringify({ file: 'seattle-weather.csv', columns: header, first: Object.fromEntries(header.map((name, at) => [name, days[0][at]])), count: days.length }));`,
  Widget: `${weather}
const names = header.map((name) => ({ name, dataType: { dataTypeName: name === 'date' ? 'Date' : name === 'weather' ? 'String' : 'Double' } }));
console.log('%html <tiding-widget><script type="application/json">' + JSON.stringify({ widget: 'table', version: 1, data: { table: { name: 'seattle_weather', schemaName: 'samples', fields: names } } }) + '</scr' + 'ipt></tiding-widget>');`,
  Stream: `${weather}
const until = async (name) => { while (!existsSync(name)) await new Promise((resolve) => setTimeout(resolve, 20)); };
const print = (from, to) => { for (const [date, , high] of days.slice(from, to)) console.log(date + '\\t' + high); };
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

/** Waits for a state, however busy the machine is. */
const eventually = <T>(look: () => T, options: { timeout?: number; interval?: number } = {}) =>
  expect.poll(look, { timeout: 15_000, ...options });

describe.skipIf(inFront)('outputs of sample data in a browser', () => {
  let walk: Walk;
  let page: Page;
  let client: Client;
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
  const graph = (title: Title, output = 0) =>
    (
      of(title).state.server.config?.results as
        | Record<string, { graph?: Record<string, unknown> }>
        | undefined
    )?.[output]?.graph;
  const download = async (
    press: () => Promise<unknown>,
  ): Promise<{ name: string; data: Buffer }> => {
    const [file] = await Promise.all([page.waitForEvent('download'), press()]);
    return { name: file.suggestedFilename(), data: await readFile(await file.path()) };
  };

  beforeAll(async () => {
    walk = await startWalk();
    ({ page, client } = walk);
    days = (await readFile(join(walk.embedded.data, 'files/seattle-weather.csv'), 'utf8'))
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    note = await client.open(await client.notes.create({ path: 'Outputs' }));
    for (const [title, text] of Object.entries(texts)) await note.insert({ title, text });
    await note.paragraphs[0]!.remove();
    for (const paragraph of note.paragraphs)
      await paragraph.configure({ title: true, editorHide: true });
    for (const title of Object.keys(texts) as Title[])
      if (title !== 'Stream') expect((await of(title).run()).error).toBeUndefined();
    await page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
    await page.reload();
    await page
      .locator('article')
      .nth(Object.keys(texts).length - 1)
      .waitFor();
  }, 180_000);
  afterAll(async () => {
    note?.close();
    expect(walk?.watched.complaints ?? []).toEqual([]);
    await walk?.stop();
  });

  it('text: the end of a long one with its colours, the beginning on demand, all of it as a file', async () => {
    const at = await shown('Log');
    const box = at.locator('.text-box');
    await box.getByText('hottest: 35.6').waitFor();
    await eventually(() =>
      box.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight),
    ).toBeLessThan(2);
    expect(await at.locator('.text-above').textContent()).toMatch(/^\d+ lines above/);
    expect(await box.textContent()).not.toContain('2012-01-01');
    const whole = await download(() => at.getByRole('button', { name: 'Download text' }).click());
    expect(whole.name).toMatch(/^Log.*\.txt$/);
    expect(whole.data.toString()).toBe(outputText(of('Log').outputs[0]!));
    await shoot(page, 'output-text');
    while ((await at.getByRole('button', { name: 'Show more' }).count()) > 0)
      await at.getByRole('button', { name: 'Show more' }).click();
    await box.evaluate((element) => (element.scrollTop = 0));
    const link = box.getByRole('link');
    await eventually(() => link.getAttribute('href')).toBe(
      'https://example.org/seattle-weather?from=2012&to=2015',
    );
    expect(await link.getAttribute('rel')).toContain('noopener');
    const text = await box.textContent();
    expect(text).toContain('read all');
    expect(text).not.toContain('reading');
    expect(text).not.toContain('[1;3');
    // Each hot day is red and each day of rain blue, in the colours of the theme.
    const dates = (className: string) => box.locator(`.${className}`).allTextContents();
    expect(await dates('ansi-fg-1')).toEqual(
      days.filter((day) => Number(day[2]) >= 30).map(([date]) => date),
    );
    expect(await dates('ansi-fg-4')).toEqual(
      days.filter((day) => Number(day[2]) < 30 && day[5] === 'rain').map(([date]) => date),
    );
    await shoot(page, 'output-text-top');
  });

  it('text: who ran it last and when, and the code that changes makes the result old', async () => {
    const foot = article('Log').locator('.paragraph-foot');
    expect(await foot.textContent()).toMatch(
      /^Took .+\. Last updated by admin at \w+ \d{2} \d{4}, \d{1,2}:\d{2}:\d{2} [AP]M\.$/,
    );
    of('Log').edit(`${texts.Log}\n`);
    await of('Log').commit();
    await eventually(() => foot.textContent()).toContain('(outdated)');
  });

  it('markup: in a frame of its own that reaches nothing, as high as it says, in the colours of the page', async () => {
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
    expect(await frame.locator('.year').allTextContents()).toEqual(sums);
    expect(await frame.locator('#reach').textContent()).toBe('reached: nothing, origin null');
    const height = () => at.locator('iframe').evaluate((element) => element.clientHeight);
    // All of it is seen without scrolling.
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
    await shoot(page, 'output-html');
  });

  it('markup: the search of the note finds its words and marks them inside the frame', async () => {
    await page.getByRole('button', { name: 'Search code' }).click();
    await page
      .getByRole('checkbox', { name: 'Results too' })
      .or(page.getByRole('button', { name: 'Results too' }))
      .first()
      .click();
    await page.getByRole('textbox', { name: 'Find', exact: true }).fill('rain by year');
    // Once in the code and once in what it printed.
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
    await shoot(page, 'output-html-found');
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Find', exact: true }).waitFor({ state: 'detached' });
    await eventually(marked).toEqual([]);
  });

  it('markup: is on paper with the rest of the note', async () => {
    const pages = pdfPages(await page.pdf({ format: 'A4' }))
      .join(' ')
      .replaceAll(/\s+/g, '');
    for (const words of ['Rainbyyear', 'hottest:35.6', 'wordsbetween'])
      expect(pages).toContain(words);
  });

  it('a picture: of its size, in full and back, as a file', async () => {
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
    await shoot(page, 'output-picture-full');
    await page.keyboard.press('Escape');
    await eventually(() => page.locator('.image-view.full').count()).toBe(0);
    await shoot(page, 'output-picture');
  });

  it('several outputs of one paragraph, each as its type, with settings of its own', async () => {
    const at = await shown('Drawing');
    await at.getByRole('gridcell', { name: 'drizzle' }).waitFor();
    expect(of('Drawing').outputs.map(({ type }) => type)).toEqual(['HTML', 'TEXT', 'TABLE']);
    await at.frameLocator('iframe').getByText('before').waitFor();
    await at.getByText('words between').waitFor();
    await at.getByRole('radio', { name: 'Pie Chart' }).click();
    await at
      .locator('.chart-box[aria-label^="Pie Chart"] svg path')
      .first()
      .waitFor({ state: 'attached' });
    await eventually(() => [graph('Drawing', 0)?.['mode'], graph('Drawing', 2)?.['mode']]).toEqual([
      undefined,
      'pieChart',
    ]);
    await shoot(page, 'output-several');
    await at.getByRole('radio', { name: 'Table' }).click();
    await at.getByRole('grid').waitFor();
  });

  it('JSON: as text and as a tree that opens', async () => {
    const at = await shown('Document');
    await at.getByRole('radio', { name: 'Tree' }).click();
    await at.getByRole('treeitem', { name: `count: ${days.length}` }).waitFor();
    await at.getByRole('treeitem', { name: 'columns: [ 6 entries ]' }).click();
    await at.getByRole('treeitem', { name: '5: "weather"' }).waitFor();
    await shoot(page, 'output-json');
    await at.getByRole('radio', { name: 'Text' }).click();
    await at.getByText('"seattle-weather.csv"').waitFor();
  });

  it('a widget of the platform, by an envelope in markup', async () => {
    const at = await shown('Widget');
    await at.getByText('seattle_weather').first().waitFor();
    await at.getByText('temp_max').first().waitFor();
    expect(await at.locator('iframe').count()).toBe(0);
    await shoot(page, 'output-widget');
  });

  it('outputs that come while it runs: rows are added to the table, what follows stands below', async () => {
    const at = await shown('Stream');
    const files = join(walk.embedded.data, 'files');
    await at.hover();
    await at.getByRole('button', { name: 'Run this paragraph (Shift+Enter)' }).click();
    const rows = async () => Number(await at.getByRole('grid').getAttribute('aria-rowcount')) - 1;
    await at.getByRole('grid').waitFor();
    await at.getByText('reading', { exact: true }).waitFor();
    await eventually(rows).toBe(3);
    expect(await at.getAttribute('data-status')).toBe('RUNNING');
    // Seen before it is over, and kept where it was scrolled and chosen.
    await shoot(page, 'output-streaming');
    await writeFile(join(files, 'go-on'), '');
    await eventually(rows).toBe(8);
    expect(await at.getAttribute('data-status')).toBe('RUNNING');
    await writeFile(join(files, 'end'), '');
    await eventually(() => at.getAttribute('data-status')).toBe('FINISHED');
    await at.getByText(`done with ${days.length}`).waitFor();
    expect(await rows()).toBe(8);
    expect(await at.getByRole('gridcell').allTextContents()).toEqual(
      expect.arrayContaining([days[7]![0], days[7]![2]]),
    );
  });

  it('is made higher by its corner and fills the window, and the height is kept', async () => {
    const at = await shown('Stream');
    const grip = at.getByRole('separator', { name: /of the result$/ }).first();
    await grip.scrollIntoViewIfNeeded();
    const before = (graph('Stream', 1)?.['height'] as number | undefined) ?? 300;
    const box = (await grip.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + 30);
    await page.mouse.move(x, y + 60);
    await page.mouse.up();
    await eventually(() => graph('Stream', 1)?.['height']).not.toBe(before);
    await at.getByRole('button', { name: 'Full screen', exact: true }).click();
    const grid = page.getByRole('grid').filter({ hasText: days[0]![0]! }).first();
    await page.getByRole('button', { name: 'Leave full screen' }).waitFor();
    await eventually(async () => (await grid.boundingBox())!.width).toBeGreaterThan(1_300);
    await shoot(page, 'output-full');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Leave full screen' }).waitFor({ state: 'detached' });
  });
});
