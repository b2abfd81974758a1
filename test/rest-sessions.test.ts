/** REST for users who sign in and out, their access tokens, and removed users. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Users } from '../server/auth/users.ts';
import { PASSWORD } from './support/people.ts';
import { type Login, login, onlyFor, openSocket, request, sendLogin } from './support/raw.ts';
import { bearer, bodyOf, startRest } from './support/rest.ts';
import { untilEnd } from './support/until-end.ts';

const rest = untilEnd(await startRest());
const { embedded, url, admin, call, create, newToken } = rest;

describe('signing in and out', () => {
  it("the cookie is for the server's own pages only [S31]", async () => {
    const answer = await sendLogin(url, 'bob', PASSWORD);
    const [cookie] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).toMatch(/; Path=\/(;|$)/);
    expect(cookie).toMatch(/^[\w-]+=[\w-]{43};/);
    const stored = await readFile(join(embedded.data, 'sessions.json'), 'utf8');
    expect(stored).not.toContain(/=([\w-]{43})/.exec(cookie!)![1]);
    expect(stored).not.toContain((answer.json as { body: { ticket: string } }).body.ticket);
  });

  it('each sign-in starts a new session and ends the previous one [S23]', async () => {
    const first = await login(url, 'bob', PASSWORD);
    const answer = await sendLogin(url, 'bob', PASSWORD, {
      Cookie: first.cookie,
      'X-Requested-With': 'XMLHttpRequest',
    });
    expect(answer.status).toBe(200);
    expect((await call(first, 'GET', '/security/ticket')).status).toBe(401);
  });

  it('signing out answers 401 and ends the session over REST and live [D62 S13 S23]', async () => {
    const gone = await login(url, 'bob', PASSWORD);
    const socket = await openSocket(url, { identity: gone.identity });
    socket.send({ op: 'LIST_NOTES' });
    await socket.next('NOTES_INFO');
    const answer = await call(gone, 'POST', '/login/logout');
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual({ status: 'UNAUTHORIZED', message: '' });
    expect(answer.headers['set-cookie']?.[0]).toMatch(/=;.*Max-Age=0/);
    expect((await call(gone, 'GET', '/security/ticket')).status).toBe(401);
    expect((await socket.next('SESSION_LOGOUT')).op).toBe('SESSION_LOGOUT');
    socket.send({ op: 'LIST_NOTES' });
    expect((await socket.next('SESSION_LOGOUT', 'NOTES_INFO')).op).toBe('SESSION_LOGOUT');
  });

  it('a wrong password and an unknown user get the same answer [S43]', async () => {
    const answers = await Promise.all(
      ['bob', 'nobody'].map((userName) => sendLogin(url, userName, 'wrong')),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(answers[0]!.text).toBe(answers[1]!.text);
  });

  it('an account is blocked after ten failures, also concurrent ones [S43]', async () => {
    const attempt = (password: string) => sendLogin(url, 'carol', password);
    const answers = await Promise.all(Array.from({ length: 16 }, () => attempt('wrong')));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(10).fill(403),
      ...Array<number>(6).fill(429),
    ]);
    expect((await attempt(PASSWORD)).status).toBe(429);
    expect((await login(url, 'bob', PASSWORD)).identity.principal).toBe('bob');
  });

  it('the sign-in link works once, and a newer one invalidates it', async () => {
    const tokenOf = (link: string) => /login=([\w-]+)$/.exec(link)![1]!;
    const [old, good] = [
      tokenOf(embedded.server.loginLink()),
      tokenOf(embedded.server.loginLink()),
    ];
    expect((await call(undefined, 'POST', '/login/once', { token: old })).status).toBe(403);
    const answer = await call(undefined, 'POST', '/login/once', { token: good });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ body: { principal: 'admin' } });
    expect((await call(undefined, 'POST', '/login/once', { token: good })).status).toBe(403);
    expect((await call(undefined, 'POST', '/login/once', { token: '' })).status).toBe(400);
  });
});

describe('access tokens', () => {
  const ticketOf = async (token: string) =>
    await request(url, 'GET', '/api/security/ticket', { headers: bearer(token) });
  /** A token, and a socket signed in with its ticket. */
  const inUse = async () => {
    const { token, tokenId } = await newToken();
    const { identity } = { identity: bodyOf<Login['identity']>(await ticketOf(token)) };
    const socket = await openSocket(url, { identity });
    socket.send({ op: 'LIST_NOTES' });
    await socket.next('NOTES_INFO');
    return { token, tokenId, socket };
  };
  const isOver = async ({ token, socket }: Awaited<ReturnType<typeof inUse>>) => {
    expect((await ticketOf(token)).status).toBe(401);
    // The socket is notified, and refused on its next message.
    await socket.next('SESSION_LOGOUT');
    socket.send({ op: 'LIST_NOTES' });
    expect((await socket.next('SESSION_LOGOUT', 'NOTES_INFO')).op).toBe('SESSION_LOGOUT');
    socket.socket.close();
  };

  it('is shown when it is created and never again, and is not stored [S38]', async () => {
    const { token, tokenId } = await newToken();
    expect(token).toMatch(/^tdg_[\w-]{43}$/);
    const list = (await call(admin, 'GET', '/magpie/access-token')).json as {
      tokenId: string;
      token?: string;
    }[];
    expect(list.find((entry) => entry.tokenId === tokenId)).toEqual({
      tokenId,
      description: '',
      createdAt: expect.any(String) as string,
      expiresAt: expect.any(String) as string,
      disabled: false,
    });
    for (const name of await readdir(embedded.data)) {
      if (name.endsWith('.json'))
        expect(await readFile(join(embedded.data, name), 'utf8')).not.toContain(token.slice(4));
    }
  });

  it('expires after 90 days by default, after a given number of days, or never', async () => {
    const lasts = async (body: object) => {
      const { json } = await call(admin, 'POST', '/magpie/access-token', body);
      const { token, expiresAt } = json as { token: string; expiresAt: string | null };
      expect((await ticketOf(token)).status).toBe(200);
      return expiresAt === null
        ? null
        : Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000);
    };
    expect([
      await lasts({}),
      await lasts({ expiresInDays: 7 }),
      await lasts({ expiresInDays: null }),
    ]).toEqual([90, 7, null]);
  });

  it('all concurrently created tokens are kept', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => newToken()));
    for (const { token } of made) expect((await ticketOf(token)).status).toBe(200);
  });

  it('a disabled token is invalid until it is enabled', async () => {
    const used = await inUse();
    await call(admin, 'PUT', `/magpie/access-token/${used.tokenId}/status/disabled`);
    await isOver(used);
    await call(admin, 'PUT', `/magpie/access-token/${used.tokenId}/status/enabled`);
    expect((await ticketOf(used.token)).status).toBe(200);
  });

  it('a deleted token is invalid', async () => {
    const used = await inUse();
    await call(admin, 'DELETE', `/magpie/access-token/${used.tokenId}`);
    await isOver(used);
  });

  it('an expired token is invalid, and cannot be enabled [S38]', async () => {
    const used = await inUse();
    const file = join(embedded.data, 'tokens.json');
    const stored = JSON.parse(await readFile(file, 'utf8')) as {
      tokens: { tokenId: string; expiresAt: string }[];
    };
    for (const token of stored.tokens)
      if (token.tokenId === used.tokenId)
        token.expiresAt = new Date(Date.now() - 1_000).toISOString();
    await writeFile(file, JSON.stringify(stored));
    await isOver(used);
    expect(
      (await call(admin, 'PUT', `/magpie/access-token/${used.tokenId}/status/enabled`)).status,
    ).toBe(409);
  });

  it('cannot create tokens, not even sent as a cookie [S38]', async () => {
    const { token } = await newToken();
    await ticketOf(token);
    expect(
      (await request(url, 'POST', '/api/magpie/access-token', { headers: bearer(token) })).status,
    ).toBe(403);
    const name = admin.cookie.split('=')[0]!;
    const dressed = {
      cookie: `${name}=${encodeURIComponent(`bearer:${token}`)}`,
      identity: admin.identity,
    };
    expect((await call(dressed, 'POST', '/magpie/access-token', {})).status).toBe(401);
  });

  it('belongs to its user: others neither see nor change it', async () => {
    const { tokenId } = await newToken();
    await new Users(embedded.data).set('dave', {
      password: PASSWORD,
      roles: ['magpie.AccessToken'],
    });
    const dave = await login(url, 'dave', PASSWORD);
    expect((await call(dave, 'GET', '/magpie/access-token')).json).toEqual([]);
    expect(
      (await call(dave, 'PUT', `/magpie/access-token/${tokenId}/status/disabled`)).status,
    ).toBe(404);
    expect(
      await call(dave, 'PUT', `/magpie/access-token/${tokenId}/description`, 'x', {
        'Content-Type': 'text/plain',
      }),
    ).toMatchObject({ status: 404 });
    expect((await call(dave, 'DELETE', `/magpie/access-token/${tokenId}`)).status).toBe(404);
    expect((await call(admin, 'PUT', `/magpie/access-token/${tokenId}/status/maybe`)).status).toBe(
      400,
    );
    expect(
      await call(admin, 'PUT', `/magpie/access-token/${tokenId}/description`, 'x'.repeat(256), {
        'Content-Type': 'text/plain',
      }),
    ).toMatchObject({ status: 400 });
  });

  it.each(['tdg_', 'tdg_wrong', 'other', '', 'tdg_wrong, tdg_other'])(
    'the token "%s" is invalid',
    async (token) => {
      expect((await ticketOf(token)).status).toBe(401);
    },
  );
});

describe('removed and changed users', () => {
  let named = 0;
  /** A user at work, with a cookie, a token, and a socket on a note. */
  const atWork = async (name: string) => {
    await new Users(embedded.data).set(name, { password: PASSWORD, roles: ['magpie.AccessToken'] });
    const who = await login(url, name, PASSWORD);
    const { token } = await newToken(who);
    expect((await request(url, 'GET', '/api/notebook', { headers: bearer(token) })).status).toBe(
      200,
    );
    const { id, paragraphs } = await create(who);
    const socket = await openSocket(url, { identity: who.identity, note: id });
    return { who, token, id, paragraphs, socket };
  };

  it('a removed user is refused immediately: session, token and live channel', async () => {
    const { who, token, id, paragraphs, socket } = await atWork('eve');
    await new Users(embedded.data).remove('eve');
    socket.send({
      op: 'COMMIT_PARAGRAPH',
      data: { id: paragraphs[0], noteId: id, paragraph: 'still here' },
    });
    expect((await socket.next('SESSION_LOGOUT', 'PARAGRAPH')).op).toBe('SESSION_LOGOUT');
    expect((await call(who, 'GET', '/notebook')).status).toBe(401);
    expect(
      (await call(who, 'PUT', `/notebook/${id}/paragraph/${paragraphs[0]}`, { text: 'still here' }))
        .status,
    ).toBe(401);
    expect((await request(url, 'GET', '/api/notebook', { headers: bearer(token) })).status).toBe(
      401,
    );
  });

  it('a removed user who only listens is notified, and receives nothing more', async () => {
    const { id, paragraphs, socket } = await atWork('mallory');
    await new Users(embedded.data).remove('mallory');
    await socket.next('SESSION_LOGOUT');
    await call(admin, 'PUT', `/notebook/${id}/paragraph/${paragraphs[0]}`, { text: 'private now' });
    socket.send('{"op":"LIST_NOTES"}');
    expect((await socket.next('SESSION_LOGOUT', 'PARAGRAPH', 'NOTES_INFO')).op).toBe(
      'SESSION_LOGOUT',
    );
  });

  it('a new password ends existing sessions', async () => {
    const { who, socket } = await atWork('trent');
    await new Users(embedded.data).set('trent', { password: `${PASSWORD}-new` });
    expect((await call(who, 'GET', '/notebook')).status).toBe(401);
    await socket.next('SESSION_LOGOUT');
    expect((await login(url, 'trent', `${PASSWORD}-new`)).identity.principal).toBe('trent');
  });

  it('a user who loses the role to read a note soon receives nothing of it [S12]', async () => {
    await new Users(embedded.data).set('victor', { password: PASSWORD, roles: ['analyst'] });
    const { id, paragraphs } = await create();
    await call(admin, 'PUT', `/notebook/${id}/permissions`, {
      ...onlyFor('admin'),
      readers: ['analyst'],
    });
    const { identity } = await login(url, 'victor', PASSWORD);
    const socket = await openSocket(url, { identity, note: id });
    const isNotified = async () => {
      await call(admin, 'PUT', `/notebook/${id}/paragraph/${paragraphs[0]}`, {
        text: `said ${(named += 1)}`,
      });
      // Answered on every socket after the frames of the edit; needs no permission.
      socket.send({ op: 'LIST_CONFIGURATIONS' });
      const received = (await socket.next('PARAGRAPH', 'CONFIGURATIONS_INFO')).op === 'PARAGRAPH';
      if (received) await socket.next('CONFIGURATIONS_INFO');
      return received;
    };
    expect(await isNotified()).toBe(true);
    await new Users(embedded.data).set('victor', { roles: [] });
    await expect.poll(isNotified).toBe(false);
  });

  it('a removed role is gone at the next call', async () => {
    const { who } = await atWork('walter');
    expect((await call(who, 'GET', '/magpie/access-token')).status).toBe(200);
    await new Users(embedded.data).set('walter', { roles: [] });
    expect((await call(who, 'GET', '/magpie/access-token')).status).toBe(403);
  });
});
