/** Revisions of notes, over REST and the live channel. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Note } from '@tiding/client/protocol';
import { describe, expect, it } from 'vitest';
import { noGit } from './support/git-server.ts';
import { bodyOf, twoPeople } from './support/people.ts';
import { onlyFor } from './support/raw.ts';
import { type Revision, revisionSteps } from './support/revisions.ts';
import { untilEnd } from './support/until-end.ts';

const NOTHING =
  "Couldn't checkpoint note revision: possibly no changes found or storage doesn't " +
  'support versioning. Please check the logs for more details.';

const people = untilEnd(await twoPeople({ syncTimeoutMs: 60_000 }));
const { call, create } = people;
let { admin, bob } = people;
const { edit, checkpoint, open } = revisionSteps(people);

describe('checkpoints', () => {
  it('are listed newest first, in Unix seconds, separately for each note', async () => {
    const note = await create('one');
    const other = await create('other');
    const socket = await open(admin, note.id);
    socket.send({ op: 'LIST_REVISION_HISTORY', data: { noteId: note.id } });
    expect((await socket.next('LIST_REVISION_HISTORY')).data).toEqual({ revisionList: [] });
    const began = Math.floor(Date.now() / 1000);
    socket.send({ op: 'CHECKPOINT_NOTE', data: { noteId: note.id, commitMessage: 'first' } });
    const { revisionList } = (await socket.next('LIST_REVISION_HISTORY')).data as {
      revisionList: Revision[];
    };
    expect(revisionList).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
        message: 'first',
        time: expect.any(Number) as number,
      },
    ]);
    expect(revisionList[0]!.time).toBeGreaterThanOrEqual(began);
    expect(revisionList[0]!.time).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
    await checkpoint(other, 'of another note');
    await edit(note, 0, 'two');
    await checkpoint(note, 'second\n\nwith more to say');
    socket.send({ op: 'LIST_REVISION_HISTORY', data: { noteId: note.id } });
    expect(
      ((await socket.next('LIST_REVISION_HISTORY')).data['revisionList'] as Revision[]).map(
        ({ message }) => message,
      ),
    ).toEqual(['second\n\nwith more to say', 'first']);
    expect(
      (await bodyOf<Revision[]>(call(admin, 'GET', `/notebook/${other.id}/revision`))).map(
        ({ message }) => message,
      ),
    ).toEqual(['of another note']);
  });

  it("are refused with upstream's message if nothing changed", async () => {
    const note = await create('one');
    await checkpoint(note, 'first');
    const socket = await open();
    socket.send({ op: 'CHECKPOINT_NOTE', data: { noteId: note.id, commitMessage: 'again' } });
    expect((await socket.next('ERROR_INFO', 'LIST_REVISION_HISTORY')).data).toMatchObject({
      info: NOTHING,
      op: 'CHECKPOINT_NOTE',
    });
    expect(
      (await call(admin, 'POST', `/notebook/${note.id}/revision`, { commitMessage: 'again' }))
        .status,
    ).toBe(409);
  });

  it('made concurrently are all kept, and one without changes is refused', async () => {
    const notes = await Promise.all(['a', 'b', 'c', 'd'].map((text) => create(text)));
    await Promise.all(notes.map((note) => checkpoint(note, `of ${note.id}`)));
    for (const note of notes)
      expect(
        await bodyOf<Revision[]>(call(admin, 'GET', `/notebook/${note.id}/revision`)),
      ).toHaveLength(1);
    await edit(notes[0]!, 0, 'changed');
    const statuses = await Promise.all(
      [1, 2, 3].map(
        async (n) =>
          (
            await call(admin, 'POST', `/notebook/${notes[0]!.id}/revision`, {
              commitMessage: `race ${n}`,
            })
          ).status,
      ),
    );
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
    ({ admin, bob } = people);
    const list = await bodyOf<Revision[]>(call(admin, 'GET', `/notebook/${note.id}/revision`));
    expect(list.map(({ message }) => message)).toEqual(['renamed', 'before']);
    expect(
      (await bodyOf<Note>(call(admin, 'GET', `/notebook/${note.id}/revision/${id}`))).path,
    ).toBe(note.path);
  });

  it.skipIf(noGit)('are commits of their author, readable by git', async () => {
    const note = await create('%md\n# x');
    await call(admin, 'PUT', `/notebook/${note.id}/permissions`, {
      ...onlyFor('admin', 'bob'),
      owners: ['admin'],
    });
    const { id } = await checkpoint(note, 'by bob', bob);
    const git = (...args: string[]) =>
      execFileSync('git', [`--git-dir=${join(people.data, 'revisions')}`, ...args], {
        encoding: 'utf8',
      });
    git('fsck', '--strict');
    expect(git('log', '-1', '--format=%an <%ae> %s', id).trim()).toBe('bob <bob@localhost> by bob');
    const file = JSON.parse(git('show', `${id}:${note.id}/note.json`)) as Note;
    expect(file).toMatchObject({
      id: note.id,
      name: note.name,
      paragraphs: [{ text: '%md\n# x' }],
    });
    expect(file.paragraphs![0]).not.toHaveProperty('rev');
  });

  it('need the right to write, listing them the right to read [S11]', async () => {
    const note = await create('one');
    await call(admin, 'PUT', `/notebook/${note.id}/permissions`, {
      ...onlyFor('admin'),
      readers: ['admin', 'bob'],
    });
    const socket = await open(bob);
    socket.send({ op: 'LIST_REVISION_HISTORY', data: { noteId: note.id } });
    await socket.next('LIST_REVISION_HISTORY');
    for (const [op, data] of [
      ['CHECKPOINT_NOTE', { commitMessage: 'x' }],
      ['SET_NOTE_REVISION', { revisionId: 'Head' }],
    ] as const) {
      socket.send({ op, data: { noteId: note.id, ...data } });
      expect((await socket.next('AUTH_INFO', 'ERROR_INFO', 'SET_NOTE_REVISION')).op).toBe(
        'AUTH_INFO',
      );
    }
  });
});

describe('one revision', () => {
  it('is the note at that time; Head is the current note', async () => {
    const note = await create('one');
    const { id } = await checkpoint(note, 'first');
    await edit(note, 0, 'two');
    const socket = await open();
    socket.send({ op: 'NOTE_REVISION', data: { noteId: note.id, revisionId: id } });
    expect((await socket.next('NOTE_REVISION')).data).toMatchObject({
      noteId: note.id,
      revisionId: id,
      note: {
        id: note.id,
        path: note.path,
        paragraphs: [{ id: note.paragraphs![0]!.id, text: 'one' }],
      },
    });
    for (const [revisionId, position, text] of [
      [id, 'first', 'one'],
      ['Head', 'second', 'two'],
    ]) {
      socket.send({
        op: 'NOTE_REVISION_FOR_COMPARE',
        data: { noteId: note.id, revisionId, position },
      });
      expect((await socket.next('NOTE_REVISION_FOR_COMPARE')).data).toMatchObject({
        noteId: note.id,
        revisionId,
        position,
        note: { paragraphs: [{ text }] },
      });
    }
    expect(
      (await bodyOf<Note>(call(admin, 'GET', `/notebook/${note.id}/revision/${id}`)))
        .paragraphs![0]!.text,
    ).toBe('one');
  });

  it('of another note is unknown', async () => {
    const note = await create('one');
    const foreign = (await checkpoint(await create('secret'), 'of another note')).id;
    const socket = await open();
    for (const revisionId of ['nope', '0'.repeat(40), foreign, '../HEAD', 'main', '']) {
      socket.send({ op: 'NOTE_REVISION', data: { noteId: note.id, revisionId } });
      expect((await socket.next('NOTE_REVISION', 'ERROR_INFO')).data).toEqual({
        noteId: note.id,
        revisionId,
      });
      socket.send({ op: 'SET_NOTE_REVISION', data: { noteId: note.id, revisionId } });
      expect((await socket.next('SET_NOTE_REVISION')).data).toEqual({ status: false });
      expect((await socket.next('ERROR_INFO')).data['info']).toBe(
        "Couldn't set note to the given revision. Please check the logs for more details.",
      );
    }
    const answer = await call(admin, 'GET', `/notebook/${note.id}/revision/nope`);
    expect([answer.status, answer.json]).toEqual([
      404,
      { status: 'NOT_FOUND', message: 'No such revision: nope' },
    ]);
    expect((await call(admin, 'PUT', `/notebook/${note.id}/revision/nope`)).status).toBe(404);
  });
});

describe('setting a revision', () => {
  it('restores its paragraphs, stores them and notifies everyone', async () => {
    const note = await create('one', 'two');
    const { id } = await checkpoint(note, 'first');
    await edit(note, 0, 'changed');
    expect(
      (await call(admin, 'DELETE', `/notebook/${note.id}/paragraph/${note.paragraphs![1]!.id}`))
        .status,
    ).toBe(200);
    const before = (await bodyOf<Note>(call(admin, 'GET', `/notebook/${note.id}`))).paragraphs![0]!;
    const [mine, other] = [await open(admin, note.id), await open(bob, note.id)];
    mine.send({ op: 'SET_NOTE_REVISION', data: { noteId: note.id, revisionId: id } });
    expect((await mine.next('SET_NOTE_REVISION')).data).toEqual({ status: true });
    const stored = JSON.parse(
      await readFile(join(people.data, 'notebook', note.id, 'note.json'), 'utf8'),
    ) as Note;
    expect(stored.paragraphs!.map(({ text }) => text)).toEqual(['one', 'two']);
    const now = (await bodyOf<Note>(call(admin, 'GET', `/notebook/${note.id}`))).paragraphs!;
    expect(now.map(({ id: each }) => each)).toEqual(note.paragraphs!.map(({ id: each }) => each));
    // The revision number increases, so that edits of the earlier text are recognised.
    expect(now[0]!.rev).toBeGreaterThan(before.rev!);
    for (;;) {
      const { data } = await other.next('NOTE');
      if ((data['note'] as Note).paragraphs!.length === 2) break;
    }
    expect(
      (await call(admin, 'POST', `/notebook/${note.id}/revision`, { commitMessage: 'same again' }))
        .status,
    ).toBe(409);
  });

  it('keeps the schedule and the name', async () => {
    const note = await create('one');
    const { id } = await checkpoint(note, 'first');
    await edit(note, 0, 'two');
    await call(admin, 'POST', `/notebook/cron/${note.id}`, { cron: '0 0 0 1 1 ?' });
    expect(
      (await call(admin, 'PUT', `/notebook/${note.id}/rename`, { name: `kept/${note.id}` })).status,
    ).toBe(200);
    expect((await call(admin, 'PUT', `/notebook/${note.id}/revision/${id}`)).status).toBe(200);
    const now = await bodyOf<Note>(call(admin, 'GET', `/notebook/${note.id}`));
    expect(now).toMatchObject({
      name: `kept/${note.id}`,
      config: { cron: '0 0 0 1 1 ?' },
      paragraphs: [{ text: 'one' }],
    });
  });

  it('is refused while the note runs', async () => {
    const note = await create('%js\nawait new Promise((resolve) => setTimeout(resolve, 60_000));');
    const { id } = await checkpoint(note, 'first');
    expect(
      (await call(admin, 'POST', `/notebook/job/${note.id}/${note.paragraphs![0]!.id}`, {})).status,
    ).toBe(200);
    const answer = await call(admin, 'PUT', `/notebook/${note.id}/revision/${id}`);
    expect([answer.status, answer.json]).toEqual([
      423,
      {
        status: 'LOCKED',
        message: 'The note is running. Wait for it to finish or cancel it, then try again.',
      },
    ]);
    expect((await call(admin, 'DELETE', `/notebook/job/${note.id}`)).status).toBe(200);
  });
});
