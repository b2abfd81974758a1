/** The git remote that notes are synchronised with, over REST and the live channel. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { JsonObject, Note } from '@tiding/client/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  GIT_TOKEN,
  GIT_USER,
  type GitServer,
  noGit,
  startGitServer,
} from './support/git-server.ts';
import { bodyOf, twoPeople } from './support/people.ts';
import { asPage, login, openSocket, type RawSocket, request, startEmpty } from './support/raw.ts';
import { remoteSteps, revisionSteps } from './support/revisions.ts';
import { untilEnd } from './support/until-end.ts';

const MASK = '********';

const people = untilEnd(await twoPeople({ syncTimeoutMs: 60_000 }));
const { admin, bob, call, create } = people;
const { edit, textsOf, checkpoint, open } = revisionSteps(people);

describe('the configuration of a remote', () => {
  const path = '/magpie/revision-control';
  const save = (body: JsonObject, who = admin) => call(who, 'POST', path, body);
  const good = {
    remoteUrl: 'http://127.0.0.1:9/notes.git',
    userName: 'u',
    accessToken: 's3cret-token',
  };

  it('is for administrators', async () => {
    expect((await call(bob, 'GET', path)).status).toBe(403);
    expect((await save(good, bob)).status).toBe(403);
  });

  it.each([
    ['file:///etc'],
    ['ext::sh -c id'],
    ['ssh://git@host/x'],
    ['git://host/x'],
    ['--upload-pack=id'],
    ['https://u:p@host/x'],
    ['https://u@host/x'],
    ['http://ho st/x'],
    ['nonsense'],
    [''],
    ['https://host/x?y'],
    ['https://host/x#y'],
    ['javascript:alert(1)'],
  ])('refuses %s [S60]', async (remoteUrl) => {
    const answer = await save({ ...good, remoteUrl });
    expect(answer.status, answer.text).toBe(400);
    expect((answer.json as { message: string }).message).not.toBe('');
    expect((await call(admin, 'GET', path)).json).toEqual({});
  });

  it('rejects blank fields, and the mask without a stored token', async () => {
    for (const body of [
      { remoteUrl: good.remoteUrl },
      { ...good, userName: ' ' },
      { ...good, accessToken: '' },
      { ...good, accessToken: MASK },
      { ...good, userName: 'a\nb' },
    ]) {
      expect((await save(body)).status, JSON.stringify(body)).toBe(400);
    }
  });

  it('ends in an error if the remote does not respond, and is then removed', async () => {
    const [mine, again, theirs] = [await open(), await open(), await open(bob)];
    for (const socket of [mine, again, theirs]) {
      socket.send({ op: 'LIST_NOTES' });
      await socket.next('NOTES_INFO');
    }
    const answer = await save(good);
    expect([answer.status, answer.json]).toEqual([202, {}]);
    for (const socket of [mine, again])
      expect(await socket.next('REPO_SYNC_ERROR', 'REPO_SYNC_SUCCESS')).toMatchObject({
        op: 'REPO_SYNC_ERROR',
        data: { info: 'The remote could not be reached (ECONNREFUSED).' },
      });
    expect((await call(admin, 'GET', path)).json).toEqual({});
    theirs.send({ op: 'LIST_CONFIGURATIONS' });
    expect((await theirs.next('CONFIGURATIONS_INFO', 'REPO_SYNC_ERROR')).op).toBe(
      'CONFIGURATIONS_INFO',
    );
  });

  it('is rejected in a private network if the server is public [S60]', async () => {
    const open = untilEnd(await startEmpty({ logLevel: 'silent', allowPrivateRemotes: false }));
    const who = await login(open.server.url);
    for (const host of (
      '127.0.0.1 localhost 2130706433 0x7f.1 [::1] [::ffff:127.0.0.1] 10.1.2.3 ' +
      '169.254.169.254 192.168.0.1 [fd00::1] [fe80::1] 0.0.0.0 a.localhost'
    ).split(' ')) {
      const answer = await request(open.server.url, 'POST', `/api${path}`, {
        headers: asPage(who),
        body: JSON.stringify({ ...good, remoteUrl: `https://${host}/x.git` }),
      });
      expect(answer.status, host).toBe(400);
      expect((answer.json as { message: string }).message).toContain('private network');
    }
  });

  describe.skipIf(noGit)(`with a git server${noGit ? ` (skipped: ${noGit})` : ''}`, () => {
    let server: GitServer;
    let socket: RawSocket;
    beforeEach(async () => {
      server = await startGitServer();
      socket = await open();
      socket.send({ op: 'LIST_NOTES' });
      await socket.next('NOTES_INFO');
    });
    afterEach(async () => {
      await save({});
      await server.stop();
    });
    const { config, pull, fileOf, remote, push, remoteEdit } = remoteSteps(() => server);
    const synchronise = async (body: JsonObject = config()) => {
      const answer = await save(body);
      expect(answer.status, answer.text).toBe(202);
      return socket.next('REPO_SYNC_SUCCESS', 'REPO_SYNC_ERROR');
    };

    it('pushes all notes, shows the token as stars and keeps it encrypted [S39]', async () => {
      const note = await create('to the remote');
      expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_SUCCESS', data: {} });
      pull();
      expect(remote(note.id).paragraphs![0]!.text).toBe('to the remote');
      expect((await call(admin, 'GET', path)).json).toEqual({
        remoteUrl: server.url,
        userName: GIT_USER,
        accessToken: MASK,
        sync: { running: false, ok: true, time: expect.stringMatching(/^2.*Z$/) as string },
      });
      const file = join(people.data, 'revision-control.json');
      expect(await readFile(file, 'utf8')).not.toContain(GIT_TOKEN);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      // The mask keeps the token, but not for another host.
      await edit(note, 0, 'again');
      expect(await synchronise({ ...config(), accessToken: MASK })).toMatchObject({
        op: 'REPO_SYNC_SUCCESS',
      });
      pull();
      expect(remote(note.id).paragraphs![0]!.text).toBe('again');
      expect(
        (await save({ ...config(), remoteUrl: 'http://127.0.0.1:9/x.git', accessToken: MASK }))
          .status,
      ).toBe(400);
      const removed = await save({});
      expect([removed.status, removed.json]).toEqual([200, {}]);
      expect((await call(admin, 'GET', path)).json).toEqual({});
    });

    it('synchronises in both directions', async () => {
      const note = await create('a\nb\nc', 'second');
      await synchronise();
      pull();
      remoteEdit(note.id, 0, 'a\nb\nC');
      writeFileSync(join(server.clone, 'README.md'), 'ours');
      const foreign = '2ZZZZZZZZ';
      mkdirSync(join(server.clone, foreign));
      writeFileSync(
        fileOf(foreign),
        JSON.stringify({
          id: foreign,
          name: 'from/afar',
          config: { cron: '* * * * * ?', cronExecutingUser: 'admin' },
          paragraphs: [{ id: 'p1', text: '%md\nafar' }],
        }),
      );
      push('theirs');
      // Without local changes the branch fast-forwards.
      expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_SUCCESS' });
      expect(await textsOf(note.id)).toEqual(['a\nb\nC', 'second']);
      const added = await bodyOf<Note>(call(admin, 'GET', `/notebook/${foreign}`));
      expect(added).toMatchObject({ name: 'from/afar', paragraphs: [{ text: '%md\nafar' }] });
      expect(added.config!.cron).toBeUndefined();
      expect(
        (await bodyOf<{ owners: string[] }>(call(admin, 'GET', `/notebook/${foreign}/permissions`)))
          .owners,
      ).toEqual(['admin']);
      // With changes on both sides they merge.
      await edit(note, 0, 'A\nb\nC');
      pull();
      remoteEdit(note.id, 1, 'SECOND');
      push('theirs again');
      expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_SUCCESS' });
      expect(await textsOf(note.id)).toEqual(['A\nb\nC', 'SECOND']);
      pull();
      expect(remote(note.id).paragraphs!.map(({ text }) => text)).toEqual(['A\nb\nC', 'SECOND']);
      expect(readFileSync(join(server.clone, 'README.md'), 'utf8')).toBe('ours');
      server.git('fsck', '--strict');
      expect(server.git('log', '--merges', '--format=%an').trim()).toContain('admin');
      // A note removed here is removed at the remote; a note removed there is kept here.
      expect((await call(admin, 'DELETE', `/notebook/${foreign}`)).status).toBe(200);
      server.git('rm', '-r', '--quiet', note.id);
      push('removed');
      expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_SUCCESS' });
      expect(await textsOf(note.id)).toEqual(['A\nb\nC', 'SECOND']);
      pull();
      expect(() => remote(foreign)).toThrow();
    });

    it("keeps both versions of texts that don't merge, and reports it", async () => {
      const note = await create('one', 'two');
      await synchronise();
      pull();
      remoteEdit(note.id, 0, 'uno');
      push('theirs');
      await edit(note, 0, 'eins');
      const { op, data } = await synchronise();
      expect([op, data]).toEqual([
        'REPO_SYNC_SUCCESS',
        {
          info:
            `Paragraph ${note.paragraphs![0]!.id} of the note '${note.name}' was changed ` +
            'here and at the remote, and the two changes overlap: both are kept, ' +
            `the remote's in a paragraph below.`,
        },
      ]);
      expect(await textsOf(note.id)).toEqual(['eins', 'uno', 'two']);
      pull();
      expect(remote(note.id).paragraphs!.map(({ text }) => text)).toEqual(['eins', 'uno', 'two']);
      expect(remote(note.id).paragraphs![1]!.title).toBe('Version of the remote');
      expect((await call(admin, 'GET', path)).json).toMatchObject({ remoteUrl: server.url });
      // The conflict is reported only once.
      expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_SUCCESS', data: {} });
      expect(await textsOf(note.id)).toEqual(['eins', 'uno', 'two']);
    });

    const ask = (who = admin) => call(who, 'POST', `${path}/sync`);

    it('runs again on request, and then keeps its settings even if it fails', async () => {
      expect([(await ask()).status, (await ask(bob)).status]).toEqual([409, 403]);
      await synchronise();
      const note = await create('by hand');
      expect((await ask()).status).toBe(202);
      expect(await socket.next('REPO_SYNC_SUCCESS', 'REPO_SYNC_ERROR')).toMatchObject({
        op: 'REPO_SYNC_SUCCESS',
        data: {},
      });
      pull();
      expect(remote(note.id).paragraphs![0]!.text).toBe('by hand');
      server.intercept = (_, response) => {
        response.writeHead(500).end();
        return true;
      };
      expect((await ask()).status).toBe(202);
      expect(await socket.next('REPO_SYNC_SUCCESS', 'REPO_SYNC_ERROR')).toMatchObject({
        op: 'REPO_SYNC_ERROR',
        data: { info: 'The remote answered with status 500.' },
      });
      expect((await call(admin, 'GET', path)).json).toMatchObject({
        remoteUrl: server.url,
        sync: { running: false, ok: false, info: 'The remote answered with status 500.' },
      });
      server.intercept = undefined;
      expect((await ask()).status).toBe(202);
      expect(await socket.next('REPO_SYNC_SUCCESS', 'REPO_SYNC_ERROR')).toMatchObject({
        op: 'REPO_SYNC_SUCCESS',
      });
    });

    it('runs one sync at a time; later requests share the next one', async () => {
      await synchronise();
      let open = 0;
      let most = 0;
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      let first = () => {};
      const began = new Promise<void>((resolve) => (first = resolve));
      const refs: string[] = [];
      server.intercept = (incoming, response) => {
        open += 1;
        most = Math.max(most, open);
        response.on('close', () => (open -= 1));
        if (incoming.url?.includes('git-upload-pack') && incoming.method === 'GET')
          refs.push(incoming.url);
        if (refs.length > 1) return false;
        first();
        // The first sync blocks until all other requests are made; then it fails, and the next one
        // succeeds.
        void held.then(() => response.writeHead(503).end());
        return true;
      };
      expect((await ask()).status).toBe(202);
      await began;
      const note = await create('while it went on');
      for (let n = 0; n < 5; n += 1) expect((await ask()).status).toBe(202);
      release();
      expect((await socket.next('REPO_SYNC_SUCCESS', 'REPO_SYNC_ERROR')).op).toBe(
        'REPO_SYNC_ERROR',
      );
      expect((await socket.next('REPO_SYNC_SUCCESS', 'REPO_SYNC_ERROR')).op).toBe(
        'REPO_SYNC_SUCCESS',
      );
      pull();
      expect(remote(note.id).paragraphs![0]!.text).toBe('while it went on');
      expect(most).toBe(1);
      // One sync for all five requests.
      socket.send({ op: 'LIST_CONFIGURATIONS' });
      expect(
        (await socket.next('CONFIGURATIONS_INFO', 'REPO_SYNC_ERROR', 'REPO_SYNC_SUCCESS')).op,
      ).toBe('CONFIGURATIONS_INFO');
    });

    it('uses the branch of the remote', async () => {
      await server.stop();
      server = await startGitServer('trunk');
      writeFileSync(join(server.clone, 'README.md'), 'first');
      push('first');
      const note = await create('on the trunk');
      expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_SUCCESS' });
      pull();
      expect(remote(note.id).paragraphs![0]!.text).toBe('on the trunk');
      expect(server.git('ls-remote', '--heads', 'origin').trim().split('\n')).toHaveLength(1);
    });

    it('reports wrong credentials without repeating them', async () => {
      const { op, data } = await synchronise({ ...config(), accessToken: 'wrong-token' });
      expect([op, data]).toEqual([
        'REPO_SYNC_ERROR',
        { info: 'The remote refused the user name or the access token.' },
      ]);
    });

    it.each([
      [404, 'There is no repository at this address, or the user may not see it.'],
      [500, 'The remote answered with status 500.'],
      [200, 'There is no git repository at this address.'],
    ])('explains an answer of %i', async (status, info) => {
      server.intercept = (_, response) => {
        response.writeHead(status, { 'Content-Type': 'text/html' }).end('<html>');
        return true;
      };
      expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_ERROR', data: { info } });
    });

    it.each([
      ['links and submodules', 'refs/heads/main', 'FOLDER', /^$/],
      ['a folder outside', 'refs/heads/main', '..', /unsafe/],
      ['a branch outside', 'refs/heads/../../../../users.json', 'OTHER', /ref/i],
    ])('writes no file of the server for %s [S86]', async (_, branch, name, problem) => {
      const users = join(people.data, 'users.json');
      const before = readFileSync(users, 'utf8');
      const note = await create('kept');
      await synchronise();
      pull();
      const put = (input: string, ...args: string[]) =>
        execFileSync('git', args, { cwd: server.clone, input, encoding: 'utf8' }).trim();
      const file = put(readFileSync(fileOf(note.id), 'utf8'), 'hash-object', '-w', '--stdin');
      const link = put('../../users.json', 'hash-object', '-w', '--stdin');
      const commit = server.git('rev-parse', 'HEAD').trim();
      const folder = put(`100644 blob ${file}\tnote.json\n`, 'mktree');
      const linked = put(`120000 blob ${link}\tnote.json\n`, 'mktree');
      const tree = put(
        server.git('ls-tree', 'HEAD') +
          `040000 tree ${folder}\t${name}\n120000 blob ${link}\tLINK\n` +
          `040000 tree ${linked}\tLINKED\n160000 commit ${commit}\tSUBMODULE\n`,
        'mktree',
      );
      const made = server.git('commit-tree', tree, '-p', 'HEAD', '-m', 'hostile').trim();
      server.git('push', '--quiet', 'origin', `${made}:refs/heads/main`);
      server.intercept = (incoming, response) => {
        if (branch === 'refs/heads/main' || !incoming.url?.includes('service=git-upload-pack'))
          return false;
        const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text;
        response.setHeader('Content-Type', 'application/x-git-upload-pack-advertisement');
        response.end(
          `${line('# service=git-upload-pack\n')}0000` +
            line(`${made} HEAD\0side-band-64k ofs-delta symref=HEAD:${branch}\n`) +
            `${line(`${made} ${branch}\n`)}0000`,
        );
        return true;
      };
      const { data } = await synchronise();
      expect(data['info'] ?? '').toMatch(problem);
      expect(readFileSync(users, 'utf8')).toBe(before);
      const ids = (await bodyOf<{ id: string }[]>(call(admin, 'GET', '/notebook'))).map(
        ({ id }) => id,
      );
      expect(ids).toContain(note.id);
      expect(ids.includes(name)).toBe(name === 'FOLDER');
      expect(ids.filter((id) => /LINK|SUBMODULE|\./.test(id))).toEqual([]);
    });

    it('rejects a long list of branches', async () => {
      server.intercept = (_, response) => {
        response.setHeader('Content-Type', 'application/x-git-upload-pack-advertisement');
        response.end('001e# service=git-upload-pack\n0000'.padEnd(9 * 2 ** 20, '0'));
        return true;
      };
      expect((await synchronise()).data['info']).toBe('The remote sent more than 8 MB.');
    });

    it('does not follow a remote that has moved', async () => {
      const asked: string[] = [];
      server.intercept = (incoming, response) => {
        asked.push(incoming.url ?? '');
        response
          .writeHead(302, {
            Location: 'http://127.0.0.1:9/elsewhere.git/info/refs?service=git-upload-pack',
          })
          .end();
        return true;
      };
      expect(await synchronise()).toMatchObject({
        op: 'REPO_SYNC_ERROR',
        data: {
          info: 'The remote has moved to http://127.0.0.1:9/elsewhere.git. Save its new address.',
        },
      });
      expect(asked).toHaveLength(1);
    });

    it('abandons a sync that hangs once another is saved; checkpoints still work', async () => {
      const note = await create('one');
      const asked = new Promise<void>((resolve) => {
        server.intercept = () => {
          resolve();
          return true;
        };
      });
      expect((await save(config())).status).toBe(202);
      await asked;
      await edit(note, 0, 'two');
      await checkpoint(note, 'meanwhile');
      server.intercept = undefined;
      // Only the end of the second sync is reported.
      expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_SUCCESS' });
      expect((await call(admin, 'GET', path)).json).toMatchObject({ remoteUrl: server.url });
    });

    it.each([
      ['hangs', () => true],
      [
        'hangs in the middle of an answer',
        (_: unknown, response: ServerResponse) => {
          response
            .writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-advertisement' })
            .write('001e# service=git-upload-pack\n');
          return true;
        },
      ],
    ])('ends in an error after its time limit if the remote %s [S60]', async (_, intercept) => {
      const patient = untilEnd(await startEmpty({ logLevel: 'silent', syncTimeoutMs: 1_000 }));
      server.intercept = intercept;
      const who = await login(patient.server.url);
      const listener = await openSocket(patient.server.url, { identity: who.identity });
      listener.send({ op: 'LIST_NOTES' });
      await listener.next('NOTES_INFO');
      const answer = await request(patient.server.url, 'POST', `/api${path}`, {
        headers: asPage(who),
        body: JSON.stringify(config()),
      });
      expect(answer.status).toBe(202);
      expect((await listener.next('REPO_SYNC_ERROR')).data['info']).toContain(
        'did not answer within 1 seconds',
      );
    });
  });
});
