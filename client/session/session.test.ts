import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { failure } from '../../test/support/failure.ts';
import { line } from '../../test/support/line.ts';
import { answer, type RestServer, restServer } from '../../test/support/rest-server.ts';
import { type Client, createClient } from '../client.ts';
import { isHttpError } from '../core/errors.ts';
import { journalKey, memoryJournal } from '../journal/journal.ts';
import type { ClientOptions } from '../options.ts';

let server: RestServer;
const clients: Client[] = [];
beforeEach(async () => {
  let tickets = 0;
  server = await restServer({
    'GET /version': { version: '0.10.0' },
    'GET /security/ticket': (_asked, response) =>
      answer(response, 200, {
        status: 'OK',
        body: {
          principal: 'ann',
          ticket: `ticket-${(tickets += 1)}`,
          roles: '["analyst","admin"]',
        },
      }),
    'POST /login': { principal: 'bob', ticket: 'ticket-of-bob', roles: '[]' },
    'POST /login/logout': (_asked, response) =>
      answer(response, 401, { status: 'UNAUTHORIZED', message: '', body: '' }),
  });
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.stop();
});

function setUp(options: Partial<ClientOptions> = {}) {
  const { transport, ends, last } = line();
  const client = createClient({
    server: server.url,
    fetch: server.fetch,
    transport,
    backoff: () => 5,
    autosave: 0,
    ...options,
  });
  clients.push(client);
  const events: string[] = [];
  client.on('event', ({ type }) => events.push(type));
  /** The open lobby, after the list was read. */
  const lobby = async () => {
    const listed = client.notes.list();
    await vi.waitUntil(() => ends.length > 0, 60_000);
    last().open();
    await vi.waitUntil(() => last().ops.includes('LIST_NOTES'), 60_000);
    last().say('NOTES_INFO', { notes: [{ id: 'n', path: '/n' }] });
    await listed;
    return last();
  };
  const open = async () => {
    const before = ends.length;
    const opening = client.open('n');
    await vi.waitUntil(() => ends.length > before, 60_000);
    last().open();
    last().say('NOTE', {
      note: { id: 'n', path: '/n', paragraphs: [{ id: 'p', text: 'one', status: 'READY' }] },
    });
    return opening;
  };
  const count = (type: string) => events.filter((event) => event === type).length;
  return { client, ends, last, events, lobby, open, count };
}
const refuse = (status: number, headers: Record<string, string> = {}) => {
  server.replies['GET /security/ticket'] = (_asked, response) =>
    answer(response, status, { status: 'X' }, headers);
};
const tickets = () => server.calls.filter((call) => call === 'GET /security/ticket').length;

describe('the ticket', () => {
  test('is requested before anything is sent live; every message has it [W43]', async () => {
    const { client, lobby, ends } = setUp();
    expect([server.calls, ends.length]).toEqual([[], 0]);
    const end = await lobby();
    expect(server.calls).toEqual(['GET /version', 'GET /security/ticket']);
    expect(end.frames[0]).toMatchObject({
      op: 'LIST_NOTES',
      principal: 'ann',
      ticket: 'ticket-1',
      roles: '["analyst","admin"]',
    });
    expect(client.state.session).toMatchObject({
      phase: 'signed-in',
      ticket: { principal: 'ann' },
    });
    expect(client.session.roles).toEqual(['analyst', 'admin']);
  });

  test('is requested once for concurrent callers and then kept [W43]', async () => {
    const { client } = setUp();
    const all = await Promise.all([
      client.session.ticket(),
      client.session.ticket(),
      client.session.renew(),
      client.connect(),
      client.connect(),
    ]);
    expect(all.slice(0, 3).map((ticket) => (ticket as { ticket: string }).ticket)).toEqual([
      'ticket-1',
      'ticket-1',
      'ticket-1',
    ]);
    await client.session.ticket();
    expect(server.calls.toSorted()).toEqual(['GET /security/ticket', 'GET /version']);
  });

  test('can be awaited with a shorter time limit without ending the wait of others', async () => {
    let let_go = () => {};
    server.replies['GET /security/ticket'] = (_asked, response) =>
      void (let_go = () =>
        answer(response, 200, { status: 'OK', body: { principal: 'ann', ticket: 't' } }));
    const { client } = setUp();
    const abort = new AbortController();
    const [hasty, calm] = [
      failure(client.session.ticket({ signal: abort.signal })),
      client.session.ticket(),
    ];
    await vi.waitUntil(() => server.asked.length === 1, 60_000);
    abort.abort();
    expect(await hasty).toMatchObject({ code: 'aborted' });
    let_go();
    expect(await calm).toMatchObject({ ticket: 't' });
  });

  test.each([401, 403, 405])(
    'that is refused with %i means signed out, which is emitted once and not requested again [S75]',
    async (status) => {
      refuse(status);
      const { client, count, ends } = setUp();
      expect(await failure(client.open('n'))).toMatchObject({
        code: 'signed-out',
        operation: 'ticket',
      });
      expect(await failure(client.notes.list())).toMatchObject({ code: 'signed-out' });
      expect([
        client.state.session.phase,
        count('session_logout'),
        count('httpResponseError'),
        tickets(),
        ends.length,
      ]).toEqual(['signed-out', 1, 1, 1, 0]);
    },
  );

  test('that is refused with the address of a single sign-on reports it [W44]', async () => {
    refuse(401, { Location: 'https://sso.example/start?back=' });
    const { client } = setUp();
    const error = await failure(client.session.ticket());
    expect(isHttpError(error, 401)).toBe(true);
    expect(error).toMatchObject({ location: 'https://sso.example/start?back=' });
    expect(client.state.session.phase).toBe('signed-out');
  });

  test('that fails for another reason is requested again by the next caller', async () => {
    refuse(500);
    const { client, count } = setUp();
    expect(await failure(client.session.ticket())).toMatchObject({ status: 500 });
    expect([client.state.session.phase, count('session_logout')]).toEqual(['unknown', 0]);
    server.replies['GET /security/ticket'] = { principal: 'ann', ticket: 'late' };
    expect(await client.session.ticket()).toMatchObject({ ticket: 'late' });
  });

  test('that is refused later ends the session', async () => {
    const { client, count } = setUp();
    await client.session.ticket();
    refuse(401);
    expect(await failure(client.session.renew())).toMatchObject({ code: 'signed-out' });
    expect([client.state.session.phase, count('session_logout')]).toEqual(['signed-out', 1]);
  });
});

describe('an address to navigate to', () => {
  test('for signing in is emitted with a ticket or 401 [W44 W94]', async () => {
    const told: unknown[] = [];
    server.replies['GET /security/ticket'] = {
      principal: '',
      ticket: '',
      redirectURL: 'https://sso.example/?back=',
    };
    const first = setUp();
    first.client.on('redirect', ({ address, appendCurrent }) =>
      told.push([address, appendCurrent]),
    );
    expect(await failure(first.client.session.ticket())).toMatchObject({ code: 'signed-out' });
    expect(first.client.state.session.ticket).toBeUndefined();
    refuse(401, { Location: 'https://sso.example/start' });
    const second = setUp();
    second.client.on('redirect', ({ address, appendCurrent }) =>
      told.push([address, appendCurrent]),
    );
    await failure(second.client.session.ticket());
    expect(told).toEqual([
      ['https://sso.example/?back=', true],
      ['https://sso.example/start', false],
    ]);
  });

  test.each([
    ['true', 'logout-elsewhere'],
    ['false', 'redirect'],
  ] as const)('for sign-out (isLogoutAPI %s) is %s [D20]', async (isLogoutAPI, event) => {
    server.replies['POST /login/logout'] = (_asked, response) =>
      answer(response, 401, {
        status: 'UNAUTHORIZED',
        body: { redirectURL: 'https://sso.example/out', isLogoutAPI },
      });
    const { client, events } = setUp();
    await client.session.ticket();
    const told: string[] = [];
    client.on(event, (told_: { address: string }) => told.push(told_.address));
    // The live channel asks for another ticket as soon as the session has ended.
    refuse(401, { Location: 'https://sso.example/start' });
    client.on('redirect', ({ address }) => told.push(address));
    const signingOut = client.session.logout();
    await failure(client.session.renew());
    await signingOut;
    await failure(client.session.renew());
    expect([...new Set(told)]).toEqual(['https://sso.example/out']);
    expect(events).toContain('session_logout');
  });

  test('of a single sign-on contains the domain after the at sign [D31]', () => {
    const { client } = setUp();
    const address = new URL(client.session.ssoAddress('ann@acme.org', '/notebook/2A?x=1'));
    expect([address.pathname, Object.fromEntries(address.searchParams)]).toEqual([
      '/api/login/sso',
      { domain: 'acme.org', email: 'ann@acme.org', useHttps: 'true', ref: '/notebook/2A?x=1' },
    ]);
  });
});

describe('an error status', () => {
  test('of any call is emitted, and 405 ends the session [W45 W95 W96]', async () => {
    const { client, events } = setUp();
    await client.session.ticket();
    const told: unknown[] = [];
    client.on('httpResponseError', ({ error }) => told.push([error.status, error.path]));
    await failure(client.call('getNote', { params: { noteId: 'nope' } }));
    expect(client.state.session.phase).toBe('signed-in');
    server.replies['GET /notebook'] = (_asked, response) =>
      answer(response, 405, { status: 'METHOD_NOT_ALLOWED' });
    await failure(client.call('listNotes'));
    expect(told).toEqual([
      [404, '/notebook/:noteId'],
      [405, '/notebook'],
    ]);
    expect(events).toEqual([
      'signed-in',
      'httpResponseError',
      'httpResponseError',
      'session_logout',
    ]);
    expect(client.state.session).toMatchObject({ phase: 'signed-out', ticket: undefined });
  });
});

describe('SESSION_LOGOUT', () => {
  test('is emitted, and every channel reconnects with one new ticket [D16]', async () => {
    const { client, lobby, ends, last, events } = setUp();
    const end = await lobby();
    end.say('SESSION_LOGOUT', { info: 'Your ticket is invalid possibly due to server restart.' });
    expect(client.state.session).toMatchObject({
      phase: 'signed-out',
      info: 'Your ticket is invalid possibly due to server restart.',
    });
    await vi.waitUntil(() => ends.length === 2, 60_000);
    last().open();
    expect(end.closed?.code).toBe(1000);
    expect(last().frames[0]).toMatchObject({ op: 'LIST_NOTES', ticket: 'ticket-2' });
    expect(events.filter((type) => /session|signed/.test(type))).toEqual([
      'signed-in',
      'session_logout',
      'signed-in',
    ]);
    expect(tickets()).toBe(2);
  });

  test('that repeats soon ends the session without a third ticket', async () => {
    const { client, lobby, ends, last } = setUp();
    const end = await lobby();
    end.say('SESSION_LOGOUT', {});
    end.say('SESSION_LOGOUT', {});
    await vi.waitUntil(() => ends.length === 2, 60_000);
    last().open();
    last().say('SESSION_LOGOUT', { info: 'again' });
    expect(client.state.session).toMatchObject({ phase: 'signed-out', info: 'again' });
    // After another round trip, anything that was still pending would have happened.
    await client.call('version');
    expect(tickets()).toBe(2);
  });

  test('from every channel at once is one logout and one new ticket', async () => {
    const { lobby, open, ends, count } = setUp();
    await lobby();
    await open();
    for (const end of [...ends]) end.say('SESSION_LOGOUT', {});
    await vi.waitUntil(() => ends.length === 4, 60_000);
    expect([count('session_logout'), tickets()]).toEqual([1, 2]);
  });

  test('without a new ticket ends the session [D16]', async () => {
    const { client, lobby, count } = setUp();
    const end = await lobby();
    refuse(401);
    end.say('SESSION_LOGOUT', {});
    await vi.waitUntil(() => tickets() === 2, 60_000);
    await client.call('version');
    expect([client.state.session.phase, count('session_logout')]).toEqual(['signed-out', 1]);
  });
});

describe('signing in', () => {
  test('reconnects every channel with the new identity', async () => {
    const { client, lobby, open, ends } = setUp();
    await lobby();
    await open();
    expect(await client.session.login('bob', 'secret')).toMatchObject({ principal: 'bob' });
    expect(server.asked.at(-1)).toMatchObject({ body: 'userName=bob&password=secret' });
    await vi.waitUntil(() => ends.length === 4, 60_000);
    for (const end of ends.slice(2)) end.open();
    expect(ends.slice(0, 2).map(({ closed }) => closed?.code)).toEqual([1000, 1000]);
    expect(ends.slice(2).map(({ frames }) => [frames[0]?.op, frames[0]?.principal])).toEqual([
      ['LIST_NOTES', 'bob'],
      ['GET_NOTE', 'bob'],
    ]);
  });

  test('with the wrong password changes nothing', async () => {
    server.replies['POST /login'] = (_asked, response) =>
      answer(response, 403, { status: 'FORBIDDEN', message: '' });
    const { client, count } = setUp();
    expect(isHttpError(await failure(client.session.login('bob', 'x')), 403)).toBe(true);
    expect([client.state.session.phase, count('session_logout')]).toEqual(['unknown', 0]);
  });

  test('works after the session ended, also with the token of a link', async () => {
    refuse(401);
    const { client } = setUp();
    await failure(client.session.ticket());
    server.replies['GET /version'] = { version: '0.8.2', tiding: { version: '0.1.0' } };
    server.replies['POST /login/once'] = { principal: 'admin', ticket: 't', roles: '[]' };
    await client.session.loginOnce('once');
    expect(server.asked.at(-1)?.body).toBe('{"token":"once"}');
    expect(await client.session.ticket()).toMatchObject({ principal: 'admin' });
  });
});

describe('signing out', () => {
  test('has succeeded when the server answers 401, and leaves no data of the user', async () => {
    const journal = memoryJournal();
    const entry = (principal: string) => ({
      key: journalKey(server.url, principal, 'n', 'p'),
      noteId: 'n',
      paragraphId: 'p',
      text: principal,
      baseText: '',
      time: 0,
    });
    await journal.put(entry('ann'));
    await journal.put(entry('anna'));
    const { client, lobby, ends, events } = setUp({ journal });
    const end = await lobby();
    expect(client.state.notes).toHaveLength(1);
    await client.session.logout();
    expect(client.state).toMatchObject({
      notes: undefined,
      session: { phase: 'signed-out', ticket: undefined },
    });
    expect((await journal.list('')).map(({ text }) => text)).toEqual(['anna']);
    expect(events.filter((type) => /^session|^signed/.test(type))).toEqual([
      'signed-in',
      'session_logout',
    ]);
    // A socket keeps the identity that opened it, so it must be closed.
    expect(end.closed?.code).toBe(1000);
    end.say('NOTES_INFO', { notes: [{ id: 'secret', path: '/secret' }] });
    expect([client.state.notes, ends.length]).toEqual([undefined, 1]);
  });

  test('that the server refuses is an error, and the session continues', async () => {
    server.replies['POST /login/logout'] = (_asked, response) => answer(response, 500, {});
    const { client, count } = setUp();
    await client.session.ticket();
    expect(await failure(client.session.logout())).toMatchObject({ status: 500 });
    expect([client.state.session.phase, count('session_logout')]).toEqual(['signed-in', 0]);
  });

  test('saves drafts first, and is refused if that fails unless told to discard them', async () => {
    const { client, open, last } = setUp();
    const note = await open();
    const save = (outcome: 'refuse' | 'take') =>
      vi
        .waitUntil(() => last().ops.at(-1) === 'COMMIT_PARAGRAPH', 10_000)
        .then(() => {
          const { data, msgId } = last().frames.at(-1)!;
          if (outcome === 'refuse') last().say('AUTH_INFO', { info: 'no' });
          else last().say('PARAGRAPH', { paragraph: { id: 'p', text: data['paragraph'] } }, msgId);
        });
    note.paragraph('p').edit('two');
    const [refused] = await Promise.all([failure(client.session.logout()), save('refuse')]);
    expect(refused).toMatchObject({ code: 'conflict', operation: 'logout' });
    expect(server.calls).not.toContain('POST /login/logout');
    last().frames.length = 0;
    await Promise.all([client.session.logout(), save('take')]);
    expect(server.calls).toContain('POST /login/logout');
  });

  test("discards drafts that can't be saved if told so", async () => {
    const { client, open, last } = setUp();
    const note = await open();
    note.paragraph('p').edit('two');
    void vi
      .waitUntil(() => last().ops.at(-1) === 'COMMIT_PARAGRAPH', 10_000)
      .then(() => last().say('AUTH_INFO', { info: 'no' }));
    await client.session.logout({ discard: true });
    expect(client.state.session.phase).toBe('signed-out');
  });
});
