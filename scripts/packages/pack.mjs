/** Builds the published packages with their types, and packs them. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { build } from '../build.mjs';
import { OWNER_FIELDS } from './problems.mjs';

const root = join(import.meta.dirname, '../..');
const run = (command, args, cwd = root) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const others = [
  ['elements', /^elements\/(?:package\.json|README\.md|LICENSE|dist\b)/],
  ['create-tiding', /^create-tiding\/(?!node_modules|tsconfig)/],
  ['clients/python', /^clients\/python\/(?:pyproject\.toml|README\.md|src\b(?!.*__pycache__))/],
];

/**
 * Puts the packages that the server does not install into its own. It offers them to those without
 * a registry.
 */
function includeOthers() {
  for (const [name, isPart] of others) {
    const folder = join(root, 'server/dist/packages', basename(name));
    cpSync(join(root, name), folder, {
      recursive: true,
      filter: (path) => path === join(root, name) || isPart.test(relative(root, path)),
    });
    // Node and bundlers would take a second package.json for a package.
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) renameSync(manifest, join(folder, 'manifest.json'));
  }
}

/**
 * Puts the documentation into the server's package, each file in its smallest form, without the
 * gallery and the reference of types, which are as large as everything else, and without the
 * decisions about the sources and fonts for other alphabets.
 */
function includeDocs() {
  const docs = join(root, 'dist/docs');
  if (!existsSync(join(docs, 'index.html'))) run(process.execPath, ['scripts/docs.mjs']);
  const folders = /\/(?:gallery|reference\/typedoc|contribute\/decisions)$/;
  const files = /\/contribute_decisions_|(?:latin-ext|cyrillic|greek|vietnamese).*\.woff2$/;
  cpSync(docs, join(root, 'server/dist/docs'), {
    recursive: true,
    filter: (path) => !folders.test(path) && !files.test(path) && !existsSync(`${path}.br`),
  });
}

/** Compresses the files for browsers as well as possible, which takes too long for each build. */
async function compressMore(folder) {
  for (const path of readdirSync(folder, { recursive: true })) {
    if (!path.endsWith('.br')) continue;
    const data = await promisify(brotliDecompress)(readFileSync(join(folder, path)));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
    writeFileSync(join(folder, path), await promisify(brotliCompress)(data, { params }));
  }
}

/** Adds the fields of the owner to a manifest, and removes the conditions for sources. */
function publishManifest(file, directory) {
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
  const { scripts: _, ...manifest } = read(file);
  const owner = read(join(root, 'package.json'));
  for (const field of OWNER_FIELDS) if (owner[field]) manifest[field] = owner[field];
  const { repository } = owner;
  if (repository)
    manifest.repository = { type: 'git', url: repository.url ?? repository, directory };
  for (const target of Object.values(manifest.exports)) delete target.source;
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Writes the tarballs to `folder` and returns their paths by the folder of the package. */
export async function packPackages(folder) {
  await build({ say: console.log });
  run(process.execPath, ['scripts/build.mjs', '--types']);
  includeOthers();
  includeDocs();
  await Promise.all(['docs', 'web'].map((name) => compressMore(join(root, 'server/dist', name))));
  const work = mkdtempSync(join(tmpdir(), 'tiding-pack-'));
  const pack = (from, to) => {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', to];
    return join(to, JSON.parse(run('npm', args, from))[0].filename);
  };
  try {
    return Object.fromEntries(
      ['client', 'elements', 'server', 'create-tiding'].map((name) => {
        run('tar', ['xzf', pack(join(root, name), work), '-C', work]);
        const own = join(work, 'package');
        publishManifest(join(own, 'package.json'), name);
        const packed = pack(own, folder);
        rmSync(own, { recursive: true });
        return [name, packed];
      }),
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
