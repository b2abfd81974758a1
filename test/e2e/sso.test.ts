/** Single sign-on in a browser with a real provider. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LoginMode } from '../../server/base/sso-options.ts';
import { launchChromium } from '../support/chromium.ts';
import { CLIENT, startProvider, type TestProvider } from '../support/oidc.ts';
import { logOut, openPage, type WatchedPage } from '../support/page.ts';
import { startEmpty } from '../support/raw.ts';
import { untilEnd } from '../support/until-end.ts';

let watched: WatchedPage;
let page: Page;

const browser = untilEnd(await launchChromium());

beforeEach(async () => {
  watched = await openPage(browser);
  ({ page } = watched);
});
afterEach(async () => {
  expect(watched.complaints).toEqual([]);
  await watched.close();
});

const start = async (loginMode: LoginMode) => {
  let url = '';
  const provider: TestProvider = await startProvider(() => url);
  provider.accounts.set('ann', { email: 'ann@acme.org', email_verified: true });
  const oidc = {
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    domains: ['acme.org'],
  };
  const embedded = await startEmpty({ loginMode, oidc: oidc as never, logLevel: 'silent' });
  ({ url } = embedded.server);
  return {
    url,
    provider,
    async stop() {
      await embedded.stop();
      await provider.stop();
    },
  };
};
let lab: Awaited<ReturnType<typeof start>>;
const isSignedIn = () => page.locator('.user-name').getByText('ann@acme.org').waitFor();

describe('single sign-on beside passwords', () => {
  beforeAll(async () => {
    lab = await start('Sso');
  });
  afterAll(() => lab?.stop());
  beforeEach(() => void Object.assign(lab.provider, { denies: false }));

  it('signs in by email address and continues to the requested page [W4]', async () => {
    await page.goto(`${lab.url}/#/notebook/2NOSUCH`);
    await page.getByLabel('User Name').fill('ann@acme.org');
    await page.getByRole('button', { name: 'Single sign-on' }).click();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ann@acme.org');
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign in with a password' }).click();
    await page.getByLabel('Password', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Single sign-on' }).click();
    await page.getByRole('button', { name: 'Single sign-on' }).click();
    await isSignedIn();
    await expect.poll(() => page.url()).toBe(`${lab.url}/#/notebook/2NOSUCH`);
    expect(lab.provider.asked.at(-1)!.get('login_hint')).toBe('ann@acme.org');
  });

  it('shows a failure on its own page and links back', async () => {
    lab.provider.denies = true;
    await page.goto(lab.url);
    await page.getByRole('button', { name: 'Single sign-on' }).click();
    await page.getByRole('button', { name: 'Single sign-on' }).click();
    await page.getByRole('heading', { name: 'Single sign-on failed' }).waitFor();
    await expect.poll(() => page.url()).toBe(`${lab.url}/#/sso/error`);
    // The page survives a reload without a session.
    await page.reload();
    await page.getByRole('heading', { name: 'Single sign-on failed' }).waitFor();
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.getByLabel('User Name').waitFor();
    await page.goBack();
    lab.provider.denies = false;
    await page.getByRole('link', { name: 'Try again' }).click();
    await isSignedIn();
  });
});

describe('single sign-on only', () => {
  beforeAll(async () => {
    lab = await start('SsoOnly');
  });
  afterAll(() => lab?.stop());
  beforeEach(() => void Object.assign(lab.provider, { denies: false }));

  it('redirects to the provider, keeps the page, signs out there too [W44 W94 D20]', async () => {
    await page.goto(`${lab.url}/#/notebook/2NOSUCH`);
    await isSignedIn();
    await expect.poll(() => page.url()).toBe(`${lab.url}/#/notebook/2NOSUCH`);
    // The provider is slow. Until it answers, the page must not start another navigation.
    await page.route(/\/session\/end\?/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      await route.continue();
    });
    await logOut(page);
    await page.waitForURL(({ href }) => href.startsWith(`${lab.provider.issuer}/session/end`));
    expect(new URL(page.url()).searchParams.get('post_logout_redirect_uri')).toBe(`${lab.url}/`);
    const before = lab.provider.asked.length;
    await page.getByRole('button', { name: 'Sign out' }).click();
    // Back here without a session, the page redirects to the provider, which asks again.
    await expect.poll(() => lab.provider.asked.length).toBeGreaterThan(before);
    await isSignedIn();
  });

  it('offers no other method and does not loop after a failure', async () => {
    lab.provider.denies = true;
    await page.goto(lab.url);
    await page.getByRole('heading', { name: 'Single sign-on failed' }).waitFor();
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.getByRole('button', { name: 'Single sign-on' }).waitFor();
    for (const name of ['User Name', 'Password'])
      expect(await page.getByLabel(name, { exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Forgot password?' }).count()).toBe(0);
    lab.provider.denies = false;
    await page.getByRole('button', { name: 'Single sign-on' }).click();
    await isSignedIn();
  });
});
