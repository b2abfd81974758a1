/** Commands that manage notes, tokens and the connection of the command line. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@tiding/client';
import { describe, expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { runCommand } from './support/command-line.ts';
import { ADMIN_PASSWORD } from './support/embedded.ts';
import { startEmpty } from './support/raw.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

const embedded = untilEnd(await startEmpty());
const folder = temporaryFolder();
const { token } = await new AccessTokenStore(embedded.data).create('admin', { expiresInDays: 1 });
const client = untilEnd(createClient({ server: embedded.server.url, auth: { token: token! } }));
const env = {
  TIDING_SERVER: embedded.server.url,
  TIDING_TOKEN: token!,
  XDG_CONFIG_HOME: join(folder, 'config'),
};

const tiding = (...args: string[]) => runCommand(args, { env });
const tidingWith = (more: NodeJS.ProcessEnv, args: string[], input = '') =>
  runCommand(args, { env: { ...env, ...more }, input });
const recordsOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const pathOf = async (id: string) =>
  (await client.notes.list()).find((note) => note.id === id)?.path;
const create = async (path: string) => (await tiding('notes', 'create', path)).out.trim();

describe('notes', () => {
  it('are created under a free path, refused, or found', async () => {
    const { code, out, err } = await tiding('notes', 'create', 'made/a');
    const id = out.trim();
    expect([code, err, await pathOf(id)]).toEqual([0, 'tiding: created made/a\n', 'made/a']);
    const quiet = await tiding('notes', 'create', 'made/q', '--quiet');
    expect([quiet.code, quiet.err]).toEqual([0, '']);
    const again = ['notes', 'create', '/made/a', '--json', '--on-conflict'];
    expect(JSON.parse((await tiding(...again, 'existing')).out)).toEqual({ id, path: 'made/a' });
    const other = JSON.parse((await tiding(...again, 'number')).out) as { path: string };
    expect(other.path).not.toBe('made/a');
    expect(await tiding(...again, 'fail', '-q')).toEqual({
      code: 1,
      out: '',
      err: "tiding: There is already a note 'made/a'.\n",
    });
    expect(await tiding(...again, 'ask')).toMatchObject({ code: 2, out: '' });
    expect(await tiding('notes', 'create', '//')).toMatchObject({ code: 2, out: '' });
  });

  it('are copied with their content', async () => {
    const id = await client.call('createNote', {
      body: { name: 'copy/source', paragraphs: [{ text: '%md\nhello' }] },
    });
    const { out, err } = await tiding('notes', 'clone', 'copy/source', 'copy/target');
    expect(err).toBe('tiding: created copy/target\n');
    expect(out.trim()).not.toBe(id);
    expect((await client.notes.get(out.trim())).paragraphs![0]!.text).toBe('%md\nhello');
  });

  it('are moved into a folder, or to a path that is free', async () => {
    const [one, two] = [await create('move/one'), await create('move/two')];
    const moved = await tiding('notes', 'mv', 'move/one', two, 'moved/', '--json');
    expect(
      moved.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { id: one, path: 'moved/one' },
      { id: two, path: 'moved/two' },
    ]);
    expect([await pathOf(one), await pathOf(two)]).toEqual(['moved/one', 'moved/two']);
    expect(await tiding('notes', 'mv', one, 'moved/two')).toEqual({
      code: 1,
      out: '',
      err: "tiding: there is already a note 'moved/two'\n",
    });
    expect(await tiding('notes', 'mv', one, two, 'no folder')).toMatchObject({ code: 2 });
    expect(await tiding('notes', 'mv', one, 'nothing like it', 'moved/')).toMatchObject({
      code: 5,
    });
    expect(await pathOf(one)).toBe('moved/one');
    expect((await tiding('notes', 'mv', one, 'moved/renamed')).err).toBe(
      'tiding: moved moved/one to moved/renamed\n',
    );
  });

  it('go to the trash, come back, and are deleted on request', async () => {
    const id = await create('gone/a');
    expect((await tiding('notes', 'rm', 'gone/a')).err).toBe('tiding: gone/a is in the trash\n');
    expect(await pathOf(id)).toBe('~Trash/gone/a');
    expect(await tiding('notes', 'restore', 'gone/a')).toEqual({
      code: 0,
      out: `${id}\n`,
      err: 'tiding: restored gone/a\n',
    });
    expect(await pathOf(id)).toBe('gone/a');
    expect(await tiding('notes', 'restore', id)).toMatchObject({ code: 1, out: '' });
    const { out } = await tiding('notes', 'rm', id, '--permanently', '--json');
    expect(JSON.parse(out)).toEqual({ id, path: 'gone/a', removed: 'permanently' });
    expect(await pathOf(id)).toBeUndefined();
  });

  it('get data files, whose guesses are printed and can be changed', async () => {
    const id = await create('files/sales');
    const file = join(folder, 'sales.csv');
    await writeFile(file, 'day;n\n01/02/2024;1,5\n');
    const preview = await tiding('files', 'files/sales', file, '--preview');
    expect([preview.code, preview.out]).toEqual([0, 'day\tn\n2024-02-01\t1.5\n']);
    expect(preview.err).toContain('day: 01/02/2024 is read as 1 February');
    expect(preview.err).toContain('dates=day (day month)');
    expect(await client.files.list({ noteId: id })).toEqual([]);
    const wrong = await tiding('files', id, file, '--choice', 'dates=year');
    expect([wrong.code, wrong.out]).toEqual([1, '']);
    expect(wrong.err).toContain('dates = year. Choose one of day, month.');
    const { out } = await tiding('files', id, file, '--choice', 'dates=month', '-q');
    expect(out).toContain(`strptime("day", '%m/%d/%Y')::date as "day"`);
    expect(out).toContain("from read_csv('sales.csv', delim = ';'");
    expect((await client.files.list({ noteId: id })).length).toBe(1);
    expect(await tiding('files', id, '/nonexistent')).toMatchObject({ code: 2, out: '' });
  });

  it('have help for each command', async () => {
    const { out } = await tiding('notes', '--help');
    for (const name of ['create', 'clone', 'mv', 'rm', 'restore']) {
      expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
      const help = await tiding('help', 'notes', name);
      expect([help.code, help.err]).toEqual([0, '']);
      expect(help.out).toContain(`Usage: tiding notes ${name} `);
      expect(help.out).toMatch(/^Connection options:\n {2}--server/m);
      expect(help.out).toMatch(/^Examples:\n {2}/m);
      expect(help).toEqual(await tiding('notes', name, '--help'));
    }
  });
});

describe('login', () => {
  const signedOut = { TIDING_TOKEN: '', TIDING_SERVER: '' };
  const file = () => join(folder, 'config', 'tiding', 'logins.json');

  it('stores a token that other commands use, until logout revokes it', async () => {
    const { url } = embedded.server;
    const args = ['login', '--server', `${url}/`, '--user', 'admin'];
    expect(await tidingWith(signedOut, args, 'wrong-password\n')).toMatchObject({ code: 4 });
    expect(await tidingWith(signedOut, ['whoami', '--server', url])).toMatchObject({
      code: 4,
      err: expect.stringContaining("run 'tiding login'") as string,
    });
    const done = await tidingWith(signedOut, args, `${ADMIN_PASSWORD}\n`);
    expect(done).toEqual({
      code: 0,
      out: '',
      err: `tiding: signed in to ${url} as admin; stored in ${file()}\n`,
    });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    const stored = await readFile(file(), 'utf8');
    expect(stored).not.toContain(ADMIN_PASSWORD);
    // The server of the login is the default one.
    expect(await tidingWith(signedOut, ['whoami'])).toEqual({ code: 0, out: 'admin\n', err: '' });
    // The token is sent to no other server.
    const other = await tidingWith(signedOut, ['whoami', '--server', 'http://127.0.0.1:9']);
    expect(other.code).toBe(3);
    const out = await tidingWith(signedOut, ['logout', '--json']);
    expect(recordsOf(out.out)).toEqual([{ server: url, user: 'admin', revoked: true }]);
    const token = /"token": "([^"]+)"/.exec(stored)![1]!;
    expect((await tidingWith({ TIDING_TOKEN: token }, ['whoami'])).code).toBe(4);
    expect(await tidingWith(signedOut, ['logout', '--server', url])).toMatchObject({ code: 1 });
  });

  it('takes an existing token, and keeps it when signing out', async () => {
    const { url } = embedded.server;
    const token = env['TIDING_TOKEN']!;
    const args = ['login', '--with-token', '--server', url];
    expect(await tidingWith(signedOut, args, 'tdg_wrong\n')).toMatchObject({ code: 4, out: '' });
    expect(await tidingWith(signedOut, args)).toMatchObject({ code: 2 });
    const { out } = await tidingWith(signedOut, [...args, '--json'], `${token}\n`);
    expect(recordsOf(out)).toEqual([{ server: url, user: 'admin' }]);
    expect((await tidingWith(signedOut, ['logout'])).err).toContain('the token stays valid');
    expect((await tiding('whoami')).code).toBe(0);
    expect(await tiding('login')).toMatchObject({ code: 2 });
    expect(await tiding('login', '--user', 'a', '--with-token')).toMatchObject({ code: 2 });
  });

  it('that cannot be read is reported', async () => {
    await writeFile(file(), '{');
    expect(await tidingWith(signedOut, ['whoami'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/logins\.json cannot be read[\s\S]*Remove the file/) as string,
    });
    await rm(file());
  });
});

it('whoami and status print the user and the server', async () => {
  const { url } = embedded.server;
  const [who] = recordsOf((await tiding('whoami', '--json')).out);
  expect(who).toMatchObject({ server: url, user: 'admin' });
  expect(who!['roles']).toContain('magpie.AccessToken');
  const id = await client.call('createNote', {
    body: {
      name: 'status/busy',
      paragraphs: [{ text: '%js\nawait new Promise((done) => setTimeout(done, 120_000));' }],
    },
  });
  const note = await client.open(id);
  const run = note.run();
  await expect
    .poll(async () => recordsOf((await tiding('status', '--json')).out)[0]!['running'])
    .toEqual([{ id, path: 'status/busy' }]);
  const { out } = await tiding('status');
  expect(out).toMatch(
    new RegExp(
      `^server   ${url}\\nversion  Tiding .+\\nuser     admin\\nnotes    \\d+\\nrunning  `,
    ),
  );
  expect(out).toContain('status/busy');
  run.cancel();
  await run;
  note.close();
});

it('history lists the last runs, the latest first', async () => {
  const id = await client.call('createNote', {
    body: { name: 'history', paragraphs: [{ text: '%md\na' }] },
  });
  expect(await tiding('history', 'history')).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining('has not been run') as string,
  });
  await client.run(id);
  const note = await client.open(id);
  note.paragraphs[0]!.edit('%js\nthrow new Error("x");');
  await note.run();
  note.close();
  const runs = recordsOf((await tiding('history', id, '--json')).out);
  expect(runs.map(({ status, user }) => [status, user])).toEqual([
    ['ERROR', 'admin'],
    ['FINISHED', 'admin'],
  ]);
  expect(Object.keys(runs[0]!)).toEqual(['start', 'end', 'status', 'user', 'tookMs']);
  expect((await tiding('history', id, '-n', '1')).out).toMatch(
    /^\d{4}-\d\d-\d\dT[\d:.]+Z\tERROR\t\d+\.\d\tadmin\n$/,
  );
  expect(await tiding('history', id, '-n', '0')).toMatchObject({ code: 2 });
});

it('embed-token prints a token that opens the note and nothing else', async () => {
  const id = await create('embed/me');
  const other = await create('embed/other');
  const { out } = await tiding('embed-token', 'embed/me', '--scope', 'run', '--json');
  const [made] = recordsOf(out);
  expect(Object.keys(made!)).toEqual(['token', 'expiresAt', 'jti']);
  const page = createClient({
    server: embedded.server.url,
    auth: { token: made!['token'] as string },
  });
  expect((await page.open(id)).path).toBe('embed/me');
  await expect(page.open(other)).rejects.toMatchObject({ code: expect.any(String) as string });
  page.close();
  const plain = await tiding('embed-token', id, '--param', 'a=1', '-p', 'nothing');
  expect(plain.code).not.toBe(0);
  for (const args of [
    ['-s', 'all'],
    ['--seconds', '301'],
    ['--param', 'x'],
  ])
    expect(await tiding('embed-token', id, ...args)).toMatchObject({ code: 2, out: '' });
});

it('tokens are listed, revoked and replaced', async () => {
  const data = ['--data', embedded.data];
  const [made] = recordsOf(
    (
      await tiding(
        'token',
        'create',
        'admin',
        '--description',
        'ci',
        '--days',
        '7',
        '--json',
        ...data,
      )
    ).out,
  );
  const { tokenId, token } = made as { tokenId: string; token: string };
  // An ID must not look like an option.
  expect(tokenId).toMatch(/^[0-9a-f]{18}$/);
  const whoami = async (given: string) =>
    (await tidingWith({ TIDING_TOKEN: given }, ['whoami'])).code;
  expect(await whoami(token)).toBe(0);
  const listed = recordsOf((await tiding('token', 'list', 'admin', '--json', ...data)).out);
  const own = listed.find((each) => each['tokenId'] === tokenId);
  expect(own).toMatchObject({ user: 'admin', description: 'ci', disabled: false });
  expect(own).not.toHaveProperty('token');
  expect((await tiding('token', 'list', ...data)).out).toMatch(
    new RegExp(`^${tokenId}\\tadmin\\t\\d{4}-[^\\t]+\\tenabled\\tci$`, 'm'),
  );
  const rotated = await tiding('token', 'rotate', tokenId, ...data);
  expect(rotated).toMatchObject({ code: 0, err: '' });
  const fresh = rotated.out.trim();
  expect([await whoami(token), await whoami(fresh)]).toEqual([4, 0]);
  const next = recordsOf((await tiding('token', 'list', '--json', ...data)).out).find(
    ({ description }) => description === 'ci',
  )!;
  const days = (Date.parse(next['expiresAt'] as string) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(7);
  const revoked = await tiding('token', 'revoke', next['tokenId'] as string, '--json', ...data);
  expect(recordsOf(revoked.out)).toEqual([{ tokenId: next['tokenId'], user: 'admin' }]);
  expect(await whoami(fresh)).toBe(4);
  expect(await tiding('token', 'revoke', 'nothing', ...data)).toMatchObject({ code: 1, out: '' });
  expect(await tiding('token', 'list', 'nobody', ...data)).toMatchObject({ code: 1, out: '' });
  expect(await tiding('token', 'list', '--data', '/nonexistent')).toMatchObject({ code: 2 });
});

describe('doctor', () => {
  const byCheck = async (more: NodeJS.ProcessEnv, ...args: string[]) => {
    const { code, out } = await tidingWith(more, ['doctor', '--json', ...args]);
    return { code, found: Object.fromEntries(recordsOf(out).map((each) => [each['check'], each])) };
  };

  it('finds nothing wrong where everything is in place', async () => {
    const { code, found } = await byCheck({}, '--data', embedded.data);
    expect(code).toBe(0);
    expect(Object.keys(found)).toEqual(['node', 'python', 'data', 'server', 'login']);
    for (const check of ['node', 'data', 'server', 'login'])
      expect(found[check]).toMatchObject({ status: 'ok' });
    expect((await tiding('doctor', '--data', embedded.data)).out).toMatch(
      /^ok {7}Node\.js [\d.]+\n/,
    );
  });

  it('names what is wrong, and what to do', async () => {
    const open = await mkdtemp(join(folder, 'open-'));
    await chmod(open, 0o755);
    const dead = { TIDING_SERVER: 'http://127.0.0.1:9', TIDING_PYTHON: '/nonexistent/python' };
    const { code, found } = await byCheck(dead, '--data', open);
    expect(code).toBe(1);
    expect(found['python']).toMatchObject({ status: 'warning' });
    expect(found['data']).toMatchObject({
      status: 'warning',
      advice: expect.any(String) as string,
    });
    expect(found['server']).toMatchObject({ status: 'failed' });
    const signedOut = await byCheck({ TIDING_TOKEN: 'tdg_wrong' }, '--data', join(open, 'new'));
    expect(signedOut.code).toBe(0);
    expect(signedOut.found['login']).toMatchObject({ status: 'warning' });
    const text = join(open, 'text');
    await writeFile(text, '');
    expect((await byCheck({}, '--data', text)).found['data']).toMatchObject({ status: 'failed' });
  });
});

describe('completion', () => {
  it('completes commands, subcommands and options in bash', async () => {
    const script = (await tiding('completion', 'bash')).out;
    const complete = async (...words: string[]) => {
      const line = ['tiding', ...words].map((word) => `'${word}'`).join(' ');
      const code = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _tiding
        printf '%s\\n' "\${COMPREPLY[@]}"`;
      return (await promisify(execFile)('bash', ['-c', code])).stdout.trim().split('\n');
    };
    expect(await complete('no')).toEqual(['notes']);
    expect(await complete('notes', '')).toEqual(
      expect.arrayContaining(['create', 'rm', '--filter', '--json', '--quiet', '--help']),
    );
    expect(await complete('notes', 'create', '--on')).toEqual(['--on-conflict']);
    expect(await complete('run', 'my note', '--par')).toEqual(['--paragraph', '--param']);
    expect(await complete('token', 'r')).toEqual(['revoke', 'rotate']);
    expect(await complete('serve', '--max')).toEqual(['--max-sockets']);
    expect(await complete('embed-token', '--sc')).toEqual(['--scope']);
  });

  it.each(['zsh', 'fish'])('has every command for %s, and knows no other shell', async (shell) => {
    const { code, out } = await tiding('completion', shell);
    expect(code).toBe(0);
    for (const word of ['notes create', 'embed-token', 'token rotate', 'on-conflict'])
      expect(out).toContain(word);
    expect(await tiding('completion', 'tcsh')).toMatchObject({ code: 2, out: '' });
  });
});
