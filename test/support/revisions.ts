/** Steps shared by the tests of revisions and of their remote. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Note } from '@tiding/client/protocol';
import { afterEach, expect } from 'vitest';
import { GIT_TOKEN, GIT_USER, type GitServer } from './git-server.ts';
import { bodyOf, type People } from './people.ts';
import { type Login, openSocket, type RawSocket } from './raw.ts';

/** A revision as the server lists it. */
export type Revision = { id: string; message: string; time: number };

/** Actions of users on notes and revisions. Opened sockets are closed after each test. */
export function revisionSteps(people: People) {
  const { call } = people;
  const sockets: RawSocket[] = [];
  afterEach(() => sockets.splice(0).forEach(({ socket }) => socket.close()));
  return {
    async edit(note: Note, at: number, text: string): Promise<void> {
      expect(
        await call(
          people.admin,
          'PUT',
          `/notebook/${note.id}/paragraph/${note.paragraphs![at]!.id}`,
          { text },
        ),
      ).toMatchObject({ status: 200 });
    },
    async textsOf(id: string) {
      return (await bodyOf<Note>(call(people.admin, 'GET', `/notebook/${id}`))).paragraphs!.map(
        ({ text }) => text,
      );
    },
    checkpoint: (note: Note, commitMessage: string, who: Login = people.admin) =>
      bodyOf<Revision>(call(who, 'POST', `/notebook/${note.id}/revision`, { commitMessage })),
    async open(who: Login = people.admin, noteId?: string): Promise<RawSocket> {
      const socket = await openSocket(people.url, { identity: who.identity });
      sockets.push(socket);
      if (noteId) {
        socket.send({ op: 'GET_NOTE', data: { id: noteId } });
        await socket.next('NOTE');
      }
      return socket;
    },
  };
}

/** Actions of another user on the repository of a remote. */
export function remoteSteps(server: () => GitServer) {
  const fileOf = (id: string) => join(server().clone, id, 'note.json');
  const remote = (id: string) => JSON.parse(readFileSync(fileOf(id), 'utf8')) as Note;
  return {
    config: () => ({ remoteUrl: server().url, userName: GIT_USER, accessToken: GIT_TOKEN }),
    pull: () => server().git('pull', '--quiet', '--no-rebase', 'origin', 'HEAD'),
    fileOf,
    remote,
    push(message: string) {
      server().git('add', '-A');
      server().git('commit', '--quiet', '-m', message);
      server().git('push', '--quiet', 'origin', 'HEAD');
    },
    remoteEdit(id: string, at: number, text: string) {
      const file = remote(id);
      file.paragraphs![at]!.text = text;
      writeFileSync(fileOf(id), JSON.stringify(file, null, 2));
    },
  };
}
