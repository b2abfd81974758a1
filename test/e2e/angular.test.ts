/**
 * Angular templates bound to values of a paragraph, the note or all notes, in both directions and
 * in two pages, and the functions of `z`. In front of a real Zeppelin, values live in the registry
 * of its interpreters. That registry accepts no list from a page, so the list is in an object.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Note, outputText, type Paragraph } from '@tiding/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_PASSWORD, adminClient } from '../support/embedded.ts';
import { openPage, signIn, type WatchedPage } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, startWalk } from '../support/walk.ts';

const eventually = <T>(look: () => T) => expect.poll(look);

const { embedded, browser, watched, page, client } = untilEnd(await startWalk({ shell: true }));

describe('templates over values of a note', () => {
  let second: WatchedPage;
  let note: Note;
  const at = (title: string): Paragraph =>
    note.paragraphs.find(({ state }) => state.server.title === title)!;
  const frame = (title: string, of = page) =>
    of
      .locator('article')
      .filter({ has: of.locator('.paragraph-title', { hasText: title }) })
      .locator('iframe')
      .contentFrame();
  const shared = () =>
    Object.values(note.state.shared)
      .map(({ name, value, paragraphId }) => [
        name,
        value,
        paragraphId === undefined
          ? 'note'
          : paragraphId === at('Shown').id
            ? 'Shown'
            : paragraphId === at('Counted').id
              ? 'Counted'
              : 'other',
      ])
      .sort();

  beforeAll(async () => {
    // An imported Zeppelin note brings its values.
    const id = inFront
      ? await client.notes.create({ path: 'Bound' })
      : await client.notes.importNote({
          name: 'Bound',
          paragraphs: [
            { text: '', id: 'paragraph_1', config: {}, settings: { params: {}, forms: {} } },
          ],
          angularObjects: {
            'spark:shared_process': [{ name: 'city', object: 'Seattle', noteId: 'other' }],
          },
        });
    note = untilEnd(await client.open(id));
    for (const [title, text] of [
      [
        'Values',
        inFront ? '%probe\nnbind city Seattle\ngbind country US' : '%md\nValues of the note.',
      ],
      [
        'Shown',
        [
          '%angular',
          '<h4>{{city}}{{country ? ", " + country : ""}}: ' +
            '{{kind || "any weather"}} in {{year || "all years"}}</h4>',
          `<ul><li ng-repeat="one in ${inFront ? 'list.all' : 'list'} | orderBy: '-days'">` +
            '{{one.kind}} <b>{{one.days | number}}</b></li></ul>',
        ].join('\n'),
      ],
      [
        'Counted',
        inFront
          ? '%sh\necho days of ${year=2012}'
          : "%sql\nselect weather, count(*) as days from 'seattle-weather.csv' " +
            'where year(date) = ${year=2012} group by all order by days desc',
      ],
      ['Asked', '%angular'],
    ] as const)
      await note.insert({ title, text });
    await note.paragraphs[0]!.remove();
    const [shown, counted] = [at('Shown').id, at('Counted').id];
    const list =
      "[{kind: 'rain', days: 641}, {kind: 'drizzle', days: 53}, {kind: 'sun', days: 1640}]";
    at('Asked').edit(`%angular
<form class="form-inline">
  <div class="form-group">
    <label for="year">Year</label>
    <input id="year" type="text" class="form-control" ng-model="year">
  </div>
  <button type="submit" class="btn btn-primary" ng-click="
    z.angularBind('year', year, '${counted}'); z.angularBind('year', year, '${shown}')
  ">Bind</button>
  <button type="button" class="btn" ng-click="
    z.angularUnbind('year', '${counted}'); z.angularUnbind('year', '${shown}')
  ">Unbind</button>
  <button type="button" class="btn" ng-click="
    z.angularBind('list', ${inFront ? `{all: ${list}}` : list}, '${shown}')
  ">List</button>
  <button type="button" class="btn" ng-click="z.runParagraph('${counted}')">Run</button>
</form>
<p><label for="city">City</label> <input id="city" class="form-control" ng-model="city"></p>`);
    for (const paragraph of note.paragraphs) {
      await paragraph.configure({ title: true, editorHide: true });
      expect((await paragraph.run()).error).toBeUndefined();
    }
    second = await openPage(browser);
    await signIn(second.page, embedded.server.url, 'admin', ADMIN_PASSWORD);
  });
  afterAll(async () => {
    // A form in a frame cannot be submitted; the browser logs that.
    expect(
      [...watched.complaints, ...(second?.complaints ?? [])].filter(
        (line) => !/Blocked form submission/.test(line),
      ),
    ).toEqual([]);
  });

  /** Number of sunny days in a year of the data file. */
  const sunny = async (year: string): Promise<number> =>
    (await readFile(join(embedded.data, 'files/shared/seattle-weather.csv'), 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith(year) && line.endsWith(',sun')).length;
  const heading = (of = page) => frame('Shown', of).locator('h4').textContent();

  it('show values of the note and of all notes once the reader trusts it', async () => {
    for (const of of [page, second.page]) {
      await of.goto(`${embedded.server.url}/#/notebook/${note.id}`);
      // Content of unknown or external origin runs only after the reader allows it.
      await eventually(async () => {
        const show = of.getByRole('button', { name: 'Show active content' }).first();
        if ((await show.count()) > 0) {
          await show.click();
          await of
            .getByRole('alertdialog')
            .getByRole('button', { name: 'Trust this note' })
            .click();
        }
        return frame('Shown', of)
          .locator('h4')
          .textContent({ timeout: 1_000 })
          .catch(() => '');
      }).toMatch(/^Seattle/);
    }
    await eventually(heading).toBe(`Seattle${inFront ? ', US' : ''}: any weather in all years`);
    await expect.poll(() => frame('Asked').locator('#city').inputValue()).toBe('Seattle');
  });

  it('send a typed value to other templates, other pages and the server', async () => {
    await frame('Asked').locator('#city').fill('Portland');
    for (const of of [page, second.page]) await eventually(() => heading(of)).toMatch(/^Portland/);
    await eventually(() => note.z.get('city')).toBe('Portland');
    // And in the other direction.
    await frame('Asked', second.page).locator('#city').fill('Tacoma');
    for (const of of [page, second.page]) await eventually(() => heading(of)).toMatch(/^Tacoma/);
    await eventually(() => frame('Asked').locator('#city').inputValue()).toBe('Tacoma');
    await note.z.put('city', 'Seattle');
    for (const of of [page, second.page]) await eventually(() => heading(of)).toMatch(/^Seattle/);
  });

  it('bind values to one paragraph without affecting others', async () => {
    await frame('Asked').locator('#year').fill('2014');
    await frame('Asked').getByRole('button', { name: 'Bind', exact: true }).click();
    for (const of of [page, second.page]) await eventually(() => heading(of)).toMatch(/in 2014$/);
    await eventually(() => shared().filter(([name]) => name === 'year')).toEqual([
      ['year', '2014', 'Counted'],
      ['year', '2014', 'Shown'],
    ]);
    expect(await frame('Asked', second.page).locator('#year').inputValue()).toBe('');
    await frame('Asked').getByRole('button', { name: 'List' }).click();
    for (const of of [page, second.page])
      await eventually(() => frame('Shown', of).locator('li').allTextContents()).toEqual([
        'sun 1,640',
        'rain 641',
        'drizzle 53',
      ]);
  });

  it('run a paragraph with the bound value after the reader confirms', async () => {
    await frame('Asked').getByRole('button', { name: 'Run', exact: true }).click();
    const before = at('Counted').state.server.dateFinished;
    await page.getByRole('alertdialog').getByRole('button', { name: 'Run' }).click();
    await eventually(() => at('Counted').state.server.dateFinished).not.toBe(before);
    await eventually(() => at('Counted').status).toBe('FINISHED');
    const text = () => outputText(at('Counted').outputs[0]!);
    if (inFront) return void expect(text()).toContain('days of 2014');
    // Only the days of that year.
    expect(text()).toContain(`sun\t${await sunny('2014')}`);
    expect(Object.keys(at('Counted').state.server.settings?.forms ?? {})).toEqual([]);
  });

  it('show the form with its default again after a value is unbound', async () => {
    await frame('Asked').getByRole('button', { name: 'Unbind' }).click();
    for (const of of [page, second.page])
      await eventually(() => heading(of)).toMatch(/in all years$/);
    await eventually(() => shared().filter(([name]) => name === 'year')).toEqual([]);
    await at('Counted').run();
    expect(Object.keys(at('Counted').state.server.settings?.forms ?? {})).toEqual(['year']);
    if (inFront) expect(outputText(at('Counted').outputs[0]!)).toContain('days of 2012');
    else expect(outputText(at('Counted').outputs[0]!)).toContain(`sun\t${await sunny('2012')}`);
  });

  it.runIf(inFront)('rejects a bare list there and says what to do instead', async () => {
    // A separate client: a Zeppelin's error does not name the request that it answers.
    const other = await adminClient(embedded.server.url);
    const otherNote = await other.open(note.id);
    await expect(otherNote.z.angularBind('few', [1], at('Shown').id)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining("bind 'few' to an object") as string,
    });
    other.close();
  });

  it('show the same values after a reload', async () => {
    await page.reload();
    await eventually(() => frame('Shown').locator('li').allTextContents()).toEqual([
      'sun 1,640',
      'rain 641',
      'drizzle 53',
    ]);
    await eventually(heading).toMatch(/^Seattle/);
  });

  // The tests above cover binding by a real Zeppelin's interpreters.
  describe.skipIf(inFront).each([
    [
      'js',
      (name: string, value: string) => `await z.${name}(${value})`,
      [
        'const year = await z.angular("year");',
        'const lines = readFileSync("seattle-weather.csv", "utf8").split("\\n");',
        'const sunny = (line) => line.startsWith(String(year)) && line.endsWith(",sun");',
        'console.log(year + ": " + lines.filter(sunny).length + " days of sun");',
      ].join('\n'),
      "const { readFileSync } = await import('node:fs');\n",
    ],
    [
      'python',
      (name: string, value: string) => `z.${name}(${value})`,
      [
        'year = z.angular("year")',
        'lines = [line.strip() for line in open("seattle-weather.csv")]',
        'sunny = sum(line.startswith(str(year)) and line.endswith(",sun") for line in lines)',
        'print(f"{year}: {sunny} days of sun")',
      ].join('\n'),
      '',
    ],
  ] as const)('from %s code', (magic, call, read, head) => {
    it('are bound by code, changed by a template and read by code', async () => {
      const [binds, tells, reads] = [
        await note.insert({
          title: `Binds ${magic}`,
          text: [
            `%${magic}\n${head}${call('angularBind', '"year", 2012')}`,
            call('angularBindGlobal', '"weather", "sun"'),
          ].join('\n'),
        }),
        await note.insert({
          title: `Slides ${magic}`,
          text:
            '%angular\n<label>Year ' +
            '<input type="range" min="2012" max="2015" ng-model="year"></label>' +
            ' <b>{{weather}} in {{year}}</b>',
        }),
        await note.insert({ title: `Reads ${magic}`, text: `%${magic}\n${head}${read}` }),
      ];
      for (const paragraph of [binds, tells]) {
        await paragraph.configure({ title: true, editorHide: true });
        expect((await paragraph.run()).error).toBeUndefined();
      }
      const shown = (of: Page) => frame(`Slides ${magic}`, of).locator('b').textContent();
      for (const of of [page, second.page]) await eventually(() => shown(of)).toBe('sun in 2012');
      await frame(`Slides ${magic}`).locator('input').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      for (const of of [page, second.page]) await eventually(() => shown(of)).toBe('sun in 2014');
      await eventually(() => note.z.get('year')).toBe(2014);
      await reads.run();
      expect(reads.outputs.map(outputText).join('').trim()).toBe(
        `2014: ${await sunny('2014')} days of sun`,
      );
      // The slider follows when code changes the value.
      binds.edit(
        [
          `%${magic}\n${head}${call('angularBind', '"year", 2015')}`,
          call('angularUnbindGlobal', '"weather"'),
        ].join('\n'),
      );
      await binds.run();
      for (const of of [page, second.page]) await eventually(() => shown(of)).toBe(' in 2015');
      await eventually(() => frame(`Slides ${magic}`).locator('input').inputValue()).toBe('2015');
      binds.edit(`%${magic}\n${head}${call('angularUnbind', '"year"')}`);
      await binds.run();
      // A slider whose model has no value sets one locally; other pages do not see it.
      await eventually(() => note.z.get('year')).toBe(undefined);
      for (const paragraph of [binds, tells, reads]) await paragraph.remove();
    }, 240_000);
  });
});
