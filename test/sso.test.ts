/** Single sign-on with a real OpenID Connect provider: regular sign-ins and attacks. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Users } from '../server/auth/users.ts';
import { createServer, type ServerOptionsInput } from '../server/index.ts';
import { passTime, restoreTime, setClock } from './support/clock.ts';
import { ADMIN_PASSWORD, adminClient } from './support/embedded.ts';
import { CLIENT, startProvider, Walker } from './support/oidc.ts';
import { audited, callApi, login, request, sendLogin, startEmpty } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

let url = '';
let browser: Walker;
const settings = (more: ServerOptionsInput['oidc'] = {}): ServerOptionsInput['oidc'] => ({
  issuer: provider.issuer,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  domains: ['acme.org'],
  roleClaim: 'groups',
  roles: { 'platform team': ['global.SuperAdmin', 'magpie.AccessToken'] },
  scope: 'openid email groups',
  ...more,
});

const provider = untilEnd(await startProvider(() => url));
const embedded = untilEnd(await startEmpty({ logLevel: 'silent', oidc: settings() as never }));
({ url } = embedded.server);
beforeEach(() => {
  browser = new Walker();
  Object.assign(provider, { subject: 'ann', denies: false, reachable: true });
  provider.accounts.clear();
  provider.accounts.set('ann', {
    email: 'Ann@acme.org',
    email_verified: true,
    groups: ['analysts'],
  });
});
afterEach(restoreTime);

const start = (ref = '/', more = '') =>
  `${url}/api/login/sso?ref=${encodeURIComponent(ref)}${more}`;
const isCallback = (address: string) => address.startsWith(`${url}/api/login/sso/callback`);
const noteOwnedBy = async (owner: string): Promise<string> => {
  const admin = await adminClient(url);
  const noteId = await admin.notes.create({ path: `Note of ${owner}` });
  const body = { owners: [owner], readers: [owner], writers: [owner], runners: [owner] };
  await admin.call('setPermissions', { params: { noteId }, body });
  admin.close();
  return noteId;
};
const ERROR = () => `${url}/#/sso/error`;
const ticket = async (who = browser) => {
  const answer = await who.get(`${url}/api/security/ticket`);
  return answer.status === 200
    ? (answer.json as { body: { principal: string; roles: string; ticket: string } }).body
    : answer.status;
};

it('signs in users of the provider, creates them, and returns to the requested page', async () => {
  const place = '/notebook/2ABC?x=ä ö&y=%2F';
  const end = await browser.walk(
    start(place, '&domain=acme.org&email=ann%40acme.org&useHttps=true'),
  );
  expect(decodeURI(end)).toBe(`${url}/#${place}`);
  expect(await ticket()).toMatchObject({ principal: 'ann@acme.org', roles: '["analysts"]' });
  const sent = new URL(
    browser.visited.find((address) => address.startsWith(`${provider.issuer}/auth?`))!,
  ).searchParams;
  expect(Object.fromEntries(sent)).toMatchObject({
    code_challenge_method: 'S256',
    response_type: 'code',
    login_hint: 'ann@acme.org',
    redirect_uri: `${url}/api/login/sso/callback`,
  });
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(sent.get(name)).toMatch(/^[\w-]{43}$/);
  const user = (
    JSON.parse(await readFile(join(embedded.data, 'users.json'), 'utf8')) as {
      users: { name: string }[];
    }
  ).users.find(({ name }) => name === 'ann@acme.org');
  expect(user).toEqual({
    name: 'ann@acme.org',
    roles: ['analysts'],
    sso: { issuer: provider.issuer, subject: 'ann' },
  });
});

it('is recorded in the audit log, with successes and failures [S80]', async () => {
  await browser.walk(start());
  const entry = { address: '127.0.0.1', command: 'sso' };
  await audited(embedded.data, {
    ...{ event: 'sign-in', principal: 'ann@acme.org', outcome: 'ok' },
    ...entry,
  });
  await browser.get(`${url}/api/login/sso/callback?code=x&state=made-up`);
  await audited(embedded.data, {
    ...{ event: 'sign-in-failed', principal: 'unknown', outcome: 'refused' },
    ...entry,
  });
});

it('recognises users by their subject, and updates their roles at each sign-in', async () => {
  await browser.walk(start());
  const old = browser.cookies(`${url}/`);
  provider.accounts.set('ann', {
    email: 'new.name@acme.org',
    email_verified: true,
    groups: ['platform team', 'admin', 'global.SuperAdmin', 'magpie.OrganizationAdmin', 'readers'],
  });
  await browser.walk(start('/x'));
  // Roles that open calls come from the mapping only, whatever a group is called.
  expect(await ticket()).toMatchObject({
    principal: 'ann@acme.org',
    roles: '["global.SuperAdmin","magpie.AccessToken","readers"]',
  });
  expect(browser.cookies(`${url}/`)).not.toBe(old);
  expect(
    (await request(url, 'GET', '/api/security/ticket', { headers: { Cookie: old } })).status,
  ).toBe(401);
  provider.accounts.set('ann', { email: 'ann@acme.org', groups: [] });
  await browser.walk(start());
  expect(await ticket()).toMatchObject({ roles: '[]' });
  const users = new Users(embedded.data);
  await users.refresh();
  expect(users.names).toEqual(['admin', 'ann@acme.org']);
});

it('gives a group no rights of a user of its name, a user none of a role [S4]', async () => {
  const users = new Users(embedded.data);
  await users.set('carl', { password: 'a-password-for-carl', roles: [] });
  const notes: string[] = [];
  for (const owner of ['ann@acme.org', 'later@acme.org', 'carl', 'anonymous'])
    notes.push(await noteOwnedBy(owner));
  const shared = await noteOwnedBy('analysts');
  await browser.walk(start());
  const groups = ['ann@acme.org', 'later@acme.org', 'carl', 'anonymous', 'analysts'];
  provider.subject = 'eve';
  provider.accounts.set('eve', { email: 'eve@acme.org', email_verified: true, groups });
  const eve = new Walker();
  const statuses = () =>
    Promise.all(
      [...notes, shared].map(async (id) => (await eve.get(`${url}/api/notebook/${id}`)).status),
    );
  await eve.walk(start());
  expect(await ticket(eve)).toMatchObject({ roles: '["analysts"]' });
  expect(await statuses()).toEqual([403, 403, 403, 403, 200]);
  // Roles that an older version stored.
  const file = join(embedded.data, 'users.json');
  const stored = await readFile(file, 'utf8');
  const old = JSON.parse(stored) as { users: { name: string; roles: string[] }[] };
  old.users.find(({ name }) => name === 'eve@acme.org')!.roles = groups.filter(
    (group) => group !== 'later@acme.org',
  );
  await writeFile(file, JSON.stringify(old));
  expect(await statuses()).toEqual([403, 403, 403, 403, 200]);
  // The reverse: a user with the name of a role, and a role with the name of a user.
  for (const [name, roles, reason] of [
    ['analysts', [], 'There is a role analysts'],
    ['dora', ['dora'], 'dora is a user'],
    ['dora', ['carl'], 'carl is a user'],
    ['carl', ['admin', 'ann@acme.org'], 'ann@acme.org is a user'],
  ] as const)
    await expect(users.set(name, { roles: [...roles] }), name).rejects.toThrow(reason);
  await users.remove('carl');
  await users.remove('eve@acme.org');
});

it('keeps the state for ten minutes in its own cookie, hidden from scripts', async () => {
  const { headers } = await browser.get(start());
  const [cookie] = headers['set-cookie']!;
  for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/api/login/sso', 'Max-Age=600'])
    expect(cookie).toContain(part);
  expect(headers['cache-control']).toBe('no-store');
});

describe('redirects to the error page, without signing in,', () => {
  const callback = () => browser.walk(start(), isCallback);
  const fails = async (address: string, who = browser) => {
    expect(await who.walk(address)).toBe(ERROR());
    expect(await ticket(who)).toBe(401);
  };

  it('for an unknown, missing or foreign state', async () => {
    const address = new URL(await callback());
    for (const state of ['x', '']) {
      address.searchParams.set('state', state);
      await fails(address.href);
    }
    address.searchParams.delete('state');
    await fails(address.href);
    const other = new URL(await new Walker().walk(start(), isCallback)).searchParams.get('state')!;
    address.searchParams.set('state', other);
    await fails(address.href);
  });

  it('in another browser; the browser that started can still finish', async () => {
    const address = await callback();
    await fails(address, new Walker());
    expect(await browser.walk(address)).toBe(`${url}/#/`);
  });

  it('for the cookie of another sign-in, or a changed one [S5]', async () => {
    const { search } = new URL(await callback());
    await callback();
    const [first, second] = browser.cookies(`${url}/api/login/sso`).split('; ');
    const [name, value] = first!.split('=');
    for (const other of [second!.split('=')[1], `${value!.slice(0, -6)}AAAAAA`, 'x', '']) {
      const headers = { Cookie: `${name}=${other}` };
      const answer = await request(url, 'GET', `/api/login/sso/callback${search}`, { headers });
      expect(answer.headers.location).toBe('/#/sso/error');
    }
  });

  it("for a used code, in the same browser or with another sign-in's state", async () => {
    const address = await callback();
    await browser.walk(address);
    const second = new Walker();
    await fails(address, second);
    const own = new URL(await second.walk(start(), isCallback));
    own.searchParams.set('code', new URL(address).searchParams.get('code')!);
    await fails(own.href, second);
  });

  it('if consent is denied', async () => {
    provider.denies = true;
    const address = await callback();
    expect(new URL(address).searchParams.get('error')).toBe('access_denied');
    await fails(address);
  });

  it('if the answer comes from another provider', async () => {
    const address = new URL(await callback());
    address.searchParams.set('iss', 'http://127.0.0.1:1');
    await fails(address.href);
  });

  it('after ten minutes', async () => {
    const address = await callback();
    setClock(-601_000);
    passTime(601_000);
    await fails(address);
  });

  it('if the provider is unreachable', async () => {
    const far = untilEnd(
      await createServer({
        port: 0,
        adminPassword: ADMIN_PASSWORD,
        logLevel: 'silent',
        data: `${embedded.data}/far`,
        oidc: settings()!,
      }),
    );
    provider.reachable = false;
    expect(await browser.walk(`${far.url}/api/login/sso`)).toBe(`${far.url}/#/sso/error`);
    provider.reachable = true;
    expect(
      await browser.walk(`${far.url}/api/login/sso`, (address) =>
        address.startsWith(provider.issuer),
      ),
    ).toContain(provider.issuer);
  });

  it.each([
    ['of another domain', { email: 'ann@evil.example', email_verified: true }],
    [
      'with a domain that only ends like the allowed one',
      { email: 'ann@notacme.org', email_verified: true },
    ],
    ['with an address that is not verified', { email: 'eve@acme.org', email_verified: false }],
    ['with an address that nobody has verified', { email: 'eve@acme.org' }],
    ['with a Cyrillic letter', { email: '\u0430nn@acme.org', email_verified: true }],
    ['with full-width letters', { email: '\uff41nn@acme.org', email_verified: true }],
    ['with a letter that lower case turns into another', { email: '\u212aim@acme.org' }],
    ['without an address', { email_verified: true }],
    ['with two addresses in one', { email: 'ann@evil.example@acme.org', email_verified: true }],
    ['with an invalid name', { email: 'a<b@acme.org', email_verified: true }],
  ])('for a user %s [S5]', async (_, account) => {
    provider.subject = 'eve';
    provider.accounts.set('eve', account);
    await fails(start());
  });

  it("for a user rejected by the form's domain, without contacting the provider", async () => {
    await fails(start('/', '&domain=evil.example&email=a%40evil.example'));
    expect(browser.visited.some((address) => address.startsWith(provider.issuer))).toBe(false);
  });

  it('for a second person with the address of the first', async () => {
    await browser.walk(start());
    browser = new Walker();
    provider.subject = 'eve';
    provider.accounts.set('eve', { email: 'ann@acme.org', email_verified: true });
    await fails(start());
  });
});

it('creates a user with an unverified address if the provider is trusted [S88]', async () => {
  let own = '';
  const trusted = untilEnd(await startProvider(() => own));
  const trusting = untilEnd(
    await createServer({
      port: 0,
      adminPassword: ADMIN_PASSWORD,
      logLevel: 'silent',
      data: `${embedded.data}/trusting`,
      oidc: settings({ issuer: trusted.issuer, trustsEmail: true })!,
    }),
  );
  own = trusting.url;
  trusted.subject = 'eve';
  trusted.accounts.set('eve', { email: 'eve@acme.org' });
  expect(await browser.walk(`${own}/api/login/sso?ref=/`)).toBe(`${own}/#/`);
});

it('links an existing user to a verified address only', async () => {
  const users = new Users(embedded.data);
  await users.set('ben@acme.org', { password: 'a-password-for-ben', roles: ['readers'] });
  provider.subject = 'ben';
  provider.accounts.set('ben', { email: 'ben@acme.org', groups: ['platform team'] });
  expect(await browser.walk(start())).toBe(ERROR());
  provider.accounts.set('ben', { email: 'ben@acme.org', email_verified: true, groups: [] });
  expect(await new Walker().walk(start())).toBe(`${url}/#/`);
});

it.each([
  'notebook/1',
  '',
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/a\r\nSet-Cookie: x=1',
  `/${'a'.repeat(1_000)}`,
])('refuses to redirect to %j afterwards [S25]', async (ref) => {
  expect((await browser.get(start(ref))).status).toBe(400);
});

it('redirects the browser to the address registered at the provider', async () => {
  const local = `http://localhost:${new URL(url).port}`;
  const answer = await request(url, 'GET', '/api/login/sso?ref=%2Fa', {
    headers: { Host: new URL(local).host },
  });
  expect([answer.status, answer.headers.location]).toEqual([
    302,
    `${url}/api/login/sso?ref=%2Fa&moved=1`,
  ]);
  expect(await browser.walk(answer.headers.location!)).toBe(`${url}/#/a`);
});

it('accepts passwords too, and tells pages about both methods', async () => {
  const { json } = await browser.get(`${url}/api/magpie/config`);
  expect(json).toMatchObject({ loginMode: 'Sso' });
  expect((await browser.get(`${url}/api/login`)).json).toMatchObject({
    body: { redirectURL: `${url}/api/login/sso` },
  });
  expect((await sendLogin(url)).status).toBe(200);
});

it('ends the session at the provider too, and comes back', async () => {
  await browser.walk(start());
  const { ticket: held } = (await ticket()) as { ticket: string };
  const headers = { Cookie: browser.cookies(`${url}/`), 'X-Requested-With': 'XMLHttpRequest' };
  const out = await request(url, 'POST', '/api/login/logout', { headers });
  expect(out.status).toBe(401);
  const { redirectURL, isLogoutAPI } = (
    out.json as { body: { redirectURL: string; isLogoutAPI: string } }
  ).body;
  expect(isLogoutAPI).toBe('false');
  expect(out.text).not.toContain(held);
  // The page appends its own address.
  const page = await browser.get(`${redirectURL}${url}/#/`);
  expect(page.status, page.text).toBe(200);
  expect(page.text).toContain('action="');
  // Users who signed in with a password are not redirected.
  const admin = await callApi(url, await login(url), 'POST', '/login/logout');
  expect(admin.json).toEqual({ status: 'UNAUTHORIZED', message: '' });
});

describe('without passwords', () => {
  let only: Awaited<ReturnType<typeof startEmpty>>;
  let address: string;
  beforeAll(async () => {
    only = untilEnd(
      await startEmpty({
        logLevel: 'silent',
        loginMode: 'SsoOnly',
        publicUrl: 'https://notes.acme.org/',
        oidc: settings() as never,
      }),
    );
    address = only.server.url;
  });

  it('rejects signing in and setting passwords, with a reason', async () => {
    const answer = await sendLogin(address);
    expect([answer.status, answer.json]).toEqual([
      403,
      { status: 'FORBIDDEN', message: 'This server has no passwords. Use single sign-on.' },
    ]);
    const reset = ['POST', '/magpie/password-reset', { username: 'admin' }] as const;
    expect((await callApi(address, undefined, ...reset)).status).toBe(403);
    expect((await browser.get(`${address}/api/magpie/config`)).json).toMatchObject({
      loginMode: 'SsoOnly',
      firstUse: false,
    });
  });

  it('redirects a browser without a session to the provider', async () => {
    const answer = await browser.get(`${address}/api/security/ticket`);
    expect([answer.status, answer.headers.location]).toEqual([401, '/api/login/sso']);
  });

  it('uses its public address at the provider, and keeps its cookies for https', async () => {
    const answer = await request(address, 'GET', '/api/login/sso', {
      headers: { Host: 'notes.acme.org' },
    });
    expect(new URL(answer.headers.location!).searchParams.get('redirect_uri')).toBe(
      'https://notes.acme.org/api/login/sso/callback',
    );
    expect(answer.headers['set-cookie']![0]).toContain('Secure');
    const failed = await request(address, 'GET', '/api/login/sso/callback?state=x&code=y', {
      headers: { Host: 'notes.acme.org' },
    });
    expect(failed.headers.location).toBe('https://notes.acme.org/#/sso/error');
  });
});

it.each([
  [{ issuer: 'http://sso.acme.org', clientId: 'x' }, undefined, 'not an https URL'],
  [{ issuer: 'not an address', clientId: 'x' }, undefined, 'not an https URL'],
  [{ issuer: 'https://sso.acme.org' }, undefined, 'TIDING_OIDC_CLIENT_ID'],
  [undefined, 'SsoOnly', 'needs an identity provider'],
  [undefined, 'Sesame', 'is not a login mode'],
] as const)('does not start with %j and login mode %s', async (oidc, mode, reason) => {
  await expect(
    createServer({
      port: 0,
      data: `${embedded.data}/none`,
      oidc,
      ...(mode ? { loginMode: mode as 'SsoOnly' } : {}),
    }),
  ).rejects.toThrow(reason);
});
