import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NoteTrust } from './note-trust.ts';

let folder: string;
let trust: NoteTrust;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiding-trust-'));
  trust = new NoteTrust(folder);
  await trust.load();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('is of one person in one note, and survives a restart', async () => {
  await trust.begin('one', 'made', 'ann', true);
  await trust.begin('two', 'imported', 'ann', false);
  await trust.set('two', 'bob', true);
  const again = new NoteTrust(folder);
  await again.load();
  for (const each of [trust, again]) {
    expect(each.of('one', 'ann')).toEqual({ trusted: true, origin: 'made', by: 'ann' });
    expect(each.of('one', 'bob')).toEqual({ trusted: false, origin: 'made', by: 'ann' });
    expect(each.of('two', 'ann').trusted).toBe(false);
    expect(each.of('two', 'bob').trusted).toBe(true);
    expect(each.of('three', 'ann')).toEqual({ trusted: false });
  }
  // A page with a token is who made the token, and names of objects are names as any other.
  expect(trust.of('two', 'embed:bob').trusted).toBe(true);
  expect(trust.of('two', 'constructor').trusted).toBe(false);
  expect(trust.of('constructor', 'bob').trusted).toBe(false);
});

it('is taken back, and goes with its note', async () => {
  await trust.set('one', 'ann', true);
  await trust.set('one', 'ann', false);
  expect(trust.of('one', 'ann').trusted).toBe(false);
  await trust.set('one', 'ann', true);
  await trust.remove('one');
  expect(trust.of('one', 'ann')).toEqual({ trusted: false });
  expect(JSON.parse(await readFile(join(folder, 'note-trust.json'), 'utf8'))).toEqual({});
});

it('does not hold what the disk did not take', async () => {
  await rm(folder, { recursive: true });
  await expect(trust.set('one', 'ann', true)).rejects.toThrow();
  expect(trust.of('one', 'ann').trusted).toBe(false);
});
