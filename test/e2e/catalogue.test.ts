import { expect, it } from 'vitest';
import { writePackages } from '../support/package-samples.ts';
import { untilEnd } from '../support/until-end.ts';
import { startWalk } from '../support/walk.ts';

const walk = untilEnd(await startWalk());
const { page } = walk;
await writePackages(walk.embedded.data);

const row = (name: string) =>
  page.locator('.package').filter({ has: page.getByRole('heading', { name }) });
const dialog = () => page.locator('[role=dialog], [role=alertdialog]');

it('opens from the settings menu and enables and disables packages', async () => {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('menuitem', { name: 'Packages' }).click();
  await page.locator('.package').nth(4).waitFor();
  await expect
    .poll(() => page.locator('.package-name').allTextContents())
    .toEqual(['hexbin-map', 'sunburst', 'treemap', 'horizon-chart', 'calendar-heat-map']);
  for (const name of ['hexbin-map', 'sunburst', 'treemap']) {
    await row(name)
      .getByRole('button', { name: /^Enable/ })
      .click();
    await dialog().getByText('Do you want to enable Helium Package?').waitFor();
    await dialog().getByRole('button', { name: 'Enable' }).click();
    await row(name)
      .getByRole('button', { name: /^Disable/ })
      .waitFor();
    await dialog().waitFor({ state: 'detached' });
  }
  expect((await walk.client.packages.enabled()).map(({ pkg }) => pkg.artifact).sort()).toEqual([
    'hexbin-map@1.2.0',
    'sunburst@0.9.4',
    'treemap@2.1.0',
  ]);
  // Enabling another version replaces the first.
  await row('hexbin-map').getByRole('button', { name: 'versions of hexbin-map' }).click();
  await row('hexbin-map').getByRole('button', { name: 'Enable hexbin-map@1.0.0' }).click();
  await dialog().getByRole('button', { name: 'Enable' }).click();
  await row('hexbin-map').getByRole('button', { name: 'Disable hexbin-map@1.0.0' }).waitFor();
  await row('hexbin-map').getByRole('button', { name: 'Enable hexbin-map@1.2.0' }).click();
  await dialog().getByRole('button', { name: 'Enable' }).click();
  await row('hexbin-map').getByRole('button', { name: 'Disable hexbin-map@1.2.0' }).waitFor();
  await dialog().waitFor({ state: 'detached' });
  await row('treemap')
    .getByRole('button', { name: /^Disable/ })
    .click();
  await dialog().getByRole('button', { name: 'Disable' }).click();
  await row('treemap')
    .getByRole('button', { name: /^Enable/ })
    .waitFor();
  await dialog().waitFor({ state: 'detached' });
});

it('saves the display order after a drag [D3]', async () => {
  const chips = page.locator('.package-chip');
  await expect.poll(() => chips.allTextContents()).toEqual(['hexbin-map', 'sunburst']);
  const [from, to] = [(await chips.nth(0).boundingBox())!, (await chips.nth(1).boundingBox())!];
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + 10, { steps: 3 });
  await page.mouse.move(to.x + to.width - 8, to.y + 10, { steps: 6 });
  await page.mouse.up();
  await expect.poll(() => chips.allTextContents()).toEqual(['sunburst', 'hexbin-map']);
  // The click event at the end of a drag must not press a button.
  await page.waitForTimeout(300);
  await page.getByRole('button', { name: 'save', exact: true }).click();
  await dialog().getByText('Save changes?').waitFor();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'save', exact: true }).waitFor({ state: 'detached' });
  expect((await walk.client.packages.order()).slice(0, 2)).toEqual(['sunburst', 'hexbin-map']);
});

it('saves settings with their types [D32]', async () => {
  await row('hexbin-map').getByRole('button', { name: 'Config of hexbin-map' }).click();
  await page.getByLabel('Value of size').fill('24');
  await page.getByLabel('Value of colours').fill('["red",');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The settings of hexbin-map were saved.').waitFor();
  expect(
    (await walk.client.packages.config('hexbin-map', 'hexbin-map@1.2.0')).confPersisted,
  ).toEqual({ size: 24, colours: '["red",', title: 'Map' });
});

it('lists spells and interpreters, and logs no errors', async () => {
  await page.getByRole('tab', { name: 'SPELL' }).click();
  await page.getByText('%echo <text>').waitFor();
  await page.getByRole('tab', { name: 'INTERPRETER' }).click();
  await row('markdown')
    .getByRole('button', { name: /^Enable/ })
    .click();
  await dialog().getByText('--artifact org.apache.zeppelin:zeppelin-markdown:0.8.2').waitFor();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'APPLICATION' }).click();
  await page.getByText('Currently there is no available package to be listed').waitFor();
  expect(walk.watched.complaints).toEqual([]);
});
