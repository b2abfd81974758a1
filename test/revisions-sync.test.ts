/** Automatic synchronisation with a git remote. */

import type { Note } from '@tiding/client/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Users } from '../server/auth/users.ts';
import { startEmbedded } from './support/embedded.ts';
import { type GitServer, noGit, startGitServer } from './support/git-server.ts';
import { PASSWORD } from './support/people.ts';
import {
  type ApiCall,
  asPage,
  callApi,
  type Login,
  login,
  openSocket,
  type RawSocket,
  request,
  startEmpty,
} from './support/raw.ts';
import { remoteSteps } from './support/revisions.ts';

describe('the configuration of a remote', () => {
  const path = '/magpie/revision-control';

  describe.skipIf(noGit)(`with a git server${noGit ? ` (skipped: ${noGit})` : ''}`, () => {
    let server: GitServer;
    beforeEach(async () => {
      server = await startGitServer();
    });
    afterEach(() => server.stop());
    const { config, pull, remote, push, remoteEdit } = remoteSteps(() => server);

    describe('automatically', () => {
      let own: Awaited<ReturnType<typeof startEmpty>>;
      let who: Login;
      let listener: RawSocket;
      const begin = async (options: Parameters<typeof startEmpty>[0]) => {
        own = await startEmpty({ logLevel: 'silent', syncIntervalMs: 0, ...options });
        who = await login(own.server.url);
        await listen();
        expect(
          await request(own.server.url, 'POST', `/api${path}`, {
            headers: asPage(who),
            body: JSON.stringify(config()),
          }),
        ).toMatchObject({ status: 202 });
        await listener.next('REPO_SYNC_SUCCESS');
      };
      const listen = async () => {
        listener = await openSocket(own.server.url, { identity: who.identity });
        listener.send({ op: 'LIST_NOTES' });
        await listener.next('NOTES_INFO');
      };
      const callOwn = async <T>(...args: ApiCall) => {
        const answer = await callApi(own.server.url, who, ...args);
        expect(answer.status, answer.text).toBeLessThan(300);
        return answer.json as T;
      };
      const status = async () =>
        (await callOwn<{ sync?: { ok?: boolean; running?: boolean; time?: string } }>('GET', path))
          .sync;
      /** Waits until the remote has a note with this text. */
      const arrived = async (id: string, wanted: string) => {
        for (;;) {
          try {
            pull();
            if (remote(id).paragraphs![0]!.text === wanted) return;
          } catch {
            // It is not there yet.
          }
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      };
      let named = 0;
      const note = async (text: string) =>
        (
          await callOwn<{ body: string }>('POST', '/notebook', {
            name: `own/${(named += 1)}`,
            paragraphs: [{ text }],
          })
        ).body;
      let closeFirst = () => Promise.resolve();
      afterEach(async () => {
        listener.socket.close();
        await closeFirst();
        closeFirst = () => Promise.resolve();
        await own.stop();
      });

      it('pushes each checkpoint to the remote', async () => {
        await begin({ syncDelayMs: 20 });
        const id = await note('checked');
        await callOwn('POST', `/notebook/${id}/revision`, { commitMessage: 'now' });
        await arrived(id, 'checked');
      });

      it('pulls from the remote periodically, also after a restart', async () => {
        await begin({ syncIntervalMs: 200 });
        const id = await note('first');
        await arrived(id, 'first');
        remoteEdit(id, 0, 'from afar');
        push('theirs');
        const text = async () =>
          (await callOwn<{ body: Note }>('GET', `/notebook/${id}`)).body.paragraphs![0]!.text;
        while ((await text()) !== 'from afar')
          await new Promise((resolve) => setTimeout(resolve, 50));
        listener.socket.close();
        await own.server.close();
        const again = await startEmbedded({
          logLevel: 'silent',
          syncIntervalMs: 200,
          data: own.data,
        });
        own = { ...own, server: again.server };
        closeFirst = () => again.server.close();
        who = await login(own.server.url);
        await listen();
        const later = await note('after the start');
        await arrived(later, 'after the start');
      });

      it('notifies only its creator, once when it fails and once when it recovers', async () => {
        await begin({ syncIntervalMs: 30, syncRetryMs: 20 });
        await new Users(own.data).set('bob', { password: PASSWORD });
        const other = await openSocket(own.server.url, {
          identity: (await login(own.server.url, 'bob', PASSWORD)).identity,
        });
        other.send({ op: 'LIST_NOTES' });
        await other.next('NOTES_INFO');
        let refused = 0;
        let enough = () => {};
        const thrice = new Promise<void>((resolve) => (enough = resolve));
        server.intercept = (_, response) => {
          refused += 1;
          if (refused === 3) enough();
          response.writeHead(500).end();
          return true;
        };
        expect(await listener.next('REPO_SYNC_ERROR', 'REPO_SYNC_SUCCESS')).toMatchObject({
          op: 'REPO_SYNC_ERROR',
          data: { info: 'The remote answered with status 500.' },
        });
        await thrice;
        server.intercept = undefined;
        expect(await listener.next('REPO_SYNC_ERROR', 'REPO_SYNC_SUCCESS')).toMatchObject({
          op: 'REPO_SYNC_SUCCESS',
          data: {},
        });
        // Later successes are not reported.
        const before = (await status())?.time;
        while ((await status())?.time === before)
          await new Promise((resolve) => setTimeout(resolve, 20));
        for (const each of [listener, other]) {
          each.send({ op: 'LIST_CONFIGURATIONS' });
          expect(
            (await each.next('CONFIGURATIONS_INFO', 'REPO_SYNC_ERROR', 'REPO_SYNC_SUCCESS')).op,
          ).toBe('CONFIGURATIONS_INFO');
        }
        other.socket.close();
      });

      it('ends when its creator loses the permission', async () => {
        await begin({ syncDelayMs: 10 });
        await new Users(own.data).set('carl', { password: PASSWORD, roles: ['global.SuperAdmin'] });
        await new Users(own.data).set('admin', { roles: ['magpie.AccessToken'] });
        who = await login(own.server.url, 'carl', PASSWORD);
        listener.socket.close();
        await listen();
        const asked: string[] = [];
        server.intercept = (incoming) => {
          asked.push(incoming.url ?? '');
          return false;
        };
        await callOwn('POST', `${path}/sync`);
        expect((await listener.next('REPO_SYNC_ERROR', 'REPO_SYNC_SUCCESS')).data['info']).toBe(
          'The remote was configured by admin, who no longer has permission. ' +
            'Save the settings again.',
        );
        expect(asked).toEqual([]);
      });
    });
  });
});
