import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failure } from '../../test/support/failure.ts';
import { answer, type RestServer, restServer } from '../../test/support/rest-server.ts';
import { type HttpError, isHttpError } from '../core/errors.ts';
import { createRestClient, type RestCall } from './rest-client.ts';
import type { ClientAuth } from './token-provider.ts';

let server: RestServer;
let errors: HttpError[];
beforeEach(async () => {
  server = await restServer();
  errors = [];
});
afterEach(() => server.stop());

const make = (auth: ClientAuth = 'cookie', timeout = 5_000): RestCall =>
  createRestClient({
    server: `${server.url}/`,
    auth,
    timeout,
    fetch: server.fetch,
    onError: (error) => errors.push(error),
  });

describe('a call', () => {
  test('requests its path below /api with encoded parameters', async () => {
    server.replies['GET /notebook/a%2Fb%20c/paragraph/%3F'] = { id: '?', text: 'x' };
    expect(await make()('getParagraph', { params: { noteId: 'a/b c', paragraphId: '?' } })).toEqual(
      { id: '?', text: 'x' },
    );
  });

  test('without a parameter is not sent', async () => {
    expect(await failure(make()('getNote'))).toMatchObject({
      code: 'protocol',
      message: "getNote: the parameter 'noteId' is missing.",
    });
    expect(await failure(make()('getNote', { params: { noteId: '' } }))).toMatchObject({
      code: 'protocol',
    });
    expect(server.asked).toEqual([]);
  });

  test.each(['.', '..'])(
    'with the parameter %s, which fetch would resolve, is not sent',
    async (id) => {
      const params = { noteId: 'n', paragraphId: id };
      expect(await failure(make()('deleteParagraph', { params }))).toMatchObject({
        code: 'protocol',
        message: `deleteParagraph: the parameter 'paragraphId' can't be '${id}'.`,
      });
      expect(server.asked).toEqual([]);
    },
  );

  test('sends its data as the protocol defines: JSON, form, text or query [W91]', async () => {
    Object.assign(server.replies, {
      'POST /notebook/n': 'copy',
      'POST /login': { principal: 'a', ticket: 't' },
      'PUT /magpie/access-token/t1/description': { tokenId: 't1' },
      'GET /version': { version: '0.10.0' },
    });
    const call = make();
    await call('cloneNote', { params: { noteId: 'n' }, body: { name: 'ä' } });
    await call('login', { body: { userName: 'a b', password: 'ü&=' } });
    await call('describeToken', { params: { tokenId: 't1' }, body: 'ci & co' });
    await call('version', { query: { a: 1, b: 'x y' } });
    expect(server.asked.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
      ['application/json', '{"name":"ä"}'],
      ['application/x-www-form-urlencoded;charset=UTF-8', 'userName=a+b&password=%C3%BC%26%3D'],
      ['text/plain', 'ci & co'],
      [undefined, ''],
    ]);
    expect(server.calls.at(-1)).toBe('GET /version?a=1&b=x+y');
  });

  test('returns the body of the envelope, or everything if there is no envelope', async () => {
    Object.assign(server.replies, { 'GET /notebook': [{ id: 'n', path: '/n' }] });
    server.replies['GET /magpie/access-token'] = (_asked, response) =>
      answer(response, 200, [{ tokenId: 't' }]);
    server.replies['PUT /notebook/n/clear'] = (_asked, response) =>
      answer(response, 200, { status: 'OK' });
    server.replies['DELETE /magpie/access-token/t'] = (_asked, response) =>
      void response.writeHead(204).end();
    // The state of a paragraph has its own `status`, which does not make it an envelope.
    server.replies['GET /notebook/job/n/p'] = (_asked, response) =>
      answer(response, 200, { id: 'p', status: 'RUNNING', progress: '5' });
    const call = make();
    expect(await call('listNotes')).toEqual([{ id: 'n', path: '/n' }]);
    expect(await call('listTokens')).toEqual([{ tokenId: 't' }]);
    expect(await call('clearNote', { params: { noteId: 'n' } })).toBeUndefined();
    expect(await call('deleteToken', { params: { tokenId: 't' } })).toBeUndefined();
    expect(await call('paragraphJob', { params: { noteId: 'n', paragraphId: 'p' } })).toMatchObject(
      { status: 'RUNNING' },
    );
  });

  test('that returns a file passes on the response itself, without an unread copy', async () => {
    const file = new Response('text');
    let copies = 0;
    const clone = file.clone.bind(file);
    // Not assigned: servers in the same process replace Response by a class with getters.
    Object.defineProperty(file, 'clone', {
      value: () => {
        copies += 1;
        return clone();
      },
    });
    const call = createRestClient({
      server: server.url,
      auth: 'cookie',
      timeout: 5_000,
      fetch: () => Promise.resolve(file),
      onError: () => {},
    });
    expect(await (await call('commandLine')).text()).toBe('text');
    expect(copies).toBe(0);
  });

  test('detects JSON by content, whatever the content type', async () => {
    server.replies['GET /version'] = (_asked, response) =>
      answer(response, 200, '{"status":"OK","body":{"version":"0.8.2"}}', {
        'Content-Type': 'text/plain',
      });
    expect(await make()('version')).toEqual({ version: '0.8.2' });
  });

  test('takes an id from the message if there is no body', async () => {
    server.replies['POST /notebook/n/paragraph'] = (_asked, response) =>
      answer(response, 200, { status: 'OK', message: 'paragraph_1' });
    expect(await make()('insertParagraph', { params: { noteId: 'n' }, body: { text: 'x' } })).toBe(
      'paragraph_1',
    );
    server.replies['POST /notebook/n/paragraph'] = (_asked, response) =>
      answer(response, 200, { status: 'OK', message: 'all well', body: 'paragraph_2' });
    expect(await make()('insertParagraph', { params: { noteId: 'n' }, body: { text: 'x' } })).toBe(
      'paragraph_2',
    );
  });

  test('whose response does not match the protocol rejects with `protocol`', async () => {
    server.replies['GET /notebook'] = (_asked, response) =>
      answer(response, 200, '<html>sign in</html>');
    expect(await failure(make()('listNotes'))).toMatchObject({ code: 'protocol', op: 'listNotes' });
    server.replies['GET /notebook'] = { id: 'n' };
    expect(await failure(make()('listNotes'))).toMatchObject({ code: 'protocol' });
    server.replies['GET /version'] = (_asked, response) =>
      answer(response, 200, { status: 'OK', message: 'Zeppelin version' });
    expect(await failure(make()('version'))).toMatchObject({ code: 'protocol' });
  });
});

describe('a failing call', () => {
  test('rejects with status, method, path, message and body, after onError [W96]', async () => {
    server.replies['GET /notebook/nope'] = (_asked, response) =>
      answer(response, 404, { status: 'NOT_FOUND', message: 'No such note: nope' });
    const error = await failure(make()('getNote', { params: { noteId: 'nope' } }));
    expect(isHttpError(error, 404)).toBe(true);
    expect(error).toMatchObject({
      method: 'GET',
      path: '/notebook/:noteId',
      message: 'No such note: nope',
      body: { status: 'NOT_FOUND', message: 'No such note: nope' },
      location: undefined,
      operation: 'GET /notebook/:noteId',
    });
    expect(errors).toEqual([error]);
  });

  test.each([
    ['HTML', '<html><body>Error 401</body></html>', '<html><body>Error 401</body></html>'],
    ['nothing', '', undefined],
    ['broken JSON', '{"status":', '{"status":'],
    ['a text in JSON', '"no"', 'no'],
  ])('handles a body of %s', async (_what, body, expected) => {
    server.replies['GET /configurations/all'] = (_asked, response) => answer(response, 401, body);
    expect(await failure(make()('configurations'))).toMatchObject({
      code: 'http',
      status: 401,
      body: expected,
      message: 'GET /configurations/all failed with status 401.',
    });
  });

  test("has a default message if the server's is blank", async () => {
    server.replies['POST /login'] = (_asked, response) =>
      answer(response, 403, { status: 'FORBIDDEN', message: ' ', body: '' });
    expect(
      await failure(make()('login', { body: { userName: 'a', password: 'b' } })),
    ).toMatchObject({ status: 403, message: 'POST /login failed with status 403.' });
  });

  test('has the address of a single sign-on', async () => {
    server.replies['GET /security/ticket'] = (_asked, response) =>
      answer(response, 401, {}, { Location: 'https://sso.example/start' });
    expect(await failure(make()('ticket'))).toMatchObject({
      status: 401,
      location: 'https://sso.example/start',
    });
  });

  test('that is redirected to the sign-in page rejects with its 405', async () => {
    server.replies['GET /notebook'] = (_asked, response) =>
      answer(response, 302, '', { Location: `${server.url}/api/login` });
    server.replies['GET /login'] = (_asked, response) =>
      answer(response, 405, { status: 'METHOD_NOT_ALLOWED' });
    expect(await failure(make()('listNotes'))).toMatchObject({
      code: 'http',
      status: 405,
      path: '/notebook',
    });
  });

  test('is `network` if nobody responds or the response breaks off', async () => {
    const call = make();
    server.replies['GET /notebook'] = (_asked, response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('[{"id":');
      setTimeout(() => response.destroy(), 0);
    };
    expect(await failure(call('listNotes'))).toMatchObject({
      code: 'network',
      operation: 'GET /notebook',
    });
    await server.stop();
    expect(await failure(call('listNotes'))).toMatchObject({ code: 'network' });
    expect(errors).toEqual([]);
  });

  test('is `timeout` if there is no response, or if it never ends', async () => {
    server.replies['GET /notebook'] = () => {};
    expect(await failure(make()('listNotes', { timeout: 50 }))).toMatchObject({
      code: 'timeout',
      operation: 'GET /notebook',
    });
    server.replies['GET /notebook'] = (_asked, response) => void response.writeHead(200).write('[');
    expect(await failure(make('cookie', 50)('listNotes'))).toMatchObject({ code: 'timeout' });
  });

  test('has no time limit with 0', async () => {
    server.replies['GET /notebook'] = (_asked, response) =>
      void setTimeout(() => answer(response, 200, { status: 'OK', body: [] }), 30);
    expect(await make('cookie', 1)('listNotes', { timeout: 0 })).toEqual([]);
  });

  test('is `aborted` by its signal, before or during the call', async () => {
    expect(await failure(make()('listNotes', { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'aborted',
    });
    expect(server.asked).toEqual([]);
    const abort = new AbortController();
    server.replies['GET /notebook'] = () => abort.abort();
    expect(await failure(make()('listNotes', { signal: abort.signal }))).toMatchObject({
      code: 'aborted',
      operation: 'GET /notebook',
    });
  });

  test('is not repeated by the client', async () => {
    for (const status of [401, 429, 500, 503]) {
      server.replies['GET /notebook'] = (_asked, response) =>
        answer(response, status, {}, { 'Retry-After': '0' });
      expect(await failure(make()('listNotes'))).toMatchObject({ status });
    }
    expect(server.calls).toHaveLength(4);
  });
});

describe('an access token', () => {
  const bearers = () => server.asked.map(({ headers }) => headers.authorization);

  test('is sent with every call, without cookies', async () => {
    server.replies['GET /notebook'] = (_asked, response) =>
      answer(response, 200, { status: 'OK', body: [] }, { 'Set-Cookie': 'JSESSIONID=x' });
    const call = make({ token: 'secret' });
    await call('listNotes');
    await call('listNotes');
    expect(server.asked.map(({ headers }) => [headers.authorization, headers.cookie])).toEqual([
      ['Bearer secret', undefined],
      ['Bearer secret', undefined],
    ]);
  });

  test('that is refused is requested again once, and the call is repeated', async () => {
    server.replies['GET /notebook'] = ({ headers }, response) =>
      headers.authorization === 'Bearer token-2'
        ? answer(response, 200, { status: 'OK', body: [] })
        : answer(response, 401, {});
    let asked = 0;
    const call = make({ token: () => `token-${(asked += 1)}` });
    expect(await Promise.all([call('listNotes'), call('listNotes')])).toEqual([[], []]);
    expect(asked).toBe(2);
    expect(errors).toEqual([]);
  });

  test('that is refused again rejects after two calls', async () => {
    server.replies['GET /notebook'] = (_asked, response) => answer(response, 401, {});
    expect(await failure(make({ token: () => 'bad' })('listNotes'))).toMatchObject({
      code: 'http',
      status: 401,
    });
    expect(bearers()).toHaveLength(2);
    expect(await failure(make({ token: 'fixed' })('listNotes'))).toMatchObject({ status: 401 });
    expect(bearers()).toHaveLength(3);
  });

  test('whose source fails is reported, and the next call tries again', async () => {
    server.replies['GET /notebook'] = [];
    const sources = [() => Promise.reject(new Error('offline')), () => Promise.resolve('late')];
    const call = make({ token: () => sources.shift()!() });
    expect(await failure(call('listNotes'))).toMatchObject({
      code: 'signed-out',
      message: 'There is no access token: its source failed: offline',
      cause: new Error('offline'),
    });
    expect(await call('listNotes')).toEqual([]);
    expect(bearers()).toEqual(['Bearer late']);
  });
});

describe('X-Requested-With', () => {
  const sent = async (origin: string | undefined) => {
    server.replies['GET /notebook'] = (_asked, response) =>
      answer(response, 200, { status: 'OK', body: [] }, { 'Set-Cookie': 'a=b' });
    const call = createRestClient({
      server: server.url,
      auth: 'cookie',
      timeout: 5_000,
      fetch: server.fetch,
      origin,
      onError: () => {},
    });
    await call('listNotes');
    await call('listNotes');
    return server.asked
      .splice(0)
      .map(({ headers }) => [headers['x-requested-with'], headers.cookie]);
  };
  const own = 'XMLHttpRequest';

  test('is sent if there is no page [W92]', async () => {
    expect((await sent(undefined)).map(([header]) => header)).toEqual([own, own]);
  });

  test("is sent to the page's own server only: others would fail the preflight [W92]", async () => {
    // A page uses the browser's cookies, never those of the jar.
    expect(await sent(server.url)).toEqual([
      [own, undefined],
      [own, undefined],
    ]);
    expect(await sent('https://portal.example')).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });
});
