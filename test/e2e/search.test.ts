/** Search: from the navigation to the results, to a paragraph, and back. */

import { expect, it } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { startWalk } from '../support/walk.ts';

const walk = untilEnd(await startWalk());
const { page } = walk;
const note = untilEnd(
  await walk.client.open(
    await walk.client.notes.create({ path: 'Airport operations/Winter delays' }),
  ),
);
note.paragraphs[0]!.edit('%md\nnothing of it');
await note.paragraphs[0]!.commit();
for (let n = 0; n < 12; n += 1) await note.insert({ text: `%md\n# Filler ${n}\n\ntext` });
const last = await note.insert({
  text: [
    '%sql',
    'select f.origin, a.name, count(*) as flights,',
    '       round(100 * avg((f.arr_delay <= 15)::int), 1) as on_time_pct',
    'from flights f',
  ].join('\n'),
});
await last.setTitle('Worst arr_delay');
await walk.client
  .open(await walk.client.notes.create({ path: 'Weather joins' }))
  .then(async (other) => {
    other.paragraphs[0]!.edit('%python\njoined["late"] = joined["arr_delay"] > 15');
    await other.paragraphs[0]!.commit();
    other.close();
  });

const field = () =>
  page.locator('tiding-navigation').getByRole('searchbox', { name: 'Search notes' });

it('lists matches, opens the paragraph of one, and clears the term [W21 D6]', async () => {
  await page.keyboard.press('/');
  await expect.poll(() => field().evaluate((element) => element.matches(':focus'))).toBe(true);
  await field().fill('');
  await page.keyboard.type('arr_delay');
  await page.keyboard.press('Enter');
  await page.locator('.hit').nth(1).waitFor();
  expect(new URL(page.url()).hash).toBe('#/search/arr_delay');
  await expect.poll(() => field().inputValue()).toBe('arr_delay');
  const hit = page.locator('.hit', { hasText: 'Winter delays' });
  await expect.poll(() => hit.locator('.hit-header').textContent()).toBe('Worst arr_delay');
  // The matches are marked again after syntax highlighting.
  await expect
    .poll(() => hit.locator('.find-match').allTextContents())
    .toEqual(['arr_delay', 'arr_delay']);
  await hit.getByRole('link').click();
  await page.locator('tiding-notebook article').first().waitFor();
  // The page scrolls to the paragraph once the results have their heights.
  const { id } = note.paragraphs.find(({ text }) => text.includes('arr_delay'))!;
  const target = page.locator(`article[data-paragraph="${id}"]`);
  await expect
    .poll(async () => {
      const box = await target.boundingBox();
      return box !== null && box.y >= 0 && box.y < 700;
    })
    .toBe(true);
  await expect.poll(() => field().inputValue()).toBe('');
  // The find box is open with the term, at the match in that paragraph.
  const find = page.locator('.find-box');
  await expect
    .poll(() => find.getByRole('textbox', { name: 'Find', exact: true }).inputValue())
    .toBe('arr_delay');
  await find.getByText('1 of 1').waitFor();
  await expect.poll(() => target.locator('.find-current').textContent()).toBe('arr_delay');
});

it('searches for URL characters and reports that there are no matches', async () => {
  await field().fill('zzqx/?# %zzqx<zzqx>');
  await field().press('Enter');
  await page.getByText("We couldn’t find any notebook matching 'zzqx/?# %zzqx<zzqx>'").waitFor();
  await page.goBack();
  await page.locator('tiding-notebook').waitFor();
  await expect.poll(() => field().inputValue()).toBe('');
  expect(walk.watched.complaints).toEqual([]);
});

it('reads a percent sign that was typed into the address', async () => {
  await page.goto(`${walk.embedded.server.url}/#/search/zzqx%zzqx`);
  await page.getByText("We couldn’t find any notebook matching 'zzqx%zzqx'").waitFor();
  await expect.poll(() => field().inputValue()).toBe('zzqx%zzqx');
  expect(walk.watched.complaints).toEqual([]);
});

it('makes code that scrolls on a narrow page reachable by keyboard', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${walk.embedded.server.url}/#/search/arr_delay`);
  await page.locator('.hit').nth(1).waitFor();
  await page.locator('.hit').first().getByRole('link').focus();
  await page.keyboard.press('Tab');
  expect(
    await page
      .locator('.hit-code')
      .first()
      .evaluate((element) => element.matches(':focus')),
  ).toBe(true);
});
