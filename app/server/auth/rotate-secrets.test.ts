import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createCipheriv, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { main } from '../cli.ts';
import { createServer } from '../index.ts';
import { interpreters } from '../interpreters/index.ts';
import { testPlatform } from '../magpie/test-support.ts';
import { Repositories } from '../settings/repositories.ts';
import { InterpreterSettings } from '../settings/settings.ts';
import { Credentials } from './credentials.ts';
import { EmbedKeys } from './embed-keys.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import { Secrets } from './secrets.ts';

let folder = '';
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'tiding-rotate-'))));
afterEach(() => {
  vi.unstubAllEnvs();
  return rm(folder, { recursive: true, force: true });
});
const keyFile = () => join(folder, 'encryption.key');
const text = (name: string) => readFile(join(folder, name), 'utf8');

test('every secret is read with the new key alone, and the one before opens nothing any more', async () => {
  const old = await Secrets.open(folder);
  const credentials = await Credentials.open(folder, old);
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
  const again = await Credentials.open(folder, secrets);
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

test('secrets of the catalogue are read with the new key', async () => {
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

test('what no key opens stays as it is, and the keys before stay too', async () => {
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
  // Cut off in the middle, some texts have the new key and some the old one: both are read.
  const secrets = await Secrets.open(folder);
  expect(secrets.decrypt(old.encrypt('by the old key'))).toBe('by the old key');
});

test('what the first format has is read', async () => {
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

test('keys of the environment: the first is the new one', async () => {
  const [a, b] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  vi.stubEnv('TIDING_ENCRYPTION_KEY', a);
  const credentials = await Credentials.open(folder, await Secrets.open(folder));
  await credentials.put('ann', { entity: 'db', username: 'u', password: 'geheim' });
  await expect(rotateSecrets(folder)).rejects.toThrow('TIDING_ENCRYPTION_KEY=new,old');
  vi.stubEnv('TIDING_ENCRYPTION_KEY', `${b},${a}`);
  expect(await rotateSecrets(folder)).toMatchObject({ encrypted: 1, unreadable: 0 });
  vi.stubEnv('TIDING_ENCRYPTION_KEY', b);
  expect(
    (await Credentials.open(folder, await Secrets.open(folder))).for('ann').get('db')?.password,
  ).toBe('geheim');
  await expect(stat(keyFile())).rejects.toThrow('ENOENT');
});

test('a file outside the data folder holds the key, for the account alone', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'tiding-key-'));
  try {
    vi.stubEnv('TIDING_ENCRYPTION_KEY_FILE', join(elsewhere, 'tiding.key'));
    const secret = (await Secrets.open(folder)).encrypt('one');
    await expect(stat(keyFile())).rejects.toThrow('ENOENT');
    expect((await stat(join(elsewhere, 'tiding.key'))).mode & 0o777).toBe(0o600);
    await rotateSecrets(folder);
    expect(() => new Secrets([Buffer.alloc(32)]).decrypt(secret)).toThrow('another key');
  } finally {
    await rm(elsewhere, { recursive: true, force: true });
  }
});

test('the command refuses a folder that a server has, and writes down what it did', async () => {
  const server = await createServer({
    port: 0,
    data: folder,
    logLevel: 'silent',
    adminPassword: 'only-for-tests',
  });
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  const [out, talk] = [
    vi.spyOn(process.stdout, 'write').mockReturnValue(true),
    vi.spyOn(process.stderr, 'write').mockReturnValue(true),
  ];
  try {
    await expect(main(['key', 'rotate-encryption', '--data', folder])).rejects.toThrow('exit 1');
    expect(talk.mock.calls.flat().join('')).toContain('in use by another server');
    await server.close();
    await main(['key', 'rotate-encryption', '--data', folder]);
    const name = String(out.mock.calls.at(-1)![0]).trim();
    expect(name).toMatch(/^[0-9a-f]{12}$/);
    expect(await text('audit.log')).toContain(
      `"event":"encryption-key-rotated","principal":"command line, `,
    );
    expect(await text('audit.log')).toContain(name);
  } finally {
    for (const spy of [exit, out, talk]) spy.mockRestore();
    await server.close();
  }
});
