/** The built program as people and scripts start it: what it prints, how it ends, what it leaves. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Note } from 'tiding/protocol';
import { runCli, startProcess, type ServerProcess } from './support/process.ts';
import { asPage, login, openSocket, request, type Login } from './support/raw.ts';

const PASSWORD = 'a-password-for-tests';
/** One line, from the program and not from the runtime. */
const oneLine = (text: RegExp) => new RegExp(`^tiding: ${text.source}\\n$`);

let folder: string;
let data: string;
const servers: ServerProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiding-cli-'));
  data = join(folder, 'data');
  // Without the sample notes it starts sooner.
  await mkdir(data);
  await writeFile(join(data, 'samples.json'), '{}');
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.kill('SIGKILL')));
  await rm(folder, { recursive: true, force: true });
});

const start = async (flags: string[] = [], env: NodeJS.ProcessEnv = {}) => {
  const server = await startProcess(['--port', '0', '--data', data, ...flags], env);
  servers.push(server);
  return server;
};
/** A start that is to fail. */
const refused = (flags: string[], env: NodeJS.ProcessEnv = {}) =>
  runCli(['--no-open', '--port', '0', '--data', data, ...flags], {
    env: { TIDING_LOG: 'error', ...env },
  });
const addUser = (name: string, ...flags: string[]) =>
  runCli(['user', 'add', name, '--data', data, ...flags], { input: `${PASSWORD}\n` });
const signIn = async (server: ServerProcess): Promise<Login> => {
  const token = /login=([\w-]+)$/.exec(server.line)?.[1];
  if (!token) return login(server.url, 'admin', PASSWORD);
  const answer = await request(server.url, 'POST', '/api/login/once', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  expect(answer.status).toBe(200);
  return {
    cookie: answer.headers['set-cookie']![0]!.split(';')[0]!,
    identity: (answer.json as { body: Login['identity'] }).body,
  };
};
const call = (server: ServerProcess, who: Login, method: string, path: string, body?: unknown) =>
  request(server.url, method, `/api${path}`, {
    headers: asPage(who),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const interpreters = async (server: ServerProcess, who: Login) =>
  (
    (await call(server, who, 'GET', '/interpreter/setting')).json as { body: { name: string }[] }
  ).body.map(({ name }) => name);
/** A note with one paragraph. */
const noteOf = async (server: ServerProcess, who: Login, text: string) => {
  const id = (
    (
      await call(server, who, 'POST', '/notebook', {
        name: `cli ${Math.random()}`,
        paragraphs: [{ text }],
      })
    ).json as { body: string }
  ).body;
  const note = (await call(server, who, 'GET', `/notebook/${id}`)).json as { body: Note };
  return { id, paragraph: note.body.paragraphs![0]!.id };
};
const stored = async (id: string) =>
  (JSON.parse(await readFile(join(data, 'notebook', id, 'note.json'), 'utf8')) as Note)
    .paragraphs![0]!;

describe('starting', () => {
  it('prints one line with a link that signs in, and nothing else', async () => {
    // The very first start, with everything.
    await rm(data, { recursive: true });
    const server = await start();
    let more = '';
    server.child.stdout!.on('data', (chunk: Buffer) => (more += chunk));
    expect(server.line).toMatch(
      /^Tiding is running\. Open http:\/\/127\.0\.0\.1:\d+\/#\/\?login=[\w-]+$/,
    );
    const who = await signIn(server);
    expect(who.identity.principal).toBe('admin');
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(more).toBe('');
    expect(server.errors()).toBe('');
  });

  it('prints a link without a secret where there is a password', async () => {
    const server = await start([], { TIDING_ADMIN_PASSWORD: PASSWORD });
    expect(server.line).toMatch(/^Tiding is running\. Open http:\/\/127\.0\.0\.1:\d+$/);
    expect((await signIn(server)).identity.roles).toContain('global.SuperAdmin');
  });

  it('says in one line that its port is taken', async () => {
    const port = new URL((await start()).url).port;
    const other = await runCli(['--no-open', '--port', port, '--data', join(folder, 'other')], {
      env: { TIDING_LOG: 'error' },
    });
    expect(other.err).toMatch(
      oneLine(/Port \d+ is in use\. Choose another with --port, or --port 0 for a free one\./),
    );
    expect([other.code, other.out]).toEqual([1, '']);
  });

  it('says in one line that another server has its folder, and starts when that one is gone, however it went', async () => {
    const first = await start();
    const second = await refused([]);
    expect(second.err).toMatch(
      oneLine(
        new RegExp(
          `The data folder ${data} is in use by another server \\(process ${first.child.pid}\\)\\. Stop it, or choose another folder with --data\\.`,
        ),
      ),
    );
    expect([second.code, second.out]).toEqual([1, '']);
    await first.kill('SIGKILL');
    const third = await start();
    expect(await third.kill('SIGTERM')).toBe(0);
    await start();
  });

  it('says in one line that its folder cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    for (const path of ['file', 'file/below']) {
      const { code, out, err } = await runCli([
        '--no-open',
        '--port',
        '0',
        '--data',
        join(folder, path),
      ]);
      expect(err).toMatch(
        oneLine(/The data folder \S+ cannot be written \(E[A-Z]+\)\. Choose another with --data\./),
      );
      expect([code, out]).toEqual([1, '']);
    }
  });

  it.each(['users.json', 'notebook-authorization.json'])(
    'says in one line that %s is damaged, and lets nobody in on a guess',
    async (name) => {
      await (await start()).kill('SIGTERM');
      await writeFile(join(data, name), '{"torn');
      const { code, out, err } = await refused([]);
      expect(err).toMatch(oneLine(/The file \S+\.json is damaged: it is not JSON\./));
      expect([code, out]).toEqual([1, '']);
    },
  );

  it('says in one line that Python is missing, and runs', async () => {
    const server = await start([], { TIDING_PYTHON: '/nonexistent' });
    expect(server.errors()).toMatch(oneLine(/Python 3 was not found; %python will not run\. .*/));
    const who = await signIn(server);
    const { id, paragraph } = await noteOf(server, who, '%python\nprint(1)');
    const answer = await call(server, who, 'POST', `/notebook/run/${id}/${paragraph}`, {});
    expect(answer.status).toBe(500);
    expect(answer.text).toMatch(/Python/);
    expect((await request(server.url, 'GET', '/healthz')).status).toBe(200);
  });
});

it('callers that hang up in the middle leave no line and do no harm', async () => {
  const server = await start([], { TIDING_ADMIN_PASSWORD: PASSWORD });
  const { hostname, port } = new URL(server.url);
  const starts = [
    `POST /api/login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nuserName=`,
    `POST /api/login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nuserN`,
    `GET /nowhere HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    `GET // HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    'GET / HTTP/1.1\r\nHost',
    'nonsense\r\n\r\n',
  ];
  await Promise.all(
    starts.flatMap((text) =>
      Array.from(
        { length: 10 },
        () =>
          new Promise<void>((resolve) => {
            const socket = connect(Number(port), hostname, () =>
              socket.write(text, () => setImmediate(() => socket.resetAndDestroy())),
            );
            socket.on('error', () => {});
            socket.on('close', () => resolve());
          }),
      ),
    ),
  );
  expect((await signIn(server)).identity.principal).toBe('admin');
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(server.errors()).toBe('');
});

describe('listening to others', () => {
  const refusal = oneLine(
    /Refusing to listen on 0\.0\.0\.0 without a password: set TIDING_ADMIN_PASSWORD, or run 'tiding user add admin'\./,
  );

  it('is refused without a password, and accepted with one in the environment, at the first start and later', async () => {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { code, out, err } = await refused(['--host', '0.0.0.0']);
      expect(err).toMatch(refusal);
      expect([code, out]).toEqual([1, '']);
    }
    const server = await start(['--host', '0.0.0.0'], { TIDING_ADMIN_PASSWORD: PASSWORD });
    expect((await signIn(server)).identity.roles).toContain('global.SuperAdmin');
    await server.kill('SIGTERM');
    // It is kept; and the variable does not change one that is there.
    const again = await start(['--host', '0.0.0.0'], {
      TIDING_ADMIN_PASSWORD: `${PASSWORD}-other`,
    });
    expect((await signIn(again)).identity.principal).toBe('admin');
  });

  it('is accepted with a password from the command line, also when that came before the first start', async () => {
    expect((await addUser('admin')).code).toBe(0);
    const server = await start(['--host', '0.0.0.0']);
    expect((await signIn(server)).identity.roles).toContain('global.SuperAdmin');
  });

  it('a password in the environment that is too short is refused in one line', async () => {
    const { code, out, err } = await refused([], { TIDING_ADMIN_PASSWORD: 'short' });
    expect(err).toMatch(oneLine(/the password needs at least 8 characters/));
    expect([code, out]).toEqual([1, '']);
  });
});

describe('users and tokens', () => {
  it('a user is added by name and a password on standard input, listed and removed', async () => {
    expect(await addUser('bob', '--role', 'magpie.AccessToken', '--role', 'other')).toEqual({
      code: 0,
      out: '',
      err: 'tiding: bob can sign in.\n',
    });
    expect(await addUser('alice')).toMatchObject({ code: 0 });
    expect(await runCli(['user', 'list', '--data', data])).toEqual({
      code: 0,
      out: 'alice\t\nbob\tmagpie.AccessToken,other\n',
      err: '',
    });
    expect(await runCli(['user', 'remove', 'alice', '--data', data])).toEqual({
      code: 0,
      out: '',
      err: 'tiding: alice can no longer sign in.\n',
    });
    expect(await runCli(['user', 'list', '--data', data])).toMatchObject({
      out: 'bob\tmagpie.AccessToken,other\n',
    });
    expect(await runCli(['user', 'remove', 'alice', '--data', data])).toEqual({
      code: 1,
      out: '',
      err: "tiding: there is no user 'alice'\n",
    });
  });

  it.each([
    ['too short', 'bob', 'seven77\n', /the password needs at least 8 characters/],
    ['no password', 'bob', '', /no password was given on standard input/],
    ['an empty line', 'bob', '\n', /no password was given on standard input/],
    ['a bad name', 'a b', `${PASSWORD}\n`, /'a b' is not a user name: .*/],
    ["nobody's name", 'anonymous', `${PASSWORD}\n`, /'anonymous' is not a user name: .*/],
  ])('%s is refused in one line, and nobody is added', async (_, name, input, message) => {
    const { code, out, err } = await runCli(['user', 'add', name, '--data', data], { input });
    expect(err).toMatch(oneLine(message));
    expect([code, out]).toEqual([1, '']);
    expect((await runCli(['user', 'list', '--data', data])).out).toBe('');
  });

  it('there is an administrator although somebody else was added first', async () => {
    await addUser('bob');
    const server = await start();
    expect((await signIn(server)).identity.roles).toContain('global.SuperAdmin');
    expect((await login(server.url, 'bob', PASSWORD)).identity.roles).toBe('[]');
  });

  it('a running server knows users and tokens made beside it, and no longer those removed', async () => {
    const server = await start();
    await addUser('bob');
    const bob = await login(server.url, 'bob', PASSWORD);
    const made = await runCli([
      'token',
      'create',
      'bob',
      '--data',
      data,
      '--description',
      'ci',
      '--days',
      '1',
    ]);
    expect(made).toEqual({
      code: 0,
      out: expect.stringMatching(/^tdg_[\w-]{43}\n$/) as string,
      err: '',
    });
    const byToken = () =>
      request(server.url, 'GET', '/api/notebook', {
        headers: { Authorization: `Bearer ${made.out.trim()}` },
      });
    expect((await byToken()).status).toBe(200);
    await runCli(['user', 'remove', 'bob', '--data', data]);
    expect((await call(server, bob, 'GET', '/notebook')).status).toBe(401);
    expect((await byToken()).status).toBe(401);
    // Another person of that name does not come by them either.
    await addUser('bob');
    expect((await call(server, bob, 'GET', '/notebook')).status).toBe(401);
    expect((await byToken()).status).toBe(401);
  });

  it.each([
    [['nobody'], /there is no user 'nobody'/],
    [['bob', '--days', '0'], /expiresInDays must be from 1 to 3650/],
    [['bob', '--days', 'x'], /expiresInDays must be from 1 to 3650/],
  ])('a token for %j is refused in one line', async (args, message) => {
    await addUser('bob');
    const { code, out, err } = await runCli(['token', 'create', ...args, '--data', data]);
    expect(err).toMatch(oneLine(message));
    expect([code, out]).toEqual([1, '']);
  });
});

describe('stopping', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends what runs as ABORT with its output, ends its processes, closes its sockets and exits with 0',
    async (signal) => {
      const server = await start();
      const who = await signIn(server);
      const { id, paragraph } = await noteOf(server, who, '%sh\necho $$; sleep 600');
      const socket = await openSocket(server.url, { identity: who.identity });
      socket.send({ op: 'GET_NOTE', data: { id } });
      socket.send({ op: 'RUN_PARAGRAPH', data: { id: paragraph, noteId: id } });
      const { data: output } = await socket.next('PARAGRAPH_APPEND_OUTPUT');
      const pid = Number(output['data']);
      expect(process.kill(pid, 0)).toBe(true);
      // Later than 10 s it ends itself with 1.
      expect(await server.kill(signal)).toBe(0);
      expect((await socket.closed).code).toBe(1001);
      expect(await stored(id)).toMatchObject({
        status: 'ABORT',
        results: { msg: [{ type: 'TEXT', data: `${pid}\n` }] },
      });
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
      expect(server.errors()).toBe('');
    },
  );

  it('what ran when the server was killed comes back as ABORT, with what it had printed and the reason', async () => {
    const server = await start();
    const who = await signIn(server);
    const { id, paragraph } = await noteOf(server, who, '%sh\necho so far; sleep 600');
    await call(server, who, 'POST', `/notebook/job/${id}/${paragraph}`, {});
    await expect.poll(async () => (await stored(id)).results?.msg?.[0]?.data).toBe('so far\n');
    await server.kill('SIGKILL');
    expect((await stored(id)).status).toBe('RUNNING');
    const again = await start();
    const note = (await call(again, await signIn(again), 'GET', `/notebook/${id}`)).json as {
      body: Note;
    };
    expect(note.body.paragraphs![0]).toMatchObject({
      status: 'ABORT',
      errorMessage: 'The server stopped while this paragraph ran.',
      results: { msg: [{ type: 'TEXT', data: 'so far\n' }] },
    });
  });
});

describe('%sh', () => {
  it('is there for one person on this machine, and gone at once when somebody else may sign in', async () => {
    const server = await start();
    const who = await signIn(server);
    expect(await interpreters(server, who)).toContain('sh');
    const shell = await noteOf(server, who, '%sh\necho ran');
    const run = () => call(server, who, 'POST', `/notebook/run/${shell.id}/${shell.paragraph}`, {});
    expect((await run()).text).toContain('ran\\n');
    await addUser('bob');
    expect(await interpreters(server, who)).not.toContain('sh');
    const off = await run();
    expect(off.status).toBe(500);
    expect(off.text).toMatch(
      /Interpreter sh is turned off on this server: more than one person signs in/,
    );
    await runCli(['user', 'remove', 'bob', '--data', data]);
    expect(await interpreters(server, who)).toContain('sh');
  });

  it('is kept for several people by --shell, and taken from one by --no-shell', async () => {
    await addUser('bob');
    const several = await start(['--shell']);
    expect(await interpreters(several, await signIn(several))).toContain('sh');
    await several.kill('SIGTERM');
    await runCli(['user', 'remove', 'bob', '--data', data]);
    const one = await start(['--no-shell']);
    expect(await interpreters(one, await signIn(one))).not.toContain('sh');
  });

  it('is not there for one person where others can reach the server', async () => {
    const server = await start(['--host', '0.0.0.0'], { TIDING_ADMIN_PASSWORD: PASSWORD });
    expect(await interpreters(server, await signIn(server))).not.toContain('sh');
  });
});
