import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { readBlob } from './blobs.ts';
import { checkPack, storePack } from './pack.ts';
import { RevisionStore } from './store.ts';

// Listing 100,000 objects blocks a thread for seconds. A thread of its own has the real function.
vi.mock('isomorphic-git', async (original) => {
  const { default: git } = await original<typeof import('isomorphic-git')>();
  const indexPack = () => Promise.reject(new Error('listed in the thread of the server'));
  return { default: { ...git, indexPack } };
});

const [COMMIT, TREE, BLOB] = [1, 2, 3];
const OFS_DELTA = 6;
const MB = 2 ** 20;

/** A number in groups of seven bits, the lowest first. */
const numberOf = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...numberOf(Math.floor(value / 128))];
const packed = (type: number, data: Buffer, before: number[] = []): Buffer => {
  const more = data.length > 15 ? numberOf(Math.floor(data.length / 16)) : [];
  const head = (type << 4) | (data.length % 16) | (more.length > 0 ? 128 : 0);
  return Buffer.concat([Buffer.from([head, ...more, ...before]), deflateSync(data, { level: 1 })]);
};
const line = (...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from((body.length + 4).toString(16).padStart(4, '0')), body]);
};
const answerOf = (objects: Buffer[], count = objects.length): Buffer => {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  head.writeUInt32BE(count, 8);
  const lines = [line(Buffer.from('NAK\n')), line(Buffer.from('\x02Counting'))];
  const body = Buffer.concat([head, ...objects]);
  const pack = Buffer.concat([body, createHash('sha1').update(body).digest()]);
  for (let at = 0; at < pack.length; at += 60_000)
    lines.push(line(Buffer.from([1]), pack.subarray(at, at + 60_000)));
  return Buffer.concat([...lines, Buffer.from('0000')]);
};

const small = packed(BLOB, Buffer.from('{"paragraphs": []}'));
const delta = (size: number) =>
  packed(OFS_DELTA, Buffer.from([...numberOf(18), ...numberOf(size), 0x90, 18]), [12]);

const commit = packed(COMMIT, Buffer.from('tree'));
const folder = packed(TREE, Buffer.from('tree'));
/** Objects that each change the one before; the first one, an object of `length` bytes. */
const changes = (count: number, length: number, size = 4): Buffer[] => {
  const change = (distance: number) =>
    packed(OFS_DELTA, Buffer.from([4, ...numberOf(size), 0x90, 4]), [distance]);
  const first = change(length);
  return [first, ...Array<Buffer>(count - 1).fill(change(first.length))];
};

it('accepts notes, changes of notes and an answer without a pack', async () => {
  await checkPack(answerOf([small, delta(18), small]));
  await checkPack(line(Buffer.from('NAK\n')));
});

it.each([
  ['a file', () => [small, packed(BLOB, Buffer.alloc(65 * MB))]],
  ['a changed file', () => [small, delta(65 * MB)]],
  ['all files', () => [small, ...Array.from({ length: 17 }, () => delta(63 * MB))]],
  ['a list of objects', () => [small], 250_001],
  ['a history', () => Array.from({ length: 62_501 }, () => commit)],
  ['a history of changed commits', () => [commit, ...changes(62_500, commit.length)]],
  [
    'a history of long messages',
    () => Array.from({ length: 2 }, () => packed(COMMIT, Buffer.alloc(33 * MB))),
  ],
  ['a list of files', () => [packed(TREE, Buffer.alloc(3 * MB))]],
  ['a changed list of files', () => [folder, ...changes(1, folder.length, 3 * MB)]],
] as const)('rejects %s that becomes too large [S86]', async (_, objects, count?: number) => {
  await expect(checkPack(answerOf(objects(), count))).rejects.toThrow(
    /more than 64 MB.* notes only\.$/,
  );
});

it('lists the objects of a stored pack in another thread [S86]', async () => {
  const data = temporaryFolder();
  const store = new RevisionStore(data);
  const gitdir = join(data, 'revisions');
  await store.exclusive(async () => {});
  const text = Buffer.from('{"paragraphs": []}');
  const oid = createHash('sha1').update(`blob ${text.length}\0`).update(text).digest('hex');
  const { pack } = await checkPack(answerOf([small]));
  await storePack(gitdir, pack, new AbortController().signal);
  const entry = { mode: '100644', path: 'note.json', oid, type: 'blob' } as const;
  expect(await readBlob(store.repo, entry)).toEqual(text);
});

it('lists no history that is too long [S86]', async () => {
  const data = temporaryFolder();
  const store = new RevisionStore(data, 3);
  const id = '2A94M5J1Z';
  const list = async () => (await store.history(id)).map(({ message }) => message);
  for (const message of ['one', 'two', 'three', 'four']) {
    if (message === 'four') expect(await list()).toEqual(['three', 'two', 'one']);
    await store.exclusive(async () => {
      const [author, head] = [{ name: 'ann', email: 'ann@acme.org' }, await store.head()];
      const parents = head ? [head] : [];
      const texts = new Map([[id, [Buffer.from(message)]]]);
      await store.move((await store.commit(texts, { message, author, parents }))!);
    });
  }
  // The fourth was added to the list of three; another server reads all of them.
  expect(await list()).toEqual(['four', 'three', 'two', 'one']);
  const again = new RevisionStore(data, 3);
  await expect(again.history(id)).rejects.toThrow('The notes have more than 3 checkpoints.');
});

it('leaves nothing of a pack whose storing is aborted [S86]', async () => {
  const data = temporaryFolder();
  await new RevisionStore(data).exclusive(async () => {});
  const folder = join(data, 'revisions');
  const { pack } = await checkPack(answerOf([small]));
  await expect(storePack(folder, pack, AbortSignal.abort(new Error('over')))).rejects.toThrow();
  expect(readdirSync(join(folder, 'objects/pack'))).toEqual([]);
});

it.each([
  ['that ends early', answerOf([small, small]).subarray(0, 60)],
  ['whose lines have no length', Buffer.from('zzzz')],
  ['that is no pack', line(Buffer.from('\x01nothing of the kind'))],
])('rejects an answer %s', async (_, answer) => {
  await expect(checkPack(answer)).rejects.toThrow('damaged');
});
