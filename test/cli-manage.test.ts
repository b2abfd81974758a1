/** Commands that manage notes, tokens and the connection of the command line. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@tiding/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { runCommand } from './support/command-line.ts';
import { startEmpty } from './support/raw.ts';

let embedded: Awaited<ReturnType<typeof startEmpty>>;
let client: Client;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  embedded = await startEmpty();
  folder = await mkdtemp(join(tmpdir(), 'tiding-manage-'));
  const { token } = await new AccessTokenStore(embedded.data).create('admin', { expiresInDays: 1 });
  client = createClient({ server: embedded.server.url, auth: { token: token! } });
  env = {
    TIDING_SERVER: embedded.server.url,
    TIDING_TOKEN: token!,
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
});
afterAll(async () => {
  client?.close();
  await embedded?.stop();
  await rm(folder, { recursive: true, force: true });
});

const tiding = (...args: string[]) => runCommand(args, { env });
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
