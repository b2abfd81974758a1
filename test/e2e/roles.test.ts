/**
 * Every page for each role: shown, denied on the page, redirected home by the route guard, or
 * redirected to the sign-in.
 */

import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../app/routes.ts';
import { Users } from '../../server/auth/users.ts';
import { launchChromium } from '../support/chromium.ts';
import { adminClient, startEmbedded } from '../support/embedded.ts';
import { changeDocuments, logOut, openPage, signIn, type WatchedPage } from '../support/page.ts';
import {
  open,
  type PageVisit,
  pageStates,
  signedIn,
  superOnly,
  type Who,
} from '../support/page-states.ts';
import { onlyFor } from '../support/raw.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront } from '../support/walk.ts';

const people: Record<Who, readonly string[] | undefined> = {
  anonymous: undefined,
  reader: [],
  analyst: ['analysts', 'magpie.AccessToken'],
  organisation: ['magpie.OrganizationAdmin'],
  super: ['global.SuperAdmin'],
};
const everybody = Object.keys(people) as Who[];
const PASSWORD = 'a-password-for-tests';
const NEEDLE = 'needle in a note';

const visits: readonly PageVisit[] = [
  ...(await pageStates()).flatMap((page) => page.visits),
  ...(
    [
      // Anonymous visitors see the sign-in here.
      ['/', 'tiding-home', 'Notes', signedIn],
      ['/interpreter', 'tiding-interpreters', 'Interpreters', superOnly],
      ['/credential', 'tiding-credentials', 'Credentials', superOnly],
      ['/helium', 'tiding-packages', 'Packages', superOnly],
      [
        '/revision-control',
        'tiding-revision-control',
        'Revision control',
        { ...superOnly, organisation: 'shown' },
      ],
      ['/configuration', 'tiding-configuration', 'Configuration', superOnly],
      // Every user may open the page; its content needs the role AccessToken.
      [
        '/account',
        'tiding-access-tokens',
        'Access tokens',
        {
          ...superOnly,
          reader: 'refused',
          analyst: 'shown',
          organisation: 'refused',
          super: 'refused',
        },
      ],
      ['/search/:searchTerm', 'tiding-search', 'needle', signedIn],
      ['/object/:widget/:name', 'tiding-widget', 'There is no table core.nowhere', signedIn],
      ['/notebook/:noteId', 'tiding-notebook', NEEDLE, signedIn],
      ['/notebook/:noteId/revision/:revisionId', 'tiding-notebook', NEEDLE, signedIn],
      ['/notebook/:noteId/paragraph/:paragraphId', 'tiding-paragraph', NEEDLE, signedIn],
      ['/notebook/:noteId/paragraph', 'tiding-notebook', NEEDLE, signedIn],
      ['/password-reset/:resetToken', 'tiding-password-reset', 'Set a new password', open],
      ['/sso/error', 'tiding-sso-error', 'Single sign-on failed', open],
    ] as const
  ).map(([route, tag, words, fates]) => ({ route, tag, words, fates })),
];

describe.skipIf(inFront)('the pages of the workbench', () => {
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let browser: Browser;
  let url: string;
  const pages = {} as Record<Who, WatchedPage>;
  const params: Record<string, string> = {
    searchTerm: 'needle',
    resetToken: 'tdr_nobody-got-it',
    widget: 'table',
    name: 'core.nowhere',
  };
  let closed: string;

  beforeAll(async () => {
    embedded = untilEnd(await startEmbedded());
    ({ url } = embedded.server);
    const users = new Users(embedded.data);
    for (const who of everybody)
      if (people[who]) await users.set(who, { password: PASSWORD, roles: [...people[who]] });
    const client = await adminClient(url);
    const note = await client.open(await client.notes.create({ path: 'For all' }));
    note.paragraphs[0]!.edit(`%md\n${NEEDLE}`);
    await note.commit();
    await note.paragraphs[0]!.run();
    const revisions = await note.revisions.checkpoint('as it is');
    Object.assign(params, {
      noteId: note.id,
      paragraphId: note.paragraphs[0]!.id,
      revisionId: revisions[1]!.id,
    });
    closed = await client.notes.create({ path: 'For one' });
    await client.call('setPermissions', {
      params: { noteId: closed },
      body: onlyFor('admin'),
    });
    note.close();
    client.close();
    browser = untilEnd(await launchChromium());
    await Promise.all(
      everybody.map(async (who) => {
        pages[who] = await openPage(browser);
        if (people[who]) await signIn(pages[who].page, url, who, PASSWORD);
        else await pages[who].page.goto(url);
      }),
    );
  });

  const hash = (page: Page) => new URL(page.url()).hash;
  const go = (page: Page, path: string) => page.evaluate((to) => location.assign(`#${to}`), path);
  const isHome = async (page: Page) => {
    await page.locator('tiding-home').getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    await expect.poll(() => hash(page)).toBe('#/');
  };

  it('are all in the table above [W1]', () => {
    const visited = visits.map(({ route }) => route);
    expect(visited.sort()).toEqual(routes.map(({ path }) => path).sort());
  });

  it.each(everybody)('as %s: shown, denied, redirected [W2 W3 W4 W5 W87 W97 W139]', async (who) => {
    const { page, complaints } = pages[who];
    for (const { route, tag, words, fates } of visits) {
      const path = route.replace(/:(\w+)/g, (_, name: string) => params[name]!);
      const fate = fates[who];
      await go(page, path);
      if (fate === 'sign-in') {
        await page.locator('tiding-login').getByRole('textbox', { name: 'User Name' }).waitFor();
        // The requested page is kept for after the sign-in.
        await expect
          .poll(() => hash(page), { message: route })
          .toBe(path === '/' ? '#/' : `#/?ref=${encodeURIComponent(path)}`);
        continue;
      }
      if (fate === 'home') {
        await expect.poll(() => hash(page), { message: route }).toBe('#/');
        await isHome(page);
        continue;
      }
      if (fate === 'refused') {
        await page
          .locator(tag)
          .getByRole('alert')
          .getByText('You do not have permission on this page', { exact: true })
          .waitFor();
        await isHome(page);
        continue;
      }
      await page.locator(tag).getByText(words).first().waitFor();
      await expect.poll(() => hash(page), { message: route }).toBe(`#${path}`);
      expect(
        await page.locator(tag).getByText('You do not have permission on this page').count(),
        route,
      ).toBe(0);
    }
    // The browser also logs denied requests and the unknown reset link.
    expect(complaints.splice(0).filter((each) => !/status of 40[34]/.test(each))).toEqual([]);
  });

  it('redirect unknown paths home or to the sign-in [W1]', async () => {
    await go(pages.reader.page, '/nowhere');
    await isHome(pages.reader.page);
    await go(pages.anonymous.page, '/nowhere');
    await expect.poll(() => hash(pages.anonymous.page)).toBe('#/');
    await pages.anonymous.page.locator('tiding-login').waitFor();
  });

  it('continue at the address that was entered while the password was checked', async () => {
    const { page, complaints, close } = await openPage(browser);
    await page.goto(url);
    const wanted = `#/notebook/${params['noteId']}`;
    await page.route('**/api/login', async (call) => {
      await page.evaluate((to) => location.assign(to), wanted);
      // The guard has replaced the form by one that leads to the note.
      await expect.poll(() => hash(page)).toContain('?ref=');
      await expect
        .poll(() => page.getByRole('textbox', { name: 'User Name' }).inputValue())
        .toBe('');
      await call.continue();
    });
    await page.getByRole('textbox', { name: 'User Name' }).fill('reader');
    await page.getByLabel('Password').first().fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.locator('tiding-notebook').getByText(NEEDLE).first().waitFor();
    await expect.poll(() => hash(page)).toBe(wanted);
    expect(complaints).toEqual([]);
    await close();
  });

  it('have the product title, except for notes [W10 W16]', async () => {
    const { page } = pages.analyst;
    await go(page, `/notebook/${params['noteId']}`);
    await expect.poll(() => page.title()).toBe('For all - Tiding');
    await go(page, '/jobmanager');
    await expect.poll(() => page.title()).toBe('Tiding');
  });

  it('explain that a note may not be read: Close, or Login and Cancel', async () => {
    const refused = async (page: Page) => {
      await go(page, `/notebook/${closed}`);
      const dialog = page.getByRole('alertdialog', { name: 'Insufficient privileges' });
      await dialog.getByText('Insufficient privileges to read note.').waitFor();
      expect(await page.locator('tiding-notebook article').count()).toBe(0);
      return dialog;
    };
    // A user without roles has no other account to sign in with.
    const { page: plain } = pages.reader;
    const closing = await refused(plain);
    await expect.poll(() => closing.getByRole('button').allTextContents()).toEqual(['Close']);
    await closing.getByRole('button', { name: 'Close' }).click();
    await closing.waitFor({ state: 'detached' });
    await expect.poll(() => hash(plain)).toBe(`#/notebook/${closed}`);
    await plain.locator('tiding-notebook').getByRole('button', { name: 'Try again' }).waitFor();
    await go(plain, '/');

    const { page, complaints } = pages.analyst;
    const choices = await refused(page);
    await expect
      .poll(() => choices.getByRole('button').allTextContents())
      .toEqual(['Cancel', 'Login']);
    await choices.getByRole('button', { name: 'Cancel' }).click();
    await isHome(page);
    await (await refused(page)).getByRole('button', { name: 'Login' }).click();
    await page.locator('tiding-login').getByRole('textbox', { name: 'User Name' }).waitFor();
    await expect.poll(() => hash(page)).toBe(`#/?ref=${encodeURIComponent(`/notebook/${closed}`)}`);
    await signIn(page, url, 'analyst', PASSWORD);
    complaints.length = 0;
    pages.reader.complaints.length = 0;
  });

  it('are in the navigation of users who may open them only [W87]', async () => {
    const main = ['Home', 'Jobs', 'Clusters'];
    const administration = [
      'Interpreters',
      'Connections',
      'People',
      'Credentials',
      'Packages',
      'Revision control',
      'Configuration',
    ];
    for (const [who, settings] of [
      ['reader', ['Connections']],
      ['analyst', ['Connections', 'Access tokens']],
      ['organisation', ['Connections', 'Revision control']],
      ['super', administration],
    ] as const) {
      const { page } = pages[who];
      await go(page, '/clusters');
      const bar = page.locator('tiding-navigation.mainnav');
      await expect
        .poll(() => bar.locator('.nav-links > a').allTextContents(), { message: who })
        .toEqual(main);
      const menu = bar.getByRole('button', { name: 'Settings' });
      await menu.click();
      await expect
        .poll(() => page.getByRole('menuitem').allTextContents(), { message: who })
        .toEqual([...settings]);
      await page.keyboard.press('Escape');
    }
    // Before the sign-in, the bar shows only the brand.
    expect(await pages.anonymous.page.locator('tiding-navigation.mainnav').isVisible()).toBe(false);
    expect(await pages.anonymous.page.locator('.topbar .brand').isVisible()).toBe(true);
  });

  it('omit revision control if the server does not support it [W46 D4]', async () => {
    const { page } = pages.organisation;
    await page.route('**/api/magpie/config', (route) =>
      route.fulfill({
        json: {
          status: 'OK',
          body: { productName: 'Tiding', features: { connections: true, revisionControl: false } },
        },
      }),
    );
    // The document has the configuration too.
    await changeDocuments(page, () => {
      // Its text node: Trusted Types refuse another text of a script element itself.
      const answers = document.getElementById('initial')?.firstChild;
      if (answers?.nodeValue)
        answers.nodeValue = answers.nodeValue.replace(
          '"revisionControl":true',
          '"revisionControl":false',
        );
    });
    await page.reload();
    const bar = page.locator('tiding-navigation.mainnav');
    await bar.getByRole('button', { name: 'Settings' }).click();
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Connections']);
    await page.keyboard.press('Escape');
  });

  it('explain that a browser is too old to sign out and keep the session [D62]', async () => {
    const { page, complaints } = pages.reader;
    await go(page, '/clusters');
    await page.locator('tiding-clusters').getByRole('heading', { name: 'Clusters' }).waitFor();
    // As in a browser of 2022.
    await page.evaluate(() => Object.assign(AbortSignal, { any: undefined }));
    await logOut(page);
    await page
      .getByRole('alert')
      .getByText(
        'Your browser is too old or too weird to support log out functionality. Close ' +
          'all windows and restart the browser.',
        { exact: true },
      )
      .waitFor();
    await expect.poll(() => page.locator('tiding-clusters').isVisible()).toBe(true);
    await page.reload();
    await page.locator('tiding-clusters').getByRole('heading', { name: 'Clusters' }).waitFor();
    complaints.length = 0;
  });

  it('sign out on the server in a browser without XMLHttpRequest [D62]', async () => {
    const old = await openPage(browser);
    await old.page.addInitScript(() => void Reflect.deleteProperty(window, 'XMLHttpRequest'));
    await signIn(old.page, url, 'reader', PASSWORD);
    const cookie = (await old.page.context().cookies())
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const ticket = () =>
      fetch(`${url}/api/security/ticket`, {
        headers: { Cookie: cookie, 'X-Requested-With': 'XMLHttpRequest' },
      });
    expect((await ticket()).status).toBe(200);
    const asked = old.page.waitForRequest('**/api/login/logout');
    await logOut(old.page);
    await old.page.getByRole('status').getByText('Logout Success', { exact: true }).waitFor();
    await old.page.locator('tiding-login').waitFor();
    const request = await asked;
    expect([request.postData(), await request.headerValue('authorization')]).toEqual([null, null]);
    expect((await ticket()).status).toBe(405);
    expect(await old.page.evaluate(() => typeof window.XMLHttpRequest)).toBe('undefined');
    expect(old.complaints).toEqual([]);
    await old.close();
  });

  it('call the address that ends the session of a provider, and return home [D20]', async () => {
    const other = await openPage(browser);
    await signIn(other.page, url, 'reader', PASSWORD);
    await go(other.page, '/clusters');
    await other.page
      .locator('tiding-clusters')
      .getByRole('heading', { name: 'Clusters' })
      .waitFor();
    await other.page.route('**/api/login/logout', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: {
          ...(await answer.json()),
          body: { redirectURL: `${url}/out`, isLogoutAPI: 'true' },
        },
      });
    });
    const asked = other.page.waitForRequest(`${url}/out`);
    await logOut(other.page);
    expect((await asked).method()).toBe('GET');
    await other.page.locator('tiding-login').waitFor();
    await expect.poll(() => hash(other.page)).toBe('#/');
    await other.close();
  });

  it('report a failed sign-out, and confirm one on the sign-in page [D9 D19 D62 D77]', async () => {
    const { page, complaints } = pages.reader;
    await go(page, `/notebook/${params['noteId']}`);
    await page.locator('tiding-notebook').getByText(NEEDLE).first().waitFor();
    await page.route('**/api/login/logout', (route) =>
      route.fulfill({ status: 500, json: { status: 'ERROR', message: 'The disk is full.' } }),
    );
    await logOut(page);
    await page.getByRole('alert').getByText('You are still signed in: The disk is full.').waitFor();
    await expect.poll(() => page.locator('tiding-notebook').isVisible()).toBe(true);
    await page.unroute('**/api/login/logout');
    await logOut(page);
    await page.getByRole('status').getByText('Logout Success', { exact: true }).waitFor();
    expect(await page.locator('tiding-notebook').count()).toBe(0);
    await page.locator('tiding-login').waitFor();
    await expect.poll(() => hash(page)).toBe('#/');
    expect(complaints.filter((each) => !/status of (500|403|404)/.test(each))).toEqual([]);
  });
});
