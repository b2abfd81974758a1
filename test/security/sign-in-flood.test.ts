/**
 * A flood of sign-ins with made-up names, over HTTP: it is refused with 429, and users with another
 * address sign in meanwhile.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';

const FLOOD = 150;
const [ATTACKER, USER] = ['203.0.113.1', '198.51.100.7'];
let embedded: Awaited<ReturnType<typeof startEmbedded>>;
beforeAll(async () => {
  embedded = await startEmbedded({ trustProxy: true });
});
afterAll(() => embedded.stop());

const signIn = (address: string, userName: string, password: string): Promise<Response> =>
  fetch(`${embedded.server.url}/api/login`, {
    method: 'POST',
    headers: { 'X-Forwarded-For': address, 'X-Requested-With': 'test' },
    body: new URLSearchParams({ userName, password }),
  });

it('is refused, and does not stop others from signing in', async () => {
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
