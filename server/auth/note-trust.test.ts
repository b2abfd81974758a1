import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { NoteTrustStore } from './note-trust.ts';

let folder: string;
let trust: NoteTrustStore;
beforeEach(async () => {
  folder = temporaryFolder();
  trust = new NoteTrustStore(folder);
  await trust.load();
});

it('belongs to one user and one note, and survives a restart', async () => {
  await trust.begin('one', 'made', 'ann', true);
  await trust.begin('two', 'imported', 'ann', false);
  await trust.set('two', 'bob', true);
  const again = new NoteTrustStore(folder);
  await again.load();
  for (const each of [trust, again]) {
    expect(each.of('one', 'ann')).toEqual({ trusted: true, origin: 'made', by: 'ann' });
    expect(each.of('one', 'bob')).toEqual({ trusted: false, origin: 'made', by: 'ann' });
    expect(each.of('two', 'ann').trusted).toBe(false);
    expect(each.of('two', 'bob').trusted).toBe(true);
    expect(each.of('three', 'ann')).toEqual({ trusted: false });
  }
  // A page with a token acts as the token's issuer. Names of object properties are names like any
  // other.
  expect(trust.of('two', 'embed:bob').trusted).toBe(true);
  expect(trust.of('two', 'constructor').trusted).toBe(false);
  expect(trust.of('constructor', 'bob').trusted).toBe(false);
});

it('can be withdrawn and is removed with its note', async () => {
  await trust.set('one', 'ann', true);
  await trust.set('one', 'ann', false);
  expect(trust.of('one', 'ann').trusted).toBe(false);
  await trust.set('one', 'ann', true);
  await trust.remove('one');
  expect(trust.of('one', 'ann')).toEqual({ trusted: false });
  expect(JSON.parse(await readFile(join(folder, 'note-trust.json'), 'utf8'))).toEqual({});
});

it("stays unchanged if it can't be stored", async () => {
  await rm(folder, { recursive: true });
  await expect(trust.set('one', 'ann', true)).rejects.toThrow();
  expect(trust.of('one', 'ann').trusted).toBe(false);
});
