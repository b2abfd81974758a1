/**
 * Floods from one address, of sign-ins with made-up names and of sockets without a ticket: they are
 * refused with 429, and users with another address get in meanwhile.
 */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { untilEnd } from '../support/until-end.ts';

const FLOOD = 150;
const [ATTACKER, USER] = ['203.0.113.1', '198.51.100.7'];

const embedded = untilEnd(await startEmbedded({ trustProxy: true }));

const signIn = (address: string, userName: string, password: string): Promise<Response> =>
  fetch(`${embedded.server.url}/api/login`, {
    method: 'POST',
    headers: { 'X-Forwarded-For': address, 'X-Requested-With': 'test' },
    body: new URLSearchParams({ userName, password }),
  });

it('of sign-ins is refused, and does not stop others from signing in', async () => {
  const flood = Array.from({ length: FLOOD }, (_, at) =>
    signIn(ATTACKER, `nobody${at}`, 'a made-up password'),
  );
  expect((await signIn(USER, 'admin', ADMIN_PASSWORD)).status).toBe(200);
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(FLOOD / 2);
  for (const { headers } of refused) expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status !== 429 && status !== 403)).toEqual([]);
});

it('of sockets without a ticket is refused, and does not stop others from connecting', async () => {
  const open = async (address: string): Promise<WebSocket | number> => {
    const socket = new WebSocket(`${embedded.server.url.replace('http', 'ws')}/ws`, {
      headers: { 'X-Forwarded-For': address },
    });
    return Promise.race([
      once(socket, 'open').then(() => socket),
      once(socket, 'unexpected-response').then(([, { statusCode }]) => Number(statusCode)),
    ]);
  };
  const sockets: (WebSocket | number)[] = [];
  for (let at = 0; at < 51; at += 1) sockets.push(await open(ATTACKER));
  expect(sockets.map((each) => typeof each).slice(0, 50)).toEqual(Array(50).fill('object'));
  expect(sockets[50]).toBe(429);
  sockets.push(await open(USER));
  expect(typeof sockets.at(-1)).toBe('object');
  for (const each of sockets) if (typeof each === 'object') each.terminate();
});
