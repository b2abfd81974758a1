/**
 * The program as users and scripts start it: its output, exit codes and files. Commands run in this
 * process, and so do servers, except in tests of their output, their signals and their crashes: a
 * process takes more than a second of processor time to start.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Note } from '@tiding/client/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runCommand, startCommand } from './support/command-line.ts';
import { bodyOf } from './support/people.ts';
import { runCli, type ServerProcess, startProcess } from './support/process.ts';
import { type ApiCall, callApi, type Login, login, openSocket, request } from './support/raw.ts';
import { temporaryFolder } from './support/until-end.ts';

const PASSWORD = 'a-password-for-tests';
/** One line, printed by the program and not by the runtime. */
const oneLine = (text: RegExp) => new RegExp(`^tiding: ${text.source}\\n$`);

let folder: string;
let data: string;
/** A server in this process or in one of its own. */
type Started = Pick<ServerProcess, 'url' | 'line'>;
const servers: ServerProcess[] = [];
const closers: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = temporaryFolder();
  data = join(folder, 'data');
  // It starts faster without the sample notes.
  await mkdir(data);
  await writeFile(join(data, 'samples.json'), '{}');
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.kill('SIGKILL')));
  await Promise.all(closers.splice(0).map((close) => close()));
});

const start = async (flags: string[] = [], env: NodeJS.ProcessEnv = {}) => {
  const server = await startProcess(['--port', '0', '--data', data, ...flags], env);
  servers.push(server);
  return server;
};
/** A server in this process. Its settings come from `process.env`. */
const serve = (flags: string[], env: Record<string, string>) => {
  for (const [name, value] of Object.entries({ TIDING_LOG: 'error', ...env }))
    vi.stubEnv(name, value);
  return startCommand(['--no-open', '--port', '0', '--data', data, ...flags]);
};
/** Starts a server in this process. */
const startHere = async (
  flags: string[] = [],
  env: Record<string, string> = {},
): Promise<Started & { stop: () => Promise<unknown> }> => {
  const { said, ended, kill } = serve(flags, env);
  const stop = () => {
    kill('SIGTERM');
    return ended;
  };
  closers.push(stop);
  try {
    const failed = ended.then((code) => {
      throw new Error(`the server ended with ${code}: ${said.err}`);
    });
    await Promise.race([expect.poll(() => said.out).toContain('\n'), failed]);
  } finally {
    vi.unstubAllEnvs();
  }
  const line = said.out.trim();
  return { line, url: /(http:\/\/[^/\s]+)/.exec(line)![1]!, stop };
};
/** Starts a server in this process that is expected to fail. */
const refused = async (flags: string[], env: Record<string, string> = {}) => {
  const { said, ended } = serve(flags, env);
  try {
    return { code: await ended, ...said };
  } finally {
    vi.unstubAllEnvs();
  }
};
const addUser = (name: string, ...flags: string[]) =>
  runCommand(['user', 'add', name, '--data', data, ...flags], { input: `${PASSWORD}\n` });
const signIn = async (server: Started): Promise<Login> => {
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
const call = (server: Started, who: Login, ...args: ApiCall) => callApi(server.url, who, ...args);
const interpreters = async (server: Started, who: Login) =>
  (await bodyOf<{ name: string }[]>(call(server, who, 'GET', '/interpreter/setting'))).map(
    ({ name }) => name,
  );
/** Creates a note with one paragraph. */
const noteOf = async (server: Started, who: Login, text: string) => {
  const id = await bodyOf<string>(
    call(server, who, 'POST', '/notebook', {
      name: `cli ${Math.random()}`,
      paragraphs: [{ text }],
    }),
  );
  const note = (await call(server, who, 'GET', `/notebook/${id}`)).json as { body: Note };
  return { id, paragraph: note.body.paragraphs![0]!.id };
};
const stored = async (id: string) =>
  (JSON.parse(await readFile(join(data, 'notebook', id, 'note.json'), 'utf8')) as Note)
    .paragraphs![0]!;

describe('starting', () => {
  it('prints one line with a sign-in link, and nothing else', async () => {
    // The first start, with all default content.
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

  it('prints a link without a secret if a password is set', async () => {
    const server = await startHere([], { TIDING_ADMIN_PASSWORD: PASSWORD });
    expect(server.line).toMatch(/^Tiding is running\. Open http:\/\/127\.0\.0\.1:\d+$/);
    expect((await signIn(server)).identity.roles).toContain('global.SuperAdmin');
  });

  it('reports a used port in one line', async () => {
    const port = new URL((await start()).url).port;
    // As a process: its exit code and its streams are the program's.
    const other = await runCli(['--no-open', '--port', port, '--data', join(folder, 'other')], {
      env: { TIDING_LOG: 'error' },
    });
    expect(other.err).toMatch(
      oneLine(/Port \d+ is in use\. Choose another with --port, or --port 0 for a free one\./),
    );
    expect([other.code, other.out]).toEqual([1, '']);
  });

  it('reports a used data folder in one line, and starts once it is free [S72]', async () => {
    const first = await start();
    const second = await refused([]);
    expect(second.err).toMatch(
      oneLine(
        new RegExp(
          `The data folder ${data} is in use by another server ` +
            `\\(process ${first.child.pid}\\)\\. ` +
            'Stop it, or choose another folder with --data\\.',
        ),
      ),
    );
    expect([second.code, second.out]).toEqual([1, '']);
    await first.kill('SIGKILL');
    const third = await start();
    expect(await third.kill('SIGTERM')).toBe(0);
    await start();
  });

  it('reports an unwritable data folder in one line', async () => {
    await writeFile(join(folder, 'file'), '');
    for (const path of ['file', 'file/below']) {
      const { code, out, err } = await refused(['--data', join(folder, path)]);
      expect(err).toMatch(
        oneLine(/The data folder \S+ cannot be written \(E[A-Z]+\)\. Choose another with --data\./),
      );
      expect([code, out]).toEqual([1, '']);
    }
  });

  it.each(['users.json', 'notebook-authorization.json'])(
    'reports that %s is damaged in one line, and lets nobody sign in',
    async (name) => {
      await (await startHere()).stop();
      await writeFile(join(data, name), '{"torn');
      const { code, out, err } = await refused([]);
      expect(err).toMatch(oneLine(/The file \S+\.json is damaged: it is not JSON\./));
      expect([code, out]).toEqual([1, '']);
    },
  );

  it('reports missing Python in one line, and starts', async () => {
    const server = await start([], { TIDING_PYTHON: '/nonexistent' });
    expect(server.errors()).toMatch(oneLine(/Python 3 was not found; %python will not run\. .*/));
    const who = await signIn(server);
    const { id, paragraph } = await noteOf(server, who, '%python\nprint(1)');
    const answer = await call(server, who, 'POST', `/notebook/run/${id}/${paragraph}`, {});
    expect(answer.text).toMatch(/"code":"ERROR".*Python/);
    expect((await request(server.url, 'GET', '/healthz')).status).toBe(200);
  });
});

it('clients that disconnect early cause no log line and no error', async () => {
  const server = await start([], { TIDING_ADMIN_PASSWORD: PASSWORD });
  const { hostname, port } = new URL(server.url);
  const host = `Host: ${hostname}:${port}\r\n`;
  const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  const starts = [
    `POST /api/login HTTP/1.1\r\n${host}${form}Content-Length: 1000\r\n\r\nuserName=`,
    `POST /api/login HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n5\r\nuserN`,
    `GET /nowhere HTTP/1.1\r\n${host}${upgrade}\r\n`,
    `GET // HTTP/1.1\r\n${host}${upgrade}\r\n`,
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

describe('listening to other hosts', () => {
  const refusal = oneLine(
    new RegExp(
      'Refusing to listen on 0\\.0\\.0\\.0 without a password: ' +
        "set TIDING_ADMIN_PASSWORD, or run 'tiding user add admin'\\.",
    ),
  );

  it('is refused without a password, and accepted with one in the environment [S19]', async () => {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { code, out, err } = await refused(['--host', '0.0.0.0']);
      expect(err).toMatch(refusal);
      expect([code, out]).toEqual([1, '']);
    }
    const server = await startHere(['--host', '0.0.0.0'], { TIDING_ADMIN_PASSWORD: PASSWORD });
    expect((await signIn(server)).identity.roles).toContain('global.SuperAdmin');
    await server.stop();
    // The password is stored; the variable does not change an existing one.
    const again = await startHere(['--host', '0.0.0.0'], {
      TIDING_ADMIN_PASSWORD: `${PASSWORD}-other`,
    });
    expect((await signIn(again)).identity.principal).toBe('admin');
  });

  it('is accepted with a password set by a command, even before the first start', async () => {
    expect((await addUser('admin')).code).toBe(0);
    const server = await startHere(['--host', '0.0.0.0']);
    expect((await signIn(server)).identity.roles).toContain('global.SuperAdmin');
  });

  it.each([
    ['Team', 'Use the form Team=shared or Team=private.'],
    ['Team=public', "New notes can be private or shared, not 'public'."],
  ])('rejects the rule %s for a folder', async (rule, reason) => {
    const { code, err } = await refused(['--new-notes-in', rule]);
    expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
  });

  it('rejects a short password in the environment, in one line', async () => {
    const { code, out, err } = await refused([], { TIDING_ADMIN_PASSWORD: 'short' });
    expect(err).toMatch(oneLine(/The password needs at least 8 characters\./));
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
    expect(await runCommand(['user', 'list', '--data', data])).toEqual({
      code: 0,
      out: 'alice\t\t-\nbob\tmagpie.AccessToken,other\t-\n',
      err: '',
    });
    expect(await runCommand(['user', 'remove', 'alice', '--data', data])).toEqual({
      code: 0,
      out: '',
      err: 'tiding: alice can no longer sign in.\n',
    });
    expect(await runCommand(['user', 'list', '--data', data])).toMatchObject({
      out: 'bob\tmagpie.AccessToken,other\t-\n',
    });
    expect(await runCommand(['user', 'remove', 'alice', '--data', data])).toEqual({
      code: 1,
      out: '',
      err: "tiding: there is no user 'alice'\n",
    });
  });

  it('a user is invited by a link, and disabled and enabled', async () => {
    const run = (...args: string[]) => runCommand(['user', ...args, '--data', data]);
    const { code, err, out } = await run(
      ...['invite', 'ann', '--role', 'analysts', '--url', 'https://notes.example.org/'],
    );
    expect([code, err]).toEqual([
      0,
      'tiding: Send the link to ann. It works once, within seven days.\n',
    ]);
    expect(out).toMatch(/^https:\/\/notes\.example\.org\/#\/password-reset\/tdr_\S+\n$/);
    const server = await startHere();
    const token = out.trim().split('/').at(-1)!;
    const set = await request(server.url, 'PUT', `/api/magpie/password-reset/${token}`, {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ newPassword: PASSWORD }),
    });
    expect(set.status).toBe(200);
    const ann = await login(server.url, 'ann', PASSWORD);
    expect(await run('invite', 'ann')).toMatchObject({
      code: 1,
      err: "tiding: there is already a user 'ann' who can sign in\n",
    });
    expect(await run('disable', 'ann')).toEqual({
      code: 0,
      out: '',
      err: 'tiding: ann can no longer sign in.\n',
    });
    expect((await call(server, ann, 'GET', '/notebook')).status).toBe(401);
    const [, entry] = (await run('list', '--json')).out.trim().split('\n');
    expect(JSON.parse(entry!)).toEqual({
      name: 'ann',
      roles: ['analysts'],
      disabled: true,
      lastSignIn: expect.stringMatching(/Z$/),
    });
    expect((await run('list')).out).toMatch(/\nann\tanalysts\t\S+Z\tdisabled\n$/);
    expect(await run('enable', 'ann')).toMatchObject({ code: 0 });
    await login(server.url, 'ann', PASSWORD);
    expect(await run('disable', 'admin')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no administrator without admin.'),
    });
    expect(await run('disable', 'nobody')).toMatchObject({ code: 1 });
  });

  it.each([
    ['too short', 'bob', 'seven77\n', /The password needs at least 8 characters\./],
    ['no password', 'bob', '', /no password was given on standard input/],
    ['an empty line', 'bob', '\n', /no password was given on standard input/],
    ['a bad name', 'a b', `${PASSWORD}\n`, /'a b' is not a valid user name\. .*/],
    ["nobody's name", 'anonymous', `${PASSWORD}\n`, /'anonymous' is not a valid user name\. .*/],
  ])('%s is rejected in one line, and no user is added', async (_, name, input, message) => {
    const { code, out, err } = await runCommand(['user', 'add', name, '--data', data], { input });
    expect(err).toMatch(oneLine(message));
    expect([code, out]).toEqual([1, '']);
    expect((await runCommand(['user', 'list', '--data', data])).out).toBe('');
  });

  it('there is an administrator although another user was added first', async () => {
    await addUser('bob');
    const server = await startHere();
    expect((await signIn(server)).identity.roles).toContain('global.SuperAdmin');
    expect((await login(server.url, 'bob', PASSWORD)).identity.roles).toBe('[]');
  });

  it('a running server accepts added users and tokens, and rejects removed ones', async () => {
    const server = await startHere();
    await addUser('bob');
    const bob = await login(server.url, 'bob', PASSWORD);
    const made = await runCommand([
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
    await runCommand(['user', 'remove', 'bob', '--data', data]);
    expect((await call(server, bob, 'GET', '/notebook')).status).toBe(401);
    expect((await byToken()).status).toBe(401);
    // A new user of the same name does not inherit them.
    await addUser('bob');
    expect((await call(server, bob, 'GET', '/notebook')).status).toBe(401);
    expect((await byToken()).status).toBe(401);
  });

  it.each([
    [['nobody'], /there is no user 'nobody'/],
    [['bob', '--days', '0'], /expiresInDays must be from 1 to 3650/],
    [['bob', '--days', 'x'], /expiresInDays must be from 1 to 3650/],
  ])('a token for %j is rejected in one line', async (args, message) => {
    await addUser('bob');
    const { code, out, err } = await runCommand(['token', 'create', ...args, '--data', data]);
    expect(err).toMatch(oneLine(message));
    expect([code, out]).toEqual([1, '']);
  });
});

describe('stopping', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s aborts runs but keeps their output, ends processes and sockets, and exits with 0 [S72]',
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
      // After 10 s it would end itself with exit code 1.
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

  it('what ran when the server was killed comes back as ABORT, with its output [S71]', async () => {
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
  it('is enabled for one local user, disabled once another user can sign in [S63]', async () => {
    const server = await startHere();
    const who = await signIn(server);
    expect(await interpreters(server, who)).toContain('sh');
    const shell = await noteOf(server, who, '%sh\necho ran');
    const run = () => call(server, who, 'POST', `/notebook/run/${shell.id}/${shell.paragraph}`, {});
    expect((await run()).text).toContain('ran\\n');
    await addUser('bob');
    expect(await interpreters(server, who)).not.toContain('sh');
    const off = await run();
    expect(off.text).toMatch(
      /Interpreter sh is turned off on this server: more than one person signs in/,
    );
    const { id, paragraph } = await noteOf(server, who, '%sh.terminal\nls');
    const terminal = await call(server, who, 'POST', `/notebook/run/${id}/${paragraph}`, {});
    expect(terminal.text).toMatch(/Interpreter sh.terminal is turned off on this server/);
    await runCommand(['user', 'remove', 'bob', '--data', data]);
    expect(await interpreters(server, who)).toContain('sh');
  });

  it('is kept for several users by --shell, and disabled for one by --no-shell', async () => {
    await addUser('bob');
    const several = await startHere(['--shell']);
    expect(await interpreters(several, await signIn(several))).toContain('sh');
    await several.stop();
    await runCommand(['user', 'remove', 'bob', '--data', data]);
    const one = await startHere(['--no-shell']);
    expect(await interpreters(one, await signIn(one))).not.toContain('sh');
  });

  it('is disabled for a single user if other hosts can reach the server [S63]', async () => {
    const server = await startHere(['--host', '0.0.0.0'], { TIDING_ADMIN_PASSWORD: PASSWORD });
    expect(await interpreters(server, await signIn(server))).not.toContain('sh');
  });
});
