import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { EmbedKeys } from './embed-keys.ts';
import { Secrets } from './secrets.ts';

let folder = '';
beforeEach(async () => (folder = temporaryFolder()));

test('creates a key of 32 random bytes on first use, and signs with it [S32]', async () => {
  const keys = new EmbedKeys(folder, await Secrets.open(folder));
  expect(await keys.verifying()).toEqual([]);
  const first = await keys.signing();
  expect(first.secret).toHaveLength(32);
  expect((await keys.signing()).kid).toBe(first.kid);
  const kid = await keys.rotate();
  expect((await keys.signing()).kid).toBe(kid);
  expect((await keys.verifying()).map((key) => key.kid)).toEqual([kid, first.kid]);
  expect((await keys.signing()).secret.equals(first.secret)).toBe(false);
});

test('neither signs nor accepts anything with a key of less than 32 bytes [S32]', async () => {
  const secrets = await Secrets.open(folder);
  await writeFile(
    join(folder, 'embed-keys.json'),
    JSON.stringify({
      keys: [
        {
          kid: 'short',
          secret: secrets.encrypt(Buffer.alloc(31, 7).toString('base64')),
          createdAt: new Date().toISOString(),
        },
      ],
    }),
  );
  const keys = new EmbedKeys(folder, secrets);
  await expect(keys.signing()).rejects.toThrow('too short');
  await expect(keys.verifying()).rejects.toThrow('too short');
});
