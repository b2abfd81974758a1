/** The packages that are installed: their hashes and their licenses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

interface Entry {
  link?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  resolved?: string;
  integrity?: string;
  license?: string;
}

const root = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> };
const fromRegistry = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);
const nameOf = (path: string) => path.split('node_modules/').at(-1)!;

it('each package from the registry has a hash, and no address of a registry', () => {
  expect(fromRegistry.length).toBeGreaterThan(1_000);
  expect(
    fromRegistry.filter(
      ([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved !== undefined,
    ),
  ).toEqual([]);
});

it('NOTICE lists the packages of unusual licenses that users install, and no others', () => {
  const usual = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'];
  const unusual = fromRegistry
    .filter(
      ([, { dev, devOptional, license }]) => !dev && !devOptional && !usual.includes(license!),
    )
    .map(([path]) => nameOf(path));
  const listed = [...read('NOTICE').matchAll(/^([@\w][\w@/., -]*?) {2,}\S/gm)].flatMap(
    ([, names]) => names!.split(', '),
  );
  expect(listed.sort()).toEqual([...new Set(unusual)].sort());
});
