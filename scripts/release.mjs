/**
 * `npm run release`: packs the published packages into `dist/release`, each with a bill of
 * materials (CycloneDX) of what it installs, and writes checksums of all files.
 *
 * npm run release -- [--check] [--publish]
 *
 * `--check` only says what is missing: fields of the owner in package.json, versions, changelogs,
 * licenses, contents and sizes. `--publish` does the same first, and then publishes the packages
 * with a statement of provenance, which npm issues only in a workflow of a host that it trusts.
 * Needs the package registry.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { packPackages } from './packages/pack.mjs';
import { repositoryProblems, tarballProblems } from './packages/problems.mjs';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/release');
const flag = { type: 'boolean', default: false };
const { check, publish } = parseArgs({ options: { check: flag, publish: flag } }).values;
const run = (command, args, cwd = root) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });

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
// The documentation of this version.
rmSync(join(root, 'dist/docs'), { recursive: true, force: true });
const tarballs = await packPackages(folder);
if (check || publish) {
  const problems = [
    ...repositoryProblems(),
    ...Object.entries(tarballs).flatMap(([name, file]) =>
      tarballProblems(name, file).map((problem) => `${name}: ${problem}`),
    ),
  ];
  for (const problem of problems) console.error(problem);
  if (check || problems.length > 0) {
    console.error(problems.length === 0 ? 'Nothing is missing.' : `${problems.length} problems.`);
    process.exit(problems.length === 0 ? 0 : 1);
  }
}
const { client, elements, server, 'create-tiding': starters } = tarballs;
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
