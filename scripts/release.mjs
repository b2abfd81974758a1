/**
 * `npm run release`: packs the published packages into `dist/release`, each with a bill of
 * materials (CycloneDX) of what it installs, and writes checksums of all files.
 *
 * npm run release -- [--publish]
 *
 * `--publish` publishes the packages with a statement of provenance. npm issues it only in a
 * workflow of a host that it trusts. The tree must be committed, and versions must be set by
 * `npx changeset version` before. Needs the package registry.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { packPackages } from './packages/pack.mjs';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/release');
const { publish } = parseArgs({ options: { publish: { type: 'boolean', default: false } } }).values;
const run = (command, args, cwd = root) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
const fail = (message) => {
  console.error(message);
  process.exit(1);
};

if (publish) {
  if (run('git', ['status', '--porcelain']) !== '') fail('Commit or remove your changes first.');
  const pending = readdirSync(join(root, '.changeset')).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  if (pending.length > 0)
    fail(`Run npx changeset version first: ${pending.length} changesets have no version yet.`);
}

/** Describes the package `name`, which is the last of `tarballs`, with all that it installs. */
function materialsOf(name, tarballs) {
  const work = mkdtempSync(join(tmpdir(), 'tiding-materials-'));
  try {
    const manifest = { name: 'installation', version: '1.0.0', private: true };
    writeFileSync(join(work, 'package.json'), JSON.stringify(manifest));
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    run('npm', ['install', ...quiet, ...tarballs], work);
    const format = ['--sbom-format', 'cyclonedx', '--sbom-type', 'library'];
    // Paths of this machine are of no use to others.
    const text = run('npm', ['sbom', ...format], work).replaceAll(`file:${folder}/`, 'file:');
    const { components, dependencies, metadata, ...rest } = JSON.parse(text);
    const reference = metadata.component['bom-ref'];
    const component = components.find((each) => each.name === name);
    return {
      ...rest,
      metadata: { ...metadata, component },
      components: components.filter((each) => each !== component),
      dependencies: dependencies.filter(({ ref }) => ref !== reference),
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const { client, elements, server, 'create-tiding': starters } = await packPackages(folder);
// Each with those that it depends on, which are not in the registry yet.
const packages = [
  ['@tiding/client', [client]],
  ['@tiding/elements', [client, elements]],
  ['tiding', [client, elements, server]],
  ['create-tiding', [starters]],
];
for (const [name, tarballs] of packages) {
  const tarball = tarballs.at(-1);
  const materials = materialsOf(name, tarballs);
  writeFileSync(tarball.replace(/\.tgz$/, '.cdx.json'), `${JSON.stringify(materials, null, 2)}\n`);
  const kilobytes = Math.round(readFileSync(tarball).length / 1000).toLocaleString('en');
  const count = materials.components.length;
  console.log(`${basename(tarball)}: ${kilobytes} kB, installs ${count} other packages`);
}
const sums = readdirSync(folder)
  .sort()
  .map((name) => {
    const sum = createHash('sha256').update(readFileSync(join(folder, name)));
    return `${sum.digest('hex')}  ${name}\n`;
  });
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
console.log(`Written to ${folder}`);
if (publish)
  for (const tarball of [client, elements, server, starters])
    execFileSync('npm', ['publish', tarball, '--provenance', '--access', 'public'], {
      stdio: 'inherit',
    });
