import { beforeEach, expect, it } from 'vitest';
import { focusOf } from '../support/keyboard.ts';
import { untilEnd } from '../support/until-end.ts';
import { noteOf, startWalk } from '../support/walk.ts';

const phone = { width: 390, height: 844 };
const wide = { width: 1440, height: 900 };
/** Tab stops of a panel are fewer. */
const STEPS = 40;

const walk = untilEnd(await startWalk());
const { page } = walk;
const note = await noteOf(walk.client, 'Covered', ['%md # One', '%md # Two']);

beforeEach(async () => {
  await page.setViewportSize(phone);
  await page.goto('about:blank');
  await page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
  await page.locator('article').nth(1).waitFor();
});

/** Class of the panel that has the focus; '' if none has it. */
const focusedPanel = (): Promise<string> =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.closest('.side, .panel')?.classList[0] ?? '';
  });
const openPermissions = async () => {
  await page.locator('article').first().locator('.paragraph-head').click();
  await page.keyboard.press('Control+Alt+p');
  await page.locator('[role=dialog]').getByRole('combobox').fill('Note Permissions');
  await page.keyboard.press('Enter');
  await page.locator('.panel .panel-foot').waitFor();
  await expect.poll(focusedPanel).toBe('panel');
};
const openLeft = async () => {
  await page.getByRole('button', { name: 'Notes and outline' }).click();
  await page.locator('.side [role=tab]').first().waitFor();
  await expect.poll(focusedPanel).toBe('side');
};

for (const [name, panel, open] of [
  ['a panel on the right', 'panel', openPermissions],
  ['the list of notes', 'side', openLeft],
] as const)
  it(`keeps Tab inside ${name} and closes it with Escape`, async () => {
    await open();
    for (const key of ['Tab', 'Shift+Tab']) {
      const stops = new Set<string>();
      for (let step = 0; step < STEPS; step += 1) {
        await page.keyboard.press(key);
        const { tag, id, control } = await focusOf(page);
        stops.add(`${tag} ${id} ${control}`);
        expect([key, step, await focusedPanel()]).toEqual([key, step, panel]);
      }
      expect(stops.size).toBeGreaterThan(1);
    }
    await page.keyboard.press('Escape');
    await page.locator(`.${panel}`).waitFor({ state: 'detached' });
    await expect.poll(async () => (await focusOf(page)).hosts.at(-1)).toBe('tiding-notebook');
    expect(await page.locator('.note-area').getAttribute('inert')).toBeNull();
  });

it('moves the focus into an open panel when the window becomes narrow', async () => {
  await page.setViewportSize(wide);
  await openPermissions();
  const area = page.locator('.note-area');
  expect(await area.getAttribute('inert')).toBeNull();
  await page.locator('article').nth(1).locator('.paragraph-head').click();
  await expect.poll(focusedPanel).toBe('');
  // Beside the note, a panel stays open.
  await page.keyboard.press('Escape');
  await page.setViewportSize(phone);
  await expect.poll(focusedPanel).toBe('panel');
  expect(await area.getAttribute('inert')).toBe('');
  await page.setViewportSize(wide);
  await expect.poll(() => area.getAttribute('inert')).toBeNull();
});

it('leaves Escape to an open list of the panel', async () => {
  await openPermissions();
  const field = page.locator('.panel').getByRole('combobox').first();
  await field.fill('a');
  await expect.poll(() => field.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('Escape');
  await expect.poll(() => field.getAttribute('aria-expanded')).not.toBe('true');
  expect(await page.locator('.panel').count()).toBe(1);
});

it('does not open a panel over a note in a narrow column of a wide page', async () => {
  await page.setViewportSize(wide);
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('tiding-notebook { max-width: 700px }');
    document.adoptedStyleSheets = [sheet];
  });
  await page.reload();
  await page.locator('article').nth(1).waitFor();
  expect(await page.locator('tiding-notebook').evaluate((element) => element.clientWidth)).toBe(
    700,
  );
  expect(await page.locator('.side').count()).toBe(0);
  expect(await page.locator('.note-area').getAttribute('inert')).toBeNull();
});
