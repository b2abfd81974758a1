import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { CredentialStore } from './credentials.ts';
import { Secrets } from './secrets.ts';

describe('credentials', () => {
  let folder: string;
  let credentials: CredentialStore;
  const open = async () => CredentialStore.open(folder, await Secrets.open(folder));

  beforeEach(async () => {
    folder = temporaryFolder();
    credentials = await open();
  });

  it('belong to their user and survive a restart', async () => {
    await credentials.put('ada', {
      entity: ' jdbc.pg ',
      username: ' reader ',
      password: ' pass word ',
    });
    await credentials.put('bob', { entity: 'jdbc.pg', username: 'bob', password: '' });
    const again = await open();
    expect(again.for('ada')).toEqual(
      new Map([['jdbc.pg', { username: 'reader', password: ' pass word ' }]]),
    );
    expect(again.for('bob').get('jdbc.pg')).toEqual({ username: 'bob', password: '' });
    expect(again.for('carol').size).toBe(0);
  });

  it('are stored encrypted, readable by the server, listed without passwords [S39]', async () => {
    await credentials.put('ada', {
      entity: 'jdbc.pg',
      username: 'only-reader',
      password: 'very-secret',
    });
    await credentials.put('ada', { entity: 'open', username: 'only-reader', password: '' });
    const file = join(folder, 'credentials.json');
    const text = await readFile(file, 'utf8');
    expect(text).toContain('jdbc.pg');
    expect(text).not.toMatch(/very-secret|only-reader/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(credentials.list('ada')).toEqual({
      'jdbc.pg': { username: 'only-reader', password: '********' },
      open: { username: 'only-reader', password: '' },
    });
  });

  it('keep their password if the placeholder is sent back [S39]', async () => {
    await credentials.put('ada', { entity: 'jdbc.pg', username: 'reader', password: 'kept' });
    await credentials.put('ada', { entity: 'jdbc.pg', username: 'writer', password: '********' });
    expect(credentials.for('ada').get('jdbc.pg')).toEqual({ username: 'writer', password: 'kept' });
    await credentials.put('ada', { entity: 'jdbc.pg', username: 'writer', password: '' });
    expect(credentials.for('ada').get('jdbc.pg')).toEqual({ username: 'writer', password: '' });
  });

  it('stay with the server that they were stored for [S87]', async () => {
    const entered = { entity: 'pg', username: 'reader', password: 'kept' };
    const server = () => credentials.for('ada').get('pg')?.server;
    await credentials.put('ada', entered);
    expect(server()).toBeUndefined();
    await credentials.bind((entity) => `first ${entity}`);
    await credentials.bind((entity) => `second ${entity}`);
    credentials = await open();
    expect(server()).toBe('first pg');
    await credentials.put('ada', { ...entered, password: '********' }, () => 'third');
    expect(server()).toBe('first pg');
    await credentials.put('ada', entered, () => 'third');
    expect(server()).toBe('third');
  });

  it.each([
    ['', 'u'],
    ['  ', 'u'],
    ['e', ''],
    ['e', ' \t'],
  ])('require an entity and a user name (%j, %j)', async (entity, username) => {
    await expect(credentials.put('ada', { entity, username, password: 'p' })).rejects.toMatchObject(
      { status: 400, message: 'Username \\ Entity can not be empty.' },
    );
    expect(credentials.for('ada').size).toBe(0);
  });

  it('are removed one by one or all at once, for one user only', async () => {
    for (const entity of ['a', 'b', '__proto__'])
      await credentials.put('ada', { entity, username: 'u', password: 'p' });
    await credentials.put('bob', { entity: 'a', username: 'u', password: 'p' });
    expect(await credentials.remove('ada', 'a')).toBe(true);
    expect(await credentials.remove('ada', 'a')).toBe(false);
    expect(await credentials.remove('carol', 'a')).toBe(false);
    await credentials.clear('ada');
    expect(credentials.for('ada').size).toBe(0);
    expect([...(await open()).for('bob').keys()]).toEqual(['a']);
  });

  it.skipIf(process.getuid?.() === 0)("stay unchanged if they can't be stored", async () => {
    await credentials.put('ada', { entity: 'a', username: 'u', password: 'p' });
    await chmod(folder, 0o500);
    await expect(
      credentials.put('ada', { entity: 'a', username: 'changed', password: 'p' }),
    ).rejects.toMatchObject({ status: 500 });
    await chmod(folder, 0o700);
    expect(credentials.for('ada').get('a')?.username).toBe('u');
  });
});
