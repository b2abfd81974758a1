import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EmbedTokenStore } from './embed-tokens.ts';
import { Secrets } from './secrets.ts';

let folder = '';
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'tiding-embed-tokens-'))));
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

test('a token is valid until it expires, and then says so', async () => {
  const store = new EmbedTokenStore(folder, await Secrets.open(folder));
  const { token } = await store.create('ann', undefined, {
    noteId: 'n',
    scope: 'edit',
    interpreters: ['md'],
    seconds: 300,
  });
  expect(await store.verify(token)).toMatchObject({ iss: 'ann', note: 'n', interpreters: ['md'] });
  vi.useFakeTimers({ now: Date.now() + 301_000, toFake: ['Date'] });
  expect(await store.verify(token)).toBe('expired');
  expect(await store.verify(`${token}A`)).toBe('invalid');
});
