/**
 * The commands for scripts against a server: their output, exit codes and effects on the server.
 * They run in this process, except in tests of processes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createClient } from '@tiding/client';
import { fileJournal } from '@tiding/client/node';
import { afterEach, describe, expect, it } from 'vitest';
import { journalKey } from '../client/journal/journal.ts';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { Users } from '../server/auth/users.ts';
import { runCommand, startCommand } from './support/command-line.ts';
import { ADMIN_PASSWORD, startEmbedded } from './support/embedded.ts';
import { runCli, startProcess } from './support/process.ts';
import { onlyFor, startEmpty } from './support/raw.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

const bin = join(import.meta.dirname, '../server/bin/tiding.mjs');
const children: ChildProcess[] = [];

const embedded = untilEnd(await startEmpty({ shell: true }));
const folder = temporaryFolder();
const token = (await new AccessTokenStore(embedded.data).create('admin', { expiresInDays: 1 }))
  .token!;
const client = untilEnd(createClient({ server: embedded.server.url, auth: { token } }));
const env = { TIDING_SERVER: embedded.server.url, TIDING_TOKEN: token };

afterEach(() => {
  for (const child of children.splice(0))
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
});

const tiding = (...args: string[]) => runCommand(args, { env });
const tidingWith = (more: NodeJS.ProcessEnv, ...args: string[]) =>
  runCommand(args, { env: { ...env, ...more } });
/** A note with these texts and a unique name. */
let made = 0;
const noteOf = async (...texts: (string | { text: string; title: string })[]) => {
  const path = `shell/${(made += 1)} note`;
  const id = await client.call('createNote', {
    body: {
      name: path,
      paragraphs: texts.map((each) => (typeof each === 'string' ? { text: each } : each)),
    },
  });
  return { id, path };
};
const stored = async (id: string) =>
  (await client.call('getNote', { params: { noteId: id } })).paragraphs!;
const lines = (text: string) => text.trimEnd().split('\n');

/** Resolves when the output of a started command contains the text. */
const until =
  (said: { out: string; err: string }) => (stream: 'out' | 'err', text: string | RegExp) =>
    expect.poll(() => said[stream]).toMatch(text);
/** Starts a long-running command. */
const begin = (args: string[], more: NodeJS.ProcessEnv = {}) => {
  const started = startCommand(args, { env: { ...env, ...more } });
  return { ...started, until: until(started.said) };
};
/** The same as a process, for signals and closed pipes. */
const beginProcess = (args: string[]) => {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, said, ended, until: until(said) };
};
/** The same on a terminal, which a script of Python opens for its arguments. */
const onTerminal = async (script: string, args: string[], more: NodeJS.ProcessEnv) => {
  const child = spawn('python3', ['-c', script, process.execPath, bin, ...args], {
    env: { ...process.env, ...env, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said };
};

describe('help', () => {
  it('is printed for the program, with all exit codes, and for each command', async () => {
    const { code, out, err } = await tiding('--help');
    expect([code, err]).toEqual([0, '']);
    expect(await tiding('help')).toEqual({ code, out, err });
    for (const name of 'notes run export import watch serve user token key'.split(' ')) {
      expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
      const help = await tiding('help', name);
      expect([help.code, help.err]).toEqual([0, '']);
      expect(help.out).toMatch(new RegExp(`Usage: tiding ${name}`));
      expect(await tiding(name, '--help')).toEqual(help);
    }
    const manifest = await readFile(join(import.meta.dirname, '../package.json'), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    expect(await tiding('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it.each([
    [['nots'], /unknown command 'nots'\n\(Did you mean notes\?\)/],
    [['help', 'quux'], /unknown command 'quux'/],
    [['notes', '--jsn'], /unknown option '--jsn'\n\(Did you mean --json\?\)/],
    [['notes', 'x'], /too many arguments for 'notes'/],
    [['run'], /missing required argument 'note'/],
    [['import'], /missing required argument 'file'/],
    [['run', 'x', '--wait', '--no-wait'], /cannot be combined/],
    [['run', 'x', '--param', 'novalue'], /is not NAME=VALUE/],
    [['run', 'x', '--timeout', 'soon'], /not a number of seconds/],
    [['export', 'x', '--format', 'pdf'], /'pdf' is not a format/],
    [['export', 'x', '--format', 'py', '--no-code'], /--no-code needs the format html/],
    [
      ['export', 'x', '-o', 'x.pdf'],
      /would not be a \.pdf file\. Use one of \.zpln, \.json, \.ipynb, \.py, \.md, \.html/,
    ],
    ...['export', 'types'].flatMap((name): [string[], RegExp][] => [
      [[name, 'x', '-o', '/nonexistent/x.json'], /the folder \/nonexistent does not exist/],
      [[name, 'x', '-o', '/'], /\/ is a folder/],
      [[name, 'x', '-o', ''], /the file name is empty/],
    ]),
    [['key', 'rotate', '--data', '/nonexistent-tiding'], /there is no data folder \/nonexistent-t/],
    [['key', 'rotate-encryption', '--data', '/nonexistent-tiding'], /there is no data folder/],
    [['notes', '--server', 'ftp://x'], /is not a server URL/],
    [['notes', '--user', 'a', '--token-file', 'b'], /cannot be combined/],
    [['import', '/nonexistent'], /the file \S+ does not exist/],
    [['user', 'bogus'], /unknown command/],
    [['--bogus'], /unknown option/],
  ])('rejects %j as invalid usage', async (args, message) => {
    const { code, out, err } = await tiding(...args);
    expect(err).toMatch(message);
    expect([code, out]).toEqual([2, '']);
  });

  it('rejects a secret as an argument, and does not repeat it', async () => {
    for (const args of [
      ['notes', '--token', 'tdg_secret'],
      ['notes', '--token=tdg_secret'],
      ['run', 'x', '--password=tdg_secret'],
    ]) {
      const { code, out, err } = await tiding(...args);
      expect(err).toMatch(/secrets cannot be passed as arguments/);
      expect(err).not.toContain('tdg_secret');
      expect([code, out]).toEqual([2, '']);
    }
  });
});

it('a command does not load the server or the protocol of agents', async () => {
  const coverage = join(folder, 'coverage');
  const listed = await runCli(['notes'], { env: { ...env, NODE_V8_COVERAGE: coverage } });
  expect(listed).toEqual(await tiding('notes'));
  const [file] = await readdir(coverage);
  const loaded = (
    JSON.parse(await readFile(join(coverage, file!), 'utf8')) as { result: { url: string }[] }
  ).result.map(({ url }) => url);
  expect(loaded.some((url) => url.includes('server/dist'))).toBe(true);
  expect(
    loaded.filter((url) => /hono|modelcontext|duckdb|pino|zeromq|lib\/server/.test(url)),
  ).toEqual([]);
});

describe('connection and identity', () => {
  it('an unreachable server exits with 3 and gives the reason', async () => {
    const socket = createServer().listen(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address() as { port: number };
    await new Promise((resolve) => socket.close(resolve));
    for (const args of [['notes'], ['run', 'x'], ['export', 'x'], ['watch', 'x']]) {
      const { code, out, err } = await tiding(...args, '--server', `http://127.0.0.1:${port}`);
      expect(err).toMatch(/cannot be reached \(ECONNREFUSED\)/);
      expect([code, out]).toEqual([3, '']);
    }
  });

  it('a wrong or missing token exits with 4', async () => {
    const wrong = await tidingWith({ TIDING_TOKEN: 'tdg_wrong' }, 'notes');
    expect(wrong).toEqual({
      code: 4,
      out: '',
      err: expect.stringMatching(/the token was rejected/) as string,
    });
    expect(wrong.err).not.toContain('tdg_wrong');
    expect(await tidingWith({ TIDING_TOKEN: '' }, 'notes')).toEqual({
      code: 4,
      out: '',
      err: expect.stringMatching(/not signed in\nSet TIDING_TOKEN/) as string,
    });
  });

  it('a token file overrides the environment; an empty file is reported', async () => {
    const file = join(folder, 'token');
    await writeFile(file, `${token}\n`);
    expect(
      (await tidingWith({ TIDING_TOKEN: 'tdg_wrong' }, 'notes', '--token-file', file)).code,
    ).toBe(0);
    await writeFile(file, '\n');
    expect(await tiding('notes', '--token-file', file)).toMatchObject({ code: 2, out: '' });
  });

  it('a user signs in with a password on standard input; the session ends', async () => {
    const { id } = await noteOf('%sh\necho hi');
    const sessions = async (): Promise<unknown> => {
      if (!(await readdir(embedded.data)).includes('sessions.json')) return [];
      return JSON.parse(await readFile(join(embedded.data, 'sessions.json'), 'utf8')).sessions;
    };
    const before = await sessions();
    const found = await runCli(['notes', '--user', 'admin'], {
      env: { ...env, TIDING_TOKEN: '' },
      input: `${ADMIN_PASSWORD}\n`,
    });
    expect(found).toMatchObject({ code: 0, err: '' });
    expect(found.out).toContain(id);
    expect(await sessions()).toEqual(before);
    for (const [input, code] of [
      ['wrong-password\n', 4],
      ['', 2],
    ] as const) {
      expect(await runCommand(['notes', '--user', 'admin'], { env, input })).toMatchObject({
        code,
        out: '',
      });
    }
  });

  it('a user is prompted for a password on a terminal, which is not echoed', async () => {
    const script = `import os, pty, sys
pid, fd = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
said = b''
while b'Password of admin: ' not in said: said += os.read(fd, 1000)
os.write(fd, os.environ['TYPED'].encode())
try:
    while chunk := os.read(fd, 1000): said += chunk
except OSError: pass
sys.stdout.write(said.decode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))`;
    const args = ['notes', '--user', 'admin', '-f', 'nothing has this'];
    const typed = (TYPED: string) => onTerminal(script, args, { TIDING_TOKEN: '', TYPED });
    // With a typing error, corrected by the backspace key.
    const right = await typed(`x\u007f${ADMIN_PASSWORD}\r`);
    expect(right.said).toMatch(/^Password of admin: \r\ntiding: no note has/);
    expect(right.code).toBe(0);
    expect((await typed('wrong-password\r')).code).toBe(4);
    expect((await typed('half\u0003')).code).toBe(130);
  });

  it('a missing permission exits with 4', async () => {
    await new Users(embedded.data).set('bob', { password: 'bobs-password', roles: [] });
    const bob = (await new AccessTokenStore(embedded.data).create('bob', { expiresInDays: 1 }))
      .token!;
    const { id, path } = await noteOf('%sh\necho hi');
    await client.call('setPermissions', {
      params: { noteId: id },
      body: { ...onlyFor('admin'), readers: ['bob', 'admin'] },
    });
    expect(await tidingWith({ TIDING_TOKEN: bob }, 'run', path)).toMatchObject({
      code: 4,
      out: '',
    });
    await client.call('setPermissions', {
      params: { noteId: id },
      body: onlyFor('admin'),
    });
    expect(await tidingWith({ TIDING_TOKEN: bob }, 'run', path)).toMatchObject({
      code: 5,
      out: '',
    });
    expect((await tidingWith({ TIDING_TOKEN: bob }, 'notes')).out).not.toContain(id);
  });

  it.each(['run', 'export', 'watch'])(
    '%s of an unknown note exits with 5 and suggests similar names',
    async (name) => {
      const { id } = await noteOf('x');
      await client.notes.rename(id, `Reports ${name}/Quarterly figures`);
      for (const typed of ['Quarterly figures', `Reports ${name}/Quartrly figures`, 'quarterly']) {
        const { code, out, err } = await tiding(name, typed);
        expect(err).toContain(`there is no note '${typed}'`);
        expect(err).toContain(`${id}  Reports ${name}/Quarterly figures`);
        expect([code, out]).toEqual([5, '']);
      }
      expect((await tiding(name, 'zzzzzzzzzzzz')).err).toMatch(/Run 'tiding notes'/);
    },
  );
});

describe('notes', () => {
  it('are lines of id and path, or JSON; notes in the trash are listed on request', async () => {
    const kept = await noteOf('x');
    const gone = await noteOf('x');
    await client.notes.trash(gone.id);
    const { code, out, err } = await tiding('notes');
    expect([code, err]).toEqual([0, '']);
    expect(lines(out)).toContain(`${kept.id}\t${kept.path}`);
    expect(out).not.toContain(gone.id);
    expect((await tiding('notes', '--all')).out).toContain(`${gone.id}\t~Trash/${gone.path}`);
    const filtered = await tiding('notes', '--filter', kept.path.toUpperCase(), '--json');
    expect(lines(filtered.out).map((line) => JSON.parse(line) as unknown)).toEqual([
      { id: kept.id, path: kept.path },
    ]);
    expect(await tiding('notes', '--filter', 'nothing has this')).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringMatching(/no note has/) as string,
    });
  });
});

describe('run', () => {
  it("prints the paragraphs' output as plain text, in order, and exits with 0", async () => {
    const { path } = await noteOf(
      { title: 'First', text: "%sh\nprintf '\\033[31mred\\033[0m\\n'; printf 'no line end'" },
      '%md\n# hello',
      "%sql\nselect 1 as a, 'x' as b",
    );
    const { code, out, err } = await tiding('run', path);
    expect(err).toMatch(/^tiding: HTML output of \d+ characters; .*\n$/);
    expect(out).toBe('red\nno line end\na\tb\n1\tx\n');
    expect(code).toBe(0);
  });

  it('shows output while the run continues', async () => {
    const { id } = await noteOf(
      "%sh\necho first; while [ ! -e '" +
        join(folder, 'go') +
        "' ]; do sleep 0.05; done; echo second",
    );
    const run = begin(['run', id]);
    await run.until('out', /^first\n$/);
    await writeFile(join(folder, 'go'), '');
    expect(await run.ended).toBe(0);
    expect(run.said).toEqual({ out: 'first\nsecond\n', err: '' });
  });

  it('prints only the output of the new run', async () => {
    const { id } = await noteOf('%sh\ndate +%N; sleep 0.2');
    const first = await tiding('run', id);
    const second = await tiding('run', id);
    expect(lines(first.out)).toHaveLength(1);
    expect(lines(second.out)).toHaveLength(1);
    expect(second.out).not.toBe(first.out);
  });

  it('a failing paragraph exits with 1, and later paragraphs do not run', async () => {
    const { id } = await noteOf(
      { title: 'Broken', text: '%sh\necho before; exit 3' },
      '%sh\necho never',
    );
    const { code, out, err } = await tiding('run', id);
    expect(out).toMatch(/^before\n/);
    expect(out).not.toContain('never');
    expect(err).toBe('tiding: Broken failed\n');
    expect(code).toBe(1);
    const json = await tiding('run', id, '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({
      note: id,
      status: 'ERROR',
      paragraphs: [{ title: 'Broken', status: 'ERROR', error: expect.any(String) as string }],
    });
  });

  it('--json prints one object with every output', async () => {
    const { id, path } = await noteOf({ title: 'T', text: '%sh\necho one' }, '%md\n*two*');
    const { code, out, err } = await tiding('run', path, '--json');
    expect([code, err, lines(out).length]).toEqual([0, '', 1]);
    expect(JSON.parse(out)).toMatchObject({
      note: id,
      path,
      status: 'FINISHED',
      tookMs: expect.any(Number) as number,
      paragraphs: [
        { title: 'T', status: 'FINISHED', outputs: [{ type: 'TEXT', data: 'one\n' }] },
        {
          status: 'FINISHED',
          outputs: [{ type: 'HTML', data: expect.stringContaining('<em>two</em>') as string }],
        },
      ],
    });
  });

  it('--paragraph runs only that paragraph; an unknown one exits with 5', async () => {
    const { id } = await noteOf('%sh\necho one', '%sh\necho two');
    const [, second] = await stored(id);
    expect(await tiding('run', id, '--paragraph', second!.id)).toEqual({
      code: 0,
      out: 'two\n',
      err: '',
    });
    expect((await stored(id))[0]!.status).toBe('READY');
    const { code, out, err } = await tiding('run', id, '-p', 'nope');
    expect([code, out]).toEqual([5, '']);
    expect(err).toContain(`${second!.id}  echo two`);
  });

  it('--param fills forms of a paragraph and of the note, and check boxes', async () => {
    const { id } = await noteOf(
      '%sh\necho "${name=nobody} ${checkbox:c=a,a|b|c} $${wide=none}"',
      '%sh\necho "${other=unset}"',
    );
    const [first] = await stored(id);
    const params = '--param name=Ann=1 --param c=b --param c=c --param wide=w'.split(' ');
    expect(await tiding('run', id, ...params)).toEqual({
      code: 0,
      out: 'Ann=1 b,c w\nunset\n',
      err: '',
    });
    expect(await tiding('run', id, '-p', first!.id, '--param', 'name=-1')).toMatchObject({
      code: 0,
      out: '-1 b,c w\n',
    });
    // A value is stored only in paragraphs that have a form of that name.
    expect((await stored(id))[1]!.settings?.params).toEqual({ other: 'unset' });
    expect(await tiding('run', id, '--param', 'nam=x')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(
        /There is no form 'nam'\. The forms are name, c, other, wide\./,
      ) as string,
    });
  });

  it('--no-wait returns when the run has started, and the run continues', async () => {
    const go = join(folder, 'later');
    const { id, path } = await noteOf(
      `%sh\nwhile [ ! -e '${go}' ]; do sleep 0.05; done; echo done`,
    );
    const { code, out } = await tiding('run', id, '--no-wait', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ note: id, path, started: true });
    expect((await stored(id))[0]!.status).toMatch(/PENDING|RUNNING/);
    // It is already running.
    expect(await tiding('run', id)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/already running/) as string,
    });
    await writeFile(go, '');
    await expect.poll(async () => (await stored(id))[0]!.status).toBe('FINISHED');
    const single = await noteOf('%sh\nsleep 300');
    expect(
      await tiding('run', single.id, '-p', (await stored(single.id))[0]!.id, '--no-wait'),
    ).toMatchObject({ code: 0, out: '' });
    expect((await stored(single.id))[0]!.status).toMatch(/PENDING|RUNNING/);
    await client.call('stopNote', { params: { noteId: single.id } });
  });

  it.each([
    ['SIGINT', 130, false],
    ['SIGINT', 130, true],
    ['SIGTERM', 143, false],
  ] as const)(
    '%s cancels the run at the server, then exits with %i (one paragraph: %s)',
    async (signal, exitCode, one) => {
      const { id } = await noteOf('%sh\necho $$; sleep 600', '%sh\necho never');
      const run = beginProcess(['run', id, ...(one ? ['-p', (await stored(id))[0]!.id] : [])]);
      await run.until('out', /^\d+\n/);
      const pid = Number(run.said.out);
      expect(process.kill(pid, 0)).toBe(true);
      run.child.kill(signal);
      expect(await run.ended).toBe(exitCode);
      expect((await stored(id))[0]!.status).toBe('ABORT');
      expect((await stored(id))[1]!.status).toBe('READY');
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
      expect(run.said.err).toMatch(/cancelling the run/);
    },
  );

  it('--timeout cancels the run and exits with 6', async () => {
    const { id } = await noteOf('%sh\nsleep 600');
    const { code, out, err } = await tiding('run', id, '--timeout', '1.5', '--json');
    expect(err).toMatch(/not finished within 1\.5 s: cancelling the run/);
    expect(code).toBe(6);
    expect(JSON.parse(out)).toMatchObject({ status: 'ABORT', paragraphs: [{ status: 'ABORT' }] });
    expect((await stored(id))[0]!.status).toBe('ABORT');
  });

  it('continues and exits without an error when the reader of its output disconnects', async () => {
    const go = join(folder, 'hung-up');
    const { id } = await noteOf(
      `%sh\necho first; while [ ! -e '${go}' ]; do sleep 0.05; done; ` +
        'for i in 1 2 3 4 5; do echo more; sleep 0.05; done',
    );
    const run = beginProcess(['run', id]);
    await run.until('out', /^first\n$/);
    run.child.stdout.destroy();
    await writeFile(go, '');
    expect(await run.ended).toBe(0);
    expect(run.said.err).toBe('');
    expect((await stored(id))[0]).toMatchObject({
      status: 'FINISHED',
      results: { msg: [{ data: 'first\nmore\nmore\nmore\nmore\nmore\n' }] },
    });
  });

  it('is resumed after a restart of the server, or given up at the time limit', async () => {
    const data = await mkdtemp(join(folder, 'killed-'));
    await writeFile(join(data, 'samples.json'), '{}');
    await new Users(data).set('admin', { password: ADMIN_PASSWORD, roles: ['global.SuperAdmin'] });
    const mine = (await new AccessTokenStore(data).create('admin', { expiresInDays: 1 })).token!;
    const servers = [await startProcess(['--port', '0', '--data', data])];
    const { url } = servers[0]!;
    const other = createClient({ server: url, auth: { token: mine } });
    try {
      const id = await other.call('createNote', {
        body: { name: 'long', paragraphs: [{ text: '%sh\necho begun; sleep 600' }] },
      });
      other.close();
      const where = { TIDING_SERVER: url, TIDING_TOKEN: mine };
      const run = begin(['run', id], where);
      await run.until('out', /^begun\n$/);
      await servers[0]!.kill('SIGKILL');
      await run.until('err', /connection lost; reconnecting/);
      servers.push(await startProcess(['--port', new URL(url).port, '--data', data]));
      // It ended with the server, which reports that.
      expect(await run.ended).toBe(1);
      expect(run.said.err).toMatch(/reconnected[\s\S]*echo begun; sleep 600 was aborted\n$/);
      const limited = begin(['run', id, '--timeout', '8'], where);
      await limited.until('out', /begun\n$/);
      await servers[1]!.kill('SIGKILL');
      expect(await limited.ended).toBe(3);
      expect(limited.said.err).toMatch(
        /not finished within 8 s; the server did not respond, so the run may continue there/,
      );
    } finally {
      await Promise.all(servers.map((server) => server.kill('SIGKILL')));
      // Starting a server on the folder ends the killed server's processes; then it is stopped.
      await (await startEmbedded({ data })).stop();
    }
  });

  it('runs text from a journal only with --journal', async () => {
    const { id } = await noteOf('%sh\necho saved');
    const paragraph = (await stored(id))[0]!;
    const place = join(folder, 'journal');
    const key = journalKey(embedded.server.url, 'admin', id, paragraph.id);
    await fileJournal(place).put({
      key,
      noteId: id,
      paragraphId: paragraph.id,
      text: '%sh\necho unsaved',
      baseText: paragraph.text!,
      baseRev: paragraph.rev,
      time: Date.now(),
    });
    expect((await tiding('run', id)).out).toBe('saved\n');
    expect((await tiding('run', id, '--journal', place)).out).toBe('unsaved\n');
    expect((await stored(id))[0]!.text).toBe('%sh\necho unsaved');
    expect(await fileJournal(place).list('')).toEqual([]);
  });

  it('has headings, columns and colours on a terminal, and no colours with NO_COLOR', async () => {
    const { id } = await noteOf(
      { title: 'A title', text: "%sh\nprintf '\\033[31mred\\033[0m\\033]0;renamed\\007\\n'" },
      { title: 'Table', text: "%sql\nselect 1 as number, 'x' as text" },
    );
    const script =
      'import pty,sys,os; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';
    const shown = async (more: NodeJS.ProcessEnv) => {
      const { code, said } = await onTerminal(script, ['run', id], {
        NO_COLOR: '',
        TERM: 'xterm',
        ...more,
      });
      expect(code).toBe(0);
      return said.replaceAll('\r\n', '\n');
    };
    const colourful = await shown({});
    expect(colourful).toContain('\u001b[1mA title\u001b[0m\n');
    expect(colourful).toContain('\u001b[31mred\u001b[0m\n');
    expect(colourful).toContain('░'.repeat(20));
    expect(colourful).not.toContain('renamed');
    expect(await shown({ NO_COLOR: '1' })).toBe(
      'A title\nred\n\nTable\nnumber  text\n──────  ────\n     1  x\n',
    );
  });
});

describe('export and import', () => {
  /**
   * What a file has to keep. Tables in it have the rows of the note; that the server stores the
   * whole table is omitted.
   */
  const bare = async (id: string) =>
    JSON.parse(
      JSON.stringify(
        (await stored(id)).map(({ text, title, results, status, config, settings }) => {
          return { text, title, results, status, config, settings };
        }),
        (key, value: unknown) => (key === 'rows' ? undefined : value),
      ),
    ) as unknown;

  it.each(['zpln', 'json', 'ipynb'])('round-trips a note through %s', async (format) => {
    const { id, path } = await noteOf(
      { title: 'Shell', text: '%sh\necho "${x=1}"; exit 1' },
      '%md\n\n# Ü *b*\n',
      "%sql(limit=3)\nselect 1 as a, '<b>' as b",
      'no magic',
      '',
      '%python\nprint(1)\n\n',
    );
    for (const { id: paragraph } of (await stored(id)).slice(0, 3))
      await tiding('run', id, '-p', paragraph);
    const file = join(folder, `out.${format}`);
    expect(await tiding('export', path, '-o', file)).toEqual({
      code: 0,
      out: '',
      err: `tiding: exported ${path} to ${file}\n`,
    });
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    const piped = await tiding('export', id, '--format', format);
    expect(piped).toEqual({ code: 0, out: await readFile(file, 'utf8'), err: '' });
    const { code, out, err } = await tiding('import', file, '--as', `copies/${format}`);
    expect([code, err]).toEqual([0, `tiding: imported copies/${format}\n`]);
    expect(await bare(out.trim())).toEqual(await bare(id));
    expect(
      await runCommand(['import', '-', '--as', 'copies/'], { env, input: piped.out }),
    ).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^tiding: imported copies\/\d+ note.*\n$/) as string,
    });
  });

  it.each(['py', 'md'])('round-trips titles and texts through %s', async (format) => {
    const { id } = await noteOf(
      { title: 'Shell', text: '%sh\necho "${x=1}"' },
      '%md\n\n# Ü *b*\n',
      '%md\n```python\nx\n```',
      '%sql(limit=3)\nselect 1',
      'no magic',
      '',
      '%python\nprint(1)\n\n',
    );
    const file = join(folder, `Script.${format}`);
    expect(await tiding('export', id, '-o', file)).toMatchObject({ code: 0 });
    const { out } = await tiding('import', file, '--as', `scripts/${format}`);
    const texts = async (note: string) =>
      (await stored(note)).map(({ text, title }) => ({ text, title }));
    expect(await texts(out.trim())).toEqual(await texts(id));
  });

  it('names notes after scripts, renders their Markdown, and refuses other files', async () => {
    const [script, sql, table, empty] = ['Steps.py', 'Query.sql', 'data.csv', 'empty.md'].map(
      (name) => join(folder, name),
    ) as [string, string, string, string];
    await writeFile(script, '# %% [markdown]\r\n# # Head\r\n\r\n# %%\r\n1 + 1\r\n');
    await writeFile(sql, 'select 1;\nselect 2;\n');
    await writeFile(table, 'a,b\n1,2\n');
    await writeFile(empty, '\n');
    const { out } = await tiding('import', script, sql, '--as', 'From files/');
    const [first, second] = lines(out);
    expect(await stored(first!)).toMatchObject([
      {
        text: '%md\n# Head',
        results: { msg: [{ type: 'HTML', data: expect.stringContaining('Head</h1>') as string }] },
      },
      { text: '%python\n1 + 1', status: 'READY' },
    ]);
    expect(await stored(second!)).toMatchObject([{ text: '%sql\nselect 1;\nselect 2;' }]);
    expect(await tiding('import', table)).toMatchObject({
      code: 2,
      err: expect.stringContaining('use .ipynb, .zpln, .json, .py, .md or .sql') as string,
    });
    expect(await tiding('import', empty)).toMatchObject({
      code: 2,
      err: expect.stringContaining('The file is empty') as string,
    });
  });

  it('writes an HTML file with results, with or without code', async () => {
    const { id } = await noteOf('%sh\necho $((6 * 7))');
    await tiding('run', id);
    const file = join(folder, 'report.html');
    await tiding('export', id, '-o', file);
    expect(await readFile(file, 'utf8')).toMatch(
      /^<!doctype html>[\s\S]*<pre class="snapshot-code">echo [\s\S]*<div>42\n<\/div>/,
    );
    const { out } = await tiding('export', id, '--format', 'html', '--no-code');
    expect(out).toContain('<div>42\n</div>');
    expect(out).not.toContain('echo');
  });

  it('reads scripts in the encoding that they have, or says that it is unknown', async () => {
    const file = join(folder, 'Encoded.py');
    await writeFile(file, 'name = "Stra\xdfe, 5 \x80"\n', 'latin1');
    const { out } = await tiding('import', file, '--as', 'encoded/western');
    expect((await stored(out.trim()))[0]!.text).toBe('%python\nname = "Straße, 5 €"');
    await writeFile(file, 'name = "\xcf\xf0\xe8\xe2\xe5\xf2"\n', 'latin1');
    const { code, err } = await tiding('import', file, '--as', 'encoded/unknown');
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('The encoding of the file is unknown. Save the file as UTF-8'),
    ]);
  });

  it('names a notebook of Jupyter after its file', async () => {
    const file = join(folder, 'Analysis.ipynb');
    const cells = [{ cell_type: 'code', metadata: {}, source: '1/0', outputs: [] }];
    await writeFile(file, JSON.stringify({ nbformat: 4, nbformat_minor: 2, metadata: {}, cells }));
    const { out } = await tiding('import', file);
    expect((await tiding('notes', '--filter', 'Analysis')).out).toBe(`${out.trim()}\tAnalysis\n`);
    expect(await stored(out.trim())).toMatchObject([{ text: '%python\n1/0' }]);
  });

  it('several files become notes in a folder; one invalid file stops the import', async () => {
    const files = ['one', 'two'].map((name) => join(folder, `${name}.json`));
    for (const [at, file] of files.entries())
      await writeFile(
        file,
        JSON.stringify({ name: `elsewhere/n${at}`, paragraphs: [{ text: 'x' }] }),
      );
    const { code, out } = await tiding('import', ...files, '--as', 'Several/');
    expect([code, lines(out).length]).toEqual([0, 2]);
    expect(
      lines((await tiding('notes', '-f', 'Several/')).out).map((line) => line.split('\t')[1]),
    ).toEqual(['Several/n0', 'Several/n1']);
    await writeFile(files[1]!, '{"torn');
    for (const bad of [
      [...files, '--as', 'Never/'],
      [...files, '--as', 'one name'],
    ])
      expect(await tiding('import', ...bad)).toMatchObject({ code: 2, out: '' });
    expect((await tiding('notes', '-f', 'Never')).out).toBe('');
  });

  it('a file that cannot be written is reported, and nothing is left behind', async () => {
    const { id } = await noteOf('x');
    expect(await tiding('export', id, '-o', join(folder, 'no', 'where.json'))).toMatchObject({
      code: 2,
      out: '',
    });
    expect(await tiding('export', id, '-o', folder)).toMatchObject({ code: 2, out: '' });
  });
});

describe('watch', () => {
  it('prints events as text or JSON until it is stopped', async () => {
    const { id } = await noteOf({ title: 'Watched', text: '%sh\necho seen' });
    const plain = begin(['watch', id]);
    const json = begin(['watch', id, '--json']);
    for (const each of [plain, json]) await each.until('err', /watching/);
    expect((await tiding('run', id)).out).toBe('seen\n');
    await plain.until('out', /\tfinished\tWatched\t/);
    await json.until('out', /"status":"FINISHED"/);
    plain.kill('SIGINT');
    json.kill('SIGTERM');
    expect(await plain.ended).toBe(130);
    expect(await json.ended).toBe(0);
    expect(lines(plain.said.out).map((line) => line.split('\t')[1])).toEqual(
      expect.arrayContaining('run-started pending running output finished run-ended'.split(' ')),
    );
    for (const line of plain.said.out.split('\n').slice(0, -1))
      expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z\t[a-z-]+\t[^\t]*\t[^\t]*$/);
    expect(plain.said.out).toContain('\toutput\tWatched\tseen');
    const events = lines(json.said.out).map(
      (line) => JSON.parse(line) as { type: string; time: string; data: unknown },
    );
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['NOTE_RUNNING_STATUS', 'PARAGRAPH', 'PARAGRAPH_APPEND_OUTPUT']),
    );
  });

  it('exits with 5 when the note is removed, silently when its reader is gone', async () => {
    const removed = await noteOf('x');
    const watching = begin(['watch', removed.id]);
    await watching.until('err', /watching/);
    await client.notes.remove(removed.id);
    expect(await watching.ended).toBe(5);
    const { id } = await noteOf('%sh\necho seen');
    const unread = beginProcess(['watch', id]);
    await unread.until('err', /watching/);
    unread.child.stdout.destroy();
    await tiding('run', id);
    expect(await unread.ended).toBe(0);
    expect(unread.said.err).toMatch(/^tiding: watching [^\n]*\n$/);
  });
});
