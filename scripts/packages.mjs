/**
 * `npm run test:packages`: packs the published packages, checks the tarballs (contents, sizes,
 * publint, attw), installs them into empty folders, and runs the examples from what was installed.
 * Prints packages and megabytes per install. Needs the package registry.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { runExamples } from './packages/examples.mjs';
import { packPackages } from './packages/pack.mjs';
import { tarballProblems } from './packages/problems.mjs';

const root = join(import.meta.dirname, '..');
const work = mkdtempSync(join(tmpdir(), 'tiding-packages-'));
/** Frameworks whose markup knows the types of the elements. */
const FRAMEWORKS = ['@types/react@19', 'vue@3', 'preact@10', 'solid-js@1', 'svelte@5'];
const failures = [];
const check = (name, holds, detail = '') => {
  console.log(`${holds ? '✓' : '✗'} ${name}${detail === '' ? '' : `: ${detail}`}`);
  if (!holds) failures.push(name);
};
const run = (command, args, options = {}) =>
  execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });

/** Packages in a `node_modules` folder, including nested ones. */
function* installed(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.name.startsWith('@')) yield* installed(path);
    else {
      yield path;
      try {
        yield* installed(join(path, 'node_modules'));
      } catch {
        // It has no packages of its own.
      }
    }
  }
}
function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (entry.isFile()) yield path;
  }
}

function install(name, ...specs) {
  const folder = join(work, name);
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', private: true, type: 'module' }),
  );
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...specs], { cwd: folder });
  const packages = [...installed(join(folder, 'node_modules'))];
  const bytes = Number(run('du', ['-sk', join(folder, 'node_modules')]).split('\t')[0]) / 1024;
  const scripts = packages.filter((path) => {
    const { scripts: own = {} } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    return ['preinstall', 'install', 'postinstall'].some((key) => key in own);
  });
  const native = [...files(join(folder, 'node_modules'))].filter((path) => path.endsWith('.node'));
  console.log(
    [
      `  ${name}: ${packages.length} packages`,
      `${Math.round(bytes)} MB`,
      `${native.length} native modules`,
      `${scripts.length} install scripts`,
    ].join(', '),
  );
  return { folder, packages, megabytes: bytes, scripts, native };
}

/** Compiles the fixtures of element types against the installed packages, for each framework. */
function checkElementTypes(folder) {
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...FRAMEWORKS], {
    cwd: folder,
  });
  cpSync(join(root, 'test/fixtures/element-types'), join(folder, 'types'), { recursive: true });
  for (const file of readdirSync(join(folder, 'types'))) {
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          target: 'ES2023',
          module: 'ESNext',
          moduleResolution: 'bundler',
          lib: ['ES2023', 'DOM', 'DOM.Iterable'],
          jsx: file.startsWith('solid') ? 'preserve' : 'react-jsx',
          types: [],
          strict: true,
          noEmit: true,
          // The declarations of React compile in every host; those of other frameworks need more.
          skipLibCheck: !file.startsWith('react'),
        },
        files: [`types/${file}`],
      }),
    );
    try {
      run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
      check(`types of elements: ${file}`, true);
    } catch (error) {
      check(`types of elements: ${file}`, false, error.stdout);
    }
  }
}

try {
  const tarballs = await packPackages(work);
  for (const [name, file] of Object.entries(tarballs)) {
    const problems = tarballProblems(name, file);
    check(`the tarball of ${name}`, problems.length === 0, problems.join('\n'));
  }

  const client = install('client', tarballs.client);
  check('the client installs at most 35 packages', client.packages.length <= 35);
  check('the client installs at most 40 MB', client.megabytes <= 40);
  check('the client has no native module', client.native.length === 0);
  check('the client has no install script', client.scripts.length === 0);
  const elements = install(
    'elements',
    tarballs.client,
    tarballs.elements,
    'react@19',
    'react-dom@19',
  );
  check(
    'the elements install no server packages',
    !elements.packages.some((path) => /duckdb|zeromq|hono/.test(path)),
  );
  check(
    'the elements install no second React',
    elements.packages.filter((path) => /node_modules\/react$/.test(path)).length === 1,
  );
  const server = install('server', tarballs.client, tarballs.server);

  await runExamples({
    work,
    client: client.folder,
    elements: elements.folder,
    server: server.folder,
    check,
  });
  checkElementTypes(elements.folder);
  const { metafile } = await bundle({
    stdin: { contents: "import '@tiding/elements/profile';", resolveDir: elements.folder },
    bundle: true,
    write: false,
    format: 'esm',
    splitting: true,
    outdir: join(work, 'bundle'),
    metafile: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  check(
    'a host bundles one element from the installed package',
    Object.keys(metafile.inputs).some((path) => path.endsWith('tags/profile.js')),
  );
  const { outputFiles } = await bundle({
    stdin: { contents: "import '@tiding/elements/themes/warm.css';", resolveDir: elements.folder },
    bundle: true,
    write: false,
    outdir: join(work, 'bundle'),
  });
  check(
    'a host bundles a theme from the installed package',
    outputFiles.some(({ text }) => text.includes('--tiding-accent: light-dark(')),
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(
  failures.length === 0 ? 'All package checks passed.' : `Failed: ${failures.join(', ')}`,
);
process.exit(failures.length === 0 ? 0 : 1);
