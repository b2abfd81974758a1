import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Credentials } from './credentials.ts';
import { Secrets } from './secrets.ts';

describe('credentials', () => {
  let folder: string;
  let credentials: Credentials;
  const open = async () => Credentials.open(folder, await Secrets.open(folder));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tiding-credentials-'));
    credentials = await open();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('belong to their user, and are there after a restart', async () => {
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

  it('lie on the disk encrypted, for the server only, and are shown without the password', async () => {
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

  it('keep their password where the stars come back', async () => {
    await credentials.put('ada', { entity: 'jdbc.pg', username: 'reader', password: 'kept' });
    await credentials.put('ada', { entity: 'jdbc.pg', username: 'writer', password: '********' });
    expect(credentials.for('ada').get('jdbc.pg')).toEqual({ username: 'writer', password: 'kept' });
    await credentials.put('ada', { entity: 'jdbc.pg', username: 'writer', password: '' });
    expect(credentials.for('ada').get('jdbc.pg')).toEqual({ username: 'writer', password: '' });
  });

  it.each([
    ['', 'u'],
    ['  ', 'u'],
    ['e', ''],
    ['e', ' \t'],
  ])('want an entity and a user name (%j, %j)', async (entity, username) => {
    await expect(credentials.put('ada', { entity, username, password: 'p' })).rejects.toMatchObject(
      { status: 400, message: 'Username \\ Entity can not be empty.' },
    );
    expect(credentials.for('ada').size).toBe(0);
  });

  it("go one by one or all at once, and only one's own", async () => {
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

  it.skipIf(process.getuid?.() === 0)('are as before where the disk takes nothing', async () => {
    await credentials.put('ada', { entity: 'a', username: 'u', password: 'p' });
    await chmod(folder, 0o500);
    await expect(
      credentials.put('ada', { entity: 'a', username: 'changed', password: 'p' }),
    ).rejects.toMatchObject({ status: 500 });
    await chmod(folder, 0o700);
    expect(credentials.for('ada').get('a')?.username).toBe('u');
  });
});
