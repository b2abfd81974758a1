/**
 * Messages resent under the same id, because their answer was lost: they are answered again but
 * executed once.
 */

import type { Note } from '@tiding/client/protocol';
import { describe, expect, it } from 'vitest';
import { MessageDeduplicator, REMEMBERED_MS } from '../../server/dispatch/message-deduplication.ts';
import { bodyOf, twoPeople } from '../support/people.ts';
import { type ApiCall, callApi, onlyFor, openSocket, type RawSocket } from '../support/raw.ts';
import { untilEnd } from '../support/until-end.ts';

const people = untilEnd(await twoPeople());
const { url, admin, bob, create } = people;

const open = async (who = admin, note?: string) =>
  openSocket(url, { identity: who.identity, note: note });
const call = (...args: ApiCall) => callApi(url, admin, ...args);
const names = async () =>
  (await bodyOf<{ path: string }[]>(call('GET', '/notebook'))).map(({ path }) => path);
const noteOf = (id: string) => bodyOf<Note>(call('GET', `/notebook/${id}`));
const idOf = ({ data }: { data: Record<string, unknown> }) => (data['note'] as Note).id;

describe('resent by the same user', () => {
  it.each([
    ['NEW_NOTE', 'NEW_NOTE', () => ({ name: 'once/new' })],
    [
      'IMPORT_NOTE',
      'IMPORT_NOTE',
      () => ({ note: { name: 'once/import', paragraphs: [{ text: 'x' }] } }),
    ],
  ])('%s creates one note, also when resent on another socket [S77]', async (op, answer, data) => {
    const [first, second] = [await open(), await open()];
    const message = { op, data: data(), msgId: `abcde-${op}` };
    first.send(message);
    const made = await first.next(answer);
    second.send(message);
    const again = await second.next(answer, 'ERROR_INFO');
    expect([again.op, again.msgId, idOf(again)]).toEqual([answer, message.msgId, idOf(made)]);
    expect(
      (await names()).filter((path) =>
        path.startsWith(`/once/${op === 'NEW_NOTE' ? 'new' : 'import'}`),
      ),
    ).toHaveLength(1);
  });

  it('a clone requested concurrently on two sockets is one clone [S77]', async () => {
    const { id } = await create('%md\nx');
    const [first, second] = [await open(), await open()];
    const message = { op: 'CLONE_NOTE', data: { id, name: 'once/clone' }, msgId: 'abcde-9' };
    first.send(message);
    second.send(message);
    expect(idOf(await first.next('NEW_NOTE'))).toBe(idOf(await second.next('NEW_NOTE')));
    expect((await names()).filter((path) => path.startsWith('/once/clone'))).toEqual([
      '/once/clone',
    ]);
  });

  it('a new paragraph is inserted once, and reported with its current index', async () => {
    const { id } = await create('%md\nx');
    const first = await open(admin, id);
    const message = { op: 'INSERT_PARAGRAPH', data: { index: 1 }, msgId: 'abcde-10' };
    first.send(message);
    const added = (await first.next('PARAGRAPH_ADDED')).data as { paragraph: { id: string } };
    first.send({ op: 'INSERT_PARAGRAPH', data: { index: 0 }, msgId: 'abcde-11' });
    await first.next('PARAGRAPH_ADDED');
    first.socket.terminate();
    const second = await open(admin, id);
    second.send(message);
    expect((await second.next('PARAGRAPH_ADDED', 'ERROR_INFO')).data).toMatchObject({
      index: 2,
      paragraph: { id: added.paragraph.id },
    });
    expect((await noteOf(id)).paragraphs).toHaveLength(3);
  });

  it('a run is one run, and its paragraph is reported in its current state [S77]', async () => {
    const { id, paragraphs } = await create('%md\nonce', '%md\nlast');
    const first = await open(admin, id);
    const message = {
      op: 'RUN_PARAGRAPH',
      data: { id: paragraphs![0]!.id, noteId: id },
      msgId: 'abcde-12',
    };
    first.send(message);
    const statusOf = async (socket: RawSocket) =>
      ((await socket.next('PARAGRAPH')).data['paragraph'] as { status: string }).status;
    while ((await statusOf(first)) !== 'FINISHED');
    const ran = (await noteOf(id)).paragraphs![0]!.dateStarted;
    const second = await open(admin, id);
    second.send(message);
    const again = await second.next('PARAGRAPH', 'ERROR_INFO');
    expect([again.msgId, (again.data['paragraph'] as { status: string }).status]).toEqual([
      'abcde-12',
      'FINISHED',
    ]);
    second.send({ op: 'LIST_CONFIGURATIONS', msgId: 'abcde-13' });
    for (
      let frame = await second.any();
      frame.op !== 'CONFIGURATIONS_INFO';
      frame = await second.any()
    )
      expect(frame.op).not.toBe('PARAGRAPH');
    expect((await noteOf(id)).paragraphs![0]!.dateStarted).toBe(ran);
  });

  it('a removal is answered with the current list, although the note is gone', async () => {
    const { id } = await create('%md\nx');
    const socket = await open();
    const message = { op: 'DEL_NOTE', data: { id }, msgId: 'abcde-14' };
    for (let n = 0; n < 2; n += 1) {
      socket.send(message);
      const frame = await socket.next('NOTES_INFO', 'ERROR_INFO');
      expect(frame.op).toBe('NOTES_INFO');
      expect(JSON.stringify(frame)).not.toContain(id);
    }
  });

  it('a rejected request stays rejected', async () => {
    const { id } = await create('%md\nx');
    const socket = await open(admin, id);
    const message = { op: 'INSERT_PARAGRAPH', data: { index: 1.5, noteId: id }, msgId: 'abcde-15' };
    const answers = [];
    for (let n = 0; n < 2; n += 1) {
      socket.send(message);
      answers.push((await socket.next('ERROR_INFO', 'PARAGRAPH_ADDED')).data['info']);
    }
    expect(answers[0]).toBe(answers[1]);
    expect((await noteOf(id)).paragraphs).toHaveLength(1);
  });

  it('a user who lost the right to read meanwhile receives nothing of the note [S77]', async () => {
    const { id } = await create('%md\nx');
    const socket = await open(bob, id);
    const message = {
      op: 'COPY_PARAGRAPH',
      data: { index: 1, noteId: id, paragraph: '%md\ncopied' },
      msgId: 'abcde-16',
    };
    socket.send(message);
    await socket.next('PARAGRAPH_ADDED');
    expect((await call('PUT', `/notebook/${id}/permissions`, onlyFor('admin'))).status).toBe(200);
    const other = await open(bob);
    other.send(message);
    const frame = await other.any();
    expect([frame.op, frame.msgId]).toEqual(['AUTH_INFO', 'abcde-16']);
    expect(JSON.stringify(frame)).not.toContain('copied');
    expect((await noteOf(id)).paragraphs).toHaveLength(2);
  });
});

it('another text, another id or another user is a separate request', async () => {
  const { id } = await create('%md\nx');
  const mine = await open(admin, id);
  const theirs = await open(bob, id);
  const send = async (socket: RawSocket, index: number, msgId?: string) => {
    socket.send({
      op: 'INSERT_PARAGRAPH',
      data: { index, noteId: id },
      ...(msgId === undefined ? {} : { msgId }),
    });
    while ((await socket.next('PARAGRAPH_ADDED', 'ERROR_INFO')).msgId !== msgId);
  };
  await send(mine, 0, 'abcde-20');
  await send(mine, 1, 'abcde-20');
  await send(mine, 0, 'abcde-21');
  await send(theirs, 0, 'abcde-20');
  await send(mine, 0);
  await send(mine, 0);
  expect((await noteOf(id)).paragraphs).toHaveLength(7);
});

describe('the memory of messages', () => {
  const key = MessageDeduplicator.key('m', 'RUN_PARAGRAPH', 'N', {});

  it('ends after ten minutes [S77]', () => {
    const sent = new MessageDeduplicator();
    sent.begin('ann', key, 'N', 1_000).finish();
    expect(REMEMBERED_MS).toBe(600_000);
    expect(sent.find('ann', key, 1_000 + REMEMBERED_MS - 1)).toBeDefined();
    expect(sent.find('ann', key, 1_000 + REMEMBERED_MS)).toBeUndefined();
    expect(sent.find('bob', key, 1_000)).toBeUndefined();
  });

  it('holds 2,000 messages per user and 20,000 in total, the newest ones', () => {
    const sent = new MessageDeduplicator();
    const name = (n: number) => MessageDeduplicator.key(String(n), 'RUN_PARAGRAPH', 'N', {});
    sent.begin('bob', name(0), 'N', 0).finish();
    for (let n = 0; n < 2_001; n += 1) sent.begin('ann', name(n), 'N', 0).finish();
    expect([
      sent.find('ann', name(0), 0),
      sent.find('ann', name(1), 0)?.time,
      sent.find('bob', name(0), 0)?.time,
    ]).toEqual([undefined, 0, 0]);
    for (let person = 0; person < 10; person += 1)
      for (let n = 0; n < 2_000; n += 1) sent.begin(`p${person}`, name(n), 'N', 0).finish();
    const found = ['ann', 'bob', ...Array.from({ length: 10 }, (_, n) => `p${n}`)].flatMap(
      (person) =>
        Array.from({ length: 2_001 }, (_, n) => sent.find(person, name(n), 0)).filter(Boolean),
    );
    expect(found.length).toBeLessThanOrEqual(20_000);
    expect(sent.find('p9', name(1_999), 0)).toBeDefined();
  });

  it("holds 4 MB of a user's replies and 32 MB in total, the newest ones [S96]", () => {
    const sent = new MessageDeduplicator();
    const name = (n: number) => MessageDeduplicator.key(String(n), 'CLONE_NOTE', 'N', {});
    const info = 'x'.repeat(60_000);
    const found = (who: string) =>
      Array.from({ length: 100 }, (_, n) => sent.find(who, name(n), 0)).filter(Boolean).length;
    const send = (who: string, n: number) => {
      const message = sent.begin(who, name(n), 'N', 0);
      message.hear({ op: 'NOTICE', data: { notice: info } });
      message.finish();
    };
    send('bob', 0);
    for (let n = 0; n < 100; n += 1) send('ann', n);
    expect([found('bob'), found('ann'), sent.find('ann', name(99), 0)?.answers.length]).toEqual([
      1, 69, 1,
    ]);
    for (let person = 0; person < 20; person += 1)
      for (let n = 0; n < 50; n += 1) send(`p${person}`, n);
    const all = ['ann', ...Array.from({ length: 20 }, (_, n) => `p${n}`)].map(found);
    expect(all.reduce((sum, count) => sum + count, found('bob')) * info.length).toBeLessThan(
      32_000_000,
    );
    expect([found('bob'), Math.max(...all) - Math.min(...all) <= 1]).toEqual([1, true]);
  });
});
