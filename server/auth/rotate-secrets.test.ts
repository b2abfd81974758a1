import { createCipheriv, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { runCommandLine } from '../cli/main.ts';
import { createServer } from '../index.ts';
import { interpreters } from '../interpreters/index.ts';
import { testPlatform } from '../magpie/test-support.ts';
import { Repositories } from '../settings/repositories.ts';
import { InterpreterSettings } from '../settings/settings.ts';
import { CredentialStore } from './credentials.ts';
import { EmbedKeys } from './embed-keys.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import { Secrets } from './secrets.ts';

let folder = '';
beforeEach(async () => (folder = temporaryFolder()));
afterEach(() => void vi.unstubAllEnvs());
const keyFile = () => join(folder, 'encryption.key');
const text = (name: string) => readFile(join(folder, name), 'utf8');

test('every secret can be read with the new key, and not with the old one [S41]', async () => {
  const old = await Secrets.open(folder);
  const credentials = await CredentialStore.open(folder, old);
  await credentials.put('ann', { entity: 'db', username: 'u', password: 'geheim ✓' });
  await credentials.put('bob', { entity: 'db', username: 'v', password: '' });
  await (await Repositories.open(folder, old)).add({
    id: 'own',
    url: 'https://pypi.example.org/simple',
    username: 'u',
    password: 'of a repository',
  });
  await InterpreterSettings.open(folder, interpreters, old);
  const { kid, secret } = await new EmbedKeys(folder, old).signing();
  await writeFile(
    join(folder, 'revision-control.json'),
    JSON.stringify({
      remoteUrl: 'https://x',
      userName: 'v1:',
      accessToken: old.encrypt('of a remote'),
    }),
  );
  const [keyBefore, storedBefore] = [
    await readFile(keyFile(), 'utf8'),
    await text('revision-control.json'),
  ];

  const made = await rotateSecrets(folder);
  expect(made).toMatchObject({ encrypted: 5, unreadable: 0 });
  const now = await readFile(keyFile(), 'utf8');
  expect(now).not.toContain(keyBefore);
  expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
  const secrets = await Secrets.open(folder);
  const again = await CredentialStore.open(folder, secrets);
  expect([again.for('ann').get('db')?.password, again.for('bob').get('db')?.password]).toEqual([
    'geheim ✓',
    '',
  ]);
  expect((await Repositories.open(folder, secrets)).forInstallers()).toContainEqual(
    expect.objectContaining({ password: 'of a repository' }),
  );
  expect(
    (await new EmbedKeys(folder, secrets).verifying()).map((key) => [key.kid, key.secret]),
  ).toEqual([[kid, secret]]);
  const remote = JSON.parse(await text('revision-control.json')) as {
    userName: string;
    accessToken: string;
  };
  expect([remote.userName, secrets.decrypt(remote.accessToken)]).toEqual(['v1:', 'of a remote']);
  expect(remote.accessToken.split(':')[1]).toBe(made.key);
  expect(() => old.decrypt(remote.accessToken)).toThrow('another key');
  expect(() =>
    secrets.decrypt((JSON.parse(storedBefore) as { accessToken: string }).accessToken),
  ).toThrow('another key');
});

test('secrets of the catalogue can be read with the new key', async () => {
  const on = await testPlatform({
    folder: join(folder, 'magpie'),
    secrets: await Secrets.open(folder),
  });
  try {
    expect((await on.run('create secret {"name": "door", "value": "sesame"}')).end).toMatchObject({
      code: 'SUCCESS',
    });
    await on.platform.close();
    expect(await text('magpie/catalogue.json')).not.toContain('sesame');
    expect(await rotateSecrets(folder)).toMatchObject({ encrypted: 1, unreadable: 0 });
    const { items } = JSON.parse(await text('magpie/catalogue.json')) as {
      items: readonly { type: string; definition: { value: { sealed: string } } }[];
    };
    expect(
      (await Secrets.open(folder)).decrypt(
        items.find(({ type }) => type === 'secret')!.definition.value.sealed,
      ),
    ).toBe('sesame');
  } finally {
    await on.close();
  }
});

test('secrets that no key can decrypt are kept, and so are the old keys [S41]', async () => {
  const old = await Secrets.open(folder);
  const strange = new Secrets([randomBytes(32)]).encrypt("somebody else's");
  await writeFile(
    join(folder, 'revision-control.json'),
    JSON.stringify({ accessToken: strange, other: old.encrypt('mine') }),
  );
  expect(await rotateSecrets(folder)).toMatchObject({ encrypted: 1, unreadable: 1 });
  expect(
    (JSON.parse(await text('revision-control.json')) as { accessToken: string }).accessToken,
  ).toBe(strange);
  expect((await readFile(keyFile(), 'utf8')).split('\n')).toHaveLength(2);
  // If rotation is interrupted, some texts use the new key and some the old one: both can be read.
  const secrets = await Secrets.open(folder);
  expect(secrets.decrypt(old.encrypt('by the old key'))).toBe('by the old key');
});

test('secrets in the first format can be read', async () => {
  await Secrets.open(folder);
  const [key, iv] = [Buffer.from(await readFile(keyFile(), 'utf8'), 'base64'), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const body = Buffer.concat([cipher.update('old', 'utf8'), cipher.final()]);
  await writeFile(
    join(folder, 'revision-control.json'),
    JSON.stringify({
      accessToken: `v1:${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`,
    }),
  );
  expect(await rotateSecrets(folder)).toMatchObject({ encrypted: 1, unreadable: 0 });
  expect(
    (await Secrets.open(folder)).decrypt(
      (JSON.parse(await text('revision-control.json')) as { accessToken: string }).accessToken,
    ),
  ).toBe('old');
});

test('with keys from the environment, the first is the new one', async () => {
  const [a, b] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  vi.stubEnv('TIDING_ENCRYPTION_KEY', a);
  const credentials = await CredentialStore.open(folder, await Secrets.open(folder));
  await credentials.put('ann', { entity: 'db', username: 'u', password: 'geheim' });
  await expect(rotateSecrets(folder)).rejects.toThrow('TIDING_ENCRYPTION_KEY=new,old');
  vi.stubEnv('TIDING_ENCRYPTION_KEY', `${b},${a}`);
  expect(await rotateSecrets(folder)).toMatchObject({ encrypted: 1, unreadable: 0 });
  vi.stubEnv('TIDING_ENCRYPTION_KEY', b);
  expect(
    (await CredentialStore.open(folder, await Secrets.open(folder))).for('ann').get('db')?.password,
  ).toBe('geheim');
  await expect(stat(keyFile())).rejects.toThrow('ENOENT');
});

test('a file outside the data folder can hold the key, readable by its owner [S41]', async () => {
  const elsewhere = temporaryFolder();
  vi.stubEnv('TIDING_ENCRYPTION_KEY_FILE', join(elsewhere, 'tiding.key'));
  const secret = (await Secrets.open(folder)).encrypt('one');
  await expect(stat(keyFile())).rejects.toThrow('ENOENT');
  expect((await stat(join(elsewhere, 'tiding.key'))).mode & 0o777).toBe(0o600);
  await rotateSecrets(folder);
  expect(() => new Secrets([Buffer.alloc(32)]).decrypt(secret)).toThrow('another key');
});

test('the command rejects a folder in use by a server, and records what it did [S84]', async () => {
  const server = await createServer({
    port: 0,
    data: folder,
    logLevel: 'silent',
    adminPassword: 'only-for-tests',
  });
  const [out, err] = [new PassThrough(), new PassThrough()];
  const rotate = () =>
    runCommandLine(['key', 'rotate-encryption', '--data', folder], {
      stdout: out,
      stderr: err,
      stdin: new PassThrough().end(),
      env: process.env,
      cwd: folder,
      signals: new EventEmitter(),
    });
  try {
    expect(await rotate()).toBe(1);
    expect(String(err.read())).toContain('in use by another server');
    await server.close();
    expect(await rotate()).toBe(0);
    const name = String(out.read()).trim();
    expect(name).toMatch(/^[0-9a-f]{12}$/);
    expect(await text('audit.log')).toContain(
      `"event":"encryption-key-rotated","principal":"command line, `,
    );
    expect(await text('audit.log')).toContain(name);
  } finally {
    await server.close();
  }
});
