/** Resetting a forgotten password in a browser: request a link, open it from the mail, once. */
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { launchChromium } from '../support/chromium.ts';
import { openPage, type WatchedPage } from '../support/page.ts';
import { asPage, login, request, startEmpty } from '../support/raw.ts';
import { type MailServer, startMailServer } from '../support/smtp.ts';
import { untilEnd } from '../support/until-end.ts';

describe('a forgotten password', () => {
  let mail: MailServer;
  let embedded: Awaited<ReturnType<typeof startEmpty>>;
  let url: string;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let refused = 0;

  beforeAll(async () => {
    mail = untilEnd(await startMailServer());
    embedded = untilEnd(await startEmpty({ smtpUrl: mail.url, mailFrom: 'notes@acme.org' }));
    ({ url } = embedded.server);
    await new Users(embedded.data).set('ann@acme.org', { password: 'the old password' });
    browser = untilEnd(await launchChromium());
  });
  beforeEach(async () => {
    refused = 0;
    watched = await openPage(browser);
    ({ page } = watched);
  });
  afterEach(async () => {
    // The browser also logs the rejected requests of a test.
    expect(watched.complaints.filter((each) => !/status of (404|410|400)/.test(each))).toEqual([]);
    expect(watched.complaints.length).toBe(refused);
    await watched.close();
  });

  /** Requests a link and returns the one in the mail. */
  const ask = async () => {
    const before = mail.letters.length;
    await page.goto(url);
    await page.getByLabel('User Name').fill('ann@acme.org');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ann@acme.org');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page
      .getByRole('status')
      .getByText('If an active user exists with that email, we have sent a password reset link')
      .waitFor();
    await expect.poll(() => mail.letters.length).toBe(before + 1);
    return /https?:\/\/\S+/.exec(mail.letters.at(-1)!.text)![0];
  };

  it('is reset once by a mailed link [W15 W59 W69 D56 D57]', async () => {
    const link = await ask();
    await page.getByRole('button', { name: 'Back to sign in' }).click();
    await page.getByLabel('Password', { exact: true }).waitFor();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
    await page.getByLabel('New password', { exact: true }).fill('a whole new one');
    await page.getByLabel('Confirm new password').fill('a whole other one');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('alert').getByText('Passwords must match').waitFor();
    await page.getByLabel('Confirm new password').fill('a whole new one');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('status').getByText('Password successfully updated.').waitFor();
    await expect.poll(() => page.url()).toBe(`${url}/#/`);
    await page.getByLabel('User Name').fill('ann@acme.org');
    await page.getByLabel('Password', { exact: true }).fill('a whole new one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('tiding-home').waitFor();
    // The link is used up, whether or not the user is signed in.
    refused = 1;
    await page.goto(link);
    await page
      .getByRole('alert')
      .getByText('This link has been used or has expired. Request a new one.')
      .waitFor();
    expect(await page.getByLabel('New password', { exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.locator('tiding-home').waitFor();
  });

  it('keeps a user signed in after a reset, and ends other sessions [W59 W102]', async () => {
    await new Users(embedded.data).set('ann@acme.org', { password: 'the old password' });
    const link = await ask();
    await page.getByRole('button', { name: 'Back to sign in' }).click();
    await page.getByLabel('User Name').fill('ann@acme.org');
    await page.getByLabel('Password', { exact: true }).fill('the old password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('tiding-home').waitFor();
    const other = await login(url, 'ann@acme.org', 'the old password');
    await page.goto(link);
    await page.getByLabel('New password', { exact: true }).fill('short');
    await page.getByLabel('Confirm new password').fill('short');
    refused = 1;
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('alert').getByText('at least').waitFor();
    for (const name of ['New password', 'Confirm new password'])
      await page.getByLabel(name, { exact: true }).fill('another new one');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('status').getByText('Password successfully updated.').waitFor();
    const answer = await request(url, 'GET', '/api/notebook', { headers: asPage(other) });
    expect(answer.status).toBe(401);
    await expect.poll(() => page.url()).toBe(link);
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.locator('tiding-home').waitFor();
  });

  it('is not reset by an unknown link [W15 W101]', async () => {
    refused = 1;
    await page.goto(`${url}/#/password-reset/tdr_unknown`);
    await page.getByRole('alert').getByText('This link is invalid. Request a new one.').waitFor();
    await page.getByRole('link', { name: 'Back to sign in' }).click();
    await page.getByLabel('User Name').waitFor();
  });

  it('reports a failure without a message from the server [W101]', async () => {
    refused = 1;
    await page.route('**/api/magpie/password-reset/**', (route) =>
      route.fulfill({ status: 400, contentType: 'text/html', body: '<h1>Bad</h1>' }),
    );
    await page.goto(`${url}/#/password-reset/tdr_x`);
    await page
      .getByRole('alert')
      .getByText('The Tiding password reset service has hit a snag. Please try again.')
      .waitFor();
  });
});
