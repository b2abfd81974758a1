import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { keepFile, openFile } from './open-file.ts';

let data: string;
let files: string;
beforeAll(async () => {
  data = temporaryFolder();
  files = join(data, 'files');
  await mkdir(join(files, 'a'), { recursive: true });
  await mkdir(join(data, 'files-beside'));
  await writeFile(join(files, 'a/b c.csv'), 'x,y\n');
  await writeFile(join(data, 'secret.key'), 'secret');
  await writeFile(join(data, 'files-beside/x'), 'secret');
  await symlink(join(data, 'secret.key'), join(files, 'link'));
  await symlink(data, join(files, 'up'));
  await symlink(join(files, 'a'), join(files, 'inside'));
  await symlink(join(files, 'loop'), join(files, 'loop'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(files, 'pipe')]);
});

it.each(['a/b c.csv', '/a/b c.csv', '//a/./b c.csv'])('opens %s', async (path) => {
  const { handle, size, name } = await openFile(files, path);
  expect([await handle.readFile('utf8'), size, name]).toEqual(['x,y\n', 4, 'b c.csv']);
  await handle.close();
});

it.each([
  '../secret.key',
  '/../secret.key',
  'a/../../secret.key',
  'a/../a/b c.csv',
  '..',
  '..\\secret.key',
  'a\0b',
  'link',
  'up/secret.key',
  'inside/b c.csv',
  '../files-beside/x',
  'loop',
])('rejects %j', async (path) => {
  await expect(openFile(files, path)).rejects.toMatchObject({ status: 403 });
});

it.each([
  '',
  '/',
  '.',
  'a',
  'a/',
  'nowhere',
  'a/b c.csv/x',
  '%2e%2e/secret.key',
  '/etc/passwd',
  '~/x',
  'x'.repeat(5_000),
  'pipe',
])('reports that %j does not exist [S58]', async (path) => {
  await expect(openFile(files, path)).rejects.toMatchObject({ status: 404 });
});

it('stores data files with the same name side by side', async () => {
  const folder = join(data, 'kept');
  const bytes = Buffer.from('a,b\n1,2\n');
  expect(await keepFile(folder, 'cities 2024 (new).csv', bytes)).toEqual({
    path: 'cities 2024 (new).csv',
    size: 8,
  });
  const beside = await Promise.all(
    ['x', 'y'].map((text) => keepFile(folder, 'cities 2024 (new).csv', Buffer.from(text))),
  );
  expect(beside.map(({ path }) => path).sort()).toEqual([
    'cities 2024 (new)-2.csv',
    'cities 2024 (new)-3.csv',
  ]);
  expect(await readFile(join(folder, 'cities 2024 (new).csv'), 'utf8')).toBe('a,b\n1,2\n');
  await symlink(join(data, 'secret.key'), join(folder, 'trap.csv'));
  expect(await keepFile(folder, 'trap.csv', bytes)).toMatchObject({ path: 'trap-2.csv' });
  expect(await readFile(join(data, 'secret.key'), 'utf8')).toBe('secret');
});

it.each([
  '',
  '.csv',
  'a.txt',
  'a',
  '../a.csv',
  'a/b.csv',
  'a\\b.csv',
  '.hidden.csv',
  'a..csv',
  "a'b.csv",
  'a\0.csv',
  'a\n.csv',
  `${'x'.repeat(200)}.csv`,
  'a.xls',
  '%2e%2e%2fa.csv',
])('does not store a file named %j', async (name) => {
  await expect(keepFile(join(data, 'refused'), name, Buffer.from('x'))).rejects.toMatchObject({
    status: 400,
  });
  await expect(readdir(join(data, 'refused'))).rejects.toMatchObject({ code: 'ENOENT' });
});
