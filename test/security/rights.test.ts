/** Rights that protect other users: interpreters, new notes, names, owners, removed users. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InterpreterSession, Note, Permissions } from '@tiding/client/protocol';
import { describe, expect, it } from 'vitest';
import { AccessTokenStore } from '../../server/auth/tokens.ts';
import { Users } from '../../server/auth/users.ts';
import { runCommand } from '../support/command-line.ts';
import { startEmbedded } from '../support/embedded.ts';
import { bodyOf, PASSWORD, twoPeople } from '../support/people.ts';
import { type Login, login, onlyFor, openSocket, request } from '../support/raw.ts';
import { untilEnd } from '../support/until-end.ts';

const people = untilEnd(await twoPeople({ newNotes: 'private' }));
await new Users(people.data).set('carol', { password: PASSWORD });
const carol = await login(people.url, 'carol', PASSWORD);

let named = 0;
/** Creates a note of a user with one paragraph. */
async function noteOf(who: Login, text = '%js\n1', name = `own/${(named += 1)}`): Promise<Note> {
  const id = await bodyOf<string>(
    people.call(who, 'POST', '/notebook', { name, paragraphs: [{ text }] }),
  );
  return bodyOf<Note>(people.call(who, 'GET', `/notebook/${id}`));
}
const listsOf = (who: Login, id: string): Promise<Permissions> =>
  bodyOf(people.call(who, 'GET', `/notebook/${id}/permissions`));
const setLists = (who: Login, id: string, lists: Permissions) =>
  people.call(who, 'PUT', `/notebook/${id}/permissions`, lists);
const run = (who: Login, { id, paragraphs }: Note) =>
  people.call(who, 'POST', `/notebook/run/${id}/${paragraphs![0]!.id}`, {});
const sessionsOf = (who: Login): Promise<InterpreterSession[]> =>
  bodyOf(people.call(who, 'GET', '/session'));

describe('ending interpreters', () => {
  it('the shared process belongs to administrators [S7]', async () => {
    const share = (perNote: string) =>
      bodyOf(
        people.call(people.admin, 'PUT', '/interpreter/setting/js', {
          option: { perNote, perUser: '' },
        }),
      );
    await share('shared');
    const note = await noteOf(people.bob);
    expect((await run(people.bob, note)).json).toMatchObject({ body: { code: 'SUCCESS' } });
    const shared = (await sessionsOf(people.admin)).find(({ interpreter }) => interpreter === 'js');
    expect(shared?.noteId).toBeUndefined();
    expect(await sessionsOf(people.bob)).toEqual([]);
    for (const body of [{}, { noteId: note.id }]) {
      const answer = await people.call(people.bob, 'PUT', '/interpreter/setting/restart/js', body);
      expect(answer.status, answer.text).toBe(403);
      expect((answer.json as { message: string }).message).toMatch(
        /administrator can .*\. (Open a note|Cancel your run)/,
      );
    }
    const ended = await people.call(people.bob, 'DELETE', `/session/${shared!.sessionId}`);
    expect(ended.status).toBe(403);
    expect((ended.json as { message: string }).message).toMatch(/Cancel your run/);
    expect(await sessionsOf(people.admin)).toContainEqual(shared);
    await bodyOf(people.call(people.admin, 'PUT', '/interpreter/setting/restart/js', {}));
    expect(await sessionsOf(people.admin)).not.toContainEqual(shared);
    await share('isolated');
  });

  it("a note's process belongs to its owners and writers [S7]", async () => {
    const created = await bodyOf<InterpreterSession>(
      people.call(people.bob, 'POST', '/session?interpreter=js'),
    );
    const path = `/session/${created.sessionId}`;
    const id = created.noteId!;
    expect(await sessionsOf(people.bob)).toHaveLength(1);
    expect((await people.call(carol, 'DELETE', path)).status).toBe(404);
    const lists = { owners: ['bob'], writers: ['bob'], runners: ['carol'], readers: ['carol'] };
    expect((await setLists(people.bob, id, lists)).status).toBe(200);
    expect(await sessionsOf(carol)).toEqual([]);
    expect((await people.call(carol, 'DELETE', path)).status).toBe(403);
    const restart = () =>
      people.call(carol, 'PUT', '/interpreter/setting/restart/js', { noteId: id });
    expect((await restart()).status).toBe(403);
    await setLists(people.bob, id, { ...lists, writers: ['carol'] });
    expect(await sessionsOf(carol)).toHaveLength(1);
    expect((await restart()).status).toBe(200);
    expect(await sessionsOf(people.admin)).not.toContainEqual(created);
  });
});

describe('configuration and reload', () => {
  it('are for administrators, live as over REST', async () => {
    const answers = async (who: Login) => {
      const socket = await openSocket(people.url, { identity: who.identity });
      socket.send({ op: 'LIST_CONFIGURATIONS' });
      const { data } = await socket.next('CONFIGURATIONS_INFO');
      socket.send({ op: 'RELOAD_NOTES_FROM_REPO' });
      const { op } = await socket.next('AUTH_INFO', 'NOTES_INFO');
      socket.socket.close();
      return [Object.keys(data['configurations'] as object).sort(), op];
    };
    expect(await answers(people.bob)).toEqual([
      [
        'isRevisionSupported',
        'tiding.import.max.size',
        'tiding.version',
        'zeppelin.version',
        'zeppelin.websocket.max.text.message.size',
      ],
      'AUTH_INFO',
    ]);
    const [all, op] = await answers(people.admin);
    expect(all).toContain('zeppelin.server.addr');
    expect(op).toBe('NOTES_INFO');
  });
});

describe('a new note', () => {
  it('is private to its creator, however it is made [S6]', async () => {
    const { bob, call } = people;
    const made = await noteOf(bob);
    const clone = await bodyOf<string>(call(bob, 'POST', `/notebook/${made.id}`, {}));
    const imported = await bodyOf<string>(
      call(bob, 'POST', '/notebook/import', { name: 'imported', paragraphs: [{ text: 'x' }] }),
    );
    const socket = await openSocket(people.url, { identity: bob.identity });
    socket.send({ op: 'NEW_NOTE', data: { name: 'live' } });
    const live = ((await socket.next('NEW_NOTE')).data['note'] as Note).id;
    socket.socket.close();
    for (const id of [made.id, clone, imported, live]) {
      expect(await listsOf(bob, id)).toEqual(onlyFor('bob'));
      expect((await call(carol, 'GET', `/notebook/${id}`)).status).toBe(403);
    }
    const seen = await bodyOf<{ id: string }[]>(call(carol, 'GET', '/notebook'));
    expect(seen.map(({ id }) => id)).not.toContain(made.id);
  });

  it.each([{}, { writers: ['bob'], runners: ['bob'], readers: ['bob'] }])(
    'keeps an owner: %j without owners is refused',
    async (others) => {
      const { bob } = people;
      const { id } = await noteOf(bob);
      const lists = { owners: [' '], writers: [], runners: [], readers: [], ...others };
      const answer = await setLists(bob, id, lists);
      expect(answer.status).toBe(400);
      expect((answer.json as { message: string }).message).toBe(
        'A note needs an owner. Add at least one user or role to the owners, then save again.',
      );
      expect(await listsOf(bob, id)).toEqual(onlyFor('bob'));
    },
  );

  it("with a name that only unreadable notes have gets it, and isn't told apart [S6]", async () => {
    const { bob, call } = people;
    const hidden = await noteOf(bob, '%md\nsecret', 'Plans/Takeover');
    const byName = (notePath: string) => call(carol, 'POST', '/notebook/getByPath', { notePath });
    const [taken, free] = [await byName('/Plans/Takeover'), await byName('/Plans/Nothing')];
    expect([taken.status, taken.text.replace('Takeover', 'Nothing')]).toEqual([404, free.text]);
    const live = async (op: string, id: string) => {
      const socket = await openSocket(people.url, { identity: carol.identity });
      socket.send({ op, data: { id, name: 'Elsewhere' } });
      const { op: answer, data } = await socket.next('ERROR_INFO', 'AUTH_INFO', 'NOTES_INFO');
      socket.socket.close();
      return [answer, String(data['info']).replace(id, 'X')];
    };
    for (const op of ['REMOVE_FOLDER', 'FOLDER_RENAME', 'MOVE_FOLDER_TO_TRASH'])
      expect(await live(op, 'Plans')).toEqual(await live(op, 'Nowhere'));
    const own = await noteOf(carol, '%md\nmine', 'Plans/Takeover');
    expect(own.name).toBe('Plans/Takeover');
    const renamed = await noteOf(carol);
    for (const name of ['Plans/Takeover', 'Plans/Other'])
      expect((await call(carol, 'PUT', `/notebook/${renamed.id}/rename`, { name })).status).toBe(
        name === 'Plans/Other' ? 200 : 500,
      );
    expect(await bodyOf<Note>(byName('/Plans/Takeover'))).toMatchObject({ id: own.id });
    expect(await bodyOf<Note>(call(bob, 'GET', `/notebook/${hidden.id}`))).toMatchObject({
      name: 'Plans/Takeover',
    });
    // The folder now has a note of hers, so the operation is refused, without names.
    expect(await live('REMOVE_FOLDER', 'Plans')).toEqual([
      'AUTH_INFO',
      "The folder contains notes that you don't own. Ask an administrator to change it.",
    ]);
  });

  it('is shared with everybody if the server says so', async () => {
    const shared = await twoPeople({ newNotes: 'shared' });
    const { id } = await shared.create('%md\nx');
    expect(await bodyOf(shared.call(shared.bob, 'GET', `/notebook/${id}/permissions`))).toEqual({
      owners: ['admin'],
      writers: [],
      runners: [],
      readers: [],
    });
    await shared.stop();
  });

  it('is shared if its folder says so', async () => {
    const server = untilEnd(
      await twoPeople({
        newNotes: 'private',
        newNotesIn: { '/Team/': 'shared', 'Team/Pay': 'private' },
      }),
    );
    const statusFor = async (name: string) => {
      const id = await bodyOf<string>(server.call(server.admin, 'POST', '/notebook', { name }));
      return (await server.call(server.bob, 'GET', `/notebook/${id}`)).status;
    };
    expect(await statusFor('Team/plan')).toBe(200);
    expect(await statusFor('/Team/2026/plan')).toBe(200);
    expect(await statusFor('Team/Pay/list')).toBe(403);
    expect(await statusFor('Teams/plan')).toBe(403);
    expect(await statusFor('Team')).toBe(403);
  });

  it('without stored permissions belongs to administrators [S6]', async () => {
    const server = untilEnd(await twoPeople());
    const [first, second] = [await server.create('%md\nx'), await server.create('%md\ny')];
    const file = join(server.data, 'notebook-authorization.json');
    await server.restart(async () => {
      const { authInfo } = JSON.parse(await readFile(file, 'utf8')) as {
        authInfo: Record<string, object>;
      };
      delete authInfo[first.id];
      authInfo[second.id] = { owners: [], writers: [], readers: [] };
      await writeFile(file, JSON.stringify({ authInfo }));
    });
    for (const { id } of [first, second]) {
      expect((await server.call(server.bob, 'GET', `/notebook/${id}`)).status).toBe(403);
      expect((await server.call(server.bob, 'DELETE', `/notebook/${id}`)).status).toBe(403);
      expect((await server.call(server.admin, 'GET', `/notebook/${id}`)).status).toBe(200);
    }
  });

  it('of the samples is read and run by everybody, and edited by the administrator', async () => {
    const { server, data, stop } = await startEmbedded({ newNotes: 'private' });
    try {
      await new Users(data).set('bob', { password: PASSWORD });
      const bob = await login(server.url, 'bob', PASSWORD);
      const headers = { Cookie: bob.cookie };
      const list = await request(server.url, 'GET', '/api/notebook', { headers });
      const notes = (list.json as { body: Note[] }).body;
      expect(notes.length).toBeGreaterThan(1);
      for (const { id } of notes) {
        const path = `/api/notebook/${id}/permissions`;
        const { json } = await request(server.url, 'GET', path, { headers });
        expect((json as { body: Permissions }).body).toEqual({
          owners: ['admin'],
          writers: ['admin'],
          runners: [],
          readers: [],
        });
      }
    } finally {
      await stop();
    }
  });
});

describe.each([
  ['%magpie drop user', 'running'],
  ['tiding user remove', 'running'],
  ['tiding user remove', 'stopped'],
] as const)('%s on a %s server', (way, state) => {
  it('ends tokens, sessions, sockets and grants, and the next zoe gets none [S8]', async () => {
    const server = untilEnd(await twoPeople({ newNotes: 'private' }));
    const { bob, call, data } = server;
    await new Users(data).set('zoe', { password: PASSWORD, roles: ['magpie.AccessToken'] });
    const zoe = await login(server.url, 'zoe', PASSWORD);
    const token = (await new AccessTokenStore(data).create('zoe')).token!;
    const withToken = (bearer: string) =>
      request(server.url, 'GET', '/api/notebook', {
        headers: { Authorization: `Bearer ${bearer}` },
      });
    const create = async (who: Login, lists: object) => {
      const name = `of-zoe/${(named += 1)}`;
      const id = await bodyOf<string>(call(who, 'POST', '/notebook', { name }));
      const answer = await call(who, 'PUT', `/notebook/${id}/permissions`, lists);
      expect(answer.status, answer.text).toBe(200);
      return id;
    };
    const bobs = onlyFor('bob');
    const own = await create(zoe, { ...onlyFor('zoe'), readers: ['bob'] });
    const shared = await create(bob, { ...bobs, owners: ['bob', 'zoe'], readers: ['zoe'] });
    const embed = (
      (await call(zoe, 'POST', '/magpie/embed-token', { noteId: own, scope: 'view' })).json as {
        token: string;
      }
    ).token;
    await bodyOf(call(zoe, 'PUT', '/credential', { entity: 'db', username: 'z', password: 'p' }));
    await bodyOf(call(zoe, 'POST', `/notebook/cron/${own}`, { cron: '0 0 5 * * ?' }));
    const setting = async (name: string, owners: readonly string[]) =>
      bodyOf(
        call(server.admin, 'POST', '/interpreter/setting', {
          name,
          group: 'sql',
          properties: {},
          option: { setPermission: true, owners },
        }),
      );
    await setting('zoes', ['zoe']);
    await setting('both', ['bob', 'zoe']);
    const note = await server.create('%magpie');
    const paragraph = note.paragraphs![0]!.id;
    const statement = (text: string) =>
      call(server.admin, 'PUT', `/notebook/${note.id}/paragraph/${paragraph}`, { text }).then(() =>
        call(server.admin, 'POST', `/notebook/run/${note.id}/${paragraph}`, {}),
      );
    const granted = await statement('%magpie\ngrant developer on schema main to user zoe;');
    expect(granted.json, granted.text).toMatchObject({ body: { code: 'SUCCESS' } });
    const grantsOfZoe = async () =>
      (await statement('%magpie\nshow permissions of user zoe;')).text;
    expect(await grantsOfZoe()).toContain('\\"Developer\\"');
    const socket = await openSocket(server.url, { identity: zoe.identity });
    socket.send({ op: 'GET_NOTE', data: { id: own } });
    await socket.next('NOTE');
    expect([(await withToken(token)).status, (await withToken(embed)).status]).toEqual([200, 403]);

    const remove = async () => {
      const { code, err } = await runCommand(['user', 'remove', 'zoe', '--data', data]);
      expect([code, err]).toEqual([0, 'tiding: zoe can no longer sign in.\n']);
    };
    if (way === '%magpie drop user') {
      const dropped = await statement('%magpie\ndrop user zoe;');
      expect(dropped.json).toMatchObject({ body: { code: 'SUCCESS' } });
      expect(dropped.text).toContain('Dropped user zoe');
    } else if (state === 'running') await remove();
    else await server.restart(remove);
    // Somebody else of that name, before the server has seen any request.
    await new Users(data).set('zoe', { password: `another-${PASSWORD}` });

    const next = await login(server.url, 'zoe', `another-${PASSWORD}`);
    if (state === 'running') await socket.next('SESSION_LOGOUT');
    for (const old of [token, embed]) expect((await withToken(old)).status).toBe(401);
    expect((await call(zoe, 'GET', '/notebook')).status).toBe(401);
    expect(await bodyOf(call(next, 'GET', '/notebook'))).toEqual([]);
    for (const id of [own, shared])
      expect((await call(next, 'GET', `/notebook/${id}`)).status).toBe(403);
    expect(await bodyOf(call(next, 'GET', '/credential'))).toEqual({ userCredentials: {} });
    const listed = (id: string, who = server.admin) =>
      bodyOf(call(who === bob ? server.bob : who, 'GET', `/notebook/${id}/permissions`));
    const administrators = ['global.SuperAdmin', 'magpie.OrganizationAdmin', 'admin'];
    expect(await listed(own)).toEqual({
      owners: administrators,
      writers: administrators,
      runners: administrators,
      readers: ['bob'],
    });
    expect(await listed(shared, bob)).toEqual(bobs);
    const { config } = await bodyOf<{ config: object }>(
      call(server.admin, 'GET', `/notebook/${own}`),
    );
    expect(config).not.toHaveProperty('cron');
    expect(config).not.toHaveProperty('cronExecutingUser');
    const ownersOf = async (id: string) =>
      (
        await bodyOf<{ option: { owners: string[] } }>(
          call(server.admin, 'GET', `/interpreter/setting/${id}`),
        )
      ).option.owners;
    expect([await ownersOf('zoes'), await ownersOf('both')]).toEqual([administrators, ['bob']]);
    expect(await grantsOfZoe()).not.toContain('\\"Developer\\"');
  });
});
