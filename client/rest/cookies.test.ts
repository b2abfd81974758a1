import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failure } from '../../test/support/failure.ts';
import { answer, type RestServer, restServer } from '../../test/support/rest-server.ts';
import { createRestClient, type RestCall } from './rest-client.ts';

let server: RestServer;
beforeEach(async () => void (server = await restServer()));
afterEach(() => server.stop());

const make = (): RestCall =>
  createRestClient({
    server: `${server.url}/`,
    auth: 'cookie',
    timeout: 60_000,
    onError: () => {},
  });

describe('cookies on platforms that keep none', () => {
  const cookies = () => server.asked.map(({ headers }) => headers.cookie);
  const setting =
    (...lines: string[]) =>
    (_asked: unknown, response: Parameters<typeof answer>[0]) =>
      answer(
        response,
        200,
        { status: 'OK', body: { principal: 'a', ticket: 't' } },
        { 'Set-Cookie': lines },
      );

  test('are sent back to their server, ignoring deleted ones', async () => {
    server.replies['POST /login'] = setting(
      'rememberMe=deleteMe; Path=/; Max-Age=0; Expires=Fri, 20-Nov-2026 07:40:11 GMT',
      'JSESSIONID=deleteMe; Path=/',
      'JSESSIONID=abc=d; Path=/; HttpOnly; SameSite=lax',
      'theme=dark',
    );
    server.replies['GET /notebook'] = [];
    const call = make();
    await call('login', { body: { userName: 'a', password: 'b' } });
    await call('listNotes');
    expect(cookies()).toEqual([undefined, 'JSESSIONID=abc=d; theme=dark']);
  });

  test('are replaced, and deleted by age or date, also in error responses', async () => {
    server.replies['POST /login'] = setting('JSESSIONID=one', 'other=1', 'third=1');
    server.replies['GET /security/ticket'] = setting(
      'JSESSIONID=two',
      'third=; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      'other=2; Expires=Fri, 01 Jan 2999 00:00:00 GMT; Max-Age=60',
    );
    server.replies['POST /login/logout'] = (_asked, response) =>
      answer(response, 401, {}, { 'Set-Cookie': ['JSESSIONID=deleteMe; Path=/; Max-Age=0'] });
    const call = make();
    await call('login', { body: { userName: 'a', password: 'b' } });
    await call('ticket');
    await failure(call('logout'));
    await call('ticket');
    expect(cookies()).toEqual([
      undefined,
      'JSESSIONID=one; other=1; third=1',
      'JSESSIONID=two; other=2',
      'other=2',
    ]);
  });

  test('of one client are not used by another', async () => {
    server.replies['POST /login'] = setting('JSESSIONID=one');
    server.replies['GET /notebook'] = [];
    await make()('login', { body: { userName: 'a', password: 'b' } });
    await make()('listNotes');
    expect(cookies()).toEqual([undefined, undefined]);
  });
});
