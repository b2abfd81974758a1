import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { Secrets } from './secrets.ts';

let folder = '';
beforeEach(async () => (folder = temporaryFolder()));

test('encrypted text can be read again, also after a restart', async () => {
  const secrets = await Secrets.open(folder);
  const text = secrets.encrypt('ghp_geheim ✓');
  expect(text).not.toContain('geheim');
  expect(secrets.decrypt(text)).toBe('ghp_geheim ✓');
  expect((await Secrets.open(folder)).decrypt(text)).toBe('ghp_geheim ✓');
  expect(secrets.decrypt(secrets.encrypt(''))).toBe('');
});

test('encrypting the same text twice gives different results', async () => {
  const secrets = await Secrets.open(folder);
  expect(secrets.encrypt('one')).not.toBe(secrets.encrypt('one'));
});

test('the key file is readable by its owner only', async () => {
  await Secrets.open(folder);
  expect((await stat(join(folder, 'encryption.key'))).mode & 0o777).toBe(0o600);
});

test('a key from the environment is used and never written to disk [S39]', async () => {
  vi.stubEnv('TIDING_ENCRYPTION_KEY', Buffer.alloc(32, 7).toString('base64'));
  try {
    const text = (await Secrets.open(folder)).encrypt('one');
    expect((await Secrets.open(folder)).decrypt(text)).toBe('one');
    await expect(stat(join(folder, 'encryption.key'))).rejects.toThrow('ENOENT');
    vi.stubEnv('TIDING_ENCRYPTION_KEY', 'short');
    await expect(Secrets.open(folder)).rejects.toThrow('TIDING_ENCRYPTION_KEY');
    vi.unstubAllEnvs();
    const own = await Secrets.open(folder);
    expect(() => own.decrypt(text)).toThrow('another key');
  } finally {
    vi.unstubAllEnvs();
  }
});

test('a modified text is rejected [S39]', async () => {
  const secrets = await Secrets.open(folder);
  const [version, name, body = ''] = secrets.encrypt('one').split(':');
  const bytes = Buffer.from(body, 'base64');
  bytes[bytes.length - 1]! ^= 1;
  expect(() => secrets.decrypt(`${version}:${name}:${bytes.toString('base64')}`)).toThrow(
    'cannot be read',
  );
  expect(() => secrets.decrypt('one')).toThrow('The text is not encrypted.');
});

test('a damaged key is not replaced', async () => {
  await writeFile(join(folder, 'encryption.key'), 'short');
  await expect(Secrets.open(folder)).rejects.toThrow('holds no key');
  expect(await readFile(join(folder, 'encryption.key'), 'utf8')).toBe('short');
});
