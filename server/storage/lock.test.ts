import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { lockFolder } from './lock.ts';

const times = { renewal: 40, expiry: 400 };
const inUse = 'is in use by another server';

let folder: string;
let file: string;
const releases: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'server.lock');
});
afterEach(async () => {
  for (const release of releases.splice(0)) await release();
});

const lock = async (onLost?: () => void): Promise<() => Promise<void>> => {
  const release = await lockFolder(folder, onLost, times);
  releases.push(release);
  return release;
};
const content = async () => JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
/** Writes the lock of another process. */
const leave = async (change: Record<string, unknown>): Promise<void> => {
  const release = await lock();
  const own = await content();
  await release();
  await writeFile(file, JSON.stringify({ ...own, token: 'other', ...change }));
};

test('a folder is locked once, and again after its release', async () => {
  const release = await lock();
  await expect(lock()).rejects.toThrow(`${inUse} (process ${process.pid})`);
  await release();
  await lock();
  expect(await readdir(folder)).toEqual(['server.lock']);
});

test('the lock of a process that has ended is taken', async () => {
  await leave({ pid: 2 ** 22 + 1 });
  await lock();
  expect((await content())['pid']).toBe(process.pid);
});

test('the lock of a process whose id another process has now is taken', async () => {
  await leave({ pid: process.ppid, startTime: '1' });
  await lock();
  expect((await content())['pid']).toBe(process.pid);
});

test('a lock of an earlier version is kept while its process runs', async () => {
  await writeFile(file, String(process.ppid));
  await expect(lock()).rejects.toThrow(`${inUse} (process ${process.ppid})`);
  await writeFile(file, String(2 ** 22 + 1));
  await lock();
});

test('a server in another container keeps its lock while it renews it', async () => {
  await leave({ pid: 2 ** 22 + 1, machine: 'another' });
  const renewal = setInterval(() => void utimes(file, new Date(), new Date()), times.renewal);
  try {
    await expect(lock()).rejects.toThrow(inUse);
  } finally {
    clearInterval(renewal);
  }
  await lock();
  expect((await content())['pid']).toBe(process.pid);
});

test('a file that was never written is taken', async () => {
  await writeFile(file, '');
  await lock();
  expect((await content())['pid']).toBe(process.pid);
});

test('of several servers that find a stale lock, one takes it', async () => {
  await leave({ pid: 2 ** 22 + 1 });
  const taken = await Promise.allSettled(Array.from({ length: 8 }, () => lock()));
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('the holder hears that another server has taken the lock, and leaves it alone', async () => {
  let lost = 0;
  const release = await lock(() => (lost += 1));
  await writeFile(file, JSON.stringify({ ...(await content()), token: 'other' }));
  await expect.poll(() => lost).toBe(1);
  await wait(3 * times.renewal);
  expect(lost).toBe(1);
  await release();
  expect((await content())['token']).toBe('other');
});

test('a lock file that was removed is written again', async () => {
  await lock();
  await rm(file);
  await expect.poll(() => readdir(folder)).toEqual(['server.lock']);
});
