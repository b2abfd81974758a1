import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answer, type RestServer, restServer } from '../../test/support/rest-server.ts';
import { type Client, createClient } from '../index.ts';

let server: RestServer;
let client: Client;
beforeEach(async () => {
  server = await restServer({
    'GET /version': { version: '0.10.0', tiding: { version: '1.0.0' } },
  });
  client = createClient({ server: server.url, ...(server.fetch ? { fetch: server.fetch } : {}) });
});
afterEach(async () => {
  client.close();
  await server.stop();
});

test('the public configuration is stored and announced [W46]', async () => {
  const config = { productName: 'Notes', loginMode: 'Sso', features: { revisionControl: false } };
  server.replies['GET /magpie/config'] = config;
  const told: unknown[] = [];
  client.on('magpieConfig', (event) => told.push(event.config));
  expect(client.state.config).toBeUndefined();
  expect(await client.administration.magpieConfig()).toEqual(config);
  expect([client.state.config, told]).toEqual([config, [config]]);
});

describe('an exported result that is not available', () => {
  test("is reported with the server's message from the same path [D44]", async () => {
    server.replies['HEAD /magpie/result/r1'] = (_, response) => answer(response, 410);
    server.replies['GET /magpie/result/r1'] = (_, response) =>
      answer(response, 410, { message: 'The result has expired.' });
    await expect(client.results.check('r1')).rejects.toMatchObject({
      status: 410,
      message: 'The result has expired.',
    });
    expect(server.calls.filter((call) => call.includes('/result/'))).toEqual([
      'HEAD /magpie/result/r1',
      'GET /magpie/result/r1',
    ]);
  });

  test('is reported with a default message if the server sends none [D64]', async () => {
    for (const method of ['HEAD', 'GET'])
      server.replies[`${method} /magpie/result/r1`] = (_, response) => answer(response, 500);
    await expect(client.results.check('r1')).rejects.toMatchObject({
      message: 'Error downloading exported result.',
    });
  });
});

test('the history of a note contains the runs that the server stores', async () => {
  const runs = [{ start: 1, end: 2, status: 'FINISHED', who: 'ann' }];
  server.replies['GET /magpie/jobs/2A/history'] = runs;
  expect(await client.jobs.history('2A')).toEqual(runs);
});
