/** Revisions of notes and the remote they are synchronised with, over the wire. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Bag, Note } from 'tiding/protocol';
import { Users } from '../app/server/auth/users.ts';
import { ADMIN_PASSWORD, startEmbedded } from './support/embedded.ts';
import { GIT_TOKEN, GIT_USER, noGit, startGitServer, type GitServer } from './support/git-server.ts';
import { asPage, login, openSocket, request, startEmpty, type Login, type RawSocket } from './support/raw.ts';
import { bodyOf, PASSWORD, twoPeople, type People } from './support/people.ts';

const NOTHING = "Couldn't checkpoint note revision: possibly no changes found or storage doesn't support versioning. Please check the logs for more details.";
const MASK = '********';

let people: People;
let url: string;
let admin: Login;
let bob: Login;
let call: People['call'];
let create: People['create'];
const sockets: RawSocket[] = [];

beforeAll(async () => {
  people = await twoPeople({ syncTimeoutMs: 60_000 });
  ({ url, admin, bob, call, create } = people);
});
afterAll(() => people.stop());
afterEach(() => sockets.splice(0).forEach(({ socket }) => socket.close()));
const edit = async (note: Note, at: number, text: string) => {
  expect((await call(admin, 'PUT', `/notebook/${note.id}/paragraph/${note.paragraphs![at]!.id}`, { text })).status).toBe(200);
};
const textsOf = async (id: string) => (await bodyOf<Note>(call(admin, 'GET', `/notebook/${id}`))).paragraphs!.map(({ text }) => text);
type Revision = { id: string; message: string; time: number };
const checkpoint = (note: Note, commitMessage: string, who = admin) => bodyOf<Revision>(call(who, 'POST', `/notebook/${note.id}/revision`, { commitMessage }));
const open = async (who = admin, noteId?: string) => {
  const socket = await openSocket(url, { identity: who.identity });
  sockets.push(socket);
  if (noteId) {
    socket.send({ op: 'GET_NOTE', data: { id: noteId } });
    await socket.next('NOTE');
  }
  return socket;
};

describe('checkpoints', () => {
  it('are listed newest first, in Unix seconds, each note its own', async () => {
    const note = await create('one');
    const other = await create('other');
    const socket = await open(admin, note.id);
    socket.send({ op: 'LIST_REVISION_HISTORY', data: { noteId: note.id } });
    expect((await socket.next('LIST_REVISION_HISTORY')).data).toEqual({ revisionList: [] });
    const began = Math.floor(Date.now() / 1000);
    socket.send({ op: 'CHECKPOINT_NOTE', data: { noteId: note.id, commitMessage: 'first' } });
    const { revisionList } = (await socket.next('LIST_REVISION_HISTORY')).data as { revisionList: Revision[] };
    expect(revisionList).toEqual([{ id: expect.stringMatching(/^[0-9a-f]{40}$/) as string, message: 'first', time: expect.any(Number) as number }]);
    expect(revisionList[0]!.time).toBeGreaterThanOrEqual(began);
    expect(revisionList[0]!.time).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
    await checkpoint(other, 'of another note');
    await edit(note, 0, 'two');
    await checkpoint(note, 'second\n\nwith more to say');
    socket.send({ op: 'LIST_REVISION_HISTORY', data: { noteId: note.id } });
    expect(((await socket.next('LIST_REVISION_HISTORY')).data['revisionList'] as Revision[]).map(({ message }) => message)).toEqual(['second\n\nwith more to say', 'first']);
    expect((await bodyOf<Revision[]>(call(admin, 'GET', `/notebook/${other.id}/revision`))).map(({ message }) => message)).toEqual(['of another note']);
  });

  it('are refused in upstream\'s words where nothing changed', async () => {
    const note = await create('one');
    await checkpoint(note, 'first');
    const socket = await open();
    socket.send({ op: 'CHECKPOINT_NOTE', data: { noteId: note.id, commitMessage: 'again' } });
    expect((await socket.next('ERROR_INFO', 'LIST_REVISION_HISTORY')).data).toMatchObject({ info: NOTHING, op: 'CHECKPOINT_NOTE' });
    expect((await call(admin, 'POST', `/notebook/${note.id}/revision`, { commitMessage: 'again' })).status).toBe(409);
  });

  it('made at once all stand, and one of the same content is refused', async () => {
    const notes = await Promise.all(['a', 'b', 'c', 'd'].map((text) => create(text)));
    await Promise.all(notes.map((note) => checkpoint(note, `of ${note.id}`)));
    for (const note of notes) expect(await bodyOf<Revision[]>(call(admin, 'GET', `/notebook/${note.id}/revision`))).toHaveLength(1);
    await edit(notes[0]!, 0, 'changed');
    const statuses = await Promise.all([1, 2, 3].map(async (n) => (await call(admin, 'POST', `/notebook/${notes[0]!.id}/revision`, { commitMessage: `race ${n}` })).status));
    expect(statuses.sort()).toEqual([200, 409, 409]);
  });

  it('survive a rename of the note and a restart of the server', async () => {
    const note = await create('one');
    const { id } = await checkpoint(note, 'before');
    const socket = await open();
    socket.send({ op: 'NOTE_RENAME', data: { id: note.id, name: `renamed/${note.id}` } });
    await socket.next('NOTES_INFO');
    await checkpoint(note, 'renamed');
    await people.restart();
    ({ url, admin, bob } = people);
    const list = await bodyOf<Revision[]>(call(admin, 'GET', `/notebook/${note.id}/revision`));
    expect(list.map(({ message }) => message)).toEqual(['renamed', 'before']);
    expect((await bodyOf<Note>(call(admin, 'GET', `/notebook/${note.id}/revision/${id}`))).path).toBe(note.path);
  });

  it.skipIf(noGit)('are commits of their author that git can read', async () => {
    const note = await create('%md\n# x');
    await call(admin, 'PUT', `/notebook/${note.id}/permissions`, { owners: ['admin'], writers: ['admin', 'bob'], runners: ['admin', 'bob'], readers: ['admin', 'bob'] });
    const { id } = await checkpoint(note, 'by bob', bob);
    const git = (...args: string[]) => execFileSync('git', [`--git-dir=${join(people.data, 'revisions')}`, ...args], { encoding: 'utf8' });
    git('fsck', '--strict');
    expect(git('log', '-1', '--format=%an <%ae> %s', id).trim()).toBe('bob <bob@localhost> by bob');
    const file = JSON.parse(git('show', `${id}:${note.id}/note.json`)) as Note;
    expect(file).toMatchObject({ id: note.id, name: note.name, paragraphs: [{ text: '%md\n# x' }] });
    expect(file.paragraphs![0]).not.toHaveProperty('rev');
  });

  it('need the right to write, their list the right to read', async () => {
    const note = await create('one');
    await call(admin, 'PUT', `/notebook/${note.id}/permissions`, { owners: ['admin'], writers: ['admin'], runners: ['admin'], readers: ['admin', 'bob'] });
    const socket = await open(bob);
    socket.send({ op: 'LIST_REVISION_HISTORY', data: { noteId: note.id } });
    await socket.next('LIST_REVISION_HISTORY');
    for (const [op, data] of [['CHECKPOINT_NOTE', { commitMessage: 'x' }], ['SET_NOTE_REVISION', { revisionId: 'Head' }]] as const) {
      socket.send({ op, data: { noteId: note.id, ...data } });
      expect((await socket.next('AUTH_INFO', 'ERROR_INFO', 'SET_NOTE_REVISION')).op).toBe('AUTH_INFO');
    }
  });
});

describe('one revision', () => {
  it('is the note as it was; Head is the note as it stands', async () => {
    const note = await create('one');
    const { id } = await checkpoint(note, 'first');
    await edit(note, 0, 'two');
    const socket = await open();
    socket.send({ op: 'NOTE_REVISION', data: { noteId: note.id, revisionId: id } });
    expect((await socket.next('NOTE_REVISION')).data).toMatchObject({ noteId: note.id, revisionId: id, note: { id: note.id, path: note.path, paragraphs: [{ id: note.paragraphs![0]!.id, text: 'one' }] } });
    for (const [revisionId, position, text] of [[id, 'first', 'one'], ['Head', 'second', 'two']]) {
      socket.send({ op: 'NOTE_REVISION_FOR_COMPARE', data: { noteId: note.id, revisionId, position } });
      expect((await socket.next('NOTE_REVISION_FOR_COMPARE')).data).toMatchObject({ noteId: note.id, revisionId, position, note: { paragraphs: [{ text }] } });
    }
    expect((await bodyOf<Note>(call(admin, 'GET', `/notebook/${note.id}/revision/${id}`))).paragraphs![0]!.text).toBe('one');
  });

  it('that is not the note\'s is none', async () => {
    const note = await create('one');
    const foreign = (await checkpoint(await create('secret'), 'of another note')).id;
    const socket = await open();
    for (const revisionId of ['nope', '0'.repeat(40), foreign, '../HEAD', 'main', '']) {
      socket.send({ op: 'NOTE_REVISION', data: { noteId: note.id, revisionId } });
      expect((await socket.next('NOTE_REVISION', 'ERROR_INFO')).data).toEqual({ noteId: note.id, revisionId });
      socket.send({ op: 'SET_NOTE_REVISION', data: { noteId: note.id, revisionId } });
      expect((await socket.next('SET_NOTE_REVISION')).data).toEqual({ status: false });
      expect((await socket.next('ERROR_INFO')).data['info']).toBe("Couldn't set note to the given revision. Please check the logs for more details.");
    }
    const answer = await call(admin, 'GET', `/notebook/${note.id}/revision/nope`);
    expect([answer.status, answer.json]).toEqual([404, { status: 'NOT_FOUND', message: 'No such revision: nope' }]);
    expect((await call(admin, 'PUT', `/notebook/${note.id}/revision/nope`)).status).toBe(404);
  });
});

describe('setting a revision', () => {
  it('brings its paragraphs back, tells everybody, and stores them', async () => {
    const note = await create('one', 'two');
    const { id } = await checkpoint(note, 'first');
    await edit(note, 0, 'changed');
    expect((await call(admin, 'DELETE', `/notebook/${note.id}/paragraph/${note.paragraphs![1]!.id}`)).status).toBe(200);
    const before = (await bodyOf<Note>(call(admin, 'GET', `/notebook/${note.id}`))).paragraphs![0]!;
    const [mine, other] = [await open(admin, note.id), await open(bob, note.id)];
    mine.send({ op: 'SET_NOTE_REVISION', data: { noteId: note.id, revisionId: id } });
    expect((await mine.next('SET_NOTE_REVISION')).data).toEqual({ status: true });
    const stored = JSON.parse(await readFile(join(people.data, 'notebook', note.id, 'note.json'), 'utf8')) as Note;
    expect(stored.paragraphs!.map(({ text }) => text)).toEqual(['one', 'two']);
    const now = (await bodyOf<Note>(call(admin, 'GET', `/notebook/${note.id}`))).paragraphs!;
    expect(now.map(({ id: each }) => each)).toEqual(note.paragraphs!.map(({ id: each }) => each));
    // Edits that were made of what stood there before are told from those made since.
    expect(now[0]!.rev).toBeGreaterThan(before.rev!);
    for (;;) {
      const { data } = await other.next('NOTE');
      if ((data['note'] as Note).paragraphs!.length === 2) break;
    }
    expect((await call(admin, 'POST', `/notebook/${note.id}/revision`, { commitMessage: 'same again' })).status).toBe(409);
  });

  it('leaves the schedule and the name as they are', async () => {
    const note = await create('one');
    const { id } = await checkpoint(note, 'first');
    await edit(note, 0, 'two');
    await call(admin, 'POST', `/notebook/cron/${note.id}`, { cron: '0 0 0 1 1 ?' });
    expect((await call(admin, 'PUT', `/notebook/${note.id}/rename`, { name: `kept/${note.id}` })).status).toBe(200);
    expect((await call(admin, 'PUT', `/notebook/${note.id}/revision/${id}`)).status).toBe(200);
    const now = await bodyOf<Note>(call(admin, 'GET', `/notebook/${note.id}`));
    expect(now).toMatchObject({ name: `kept/${note.id}`, config: { cron: '0 0 0 1 1 ?' }, paragraphs: [{ text: 'one' }] });
  });

  it('is refused while the note runs', async () => {
    const note = await create('%js\nawait new Promise((resolve) => setTimeout(resolve, 60_000));');
    const { id } = await checkpoint(note, 'first');
    expect((await call(admin, 'POST', `/notebook/job/${note.id}/${note.paragraphs![0]!.id}`, {})).status).toBe(200);
    const answer = await call(admin, 'PUT', `/notebook/${note.id}/revision/${id}`);
    expect([answer.status, answer.json]).toEqual([409, { status: 'CONFLICT', message: 'the note is running' }]);
    expect((await call(admin, 'DELETE', `/notebook/job/${note.id}`)).status).toBe(200);
  });
});

describe('the configuration of a remote', () => {
  const path = '/magpie/revision-control';
  const save = (body: Bag, who = admin) => call(who, 'POST', path, body);
  const good = { remoteUrl: 'http://127.0.0.1:9/notes.git', userName: 'u', accessToken: 's3cret-token' };

  it('is for administrators', async () => {
    expect((await call(bob, 'GET', path)).status).toBe(403);
    expect((await save(good, bob)).status).toBe(403);
  });

  it.each([
    ['file:///etc'], ['ext::sh -c id'], ['ssh://git@host/x'], ['git://host/x'], ['--upload-pack=id'], ['https://u:p@host/x'], ['https://u@host/x'],
    ['http://ho st/x'], ['nonsense'], [''], ['https://host/x?y'], ['https://host/x#y'], ['javascript:alert(1)'],
  ])('refuses %s', async (remoteUrl) => {
    const answer = await save({ ...good, remoteUrl });
    expect(answer.status, answer.text).toBe(400);
    expect((answer.json as { message: string }).message).not.toBe('');
    expect((await call(admin, 'GET', path)).json).toEqual({});
  });

  it('refuses blank fields, and the mask where there is nothing to keep', async () => {
    for (const body of [{ remoteUrl: good.remoteUrl }, { ...good, userName: ' ' }, { ...good, accessToken: '' }, { ...good, accessToken: MASK }, { ...good, userName: 'a\nb' }]) {
      expect((await save(body)).status, JSON.stringify(body)).toBe(400);
    }
  });

  it('ends in an error where nobody answers, and is then gone', async () => {
    const [mine, again, theirs] = [await open(), await open(), await open(bob)];
    for (const socket of [mine, again, theirs]) {
      socket.send({ op: 'LIST_NOTES' });
      await socket.next('NOTES_INFO');
    }
    const answer = await save(good);
    expect([answer.status, answer.json]).toEqual([202, {}]);
    for (const socket of [mine, again]) expect((await socket.next('REPO_SYNC_ERROR', 'REPO_SYNC_SUCCESS'))).toMatchObject({ op: 'REPO_SYNC_ERROR', data: { info: 'The remote could not be reached (ECONNREFUSED).' } });
    expect((await call(admin, 'GET', path)).json).toEqual({});
    theirs.send({ op: 'LIST_CONFIGURATIONS' });
    expect((await theirs.next('CONFIGURATIONS_INFO', 'REPO_SYNC_ERROR')).op).toBe('CONFIGURATIONS_INFO');
  });

  it('in a private network is refused where the server serves others', async () => {
    const open = await startEmpty({ logLevel: 'silent', allowPrivateRemotes: false });
    try {
      const who = await login(open.server.url, 'admin', ADMIN_PASSWORD);
      for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '10.1.2.3', '169.254.169.254', '192.168.0.1', '[fd00::1]', '[fe80::1]', '0.0.0.0', 'a.localhost']) {
        const answer = await request(open.server.url, 'POST', `/api${path}`, { headers: asPage(who), body: JSON.stringify({ ...good, remoteUrl: `https://${host}/x.git` }) });
        expect(answer.status, host).toBe(400);
        expect((answer.json as { message: string }).message).toContain('private network');
      }
    } finally {
      await open.stop();
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
    const config = () => ({ remoteUrl: server.url, userName: GIT_USER, accessToken: GIT_TOKEN });
    const synchronise = async (body: Bag = config()) => {
      const answer = await save(body);
      expect(answer.status, answer.text).toBe(202);
      return socket.next('REPO_SYNC_SUCCESS', 'REPO_SYNC_ERROR');
    };
    const pull = () => server.git('pull', '--quiet', '--no-rebase', 'origin', 'HEAD');
    const fileOf = (id: string) => join(server.clone, id, 'note.json');
    const remote = (id: string) => JSON.parse(readFileSync(fileOf(id), 'utf8')) as Note;
    const push = (message: string) => {
      server.git('add', '-A');
      server.git('commit', '--quiet', '-m', message);
      server.git('push', '--quiet', 'origin', 'HEAD');
    };
    const remoteEdit = (id: string, at: number, text: string) => {
      const file = remote(id);
      file.paragraphs![at]!.text = text;
      writeFileSync(fileOf(id), JSON.stringify(file, null, 2));
    };

    it('pushes all notes, shows the token as eight stars and keeps it encrypted', async () => {
      const note = await create('to the remote');
      expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_SUCCESS', data: {} });
      pull();
      expect(remote(note.id).paragraphs![0]!.text).toBe('to the remote');
      expect((await call(admin, 'GET', path)).json).toEqual({ remoteUrl: server.url, userName: GIT_USER, accessToken: MASK, sync: { running: false, ok: true, time: expect.stringMatching(/^2.*Z$/) as string } });
      const file = join(people.data, 'revision-control.json');
      expect(await readFile(file, 'utf8')).not.toContain(GIT_TOKEN);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      // The mask keeps the token, but not for another host.
      await edit(note, 0, 'again');
      expect(await synchronise({ ...config(), accessToken: MASK })).toMatchObject({ op: 'REPO_SYNC_SUCCESS' });
      pull();
      expect(remote(note.id).paragraphs![0]!.text).toBe('again');
      expect((await save({ ...config(), remoteUrl: 'http://127.0.0.1:9/x.git', accessToken: MASK })).status).toBe(400);
      const removed = await save({});
      expect([removed.status, removed.json]).toEqual([200, {}]);
      expect((await call(admin, 'GET', path)).json).toEqual({});
    });

    it('brings what the remote has, in both directions', async () => {
      const note = await create('a\nb\nc', 'second');
      await synchronise();
      pull();
      remoteEdit(note.id, 0, 'a\nb\nC');
      writeFileSync(join(server.clone, 'README.md'), 'ours');
      const foreign = '2ZZZZZZZZ';
      mkdirSync(join(server.clone, foreign));
      writeFileSync(fileOf(foreign), JSON.stringify({ id: foreign, name: 'from/afar', config: { cron: '* * * * * ?', cronExecutingUser: 'admin' }, paragraphs: [{ id: 'p1', text: '%md\nafar' }] }));
      push('theirs');
      // Without changes here the branch just moves on.
      expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_SUCCESS' });
      expect(await textsOf(note.id)).toEqual(['a\nb\nC', 'second']);
      const added = await bodyOf<Note>(call(admin, 'GET', `/notebook/${foreign}`));
      expect(added).toMatchObject({ name: 'from/afar', paragraphs: [{ text: '%md\nafar' }] });
      expect(added.config!.cron).toBeUndefined();
      expect((await bodyOf<{ owners: string[] }>(call(admin, 'GET', `/notebook/${foreign}/permissions`))).owners).toEqual(['admin']);
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
      // A note that is removed here goes there too; one that goes there stays here.
      expect((await call(admin, 'DELETE', `/notebook/${foreign}`)).status).toBe(200);
      server.git('rm', '-r', '--quiet', note.id);
      push('removed');
      expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_SUCCESS' });
      expect(await textsOf(note.id)).toEqual(['A\nb\nC', 'SECOND']);
      pull();
      expect(() => remote(foreign)).toThrow();
    });

    it('keeps both versions where texts do not merge, here and at the remote, and says so', async () => {
      const note = await create('one', 'two');
      await synchronise();
      pull();
      remoteEdit(note.id, 0, 'uno');
      push('theirs');
      await edit(note, 0, 'eins');
      const { op, data } = await synchronise();
      expect([op, data]).toEqual(['REPO_SYNC_SUCCESS', {
        info: `Paragraph ${note.paragraphs![0]!.id} of the note '${note.name}' was changed here and at the remote, and the two changes overlap: both are kept, the remote's in a paragraph below.`,
      }]);
      expect(await textsOf(note.id)).toEqual(['eins', 'uno', 'two']);
      pull();
      expect(remote(note.id).paragraphs!.map(({ text }) => text)).toEqual(['eins', 'uno', 'two']);
      expect(remote(note.id).paragraphs![1]!.title).toBe('Version of the remote');
      expect((await call(admin, 'GET', path)).json).toMatchObject({ remoteUrl: server.url });
      // Once is enough.
      expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_SUCCESS', data: {} });
      expect(await textsOf(note.id)).toEqual(['eins', 'uno', 'two']);
    });

    const ask = (who = admin) => call(who, 'POST', `${path}/sync`);

    it('goes on when somebody asks, and then keeps its settings also where it fails', async () => {
      expect([(await ask()).status, (await ask(bob)).status]).toEqual([409, 403]);
      await synchronise();
      const note = await create('by hand');
      expect((await ask()).status).toBe(202);
      expect(await socket.next('REPO_SYNC_SUCCESS', 'REPO_SYNC_ERROR')).toMatchObject({ op: 'REPO_SYNC_SUCCESS', data: {} });
      pull();
      expect(remote(note.id).paragraphs![0]!.text).toBe('by hand');
      server.intercept = (_, response) => {
        response.writeHead(500).end();
        return true;
      };
      expect((await ask()).status).toBe(202);
      expect(await socket.next('REPO_SYNC_SUCCESS', 'REPO_SYNC_ERROR')).toMatchObject({ op: 'REPO_SYNC_ERROR', data: { info: 'The remote answered with status 500.' } });
      expect((await call(admin, 'GET', path)).json).toMatchObject({ remoteUrl: server.url, sync: { running: false, ok: false, info: 'The remote answered with status 500.' } });
      server.intercept = undefined;
      expect((await ask()).status).toBe(202);
      expect(await socket.next('REPO_SYNC_SUCCESS', 'REPO_SYNC_ERROR')).toMatchObject({ op: 'REPO_SYNC_SUCCESS' });
    });

    it('is one at a time: who asks meanwhile hears of the next, which has what he did', async () => {
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
        if (incoming.url?.includes('git-upload-pack') && incoming.method === 'GET') refs.push(incoming.url);
        if (refs.length > 1) return false;
        first();
        // The first sync stands still until all others have asked; then it fails, and the next one goes through.
        void held.then(() => response.writeHead(503).end());
        return true;
      };
      expect((await ask()).status).toBe(202);
      await began;
      const note = await create('while it went on');
      for (let n = 0; n < 5; n += 1) expect((await ask()).status).toBe(202);
      release();
      expect((await socket.next('REPO_SYNC_SUCCESS', 'REPO_SYNC_ERROR')).op).toBe('REPO_SYNC_ERROR');
      expect((await socket.next('REPO_SYNC_SUCCESS', 'REPO_SYNC_ERROR')).op).toBe('REPO_SYNC_SUCCESS');
      pull();
      expect(remote(note.id).paragraphs![0]!.text).toBe('while it went on');
      expect(most).toBe(1);
      // One for all five.
      socket.send({ op: 'LIST_CONFIGURATIONS' });
      expect((await socket.next('CONFIGURATIONS_INFO', 'REPO_SYNC_ERROR', 'REPO_SYNC_SUCCESS')).op).toBe('CONFIGURATIONS_INFO');
    });

    describe('by itself', () => {
      let own: Awaited<ReturnType<typeof startEmpty>>;
      let who: Login;
      let listener: RawSocket;
      const begin = async (options: Parameters<typeof startEmpty>[0]) => {
        own = await startEmpty({ logLevel: 'silent', syncIntervalMs: 0, ...options });
        who = await login(own.server.url, 'admin', ADMIN_PASSWORD);
        await listen();
        expect((await request(own.server.url, 'POST', `/api${path}`, { headers: asPage(who), body: JSON.stringify(config()) })).status).toBe(202);
        await listener.next('REPO_SYNC_SUCCESS');
      };
      const listen = async () => {
        listener = await openSocket(own.server.url, { identity: who.identity });
        listener.send({ op: 'LIST_NOTES' });
        await listener.next('NOTES_INFO');
      };
      const ours = async <T>(method: string, at: string, body?: unknown) => {
        const answer = await request(own.server.url, method, `/api${at}`, { headers: asPage(who), ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
        expect(answer.status, answer.text).toBeLessThan(300);
        return answer.json as T;
      };
      const status = async () => (await ours<{ sync?: { ok?: boolean; running?: boolean; time?: string } }>('GET', path)).sync;
      /** Waits until the remote has a note that says so. */
      const arrived = async (id: string, wanted: string) => {
        for (;;) {
          try {
            pull();
            if (remote(id).paragraphs![0]!.text === wanted) return;
          } catch {
            // Not there yet.
          }
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      };
      let named = 0;
      const note = async (text: string) => (await ours<{ body: string }>('POST', '/notebook', { name: `own/${(named += 1)}`, paragraphs: [{ text }] })).body;
      let closeFirst = () => Promise.resolve();
      afterEach(async () => {
        listener.socket.close();
        await closeFirst();
        closeFirst = () => Promise.resolve();
        await own.stop();
      });

      it('takes what a checkpoint says to the remote', async () => {
        await begin({ syncDelayMs: 20 });
        const id = await note('checked');
        await ours('POST', `/notebook/${id}/revision`, { commitMessage: 'now' });
        await arrived(id, 'checked');
      });

      it('brings what the remote has from time to time, also after a start', async () => {
        await begin({ syncIntervalMs: 200 });
        const id = await note('first');
        await arrived(id, 'first');
        remoteEdit(id, 0, 'from afar');
        push('theirs');
        const text = async () => (await ours<{ body: Note }>('GET', `/notebook/${id}`)).body.paragraphs![0]!.text;
        while ((await text()) !== 'from afar') await new Promise((resolve) => setTimeout(resolve, 50));
        listener.socket.close();
        await own.server.close();
        const again = await startEmbedded({ logLevel: 'silent', syncIntervalMs: 200, data: own.data });
        own = { ...own, server: again.server };
        closeFirst = () => again.server.close();
        who = await login(own.server.url, 'admin', ADMIN_PASSWORD);
        await listen();
        const later = await note('after the start');
        await arrived(later, 'after the start');
      });

      it('tells who set it when it begins to fail and when that is over, once each, and nobody else', async () => {
        await begin({ syncIntervalMs: 30, syncRetryMs: 20 });
        await new Users(own.data).set('bob', { password: PASSWORD });
        const other = await openSocket(own.server.url, { identity: (await login(own.server.url, 'bob', PASSWORD)).identity });
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
        expect(await listener.next('REPO_SYNC_ERROR', 'REPO_SYNC_SUCCESS')).toMatchObject({ op: 'REPO_SYNC_ERROR', data: { info: 'The remote answered with status 500.' } });
        await thrice;
        server.intercept = undefined;
        expect(await listener.next('REPO_SYNC_ERROR', 'REPO_SYNC_SUCCESS')).toMatchObject({ op: 'REPO_SYNC_SUCCESS', data: {} });
        // Good ones that follow are no news.
        const before = (await status())?.time;
        while ((await status())?.time === before) await new Promise((resolve) => setTimeout(resolve, 20));
        for (const each of [listener, other]) {
          each.send({ op: 'LIST_CONFIGURATIONS' });
          expect((await each.next('CONFIGURATIONS_INFO', 'REPO_SYNC_ERROR', 'REPO_SYNC_SUCCESS')).op).toBe('CONFIGURATIONS_INFO');
        }
        other.socket.close();
      });

      it('ends when whoever set it may not do that any more', async () => {
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
        await ours('POST', `${path}/sync`);
        expect((await listener.next('REPO_SYNC_ERROR', 'REPO_SYNC_SUCCESS')).data['info']).toBe('The remote was set by admin, who may not do that any more. Save the settings again.');
        expect(asked).toEqual([]);
      });
    });

    it('uses the branch that the remote has', async () => {
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

    it('says that a name or a token is wrong, without either', async () => {
      const { op, data } = await synchronise({ ...config(), accessToken: 'wrong-token' });
      expect([op, data]).toEqual(['REPO_SYNC_ERROR', { info: 'The remote refused the user name or the access token.' }]);
    });

    it.each([[404, 'There is no repository at this address, or the user may not see it.'], [500, 'The remote answered with status 500.'], [200, 'There is no git repository at this address.']])(
      'explains an answer of %i', async (status, info) => {
        server.intercept = (_, response) => {
          response.writeHead(status, { 'Content-Type': 'text/html' }).end('<html>');
          return true;
        };
        expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_ERROR', data: { info } });
      });

    it('does not follow a remote that moves', async () => {
      const asked: string[] = [];
      server.intercept = (incoming, response) => {
        asked.push(incoming.url ?? '');
        response.writeHead(302, { Location: 'http://127.0.0.1:9/elsewhere.git/info/refs?service=git-upload-pack' }).end();
        return true;
      };
      expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_ERROR', data: { info: 'The remote has moved to http://127.0.0.1:9/elsewhere.git. Save the address it has now.' } });
      expect(asked).toHaveLength(1);
    });

    it('goes on without a sync that hangs once another is saved, and checkpoints go on meanwhile', async () => {
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
      // One end is told: that of the second.
      expect(await synchronise()).toMatchObject({ op: 'REPO_SYNC_SUCCESS' });
      expect((await call(admin, 'GET', path)).json).toMatchObject({ remoteUrl: server.url });
    });

    it.each([
      ['hangs', () => true],
      ['hangs in the middle of an answer', (_: unknown, response: ServerResponse) => {
        response.writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-advertisement' }).write('001e# service=git-upload-pack\n');
        return true;
      }],
    ])('ends in an error after its time limit where the remote %s', async (_, intercept) => {
      const patient = await startEmpty({ logLevel: 'silent', syncTimeoutMs: 1_000 });
      try {
        server.intercept = intercept;
        const who = await login(patient.server.url, 'admin', ADMIN_PASSWORD);
        const listener = await openSocket(patient.server.url, { identity: who.identity });
        listener.send({ op: 'LIST_NOTES' });
        await listener.next('NOTES_INFO');
        const answer = await request(patient.server.url, 'POST', `/api${path}`, { headers: asPage(who), body: JSON.stringify(config()) });
        expect(answer.status).toBe(202);
        expect((await listener.next('REPO_SYNC_ERROR')).data['info']).toContain('did not answer within 1 seconds');
        listener.socket.close();
      } finally {
        await patient.stop();
      }
    });
  });
});
