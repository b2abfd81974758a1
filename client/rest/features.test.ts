import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failure } from '../../test/support/failure.ts';
import { answer, type RestServer, restServer } from '../../test/support/rest-server.ts';
import { UnsupportedError } from '../core/errors.ts';
import { endpoints } from '../protocol/index.ts';
import { featureOf } from './features.ts';
import { createRestClient, type RestClientOptions } from './rest-client.ts';

let server: RestServer;
beforeEach(async () => void (server = await restServer()));
afterEach(() => server.stop());

const make = (more: Partial<RestClientOptions> = {}) =>
  createRestClient({
    server: `${server.url}/`,
    auth: 'cookie',
    timeout: 30_000,
    fetch: server.fetch,
    onError: () => {},
    ...more,
  });

describe('a call that the server lacks', () => {
  test.each([
    ['the page of a Zeppelin', '<html><h2>HTTP ERROR 404 Not Found</h2></html>', ''],
    ['nothing', '', ''],
    [
      'an older Tiding',
      { status: 'NOT_FOUND', message: 'There is no such call. This server is Tiding 0.1.0.' },
      ' This server is Tiding 0.1.0.',
    ],
  ])('names the feature: the answer is %s', async (_what, body, more) => {
    server.replies['GET /magpie/connections'] = (_asked, response) => answer(response, 404, body);
    expect(await failure(make()('listConnections'))).toMatchObject({
      code: 'unsupported',
      status: 404,
      message: `This server has no connections to databases.${more}`,
    });
  });

  test("keeps the server's own reason", async () => {
    server.replies['GET /magpie/connections'] = (_asked, response) =>
      answer(response, 404, { status: 'NOT_FOUND', message: 'No such connection: sales' });
    expect(await failure(make()('listConnections'))).toMatchObject({
      message: 'No such connection: sales',
    });
  });

  test('names the feature if its version says so before anything is sent', async () => {
    const call = make({
      require: () => Promise.reject(new UnsupportedError('GET /magpie/file', '0.10.0')),
    });
    const error = await failure(call('listFiles'));
    expect(error).toBeInstanceOf(UnsupportedError);
    expect(error).toMatchObject({
      code: 'unsupported',
      serverVersion: '0.10.0',
      operation: 'GET /magpie/file',
      feature: 'files',
      message:
        'This server has no files. GET /magpie/file is not supported by servers of version 0.10.0.',
    });
  });

  test('has a name for every call that no Zeppelin has', () => {
    const unnamed = Object.values(endpoints)
      .filter(({ support, content }) => support.since === 'none' && content === 'json')
      .map(({ path }) => path)
      .filter((path) => featureOf(path) === undefined);
    expect(unnamed).toEqual([]);
  });
});
