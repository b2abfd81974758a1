/** Chooses the tests of a change by the imports of the files, for `npm test -- --changed`. */
import { execFileSync } from 'node:child_process';
import { dirname, relative } from 'node:path';
import { build } from 'esbuild';
import { rawTextForEsbuild } from '../raw-text.mjs';

/** Files that affect every test. */
const EVERYTHING = /^(?:package(?:-lock)?\.json|(?:vitest|web-test-runner)\.config\.\w+)$/;
const isTest = (file) => /\.test\.tsx?$/.test(file);
const packageOf = (file) => file.split('/')[0];

/** Files that import a file directly, by the file. */
async function importersOf(root, tests) {
  const { metafile } = await build({
    entryPoints: tests,
    absWorkingDir: root,
    plugins: [rawTextForEsbuild],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    loader: { '.css': 'text' },
    logLevel: 'silent',
  });
  const importers = new Map();
  for (const [file, { imports }] of Object.entries(metafile.inputs))
    for (const { path } of imports) {
      const name = path.startsWith('raw-text:') ? relative(root, path.slice(9)) : path;
      importers.set(name, [...(importers.get(name) ?? []), file]);
    }
  return importers;
}

/**
 * The tests of the files that differ from `since` or are untracked, or undefined if all tests have
 * to run. `rest` are changed files without a test. Imports are followed within a package, because
 * everything imports the entries of the client; a file that no test of its package reaches, in all
 * packages. A file that nothing imports selects the tests of its folder.
 */
export async function changedTests(root, since) {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const untracked = git('ls-files', '--others', '--exclude-standard');
  const changed = [...git('diff', '--name-only', '--relative', since), ...untracked];
  if (changed.some((file) => EVERYTHING.test(file))) return undefined;
  const tests = [...git('ls-files'), ...untracked].filter(
    (file) => isTest(file) && !/^test\/(?:hosts|webpage|pictures)\//.test(file),
  );
  const importers = await importersOf(root, tests);
  const testsOf = (file, isFollowed) => {
    const reached = new Set([file]);
    for (const each of reached)
      for (const importer of importers.get(each) ?? [])
        if (isFollowed(importer)) reached.add(importer);
    return tests.filter((test) => reached.has(test));
  };
  const chosen = new Set();
  const rest = [];
  for (const file of changed) {
    let found = testsOf(file, (importer) => packageOf(importer) === packageOf(file));
    if (found.length === 0) found = testsOf(file, () => true);
    for (let folder = file; found.length === 0 && folder.includes('/'); ) {
      folder = dirname(folder);
      found = tests.filter((test) => dirname(test) === folder);
    }
    if (found.length === 0) rest.push(file);
    for (const test of found) chosen.add(test);
  }
  return { tests: [...chosen].sort(), rest };
}
