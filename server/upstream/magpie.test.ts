/**
 * In front of a Zeppelin this server's data platform is not available: the interpreters are
 * Zeppelin's, and no platform data is stored.
 */
import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { json } from '../../test/support/fake-zeppelin.ts';
import { useGateway } from '../../test/support/gateway.ts';
import { login } from '../../test/support/raw.ts';

const gateway = useGateway();

it('without %magpie: no folder, export or job; Zeppelin answers for its interpreters', async () => {
  gateway.zeppelin.replies['GET /interpreter/setting'] = (_, response) =>
    json(response, 200, { status: 'OK', body: { md: { id: 'md', name: 'md', group: 'md' } } });
  await gateway.start();
  const alice = await login(gateway.url, 'alice', 'alice-pass');
  const settings = await gateway.call(alice, 'GET', '/interpreter/setting');
  expect([settings.status, Object.keys((settings.json as { body: object }).body)]).toEqual([
    200,
    ['md'],
  ]);
  for (const method of ['GET', 'HEAD'])
    expect(
      (await gateway.call(alice, method, '/magpie/result/0123456789abcdef01234567')).status,
    ).toBe(404);
  // Runs of whole notes are recorded by the server that runs them.
  expect((await gateway.call(alice, 'GET', '/magpie/jobs/n1/history')).status).toBe(404);
  expect((await gateway.call(alice, 'GET', '/magpie/version')).status).toBe(200);
  expect(gateway.zeppelin.asked.filter(({ call }) => call.includes('magpie'))).toEqual([]);
  expect(await readdir(gateway.data)).not.toContain('magpie');
});
