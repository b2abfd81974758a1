/**
 * Helium packages with the data of the sample notes: visualizations in the switch, their order and
 * settings; spells that run in the note's order and are visible on another page.
 */
import { join } from 'node:path';
import { type Client, type Note, outputText } from '@tiding/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_PASSWORD } from '../support/embedded.ts';
import { startRegistry, type TestRegistry } from '../support/npm-registry.ts';
import { openPage, signIn, type WatchedPage } from '../support/page.ts';
import { publishRecorded } from '../support/recorded-packages.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, startWalk, type Walk } from '../support/walk.ts';

const bubbles = 'zeppelin-bubblechart';
const echo = 'zeppelin-echo-spell';
/** Polls for a state with a timeout that suits a busy machine. */
const eventually = <T>(look: () => T) => expect.poll(look);

/** Publishes another visualization, and spells that draw, count, fail and never end. */
function publishOwn(registry: TestRegistry): void {
  const view = [
    "import Visualization from 'zeppelin-vis';",
    "import Passthrough from 'zeppelin-tabledata/passthrough';",
    'export default class Words extends Visualization {',
    '  constructor(target, config) {',
    '    super(target, config);',
    '    this.target = target;',
    '    this.passthrough = new Passthrough(config);',
    '  }',
    '  getTransformation() { return this.passthrough; }',
    '  render(data) {',
    "    const names = data.columns.map(({ name }) => name).join(', ');",
    "    const text = data.rows.length + ' rows of ' + names;",
    "    this.target.empty().append('<p class=\"words\">' + text + '</p>');",
    '  }',
    '}',
  ].join('\n');
  registry.publish('a-words-view', '1.0.0', {
    more: {
      keywords: ['zeppelin-visualization'],
      dependencies: { 'zeppelin-vis': '*' },
      icon: '<i class="fa fa-font"></i>',
    },
    files: { 'package/index.js': view },
  });
  const spell = (name: string, body: string): void =>
    registry.publish(`a-${name}-spell`, '1.0.0', {
      more: {
        keywords: ['zeppelin-spell'],
        dependencies: { 'zeppelin-spell': '*' },
        helium: { spell: { magic: `%${name}`, usage: `%${name} words` } },
      },
      files: {
        'package/index.js': [
          "import { SpellBase, SpellResult, DefaultDisplayType } from 'zeppelin-spell';",
          'export default class extends SpellBase {',
          `  constructor() { super('%${name}'); }`,
          `  interpret(text) { ${body} }`,
          '}',
        ].join('\n'),
      },
    });
  spell(
    'bars',
    [
      "const rows = text.trim().split('\\n').map((line) => line.split(' '));",
      'const bar = ([name, size]) =>',
      '  \'<div class="bar" style="width:\' + Number(size) / 2 +',
      "  'px;background:#388ea8;color:#fff\">' + name + '</div>';",
      'return new SpellResult((id) => {',
      "  document.getElementById(id).innerHTML = rows.map(bar).join('');",
      "}).add('name\\tdays\\n' + rows.map((row) => row.join('\\t')).join('\\n'),",
      '  DefaultDisplayType.TABLE);',
    ].join('\n'),
  );
  spell('fails', "throw new Error('no such weather');");
  spell('endless', 'for (;;) {}');
}

describe.skipIf(inFront)('packages over sample data in a browser', () => {
  let registry: TestRegistry;
  let walk: Walk;
  let page: Page;
  let second: WatchedPage;
  let client: Client;
  let note: Note;
  const article = (title: string, of = page) =>
    of.locator('article').filter({ has: of.locator('.paragraph-title', { hasText: title }) });
  const days = 'Days by kind of weather and year';
  const paragraph = (title: string) =>
    note.paragraphs.find(({ state }) => state.server.title === title)!;
  const graph = (title: string) =>
    (
      paragraph(title).state.server.config!.results as Record<
        string,
        { graph: { mode: string; setting: Record<string, Record<string, unknown>> } }
      >
    )[0]!.graph;
  const status = (title: string, of = page) => article(title, of).getAttribute('data-status');

  beforeAll(async () => {
    registry = untilEnd(await startRegistry());
    publishRecorded(registry, join(import.meta.dirname, '../fixtures/helium'));
    publishOwn(registry);
    walk = untilEnd(await startWalk({ heliumRegistry: registry.url }));
    ({ page, client } = walk);
    for (const [name, version] of [
      [bubbles, '0.0.4'],
      [echo, '1.0.7'],
      ['a-words-view', '1.0.0'],
      ['a-bars-spell', '1.0.0'],
      ['a-fails-spell', '1.0.0'],
      ['a-endless-spell', '1.0.0'],
    ] as const)
      await client.packages.enable(name, `${name}@${version}`);
    await client.packages.configure(echo, `${echo}@1.0.7`, { repeat: 2, delay: 1 });
    await client.packages.setOrder(['a-words-view', bubbles]);
    note = await client.open(
      (await client.notes.list()).find(({ path }) => path === 'Samples/Seattle weather')!.id,
    );
    await paragraph(days).run();
    await page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
    await article(days).waitFor();
  });
  afterAll(async () => {
    note?.close();
    expect([...(walk?.watched.complaints ?? []), ...(second?.complaints ?? [])]).toEqual([]);
  });

  const frame = () => article(days).frameLocator('iframe.package-frame');
  const views = () =>
    article(days)
      .locator('.view-segments [role=radio]')
      .evaluateAll((all) => all.map((button) => button.getAttribute('aria-label')));

  it('passes the rows of the query to a view and keeps its columns', async () => {
    await article(days).getByRole('radio', { name: 'a-words-view' }).click();
    await frame()
      .getByText('20 rows of year, weather, days')
      .or(frame().locator('.words'))
      .first()
      .waitFor();
    const rows = (await paragraph(days).rows(0)).total;
    await expect
      .poll(() => frame().locator('.words').textContent())
      .toBe(`${rows} rows of year, weather, days`);
    await article(days).getByRole('radio', { name: bubbles }).click();
    await article(days)
      .getByRole('button', { name: 'Settings', exact: true })
      .or(article(days).getByRole('button', { name: 'Fields', exact: true }))
      .first()
      .click();
    await article(days).getByRole('button', { name: 'Add days' }).click();
    await page.getByRole('menuitem', { name: 'Add to value' }).click();
    await eventually(() => graph(days).setting[bubbles]?.['value']).toEqual({
      name: 'days',
      index: 2,
      aggr: 'sum',
    });
    await eventually(() => frame().locator('circle').count()).toBe(rows);
    const wanted = (await (await paragraph(days).run()).table())
      .toArray()
      .map((row) => Number((row!.toJSON() as { days: bigint }).days))
      .sort((a, b) => a - b);
    // The area of a bubble is proportional to the days.
    await eventually(async () => {
      const radii = (
        await frame()
          .locator('circle')
          .evaluateAll((all) => all.map((circle) => Number(circle.getAttribute('r'))))
      ).sort((a, b) => a - b);
      const unit = radii.at(-1)! ** 2 / wanted.at(-1)!;
      return (
        radii.length === wanted.length &&
        radii.every(
          (radius, at) => Math.abs(radius ** 2 - unit * wanted[at]!) < 0.06 * radii.at(-1)! ** 2,
        )
      );
    }).toBe(true);
  });

  it('shows the table after a view is disabled', async () => {
    await client.packages.disable(bubbles);
    await page.reload();
    await article(days).getByRole('grid').waitFor();
    await eventually(async () => (await views()).at(-1)).toBe('a-words-view');
    expect(graph(days).mode).toBe(bubbles);
  });

  describe('a note with spells', () => {
    const titles = ['Counted', 'Said', 'Described', 'Drawn', 'Last'];
    const finished: string[] = [];
    beforeAll(async () => {
      note.close();
      note = await client.open(await client.notes.create({ path: 'Spells' }));
      for (const [title, text] of [
        [
          'Counted',
          "%sql\nselect weather, count(*) as days from 'seattle-weather.csv' " +
            'group by weather order by days desc',
        ],
        ['Said', '%echo four years of weather\n%html <b>in Seattle</b>'],
        ['Described', '%md\nThe kinds of weather, *drawn*:'],
        ['Drawn', '%bars rain 641\nsun 640\nfog 101'],
        ['Last', "%sql\nselect count(*) as n from 'seattle-weather.csv'"],
      ] as const)
        await note.insert({ title, text });
      await note.paragraphs[0]!.remove();
      for (const each of note.paragraphs) await each.configure({ title: true });
      second = await openPage(walk.browser);
      await signIn(second.page, walk.embedded.server.url, 'admin', ADMIN_PASSWORD);
      for (const to of [page, second.page]) {
        await to.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
        await article('Last', to).waitFor();
      }
      note.subscribe(({ paragraphs, order }) => {
        for (const id of order) {
          const { title = '', status: now } = paragraphs[id]!.server;
          if (now === 'FINISHED' && !finished.includes(title)) finished.push(title);
        }
      });
    });
    const runAll = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Run all', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Run all' }).click();
    };

    it('runs all paragraphs in order, on the server or as spells on this page', async () => {
      await runAll();
      for (const title of titles) await eventually(() => status(title)).toBe('FINISHED');
      expect(finished).toEqual(titles);
      await article('Said').locator('iframe').first().contentFrame().locator('b').waitFor();
      // The setting repeats the text; text after markup belongs to the markup.
      expect(
        paragraph('Said').outputs.map((output) => [output.type, outputText(output).trim()]),
      ).toEqual([
        ['TEXT', 'four years of weather'],
        ['HTML', '<b>in Seattle</b>\nfour years of weather'],
        ['HTML', '<b>in Seattle</b>'],
      ]);
      expect(outputText(paragraph('Last').outputs[0]!).trim()).toBe('n\n1461');
    });

    it('shows the drawing and the table of a spell here and on another page', async () => {
      for (const of of [page, second.page]) {
        await eventually(() => status('Drawn', of)).toBe('FINISHED');
        await eventually(() =>
          article('Drawn', of)
            .frameLocator('iframe.package-frame')
            .locator('.bar')
            .allTextContents(),
        ).toEqual(['rain', 'sun', 'fog']);
        expect(
          await article('Drawn', of)
            .frameLocator('iframe.package-frame')
            .locator('.bar')
            .first()
            .evaluate((bar) => bar.getBoundingClientRect().width),
        ).toBeCloseTo(320.5, 0);
        await article('Drawn', of).getByRole('gridcell', { name: '641' }).waitFor();
        await eventually(() => article('Said', of).locator('.output-part').textContent()).toContain(
          'four years of weather',
        );
      }
    });

    it('ends the run when a spell fails and does not run later paragraphs', async () => {
      paragraph('Said').edit('%fails at once');
      await paragraph('Said').commit();
      const before = paragraph('Described').state.server.dateFinished;
      await runAll();
      await eventually(() => status('Said')).toBe('ERROR');
      await article('Said').getByText('no such weather').first().waitFor();
      await page.getByRole('button', { name: 'Run all', exact: true }).waitFor();
      expect(paragraph('Described').state.server.dateFinished).toBe(before);
    });

    it('stops during a spell and does not run later paragraphs', async () => {
      paragraph('Said').edit('%endless');
      await paragraph('Said').commit();
      const before = paragraph('Described').state.server.dateFinished;
      await runAll();
      await eventually(() => status('Said')).toBe('RUNNING');
      await page.getByRole('button', { name: 'Stop all', exact: true }).click();
      await eventually(() => status('Said')).toBe('ABORT');
      await page.getByRole('button', { name: 'Run all', exact: true }).waitFor();
      expect(paragraph('Described').state.server.dateFinished).toBe(before);
      await eventually(() => page.locator('iframe[src*=package-frame][hidden]').count()).toBe(0);
    });

    it('runs from a paragraph to the end and skips a disabled one', async () => {
      paragraph('Said').edit('%echo again');
      await paragraph('Said').commit();
      await paragraph('Described').configure({ enabled: false });
      const before = ['Counted', 'Described', 'Last'].map(
        (title) => paragraph(title).state.server.dateStarted,
      );
      await article('Said').locator('.paragraph-head').click();
      await page.keyboard.press('Control+Shift+ArrowDown');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Run', exact: true }).click();
      await eventually(() => paragraph('Last').state.server.dateStarted).not.toBe(before[2]);
      await eventually(() => status('Last')).toBe('FINISHED');
      expect(outputText(paragraph('Said').outputs[0]!)).toContain('again');
      expect(
        ['Counted', 'Described'].map((title) => paragraph(title).state.server.dateStarted),
      ).toEqual(before.slice(0, 2));
    });

    it('runs all paragraphs in parallel despite failing and endless spells', async () => {
      paragraph('Counted').edit('%fails at once');
      paragraph('Said').edit('%endless');
      for (const title of ['Counted', 'Said']) await paragraph(title).commit();
      await paragraph('Described').configure({ enabled: true });
      for (const title of ['Described', 'Drawn', 'Last']) await paragraph(title).clear();
      await page.keyboard.press('F1');
      await page.getByRole('combobox', { name: 'All commands' }).fill('Run all in parallel');
      await page.keyboard.press('Enter');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Run all' }).click();
      await eventually(() => status('Counted')).toBe('ERROR');
      for (const title of ['Described', 'Drawn', 'Last'])
        await eventually(() => status(title)).toBe('FINISHED');
      expect(await status('Said')).toBe('RUNNING');
      await eventually(() =>
        article('Drawn').frameLocator('iframe.package-frame').locator('.bar').allTextContents(),
      ).toEqual(['rain', 'sun', 'fog']);
      expect(outputText(paragraph('Last').outputs[0]!).trim()).toBe('n\n1461');
      await article('Counted').getByText('no such weather').first().waitFor();
      await page.getByRole('button', { name: 'Stop all', exact: true }).click();
      await eventually(() => status('Said')).toBe('ABORT');
    });
  });
});
