import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failure } from '../../test/support/failure.ts';
import { line } from '../../test/support/line.ts';
import { answer, type RestServer, restServer } from '../../test/support/rest-server.ts';
import { type Client, createClient } from '../client.ts';

let server: RestServer;
const clients: Client[] = [];
beforeEach(async () => {
  server = await restServer({
    'GET /version': { version: '0.10.0' },
    'GET /security/ticket': { principal: 'embed:x', ticket: 't', roles: '[]' },
  });
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.stop();
});

/** A client whose tokens come from `source`. */
function setUp(source: () => string) {
  const { transport, ends, last } = line();
  const token = vi.fn(source);
  const client = createClient({
    server: server.url,
    fetch: server.fetch,
    transport,
    backoff: () => 1,
    autosave: 0,
    auth: { token },
  });
  clients.push(client);
  const reasons: unknown[] = [];
  client.on('session_logout', ({ reason }) => reason && reasons.push(reason));
  const open = async () => {
    const opening = client.open('n');
    await vi.waitUntil(() => ends.length > 0, 60_000);
    last().open();
    last().say('NOTE', {
      note: { id: 'n', path: '/n', paragraphs: [{ id: 'p', text: 'one', status: 'READY' }] },
    });
    return opening;
  };
  return { client, token, ends, last, reasons, open };
}
const refuse = (call: string, status: number, reason: string) => {
  server.replies[call] = (_asked, response) =>
    answer(response, status, { status: 'X', message: `It is ${reason}.`, body: { reason } });
};

test.each([
  ['expired', 401, 'GET /version', 2],
  ['revoked', 401, 'GET /security/ticket', 2],
  ['invalid', 401, 'GET /security/ticket', 2],
  ['origin', 403, 'GET /version', 1],
])('a token that is refused as %s with %i by %s signs out', async (reason, status, call, asked) => {
  refuse(call, status, reason);
  const { client, token, reasons } = setUp(() => 'bad');
  const error = await failure(client.open('n'));
  expect(error).toMatchObject({ code: 'signed-out', message: `It is ${reason}.` });
  expect(client.state.session).toMatchObject({
    phase: 'signed-out',
    reason,
    info: `It is ${reason}.`,
  });
  // Nothing is tried again by itself.
  const calls = server.calls.length;
  expect(await failure(client.open('n'))).toMatchObject({ code: 'signed-out' });
  expect([server.calls.length, token.mock.calls.length, reasons]).toEqual([calls, asked, [reason]]);
});

test('a source that fails signs out with its message', async () => {
  const { client, reasons } = setUp(() => {
    throw new Error('no visitor');
  });
  expect(await failure(client.open('n'))).toMatchObject({
    code: 'signed-out',
    message: 'There is no access token: its source failed: no visitor',
  });
  expect([client.state.session.reason, reasons, server.calls]).toEqual(['source', ['source'], []]);
});

test('a missing role is no failure of the token', async () => {
  const { client, reasons } = setUp(() => 'good');
  await client.session.ticket();
  server.replies['GET /configurations/all'] = (_asked, response) => answer(response, 401, {});
  expect(await failure(client.call('configurations'))).toMatchObject({ code: 'http', status: 401 });
  expect([client.state.session.phase, reasons]).toEqual(['signed-in', []]);
});

test('ends runs and commits immediately, and reconnects only after a renewal', async () => {
  const tokens = ['one'];
  const { client, open, last, ends, reasons } = setUp(() => {
    const token = tokens.shift();
    if (token === undefined) throw new Error('no visitor');
    return token;
  });
  const note = await open();
  const run = failure(Promise.resolve(note.paragraph('p').run()));
  note.paragraph('p').edit('two');
  const commit = failure(note.commit());
  await vi.waitUntil(() => last().ops.includes('COMMIT_PARAGRAPH'), 60_000);
  refuse('GET /security/ticket', 401, 'revoked');
  last().say('SESSION_LOGOUT', { info: 'over' });
  expect(await run).toMatchObject({ code: 'signed-out' });
  expect(await commit).toMatchObject({ code: 'signed-out' });
  expect([reasons, ends.length, last().closed?.code]).toEqual([['source'], 1, 1000]);
  expect(client.state.session).toMatchObject({ phase: 'signed-out', reason: 'source' });
  const p = note.paragraph('p');
  for (const late of [p.run(), note.run(), note.commit(), client.notes.list()])
    expect(await failure(Promise.resolve<unknown>(late))).toMatchObject({ code: 'signed-out' });
  expect(p.text).toBe('two');

  server.replies['GET /security/ticket'] = { principal: 'embed:x', ticket: 'u', roles: '[]' };
  tokens.push('two');
  await client.session.renew();
  await vi.waitUntil(() => ends.length === 2, 60_000);
  last().open();
  expect(last().frames[0]).toMatchObject({ op: 'GET_NOTE', ticket: 'u' });
  expect(client.state.session).toMatchObject({ phase: 'signed-in', reason: undefined });
});

test('a token that any server refuses with 401 for its version signs out', async () => {
  server.replies['GET /version'] = (_asked, response) => answer(response, 401, {});
  const { client } = setUp(() => 'bad');
  expect(await failure(client.connect())).toMatchObject({ code: 'signed-out' });
});

test('open rejects at once if the session ends and there is no new ticket', async () => {
  const { client, ends, last } = setUp(() => 'good');
  const opening = failure(client.open('n', { timeout: 60_000 }));
  await vi.waitUntil(() => ends.length > 0, 60_000);
  last().open();
  server.replies['GET /security/ticket'] = (_asked, response) => answer(response, 403, {});
  last().say('SESSION_LOGOUT', { info: 'The session is over.' });
  expect(await opening).toMatchObject({ code: 'signed-out', message: 'The session is over.' });
});
