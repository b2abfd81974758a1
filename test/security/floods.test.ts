/**
 * Floods from one address, of sign-ins with made-up names and of sockets without a ticket: they are
 * refused with 429, and users with another address get in meanwhile.
 */
import { once } from 'node:events';
import { afterAll, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { LITTLE_MEMORY, MAX_MEMORY, peakMemory, startProcess } from '../support/process.ts';
import { temporaryFolder, untilEnd } from '../support/until-end.ts';

const FLOOD = 150;
const [ATTACKER, USER] = ['203.0.113.1', '198.51.100.7'];

const embedded = untilEnd(await startEmbedded({ trustProxy: true }));

const server = await startProcess(['--port', '0', '--data', temporaryFolder(), '--trust-proxy'], {
  TIDING_ADMIN_PASSWORD: ADMIN_PASSWORD,
  TIDING_LOG: 'info',
  ...LITTLE_MEMORY,
});
afterAll(() => server.kill('SIGKILL'));

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
  expect(await peakMemory(server.child)).toBeLessThan(MAX_MEMORY);
});

it('of sockets without a ticket is refused, hinders nobody, ends after 30 s [S50]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const connect = async (address: string): Promise<WebSocket | number> => {
    const socket = new WebSocket(`${embedded.server.url.replace('http', 'ws')}/ws`, {
      headers: { 'X-Forwarded-For': address },
    });
    return Promise.race([
      once(socket, 'open').then(() => socket),
      once(socket, 'unexpected-response').then(([, { statusCode }]) => Number(statusCode)),
    ]);
  };
  const sockets: (WebSocket | number)[] = [];
  for (let at = 0; at < 51; at += 1) sockets.push(await connect(ATTACKER));
  expect(sockets.map((each) => typeof each).slice(0, 50)).toEqual(Array(50).fill('object'));
  expect(sockets[50]).toBe(429);
  sockets.push(await connect(USER));
  const open = sockets.filter((each) => typeof each === 'object');
  expect(open).toHaveLength(51);
  vi.advanceTimersByTime(29_999);
  const closed = open.map((each) => once(each, 'close'));
  expect(open.every(({ readyState }) => readyState === WebSocket.OPEN)).toBe(true);
  vi.advanceTimersByTime(1);
  for (const [code] of await Promise.all(closed)) expect(code).toBe(1008);
  vi.useRealTimers();
});
