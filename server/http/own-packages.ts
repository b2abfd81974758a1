/**
 * Serves the packages of this version below `/packages`, so that they can be installed from a
 * running server without a registry. Packages that need each other name the addresses here.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, Hono } from 'hono';
import { create } from 'tar';
import type { ServerOptions } from '../base/options.ts';
import { SERVER_VERSION } from '../base/version.ts';
import { findInPackage } from '../storage/package-folder.ts';
import { wheelOf } from './wheel.ts';

/** Packages by the name of their archive: their name, and their folder in the repository. */
const PACKAGES: Readonly<Record<string, readonly [name: string, folder: string]>> = {
  'tiding-client': ['@tiding/client', 'client'],
  'tiding-elements': ['@tiding/elements', 'elements'],
  'create-tiding': ['create-tiding', 'create-tiding'],
  tiding: ['tiding', 'server'],
};
/** How long a request waits for types that are being built, in ms. */
const TYPES_MS = 240_000;
/** As npm does, so that the same files are the same archive. */
const MTIME = new Date('1985-10-26T08:15:00Z');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** An archive with what a package manager checks it by. */
interface Archive {
  readonly data: Buffer;
  readonly integrity: string;
}

/** The folder of a package of this version: in the repository, or inside of this package. */
async function locate(name: string, folder: string) {
  const places = [`packages/${folder}`, folder, '.'].flatMap(
    (place) => findInPackage(`${place}/package.json`) ?? [],
  );
  for (const place of places) {
    const manifest = JSON.parse(await readFile(place, 'utf8')) as Manifest;
    if (manifest.name === name && manifest.version === SERVER_VERSION)
      return { folder: dirname(place), manifest };
  }
  return undefined;
}

/** The manifest for those who install it: without sources, scripts and names in a registry. */
function published({ scripts: _, exports, dependencies, ...manifest }: Manifest, base: string) {
  const addressOf = (name: string) => {
    const [archive] = Object.entries(PACKAGES).find(([, [own]]) => own === name) ?? [];
    return archive && `${base}/${archive}-${SERVER_VERSION}.tgz`;
  };
  return {
    ...manifest,
    exports:
      exports &&
      Object.fromEntries(
        Object.entries(exports).map(([path, target]) => {
          if (typeof target === 'string') return [path, target];
          const { source: _source, ...conditions } = target;
          return [path, conditions];
        }),
      ),
    dependencies:
      dependencies &&
      Object.fromEntries(
        Object.entries(dependencies).map(([name, range]) => [name, addressOf(name) ?? range]),
      ),
    // From here, create-tiding takes the packages of the projects that it writes.
    packages: base,
  };
}

/** Packs a package as npm does. */
async function pack(folder: string, manifest: Manifest, base: string): Promise<Buffer> {
  const stage = await mkdtemp(join(tmpdir(), 'tiding-package-'));
  try {
    const patterns = ['README.md', 'LICENSE', 'CHANGELOG.md', ...manifest.files].map(
      (pattern) => pattern.split('/')[0]!,
    );
    const isPart = (entry: string) =>
      patterns.some((pattern) =>
        pattern.startsWith('*') ? entry.endsWith(pattern.slice(1)) : entry === pattern,
      );
    const parts = (await readdir(folder)).filter(isPart);
    for (const part of parts) await symlink(join(folder, part), join(stage, part));
    const text = `${JSON.stringify(published(manifest, base), null, 2)}\n`;
    await writeFile(join(stage, 'package.json'), text);
    const bytes = await create(
      {
        cwd: stage,
        prefix: 'package',
        portable: true,
        follow: true,
        mtime: MTIME,
        filter: (path) => !path.endsWith('.map'),
      },
      ['package.json', ...parts],
    ).concat();
    // In another thread; `tar` would compress in this one.
    return await promisify(gzip)(bytes, { level: 9 });
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

const archiveOf = (data: Buffer): Archive => ({
  data,
  integrity: `sha512-${createHash('sha512').update(data).digest('base64')}`,
});

/** Whether the types of a package exist, which `npm start` builds after the rest, within a time. */
async function hasTypes(
  { folder, manifest }: { folder: string; manifest: Manifest },
  patience: number,
): Promise<boolean> {
  const types = Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === 'object' && target['types'] && !target['types'].includes('*')
      ? [join(folder, target['types'])]
      : [],
  );
  const until = Date.now() + patience;
  while (!types.every(existsSync) && Date.now() < until) await delay(1_000);
  return types.every(existsSync);
}

const page = (base: string, rows: readonly (readonly [string, Archive])[]) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Packages of Tiding ${SERVER_VERSION}</title>
<h1>Packages of Tiding ${SERVER_VERSION}</h1>
<p>These are the packages of exactly this server's version.</p>
<pre>npm install ${base}/tiding-client.tgz
npm install ${base}/tiding-elements.tgz
npm exec --package ${base}/create-tiding.tgz -- create-tiding my-app
pip install ${base}/${rows.find(([name]) => name.endsWith('.whl'))?.[0] ?? ''}</pre>
<table><tr><th>File<th>Bytes<th>Integrity
${rows
  .map(
    ([name, { data, integrity }]) =>
      `<tr><td><a href="${name}">${name}</a><td>${data.length}<td><code>${integrity}</code>`,
  )
  .join('\n')}
</table></html>`;

/** Serves the packages, and a page about them. */
export function ownPackages(app: Hono, { publicUrl }: ServerOptions): void {
  const archives = new Map<string, Promise<Archive | undefined>>();
  const baseOf = (c: Context) =>
    `${(publicUrl ?? new URL(c.req.url).origin).replace(/\/$/, '')}/packages`;

  /** Packs once for each address; the server is reached under few. */
  const archive = (key: string, make: () => Promise<Archive | undefined>) => {
    const made = archives.get(key) ?? make();
    archives.set(key, made);
    // A failure is not remembered.
    made.then(
      (value) => value ?? archives.delete(key),
      () => archives.delete(key),
    );
    return made;
  };
  const tarball = (stem: string, base: string, patience = TYPES_MS) =>
    archive(`${base}/${stem}`, async () => {
      const located = PACKAGES[stem] && (await locate(...PACKAGES[stem]));
      return located && (await hasTypes(located, patience))
        ? archiveOf(await pack(located.folder, located.manifest, base))
        : undefined;
    });
  const wheel = async () => {
    const project =
      findInPackage('packages/python/pyproject.toml') ??
      findInPackage('clients/python/pyproject.toml');
    return project ? wheelOf(dirname(project)) : undefined;
  };

  const list = async (c: Context) => {
    const base = baseOf(c);
    const rows: (readonly [string, Archive])[] = [];
    for (const stem of Object.keys(PACKAGES)) {
      const made = await tarball(stem, base, 0);
      if (made) rows.push([`${stem}-${SERVER_VERSION}.tgz`, made]);
    }
    const python = await wheel();
    if (python) rows.push([python.name, archiveOf(python.data)]);
    c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    return c.html(page(base, rows));
  };
  app.get('/packages', (c) => c.redirect('/packages/', 302));
  app.get('/packages/', list);
  app.get('/packages/:file', async (c) => {
    const file = c.req.param('file');
    const stem = file.replace(/\.tgz$/, '').replace(`-${SERVER_VERSION}`, '');
    const python = file.endsWith('.whl') ? await wheel() : undefined;
    const made =
      python?.name === file
        ? archiveOf(python.data)
        : file.endsWith('.tgz') && Object.hasOwn(PACKAGES, stem)
          ? await tarball(stem, baseOf(c))
          : undefined;
    if (!made)
      return c.text(
        `There is no package ${file} here: this server has those of version ${SERVER_VERSION}, ` +
          'see /packages/.\n',
        404,
      );
    c.header('Content-Type', file.endsWith('.whl') ? 'application/zip' : 'application/gzip');
    c.header('Cache-Control', 'no-cache');
    c.header('ETag', `"${made.integrity}"`);
    return c.body(new Uint8Array(made.data));
  });
}
