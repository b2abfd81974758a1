/** Rights that protect other users: interpreters, new notes, names, owners, removed users. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InterpreterSession, Note, Permissions } from '@tiding/client/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { runCommand } from '../support/command-line.ts';
import { startEmbedded } from '../support/embedded.ts';
import { bodyOf, PASSWORD, type People, twoPeople } from '../support/people.ts';
import { type Login, login, openSocket, request } from '../support/raw.ts';

let people: People;
let carol: Login;
beforeAll(async () => {
  people = await twoPeople();
  await new Users(people.data).set('carol', { password: PASSWORD });
  carol = await login(people.url, 'carol', PASSWORD);
});
afterAll(() => people.stop());

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
  it('the shared process belongs to administrators', async () => {
    const note = await noteOf(people.bob);
    expect((await run(people.bob, note)).status).toBe(200);
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
  });

  it("a note's process belongs to its owners and writers", async () => {
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
