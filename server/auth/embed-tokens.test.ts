import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { EmbedTokenStore } from './embed-tokens.ts';
import { Secrets } from './secrets.ts';

let folder = '';
beforeEach(async () => (folder = temporaryFolder()));
afterEach(async () => {
  vi.useRealTimers();
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
