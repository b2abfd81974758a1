/** An administrator's way from an empty data folder to twenty people who work there. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accessibilityFindings } from '../support/axe.ts';
import { launchChromium } from '../support/chromium.ts';
import { openAddress, openPage } from '../support/page.ts';
import { startEmpty } from '../support/raw.ts';
import { untilEnd } from '../support/until-end.ts';

const PASSWORD = 'a-password-for-tests';
const NAMES = Array.from({ length: 20 }, (_, at) =>
  at === 0 ? 'ann@acme.org' : `person${String(at).padStart(2, '0')}@acme.org`,
);
const [ANN, BEN, CARL] = [NAMES[0]!, NAMES[1]!, NAMES[2]!];
/** The looks in which each state is checked; `ALL_LOOKS=1` checks all. */
const LOOKS = (
  [
    [390, 844, 'dark'],
    [390, 844, 'light'],
    [1024, 768, 'dark'],
    [1024, 768, 'light'],
    [1440, 900, 'dark'],
    [1440, 900, 'light'],
  ] as const
).slice(0, process.env['ALL_LOOKS'] ? undefined : 1);
const findings: string[] = [];

const embedded = untilEnd(await startEmpty({ adminPassword: '', newNotes: 'private' }));
const browser = untilEnd(await launchChromium());
const watched = await openPage(browser);
const { page } = watched;

/** Checks the accessibility of a state, in all widths and in both schemes. */
async function look(name: string, at = page): Promise<void> {
  for (const [width, height, colorScheme] of LOOKS) {
    await at.setViewportSize({ width, height });
    await at.emulateMedia({ colorScheme });
    findings.push(...(await accessibilityFindings(at, `${name}, ${width} px, ${colorScheme}`)));
  }
  // The walk continues in a wide page.
  await at.setViewportSize({ width: 1440, height: 900 });
  await at.emulateMedia({ colorScheme: 'light' });
}

const dialog = (at = page) => at.locator('[role=dialog], [role=alertdialog]');
const row = (name: string) => page.locator(`tr[data-user="${name}"]`);
/** Chooses an action in the menu of a user. */
async function choose(name: string, action: string): Promise<void> {
  await row(name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}
/** Dismisses a toast, which would be in the way of the next one. */
async function toast(text: string): Promise<void> {
  const shown = page.locator('.toast').filter({ hasText: text });
  await shown.waitFor();
  await shown.getByRole('button', { name: 'Close' }).click();
  await shown.waitFor({ state: 'detached' });
}
/** Sets a password on the page that a link opens. */
async function setPassword(at: Page, password: string): Promise<void> {
  await at.getByLabel('New password', { exact: true }).fill(password);
  await at.getByLabel('Confirm new password').fill(password);
  await at.getByRole('button', { name: 'Set password' }).click();
  await at.getByText('Password successfully updated.').waitFor();
}
async function signIn(at: Page, name: string): Promise<void> {
  await at.getByLabel('User Name').fill(name);
  await at.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await at.getByRole('button', { name: 'Sign in' }).click();
}

it('goes from the first start to twenty people', { timeout: 900_000 }, async () => {
  const { url } = embedded.server;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });

  // The first start prints a link. The administrator sets a password for the next time.
  await page.goto(embedded.server.loginLink());
  await page.locator('tiding-home').getByRole('button', { name: 'Import' }).waitFor();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('menuitem', { name: 'People' }).click();
  await row('admin').waitFor();
  await look('1-alone');
  await page.getByRole('button', { name: 'Set a password' }).click();
  await dialog().getByText('The link sets your password.').waitFor();
  await look('2-own-link');
  await dialog().getByRole('button', { name: 'Set it now' }).click();
  await page.getByText('Your user name is admin.').waitFor();
  await look('3-own-password');
  await setPassword(page, PASSWORD);
  await openAddress(page, `${url}/#/people`);
  await row('admin').waitFor();
  await expect.poll(() => page.getByRole('note').count()).toBe(0);

  // Twenty people with two roles.
  await page.getByRole('button', { name: 'Invite people' }).click();
  await dialog().getByLabel('E-mail addresses or user names').fill(NAMES.join('\n'));
  await dialog().getByRole('checkbox', { name: 'magpie.AccessToken' }).check();
  await dialog().getByRole('combobox', { name: 'Other roles' }).fill('analysts');
  await page.keyboard.press('Enter');
  await look('4-invite');
  await dialog().getByRole('button', { name: 'Invite 20 people' }).click();
  await dialog().getByRole('heading', { name: 'Invitations' }).waitFor();
  expect(await dialog().getByRole('textbox').count()).toBe(20);
  await look('5-links');
  await dialog().getByRole('button', { name: 'Copy all' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(async () => (await copied()).split('\n').length).toBe(20);
  const links = new Map(
    (await copied()).split('\n').map((line) => line.split('\t') as [string, string]),
  );
  await dialog().getByRole('button', { name: 'Done' }).click();
  await dialog().waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('tbody tr').count()).toBe(21);
  expect(await row(BEN).locator('.user-wide .badge').allTextContents()).toEqual([
    'magpie.AccessToken',
    'analysts',
  ]);
  await row(BEN).getByText('Invited', { exact: true }).waitFor();
  await look('6-invited');

  // One of them opens the link in another browser, and runs a note.
  const anns = await openPage(browser);
  await anns.page.goto(links.get(ANN)!);
  await anns.page.getByText(`Your user name is ${ANN}.`).waitFor();
  await look('7-invitation', anns.page);
  await setPassword(anns.page, PASSWORD);
  await signIn(anns.page, ANN);
  await anns.page.locator('.page-head').getByRole('button', { name: 'New note' }).click();
  await dialog(anns.page).getByRole('textbox').first().fill('First steps');
  await anns.page.keyboard.press('Enter');
  await anns.page.locator('article .code').first().click();
  await anns.page.locator('article .cm-content:focus').waitFor();
  await anns.page.keyboard.type('%md\n# Works here');
  await anns.page.getByRole('button', { name: 'Run this paragraph' }).first().click();
  await anns.page.getByRole('heading', { name: 'Works here' }).waitFor();

  // The administrator sees the sign-in and ends the session.
  await page.reload();
  await page.getByRole('searchbox', { name: 'Find people' }).fill('ann');
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  await look('8-found');
  await row(ANN)
    .getByRole('button', { name: `1 session of ${ANN}` })
    .click();
  await dialog().getByText('Open now').waitFor();
  await look('9-sessions');
  await dialog().getByRole('button', { name: 'Sign out everywhere' }).click();
  await toast(`${ANN} is signed out everywhere.`);
  await anns.page.getByText('An administrator has ended your sessions. Sign in again.').waitFor();
  await signIn(anns.page, ANN);
  await anns.page.getByRole('heading', { name: 'Works here' }).waitFor();

  // Roles, with the keyboard.
  await row(ANN)
    .getByRole('button', { name: `Actions for ${ANN}` })
    .focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Change roles' }).waitFor();
  await look('10-menu');
  await page.getByRole('menuitem', { name: 'Change roles' }).press('Enter');
  await dialog().getByRole('checkbox', { name: 'magpie.AccessToken' }).press('Space');
  await dialog().getByRole('checkbox', { name: 'notebook_admin' }).press('Space');
  await look('11-roles');
  await dialog().getByRole('button', { name: 'Save roles' }).press('Enter');
  await toast(`The roles of ${ANN} were changed.`);
  expect(await row(ANN).locator('.user-wide .badge').allTextContents()).toEqual([
    'analysts',
    'notebook_admin',
  ]);

  // Disabling signs the user out, with the reason.
  await choose(ANN, 'Disable');
  await toast(`${ANN} is disabled and signed out.`);
  await anns.page.getByText('Your account has been disabled. Ask an administrator.').waitFor();
  await look('12-disabled-page', anns.page);
  await row(ANN).getByText('Disabled', { exact: true }).waitFor();
  await choose(ANN, 'Enable');
  await toast(`${ANN} can sign in again.`);
  await choose(ANN, 'Reset password');
  const link = dialog().getByRole('textbox', { name: `Link for ${ANN}` });
  await link.waitFor();
  await look('13-reset');
  await anns.page.goto(await link.inputValue());
  await setPassword(anns.page, PASSWORD);
  await dialog().getByRole('button', { name: 'Done' }).click();
  await page.getByRole('searchbox', { name: 'Find people' }).fill('');
  await choose(BEN, 'New invitation link');
  await dialog().getByRole('textbox').waitFor();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await choose(CARL, 'Remove');
  await dialog().getByText(`Remove ${CARL}?`).waitFor();
  await look('14-remove');
  await dialog().getByRole('button', { name: 'Remove user' }).click();
  await toast(`${CARL} was removed.`);
  await expect.poll(() => page.locator('tbody tr').count()).toBe(20);

  // An error stays until it is dismissed.
  await page.route('**/api/magpie/users/*/status/*', (route) => route.abort());
  await choose(BEN, 'Disable');
  await page.locator('.toast').getByText(`${BEN} could not be changed.`).waitFor();
  await look('15-error');
  await page.unroute('**/api/magpie/users/*/status/*');
  await toast(`${BEN} could not be changed.`);

  // The other settings of the first day.
  for (const [name, path, text] of [
    ['16-interpreters', '/interpreter', '%sql'],
    ['17-configuration', '/configuration', 'zeppelin.server.port'],
  ] as const) {
    await openAddress(page, `${url}/#${path}`);
    await page.getByText(text).first().waitFor();
    await look(name);
  }

  expect(findings).toEqual([]);
  // The browser also logs the requests that ended sessions and the aborted one.
  const logged = [...watched.complaints, ...anns.complaints];
  expect(logged.filter((each) => !/status of (401|403|405)|net::ERR_FAILED/.test(each))).toEqual(
    [],
  );
  await anns.close();
  await watched.close();
});
