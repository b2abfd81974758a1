/**
 * Floods from one address, of sign-ins with made-up names and of sockets without a ticket: they are
 * refused with 429, and users with another address get in meanwhile. A flood of sign-ins that a
 * provider never finishes takes no memory.
 */
import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { startLimited } from '../support/limited-process.ts';
import { CLIENT, startProvider, type TestProvider, Walker } from '../support/oidc.ts';
import { request } from '../support/raw.ts';
import { untilEnd } from '../support/until-end.ts';

const FLOOD = 150;
const [ATTACKER, USER] = ['203.0.113.1', '198.51.100.7'];

const provider: TestProvider = untilEnd(await startProvider(() => server.url));
const { server } = untilEnd(
  await startLimited(
    { logLevel: 'info', trustProxy: true },
    {
      TIDING_OIDC_ISSUER: provider.issuer,
      TIDING_OIDC_CLIENT_ID: CLIENT.id,
      TIDING_OIDC_CLIENT_SECRET: CLIENT.secret,
    },
  ),
);

const signIn = (address: string, userName: string, password: string): Promise<Response> =>
  fetch(`${server.url}/api/login`, {
    method: 'POST',
    headers: { 'X-Forwarded-For': address, 'X-Requested-With': 'test' },
    body: new URLSearchParams({ userName, password }),
  });

it('of sign-ins with long names is refused, and does not stop others [S43]', async () => {
  const flood = Array.from({ length: FLOOD }, (_, at) =>
    signIn(ATTACKER, `nobody${at}`.padEnd(1_000_000, 'x'), 'a made-up password'),
  );
  expect((await signIn(USER, 'admin', ADMIN_PASSWORD)).status).toBe(200);
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(FLOOD / 2);
  for (const { headers } of refused) expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status !== 429 && status !== 403)).toEqual([]);
  expect(server.errors()).toMatch(/nobody\d+x+"/);
  expect(server.errors().length).toBeLessThan(FLOOD * 1_000);
});

it('of single sign-on does not end a sign-in that began before [S5]', async () => {
  provider.accounts.set('ann', { email: 'ann@acme.org', email_verified: true });
  const browser = new Walker();
  const start = `${server.url}/api/login/sso`;
  const isCallback = (address: string) => address.startsWith(`${start}/callback`);
  const callback = await browser.walk(`${start}?ref=/`, isCallback);
  for (let batch = 0; batch < 101; batch += 1)
    await Promise.all(
      Array.from({ length: 100 }, () => request(server.url, 'GET', '/api/login/sso')),
    );
  expect(await browser.walk(callback)).toBe(`${server.url}/#/`);
});

const connect = async (url: string, address: string): Promise<WebSocket | number> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    headers: { 'X-Forwarded-For': address },
  });
  return Promise.race([
    once(socket, 'open').then(() => socket),
    once(socket, 'unexpected-response').then(([, { statusCode }]) => Number(statusCode)),
  ]);
};

it('of sockets without a ticket is refused, and hinders nobody [S50]', async () => {
  const sockets: (WebSocket | number)[] = [];
  for (let at = 0; at < FLOOD; at += 1) sockets.push(await connect(server.url, ATTACKER));
  expect(sockets.slice(0, 50).map((each) => typeof each)).toEqual(Array(50).fill('object'));
  expect(sockets.slice(50)).toEqual(Array(FLOOD - 50).fill(429));
  const other = await connect(server.url, USER);
  expect(other).toBeInstanceOf(WebSocket);
  for (const each of [...sockets, other]) if (typeof each === 'object') each.terminate();
});

// Another process has a clock of its own, so this server is in the process of the test.
it('sockets without a ticket are closed after 30 s [S50]', async () => {
  const embedded = untilEnd(await startEmbedded());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const open = [];
  for (let at = 0; at < 50; at += 1)
    open.push((await connect(embedded.server.url, ATTACKER)) as WebSocket);
  vi.advanceTimersByTime(29_999);
  const closed = open.map((each) => once(each, 'close'));
  expect(open.every(({ readyState }) => readyState === WebSocket.OPEN)).toBe(true);
  vi.advanceTimersByTime(1);
  for (const [code] of await Promise.all(closed)) expect(code).toBe(1008);
  vi.useRealTimers();
});
