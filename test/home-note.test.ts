/**
 * The home note: how it is chosen, who may read it, and what happens to it while users watch it.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient } from '@tiding/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Users } from '../server/auth/users.ts';
import { resolveOptions } from '../server/base/options.ts';
import type { ServerOptions } from '../server/index.ts';
import { ADMIN_PASSWORD, startEmbedded } from './support/embedded.ts';
import { login, openSocket } from './support/raw.ts';
import { temporaryFolder } from './support/until-end.ts';

const PASSWORD = 'a-password-for-tests';

describe('the home note', () => {
  let data: string;
  let embedded: Awaited<ReturnType<typeof startEmbedded>> | undefined;
  const clients: Client[] = [];
  const connect = async (name = 'admin') => {
    const client = createClient({ server: embedded!.server.url, autosave: 0 });
    clients.push(client);
    await client.session.login(name, name === 'admin' ? ADMIN_PASSWORD : PASSWORD);
    return client;
  };
  const stop = async () => {
    for (const client of clients.splice(0)) await client.close();
    await embedded?.server.close();
    embedded = undefined;
  };
  const start = async (options: Partial<ServerOptions> = {}) => {
    await stop();
    embedded = await startEmbedded({ data, logLevel: 'silent', ...options });
    return connect();
  };
  /** Starts a server with a note that becomes the home note at the next start. */
  const prepared = async (): Promise<string> => {
    const client = await start();
    await new Users(data).set('bob', { password: PASSWORD, roles: [] });
    const id = await client.notes.create({ path: 'welcome/Home' });
    await client.notes.create({ path: 'welcome/Other' });
    return id;
  };

  beforeEach(async () => {
    data = temporaryFolder();
    await writeFile(join(data, 'samples.json'), '{}');
  });
  afterEach(() => stop());

  it('does not exist if none is set or the configured note is missing', async () => {
    const id = await prepared();
    expect(await clients[0]!.notes.home()).toBeUndefined();
    expect(await clients[0]!.notes.configurations()).toMatchObject({
      'zeppelin.notebook.homescreen.hide': 'false',
    });
    const client = await start({ homeNote: '2ZZZZZZZZ', hideHomeNote: true });
    expect(await client.notes.home()).toBeUndefined();
    expect((await client.notes.list()).map((note) => note.id)).toContain(id);
  });

  it('is returned to its readers, and listed unless it is hidden', async () => {
    const id = await prepared();
    const admin = await start({ homeNote: id });
    const bob = await connect('bob');
    const readers = (...names: string[]) =>
      admin.call('setPermissions', {
        params: { noteId: id },
        body: { owners: ['admin'], writers: ['admin'], runners: ['admin'], readers: names },
      });
    await readers('admin');
    expect(await admin.notes.home()).toMatchObject({ id, name: 'welcome/Home' });
    await expect(bob.notes.home()).rejects.toMatchObject({ code: 'forbidden' });
    const names = async (client: Client) => [
      (await client.notes.list()).map(({ path }) => path),
      (await client.call('listNotes')).map(({ path }) => path),
    ];
    const both = ['/welcome/Home', '/welcome/Other'];
    for (const list of await names(admin))
      expect(list.map((path) => `/${path}`.replace('//', '/')).sort()).toEqual(both);
    await readers('admin', 'bob');
    expect(await bob.notes.home()).toMatchObject({ id });

    const hidden = await start({ homeNote: id, hideHomeNote: true });
    expect(await hidden.notes.home()).toMatchObject({ id });
    for (const list of await names(hidden))
      expect(list.map((path) => `/${path}`.replace('//', '/'))).toEqual(['/welcome/Other']);
    expect(await hidden.notes.configurations()).toMatchObject({
      'zeppelin.notebook.homescreen': id,
      'zeppelin.notebook.homescreen.hide': 'true',
    });
    // A hidden note still exists.
    expect((await hidden.open(id)).paragraphs).toHaveLength(1);
  });

  it('sends its changes and its removal to users on the home page', async () => {
    const id = await prepared();
    const admin = await start({ homeNote: id });
    const { identity } = await login(embedded!.server.url);
    const socket = await openSocket(embedded!.server.url, { headers: {}, identity });
    const home = async (msgId: string) => {
      socket.send({ op: 'GET_HOME_NOTE', data: {}, msgId });
      // Changes may arrive as a whole note too.
      for (;;) {
        const frame = await socket.next('NOTE');
        if (frame.msgId === msgId) return frame.data;
      }
    };
    expect(await home('1')).toMatchObject({ note: { id } });
    const note = await admin.open(id);
    note.paragraphs[0]!.edit('%md changed');
    await note.paragraphs[0]!.commit();
    expect((await socket.next('PARAGRAPH')).data).toMatchObject({
      paragraph: { text: '%md changed' },
    });
    await admin.notes.rename(id, 'welcome/Renamed');
    expect(await home('2')).toMatchObject({ note: { id, name: 'welcome/Renamed' } });
    await admin.call('deleteNote', { params: { noteId: id } });
    expect(await home('3')).toEqual({});
  });

  it('is set by flags and by the environment', () => {
    expect(resolveOptions({ homeNote: ' 2ABC ' })).toMatchObject({
      homeNote: '2ABC',
      hideHomeNote: false,
    });
    process.env['TIDING_HOME_NOTE'] = '2DEF';
    process.env['TIDING_HIDE_HOME_NOTE'] = 'true';
    try {
      expect(resolveOptions({})).toMatchObject({ homeNote: '2DEF', hideHomeNote: true });
      expect(resolveOptions({ homeNote: '2ABC', hideHomeNote: false })).toMatchObject({
        homeNote: '2ABC',
        hideHomeNote: false,
      });
    } finally {
      delete process.env['TIDING_HOME_NOTE'];
      delete process.env['TIDING_HIDE_HOME_NOTE'];
    }
    expect(resolveOptions({}).homeNote).toBeUndefined();
  });
});
