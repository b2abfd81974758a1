import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { Audit } from './audit.ts';

let folder: string;
beforeEach(async () => (folder = temporaryFolder()));
const lines = async (name = 'audit.log') =>
  (await readFile(join(folder, name), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);

it('has one private line per entry, in order, whatever a name contains [S79]', async () => {
  const audit = new Audit(folder);
  const evil = 'bob"\r\n{"event":"sign-in","principal":"admin"}\u2028\u0000';
  for (let n = 0; n < 50; n += 1)
    audit.record('run', { principal: n === 7 ? evil : `user ${n}`, note: undefined, target: '' });
  await audit.flush();
  const all = await lines();
  expect(all.map(({ event }) => event)).toEqual(Array.from({ length: 50 }, () => 'run'));
  expect(all[7]!['principal']).toBe('bob"  {"event":"sign-in","principal":"admin"}  ');
  expect(Object.keys(all[0]!)).toEqual(['time', 'event', 'principal']);
  expect((await stat(join(folder, 'audit.log'))).mode & 0o777).toBe(0o600);
});

it('truncates long texts, and starts a new file when one is full, up to six [S79]', async () => {
  const audit = new Audit(folder, undefined, 1_000);
  for (let n = 0; n < 40; n += 1) {
    audit.record('run', { principal: `${n} ${'x'.repeat(10_000)}` });
    await audit.flush();
  }
  expect((await readdir(folder)).sort()).toEqual([
    'audit.log',
    ...[1, 2, 3, 4, 5].map((n) => `audit.log.${n}`),
  ]);
  expect((await lines()).at(-1)!['principal']).toMatch(/^39 x{253}$/);
  for (const name of await readdir(folder))
    expect((await stat(join(folder, name))).size).toBeLessThanOrEqual(1_000);
});

it('reports a file that cannot be written, without failing the call', async () => {
  await rm(folder, { recursive: true });
  const told: unknown[] = [];
  const audit = new Audit(folder, { error: ((fields: object) => void told.push(fields)) as never });
  audit.record('run', {});
  await audit.flush();
  expect(told).toHaveLength(1);
  const silent = new Audit(folder);
  silent.record('run', {});
  await expect(silent.flush()).rejects.toThrow('ENOENT');
});
