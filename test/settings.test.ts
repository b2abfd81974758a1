/** Interpreter settings and credentials on a running server, and their effects on paragraphs. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InterpreterSetting, Note } from '@tiding/client/protocol';
import { describe, expect, it } from 'vitest';
import { Users } from '../server/auth/users.ts';
import { PASSWORD, twoPeople } from './support/people.ts';
import { type Login, login, openSocket } from './support/raw.ts';
import { bodyOf } from './support/rest.ts';
import { untilEnd } from './support/until-end.ts';

const people = untilEnd(await twoPeople({ shell: true }));
const { data, admin, bob, call, run } = people;
await new Users(data).set('bob', { roles: ['analyst'] });

const setting = async (
  who: Login,
  method: string,
  path: string,
  body?: unknown,
): Promise<InterpreterSetting> =>
  bodyOf(await call(who, method, `/interpreter/setting${path}`, body));
/** A note that everyone may use, with one paragraph. */
const note = () => people.create('');

describe('a setting', () => {
  it('is available by its name immediately, with its own tables', async () => {
    const made = await setting(admin, 'POST', '', {
      name: 'pg2',
      group: 'sql',
      properties: { 'sql.maxRows': { name: 'sql.maxRows', value: 3, type: 'number' } },
      dependencies: [],
      option: { perNote: 'shared', perUser: 'shared' },
    });
    expect(made).toMatchObject({
      id: 'pg2',
      name: 'pg2',
      group: 'sql',
      status: 'READY',
      interpreterGroup: [{ name: 'sql', defaultInterpreter: true }],
      properties: { 'sql.maxRows': { value: 3 }, 'sql.threads': { type: 'number' } },
    });
    const place = await note();
    expect(await run(bob, place, '%pg2\ncreate table own as select 7 as n')).toBe('OK, 1 row');
    expect(await run(bob, place, '%pg2\nselect range as i from range(9)')).toMatch(
      /the first 3 (?:of 9 )?rows/,
    );
    expect(await run(bob, place, '%sql\nselect * from own')).toMatch(
      /Table with name own does not exist/,
    );
    expect(existsSync(join(data, 'interpreters', 'pg2', 'main.duckdb'))).toBe(true);
    // Other interpreters see the tables of the SQL that the note binds first.
    expect(await run(bob, place, '%js\nawait z.put("from_js", [{ n: 1 }])')).toBe('');
    expect(await run(bob, place, '%sql\nselect * from from_js')).toBe('n\n1');
    await call(bob, 'PUT', `/notebook/interpreter/bind/${place.id}`, ['pg2', 'js']);
    await run(bob, place, '%js\nawait z.put("from_js", [{ n: 2 }])');
    expect(await run(bob, place, '%pg2\nselect * from from_js')).toBe('n\n2');
    expect(await run(bob, place, 'select n + 1 as m from own')).toBe('m\n8');
  });

  it('is announced to viewers of notes when it is added or removed', async () => {
    const place = await note();
    const socket = await openSocket(people.url, { identity: bob.identity, note: place.id });
    const ids = async () =>
      (
        (await socket.next('INTERPRETER_BINDINGS')).data['interpreterBindings'] as { id: string }[]
      ).map(({ id }) => id);
    await setting(admin, 'POST', '', { name: 'brief', group: 'md' });
    expect(await ids()).toContain('brief');
    socket.send({ op: 'GET_INTERPRETER_SETTINGS', data: {}, ...bob.identity });
    expect(JSON.stringify((await socket.next('INTERPRETER_SETTINGS')).data)).toContain('"brief"');
    expect((await call(admin, 'DELETE', '/interpreter/setting/brief')).status).toBe(200);
    expect(await ids()).not.toContain('brief');
    expect(await run(bob, place, '%brief\nx')).toMatch(/^Interpreter brief not found\. /);
  });

  it("is refused with upstream's message", async () => {
    const taken = { name: 'sql', group: 'sql' };
    expect((await call(admin, 'POST', '/interpreter/setting', taken)).json).toMatchObject({
      status: 'NOT_FOUND',
      message: 'Interpreter sql already existed',
    });
    expect(
      (await call(bob, 'PUT', '/interpreter/setting/restart/js', { noteId: '2NOSUCHID' })).status,
    ).toBe(404);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(
        (await call(admin, method, '/interpreter/setting/nope', method === 'PUT' ? {} : undefined))
          .status,
      ).toBe(404);
    expect(
      (await call(bob, 'POST', '/interpreter/setting', { name: 'fresh', group: 'sql' })).status,
    ).toBe(403);
  });

  it('with owners serves only them [W89]', async () => {
    const place = await note();
    await setting(admin, 'POST', '', {
      name: 'closed',
      group: 'sql',
      option: { setPermission: true, owners: ['admin'] },
    });
    expect(await run(admin, place, '%closed\nselect 1 as n')).toBe('n\n1');
    expect(await run(bob, place, '%closed\nselect 1 as n')).toBe(
      `Paragraph ${place.paragraphs![0]!.id}: you don't have permission to use interpreter closed.`,
    );
    expect((await call(bob, 'PUT', '/interpreter/setting/restart/closed', {})).status).toBe(403);
    expect((await call(admin, 'PUT', '/interpreter/setting/closed', {})).status).toBe(400);
    await setting(admin, 'PUT', '/closed', {
      option: { setPermission: true, owners: ['analyst'] },
    });
    expect(await run(bob, place, '%closed\nselect 1 as n')).toBe('n\n1');
  });

  it('uses its properties', async () => {
    const place = await note();
    await setting(admin, 'POST', '', {
      name: 'root',
      group: 'sh',
      properties: { 'shell.working.directory': { value: '/' } },
    });
    expect(await run(admin, place, '%root\npwd')).toBe('/');
    await setting(admin, 'PUT', '/root', {
      properties: { 'shell.working.directory': { value: '/tmp' } },
    });
    expect(await run(admin, place, '%root\npwd')).toBe('/tmp');
  });

  it('with unavailable dependencies reports that and does not run', async () => {
    const place = await note();
    // A missing file: pip fails without using the network.
    const nowhere = await setting(admin, 'POST', '', {
      name: 'py2',
      group: 'python',
      dependencies: [{ groupArtifactVersion: '/nonexistent/thing-1-py3-none-any.whl' }],
    });
    expect(nowhere.status).toBe('DOWNLOADING_DEPENDENCIES');
    await expect.poll(async () => (await setting(admin, 'GET', '/py2')).status).toBe('ERROR');
    const { errorReason } = await setting(admin, 'GET', '/py2');
    expect(errorReason).toMatch(
      /^Cannot fetch dependencies for \/nonexistent\/thing-1-py3-none-any\.whl: /,
    );
    expect(await run(admin, place, '%py2\n1')).toBe(`Interpreter py2 is not ready: ${errorReason}`);
    const clusters = (await call(admin, 'GET', '/magpie/clusters')).json as {
      clusters: { health: object }[];
    };
    expect(clusters.clusters[0]!.health).toEqual({ driver: 'Healthy', workers: 'Degraded' });
    expect((await call(admin, 'DELETE', '/interpreter/setting/py2')).status).toBe(200);
  });

  it('lists its processes, and shows sessions to the users concerned', async () => {
    await setting(admin, 'POST', '', {
      name: 'idle',
      group: 'js',
      option: { perNote: 'shared', perUser: 'isolated' },
    });
    expect((await call(bob, 'GET', '/interpreter/metadata/idle')).json).toEqual({
      status: 'OK',
      message: '',
    });
    const place = await note();
    await run(bob, place, '%idle\n1');
    expect(
      bodyOf<{ message: string }>(await call(bob, 'GET', '/interpreter/metadata/idle')).message,
    ).toMatch(/^idle: 1 instance, 0 running, the first since 20/);
    const sessions = async (who: Login) =>
      bodyOf<{ sessionId: string; interpreter: string }[]>(
        await call(who, 'GET', '/session'),
      ).filter(({ interpreter }) => interpreter === 'idle');
    expect(await sessions(bob)).toMatchObject([
      { sessionId: expect.stringMatching(/^idle_\d+$/) as string, state: 'Ready' },
    ]);
    await new Users(data).set('carol', { password: PASSWORD });
    const carol = await login(people.url, 'carol', PASSWORD);
    expect(await sessions(carol)).toEqual([]);
    expect(
      (await call(carol, 'DELETE', `/session/${(await sessions(bob))[0]!.sessionId}`)).status,
    ).toBe(404);
    expect(
      (await call(bob, 'DELETE', `/session/${(await sessions(bob))[0]!.sessionId}`)).status,
    ).toBe(200);
    expect(await sessions(bob)).toEqual([]);
    expect((await call(bob, 'GET', '/interpreter/metadata/nope')).status).toBe(404);
  });

  it('opens a session with its own note', async () => {
    const session = bodyOf<{ sessionId: string; noteId: string }>(
      await call(bob, 'POST', '/session?interpreter=js'),
    );
    const place = bodyOf<Note>(await call(bob, 'GET', `/notebook/${session.noteId}`));
    await run(bob, await note(), '%js\nglobalThis.apart = 1');
    expect(await run(bob, place, 'console.log(typeof apart)')).toBe('undefined');
    expect(bodyOf(await call(bob, 'GET', `/session/${session.sessionId}`))).toMatchObject({
      ...session,
      interpreter: 'js',
      state: 'Ready',
    });
    expect((await call(bob, 'DELETE', `/session/${session.sessionId}`)).status).toBe(200);
    expect((await call(bob, 'GET', `/session/${session.sessionId}`)).json).toEqual({
      status: 'NOT_FOUND',
      message: `No such session: ${session.sessionId}`,
    });
    expect((await call(bob, 'GET', `/notebook/${session.noteId}`)).status).toBe(404);
    expect((await call(bob, 'POST', '/session?interpreter=nope')).status).toBe(404);
  });
});

describe('repositories and credentials', () => {
  it('are listed without their passwords; central and local stay [W41]', async () => {
    expect(
      await call(admin, 'POST', '/interpreter/repository', {
        id: 'mine',
        url: 'https://repo.example.org/',
        snapshot: false,
        username: 'u',
        password: 'repo-secret',
        proxyPort: null,
      }),
    ).toMatchObject({ status: 200 });
    const list = async (who: Login) =>
      JSON.stringify(bodyOf(await call(who, 'GET', '/interpreter/repository')));
    expect(await list(admin)).toContain('"username":"u"');
    expect(await list(bob)).not.toContain('"username"');
    expect(await list(admin)).not.toContain('repo-secret');
    expect((await call(admin, 'DELETE', '/interpreter/repository/central')).status).toBe(403);
    expect(
      (await call(admin, 'POST', '/interpreter/repository', { id: 'bad', url: 'ssh://x' })).status,
    ).toBe(400);
    expect((await call(admin, 'DELETE', '/interpreter/repository/mine')).status).toBe(200);
  });

  it('belong to the user who added them', async () => {
    expect(
      await call(bob, 'PUT', '/credential', {
        entity: 'jdbc.pg',
        username: 'u',
        password: 'bobs-secret',
      }),
    ).toMatchObject({ status: 200 });
    expect(bodyOf(await call(bob, 'GET', '/credential'))).toEqual({
      userCredentials: { 'jdbc.pg': { username: 'u', password: '********' } },
    });
    expect(bodyOf(await call(admin, 'GET', '/credential'))).toEqual({ userCredentials: {} });
    expect(
      (await call(bob, 'PUT', '/credential', { entity: ' ', username: 'u', password: '' })).json,
    ).toEqual({ status: 'BAD_REQUEST', message: 'Username \\ Entity can not be empty.' });
    expect((await call(admin, 'DELETE', '/credential/jdbc.pg')).status).toBe(404);
    expect((await call(bob, 'DELETE', '/credential/jdbc.pg')).status).toBe(200);
    expect((await call(bob, 'DELETE', '/credential/jdbc.pg')).json).toEqual({
      status: 'NOT_FOUND',
      message: 'No such credential: jdbc.pg',
    });
  });
});

describe('a credential', () => {
  it('is available in Python to its own user only, who sees their SQL tables there', async () => {
    const place = await note();
    await call(bob, 'PUT', '/credential', {
      entity: 'jdbc.pg',
      username: 'reader',
      password: 'bobs-secret',
    });
    const ask =
      '%python\nlogin = z.credential("jdbc.pg"); print(login["username"], len(login["password"]))';
    expect(await run(bob, place, ask)).toContain(
      'Credentials are only available to single-user interpreters. ' +
        'Set python to isolated per user.',
    );
    await setting(admin, 'PUT', '/python', { option: { perNote: 'shared', perUser: 'isolated' } });
    expect(await run(bob, place, ask)).toBe('reader 11');
    expect(await run(admin, place, ask)).toContain('No such credential: jdbc.pg');
    await run(bob, place, '%sql\ncreate table for_python as select 5 as n');
    expect(await run(bob, place, '%python\nprint(z.table("for_python").n.sum())')).toBe('5');
    await call(bob, 'DELETE', '/credential');
  });
});

describe('credentials in the text of a paragraph', () => {
  it('work in SQL, shell, JavaScript and Python of one user, and never leak', async () => {
    const place = await note();
    await call(bob, 'PUT', '/credential', {
      entity: 'jdbc.pg',
      username: 'reader',
      password: "bob's<secret>",
    });
    for (const group of ['sql', 'sh', 'js', 'python']) {
      const made = await setting(admin, 'POST', '', {
        name: `own${group}`,
        group,
        properties: {
          injectCredentials: { name: 'injectCredentials', value: true, type: 'checkbox' },
        },
        dependencies: [],
        option: { perNote: 'shared', perUser: 'isolated' },
      });
      expect(made).toMatchObject({
        properties: { injectCredentials: { value: true, type: 'checkbox' } },
      });
    }
    // It is off by default: then the placeholder is ordinary text.
    expect(await run(bob, place, "%sql\nselect '{jdbc.pg.user}' as who")).toBe(
      'who\n{jdbc.pg.user}',
    );
    const sql =
      "%ownsql\nselect '{jdbc.pg.user}' as who, " +
      'length(trim($q$ {jdbc.pg.password}$q$)) as n, ' +
      'trim($q$ {jdbc.pg.password}$q$) as shown';
    expect(await run(bob, place, sql)).toBe('who\tn\tshown\nreader\t13\t###');
    expect(
      await run(bob, place, '%ownsql\nselect nothing($q$ {jdbc.pg.password}$q$)'),
    ).not.toContain('secret');
    const sh = [
      '%ownsh',
      "read -r login <<'END'",
      '{jdbc.pg.user} {jdbc.pg.password}',
      'END',
      'echo "$login"',
      'tr "\\0" " " < /proc/$$/cmdline | grep -c secret',
      'printf bob; sleep 0.2; printf "\'s<secret>"',
    ].join('\n');
    // Not in a command line, and not shown if it is printed in two pieces.
    expect(await run(bob, place, sh)).toBe('reader ###\n0\n###');
    const js =
      '%ownjs\nvar a = `{jdbc.pg.password}`; ' +
      'const b = await z.credential("jdbc.pg"); ' +
      'console.log(a === b.password, a.length, b); ' +
      'z.html(a.replaceAll("<", "&lt;").replaceAll(">", "&gt;"))';
    expect(await run(bob, place, js)).toBe(
      'true 13 { username: \'reader\', password: "###" }\n###',
    );
    expect(await run(bob, place, '%ownjs\nawait z.credential("other")')).toContain(
      'No such credential: other',
    );
    expect(await run(bob, place, '%ownjs\nthrow new Error(a)')).toMatch(/Error: ###/);
    expect(await run(bob, place, '%ownpython\np = "{jdbc.pg.password}"; print(len(p), p)')).toBe(
      '13 ###',
    );
    expect(
      await run(bob, place, '%ownpython\nprint(p, z.credential("jdbc.pg")); raise ValueError(p)'),
    ).not.toContain('secret');
    // Credentials of other users are not inserted.
    expect(await run(admin, place, '%ownsh\necho {jdbc.pg.user}')).toBe('{jdbc.pg.user}');
    await run(bob, place, sql);
    const stored = await readFile(join(data, 'notebook', place.id, 'note.json'), 'utf8');
    expect(stored).toContain('{jdbc.pg.password}');
    expect(stored).not.toContain('secret');
    await setting(admin, 'PUT', '/ownsql', { option: { perNote: 'shared', perUser: 'shared' } });
    expect(await run(bob, place, sql)).toBe(
      'Credentials are only available to single-user interpreters. ' +
        'Set ownsql to isolated per user.',
    );
    await call(bob, 'DELETE', '/credential');
  });
});

describe('a restart of the server', () => {
  it('keeps the settings', async () => {
    await setting(admin, 'PUT', '/pg2', {
      option: { perNote: 'isolated' },
      properties: { token: { value: 'setting-secret', type: 'password' } },
    });
    const before = bodyOf<InterpreterSetting[]>(await call(admin, 'GET', '/interpreter/setting'));
    expect(JSON.stringify(before)).not.toContain('setting-secret');
    expect(await readFile(join(data, 'interpreter.json'), 'utf8')).not.toContain('setting-secret');
    await people.restart();
    expect(bodyOf(await call(people.admin, 'GET', '/interpreter/setting'))).toEqual(before);
  });
});
