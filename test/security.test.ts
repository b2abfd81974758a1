/** Security properties that no other test covers. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HASH_COST, hashPassword, setHashCost } from '../server/auth/passwords.ts';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { Users } from '../server/auth/users.ts';
import { resolveOptions } from '../server/base/options.ts';
import { ADMIN_PASSWORD } from './support/embedded.ts';
import { bodyOf, PASSWORD, twoPeople } from './support/people.ts';
import {
  audited,
  auditOf,
  type Login,
  onlyFor,
  openSocket,
  request,
  sendLogin,
  startEmpty,
} from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const people = untilEnd(
  await twoPeople({
    trustProxy: true,
    maxSockets: 3,
    maxRuns: 2,
    maxInterpreters: 1,
    maxBodyBytes: 20_000,
    maxImportBytes: 100_000,
    shell: true,
  }),
);
const { url, data, admin, bob, call, create } = people;
await new Users(data).set('carol', { password: PASSWORD });

const open = async (who: Login, note?: string) =>
  openSocket(url, { identity: who.identity, note: note });

describe('rights', () => {
  it('a user who may no longer read a note receives nothing more of it [S12]', async () => {
    const note = await create('%md\nshared');
    const socket = await open(bob, note.id);
    await call(admin, 'PUT', `/notebook/${note.id}/permissions`, onlyFor('admin'));
    await call(admin, 'PUT', `/notebook/${note.id}/paragraph/${note.paragraphs![0]!.id}`, {
      text: '%md\nsecret',
    });
    socket.send({ op: 'LIST_NOTES' });
    for (;;) {
      const frame = await socket.any();
      expect(JSON.stringify(frame)).not.toContain('secret');
      if (frame.op !== 'NOTES_INFO') continue;
      expect(JSON.stringify(frame)).not.toContain(note.id);
      // The reply to the request is the last list.
      if (frame.msgId === undefined) break;
    }
  });
});

describe('cookies and transport', () => {
  it('behind a TLS proxy the cookie is bound to the host, pages are https [S16 S23]', async () => {
    const answer = await sendLogin(url, 'bob', PASSWORD, { 'X-Forwarded-Proto': 'https' });
    expect(answer.headers['set-cookie']![0]).toMatch(
      /^__Host-tiding-\d+=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    const cookie = answer.headers['set-cookie']![0]!.split(';')[0]!;
    expect(
      await request(url, 'GET', '/api/notebook', {
        headers: { Cookie: cookie, 'X-Forwarded-Proto': 'https' },
      }),
    ).toMatchObject({ status: 200 });
    // A cookie without the prefix, which a neighbouring host can set, is ignored there.
    expect(
      await request(url, 'GET', '/api/notebook', {
        headers: { Cookie: cookie.replace('__Host-', ''), 'X-Forwarded-Proto': 'https' },
      }),
    ).toMatchObject({ status: 401 });
    expect(
      (await request(url, 'GET', '/healthz', {})).headers['strict-transport-security'],
    ).toBeUndefined();
    // The same host without TLS is a different origin.
    for (const [origin, status] of [
      [url, 403],
      [url.replace('http:', 'https:'), 200],
    ] as const) {
      expect(
        await request(url, 'GET', '/api/version', {
          headers: { Origin: origin, 'X-Forwarded-Proto': 'https' },
        }),
      ).toMatchObject({ status: status });
    }
    await expect(
      openSocket(url, { headers: { Origin: url, 'X-Forwarded-Proto': 'https' } }),
    ).rejects.toThrow('403');
  });

  it('a server without a trusted proxy ignores forwarding headers', async () => {
    const other = untilEnd(await startEmpty({ logLevel: 'silent' }));
    const answer = await sendLogin(other.server.url, 'admin', ADMIN_PASSWORD, {
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-For': '203.0.113.9',
    });
    expect(answer.headers['set-cookie']![0]).toMatch(/^tiding-\d+=/);
    expect(answer.headers['strict-transport-security']).toBeUndefined();
    await audited(other.data, { event: 'sign-in', address: '127.0.0.1' });
    expect(await readFile(join(other.data, 'audit.log'), 'utf8')).not.toContain('203.0.113.9');
  });

  it('a token in a URL is ignored [S24 S31]', async () => {
    const { token } = await new AccessTokenStore(data).create('bob');
    expect(
      await request(url, 'GET', '/api/notebook', {
        headers: { Authorization: `Bearer ${token}` },
      }),
    ).toMatchObject({ status: 200 });
    for (const name of ['token', 'access_token', 'ticket', 'authorization'])
      expect((await request(url, 'GET', `/api/notebook?${name}=${token}`)).status).toBe(401);
  });
});

describe('secrets', () => {
  it('passwords are hashed by scrypt with N=2^17, each with its own salt [S37]', async () => {
    const before = setHashCost(HASH_COST);
    onTestFinished(() => void setHashCost(before));
    const [one, two] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)];
    expect(one).toMatch(/^scrypt\$131072\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(two);
  });

  it('files with secrets are private to the account', async () => {
    await call(admin, 'PUT', '/credential', {
      entity: 'db.x',
      username: 'u',
      password: 'topsecret',
    });
    const names = 'users.json tokens.json sessions.json secret.key encryption.key audit.log';
    for (const name of names.split(' ')) {
      expect((await stat(join(data, name))).mode & 0o077, name).toBe(0);
    }
  });

  it('are not exposed by any configuration', async () => {
    const text =
      (await call(admin, 'GET', '/configurations/all')).text +
      (await call(admin, 'GET', '/interpreter/setting')).text;
    for (const secret of [
      ADMIN_PASSWORD,
      'topsecret',
      (await readFile(join(data, 'secret.key'), 'utf8')).trim(),
    ])
      expect(text).not.toContain(secret);
  });
});

describe('limits', () => {
  it('are safe by default [S19]', () => {
    expect(resolveOptions({ data: '/nowhere' })).toMatchObject({
      host: '127.0.0.1',
      trustProxy: false,
      newNotes: 'private',
    });
  });

  it("a user's excess socket is closed with 4029; other users are not counted [S50]", async () => {
    const mine = [await open(bob), await open(bob), await open(bob), await open(bob)];
    for (const socket of mine.slice(0, 3)) {
      socket.send({ op: 'LIST_NOTES' });
      await socket.next('NOTES_INFO');
    }
    mine[3]!.send({ op: 'LIST_NOTES' });
    expect(await mine[3]!.closed).toEqual({
      code: 4029,
      reason: 'too many connections of this user, at most 3',
    });
    const other = await open(admin);
    other.send({ op: 'LIST_NOTES' });
    await other.next('NOTES_INFO');
    mine[0]!.socket.close();
    await mine[0]!.closed;
    const next = await open(bob);
    next.send({ op: 'LIST_NOTES' });
    await next.next('NOTES_INFO');
  });

  it('a body is limited, an imported note by a larger limit [S46]', async () => {
    const body = { name: 'big', paragraphs: [{ text: 'x'.repeat(30_000) }] };
    expect((await call(admin, 'POST', '/notebook', body)).status).toBe(413);
    expect((await call(admin, 'POST', '/notebook/import', body)).status).toBe(200);
    expect(
      await call(admin, 'POST', '/notebook/import', {
        ...body,
        paragraphs: [{ text: 'x'.repeat(100_001) }],
      }),
    ).toMatchObject({ status: 413 });
    // The larger limit can't be reached by another spelling of the path.
    for (const path of ['/notebook/import/..%2f', '/notebook?x=/api/notebook/import'])
      expect([413, 404]).toContain((await call(admin, 'POST', path, body)).status);
  });

  it('a message id has at most 100 characters', async () => {
    const socket = await open(admin);
    socket.send({ op: 'LIST_NOTES', msgId: 'x'.repeat(101) });
    expect((await socket.next('ERROR_INFO', 'NOTES_INFO')).data).toMatchObject({
      op: 'LIST_NOTES',
      info: 'msgId has at most 100 characters',
    });
    socket.send({ op: 'LIST_NOTES', msgId: 'x'.repeat(100) });
    expect((await socket.next('ERROR_INFO', 'NOTES_INFO')).msgId).toBe('x'.repeat(100));
  });

  /** Runs the first paragraph and returns its result. */
  const runFirst = async (who: Login, { id, paragraphs }: Awaited<ReturnType<typeof create>>) => {
    const answer = await call(who, 'POST', `/notebook/run/${id}/${paragraphs![0]!.id}`, {});
    expect(answer.status, answer.text).toBe(200);
    return (answer.json as { body: unknown }).body;
  };

  it("a user's runs are limited; more wait, can be cancelled, block nobody [S54]", async () => {
    // Each uses its own setting, because one instance runs paragraphs one by one anyway.
    // A database of all notes doesn't count as a process of a user.
    const common = { name: 'common', group: 'sql', option: { perNote: 'scoped', perUser: '' } };
    expect((await call(admin, 'POST', '/interpreter/setting', common)).status).toBe(200);
    const note = await create(
      '%js\nawait new Promise((resolve) => setTimeout(resolve, 60000));',
      '%common\nselect sum(a.i * b.i) from range(10000000) a(i), range(100000) b(i)',
      '%md\nthird',
      '%md\nfourth',
    );
    const [first, second, third, fourth] = note.paragraphs!.map(({ id }) => id) as [
      string,
      string,
      string,
      string,
    ];
    const status = async (id: string, who = admin) =>
      (await bodyOf<{ status: string }>(call(who, 'GET', `/notebook/job/${note.id}/${id}`))).status;
    for (const id of [first, second])
      await call(admin, 'POST', `/notebook/job/${note.id}/${id}`, {});
    await expect.poll(() => status(first)).toBe('RUNNING');
    await expect.poll(() => status(second)).toBe('RUNNING');
    for (const id of [third, fourth])
      await call(admin, 'POST', `/notebook/job/${note.id}/${id}`, {});
    const others = await create('%md\nof bob');
    expect(await runFirst(bob, others)).toMatchObject({ code: 'SUCCESS' });
    expect([await status(third), await status(fourth)]).toEqual(['PENDING', 'PENDING']);
    await call(admin, 'DELETE', `/notebook/job/${note.id}/${third}`);
    expect([await status(third), await status(fourth)]).toEqual(['ABORT', 'PENDING']);
    await call(admin, 'DELETE', `/notebook/job/${note.id}/${second}`);
    await expect.poll(() => status(fourth)).toBe('FINISHED');

    // Only one process is allowed, and it is in use.
    expect(
      (await call(admin, 'POST', '/interpreter/setting', { name: 'other', group: 'js' })).status,
    ).toBe(200);
    const more = await create('%other\n1');
    expect(await runFirst(admin, more)).toMatchObject({
      code: 'ERROR',
      msg: [
        {
          data: expect.stringContaining(
            'All 1 interpreter processes that this server may have are in use',
          ),
        },
      ],
    });
    await call(admin, 'DELETE', `/notebook/job/${note.id}/${first}`);
    await call(admin, 'PUT', '/interpreter/setting/restart/js', {});
    expect(await runFirst(admin, more)).toMatchObject({ code: 'SUCCESS' });
  });
});

describe('a damaged file of a note', () => {
  it('is reported and kept, blocks no other note, and is served once repaired [S70]', async () => {
    const good = await create('%md\ngood');
    const folder = join(data, 'notebook', '2DAMAGED1');
    await mkdir(folder);
    const file = join(folder, 'note.json');
    await writeFile(file, '{"paragraphs": [');
    await call(admin, 'GET', '/notebook-repositories/reload');
    const list = async () =>
      bodyOf<{ id: string; path: string }[]>(call(admin, 'GET', '/notebook'));
    expect(await list()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: '2DAMAGED1', path: '/Damaged notes/2DAMAGED1' }),
        expect.objectContaining({ id: good.id }),
      ]),
    );
    expect((await request(url, 'GET', '/healthz')).json).toMatchObject({
      status: 'ok',
      notes: '1 cannot be read',
    });
    const socket = await open(admin);
    for (const op of ['GET_NOTE', 'DEL_NOTE', 'CLONE_NOTE']) {
      socket.send({ op, data: { id: '2DAMAGED1', name: 'x' } });
      expect((await socket.next('ERROR_INFO', 'NOTE')).data['info']).toMatch(
        new RegExp(
          '^The note 2DAMAGED1 cannot be read because its file notebook/2DAMAGED1/note\\.json ' +
            'is damaged\\. Repair the file',
        ),
      );
    }
    expect((await call(admin, 'GET', '/notebook/2DAMAGED1')).status).toBe(409);
    const edited = `/notebook/${good.id}/paragraph/${good.paragraphs![0]!.id}`;
    expect((await call(admin, 'PUT', edited, { text: 'still edited' })).status).toBe(200);
    expect(await readFile(file, 'utf8')).toBe('{"paragraphs": [');
    await writeFile(file, JSON.stringify({ name: 'mended', paragraphs: [{ text: '%md\nback' }] }));
    await call(admin, 'GET', '/notebook-repositories/reload');
    expect((await list()).find(({ id }) => id === '2DAMAGED1')?.path).toBe('/mended');
    expect((await request(url, 'GET', '/healthz')).json).toMatchObject({ notes: 'ok' });
  });
});

describe('the audit log', () => {
  it('records sign-ins, failures and sign-outs, with an address [S80]', async () => {
    const through = { 'X-Forwarded-For': '198.51.100.1, 203.0.113.7' };
    const good = await sendLogin(url, 'carol', PASSWORD, through);
    await sendLogin(url, 'carol', 'wrong-password', through);
    await sendLogin(url, 'typed-my-password-here', 'x', through);
    await audited(data, {
      event: 'sign-in',
      principal: 'carol',
      address: '203.0.113.7',
      outcome: 'ok',
    });
    await audited(data, { event: 'sign-in-failed', principal: 'carol', outcome: '403' });
    await audited(data, { event: 'sign-in-failed', principal: 'unknown', outcome: '403' });
    const cookie = good.headers['set-cookie']![0]!.split(';')[0]!;
    await request(url, 'POST', '/api/login/logout', {
      headers: { Cookie: cookie, 'X-Requested-With': 'x' },
    });
    await audited(data, { event: 'sign-out', principal: 'carol', outcome: 'ok' });
  });

  it('records rights, tokens, settings, runs, exports, refusals; no secrets [S82]', async () => {
    const note = await create('%md\nwords-of-a-note ${locked}');
    const paragraph = note.paragraphs![0]!.id;
    await call(admin, 'PUT', `/notebook/${note.id}/permissions`, onlyFor('admin'));
    const token = (await call(admin, 'POST', '/magpie/access-token', { description: 'described' }))
      .json as { tokenId: string; token: string };
    const embed = (
      await call(admin, 'POST', '/magpie/embed-token', {
        noteId: note.id,
        scope: 'run',
        params: { locked: 'locked-value' },
      })
    ).json as { jti: string; token: string };
    for (const each of [token.token, embed.token])
      await request(url, 'GET', `/api/notebook/${note.id}`, {
        headers: { Authorization: `Bearer ${each}` },
      });
    await call(admin, 'POST', `/notebook/run/${note.id}/${paragraph}`, {});
    await call(admin, 'DELETE', `/magpie/embed-token/${embed.jti}`);
    await call(admin, 'DELETE', `/magpie/access-token/${token.tokenId}`);
    await call(admin, 'PUT', '/credential', {
      entity: 'db.y',
      username: 'u',
      password: 'topsecret',
    });
    await call(admin, 'GET', `/notebook/export/${note.id}`);
    await call(bob, 'GET', `/notebook/${note.id}`);
    const socket = await open(bob);
    socket.send({ op: 'GET_NOTE', data: { id: note.id } });
    await socket.next('AUTH_INFO');
    const wanted: Record<string, string>[] = [
      { event: 'permissions-changed', principal: 'admin', note: note.id },
      { event: 'token-created', target: token.tokenId },
      { event: 'token-used', principal: 'admin', target: token.tokenId },
      { event: 'token-revoked', target: token.tokenId },
      { event: 'embed-token-created', note: note.id, target: embed.jti },
      { event: 'embed-token-used', principal: 'embed:admin', target: embed.jti },
      { event: 'embed-token-revoked', target: embed.jti },
      {
        event: 'run',
        principal: 'admin',
        note: note.id,
        paragraph,
        interpreter: 'md',
        outcome: 'FINISHED',
      },
      { event: 'credential-changed', target: 'db.y' },
      { event: 'export', command: 'exportNote', note: note.id },
      { event: 'refused', principal: 'bob', command: 'getNote', note: note.id, outcome: '403' },
      { event: 'refused', principal: 'bob', command: 'GET_NOTE', target: note.id },
    ];
    for (const entry of wanted) await audited(data, entry);
    const run = (await auditOf(data)).find(
      ({ event, note: id }) => event === 'run' && id === note.id,
    );
    expect(run!['code']).toMatch(/^[0-9a-f]{64}$/);
    const text = await readFile(join(data, 'audit.log'), 'utf8');
    for (const secret of [
      ADMIN_PASSWORD,
      PASSWORD,
      'topsecret',
      'words-of-a-note',
      'locked-value',
      token.token,
      embed.token,
      'typed-my-password-here',
      admin.identity.ticket,
    ])
      expect(text).not.toContain(secret);
  });

  it("can't be read by any call [S79]", async () => {
    for (const path of ['/audit', '/audit.log', '/magpie/audit'])
      expect((await call(admin, 'GET', path)).status).toBe(404);
    expect([403, 404]).toContain(
      (await call(admin, 'POST', '/magpie/file', { file: { path: '../audit.log' } })).status,
    );
  });
});

describe('metrics', () => {
  it('are for this machine and administrators, with fixed labels [S44]', async () => {
    const socket = await open(admin);
    for (const op of ['LIST_NOTES', 'MADE_UP_1', 'MADE_UP_2']) socket.send({ op });
    await socket.next('ERROR_INFO');
    await socket.next('ERROR_INFO');
    await request(url, 'GET', '/api/made/up');
    await request(url, 'GET', '/made-up-page');
    const { status, text, headers } = await request(url, 'GET', '/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    for (const line of [
      /^tiding_sockets \d+$/m,
      /^tiding_messages_total\{op="LIST_NOTES"\} \d+$/m,
      /^tiding_messages_total\{op="unknown"\} \d+$/m,
      /^tiding_runs_total\{interpreter="md",status="FINISHED"\} \d+$/m,
      /^tiding_run_seconds_bucket\{le="0\.05",interpreter="md"\} \d+$/m,
      /^tiding_rest_requests_total\{route="login",status="200"\} \d+$/m,
      /^tiding_rest_requests_total\{route="unknown",status="404"\} \d+$/m,
      /^tiding_rest_requests_total\{route="page",status="404"\} \d+$/m,
      /^tiding_event_loop_lag_p99_seconds [\d.e-]+$/m,
      /^tiding_note_save_seconds_count \d+$/m,
      /^tiding_run_queue_length 0$/m,
      /^tiding_save_queue_length \d+$/m,
    ])
      expect(text).toMatch(line);
    expect(text).not.toMatch(/MADE_UP|made-up|made\/up|admin|bob/);
    const through = { 'X-Forwarded-For': '127.0.0.1' };
    expect((await request(url, 'GET', '/metrics', { headers: through })).status).toBe(401);
    const tokens = new AccessTokenStore(data);
    for (const [name, wanted] of [
      ['bob', 401],
      ['admin', 200],
    ] as const) {
      const { token } = await tokens.create(name);
      expect(
        await request(url, 'GET', '/metrics', {
          headers: { ...through, Authorization: `Bearer ${token}` },
        }),
      ).toMatchObject({ status: wanted });
    }
  });

  it('the health check needs no sign-in and contains no data', async () => {
    const { status, json } = await request(url, 'GET', '/healthz');
    expect([status, json]).toEqual([
      200,
      { status: 'ok', storage: 'ok', disk: 'ok', interpreters: 'ok', notes: 'ok' },
    ]);
  });
});
