/**
 * Serves the packages of this version below `/packages`, so that they can be installed from a
 * running server without a registry. Packages that need each other name the addresses here.
 */
import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import type { Context, Hono } from 'hono';
import { create, Header } from 'tar';
import { keepNewest } from '../base/keep-newest.ts';
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
/** Size of the blocks of an archive; two empty ones are its end. */
const BLOCK = 512;
const END = Buffer.alloc(2 * BLOCK);
/** Deflated, without a name or a time. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 0xff]);

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/**
 * The files of a package except its manifest, as the beginning of a compressed archive. Manifests
 * name the address that a caller uses, so they differ; the rest is packed and kept once.
 */
interface PackedFiles {
  readonly start: Buffer;
  /** Hash of `start`. */
  readonly hash: Hash;
  /** Size and checksum of the files before compression. */
  readonly size: number;
  readonly crc: number;
}

/** An archive in parts, with what a package manager checks it by. */
interface Archive {
  readonly parts: readonly Buffer[];
  readonly bytes: number;
  readonly integrity: string;
}

/** The folder of a package of this version: in the repository, in this package, or beside it. */
async function locate(name: string, folder: string) {
  const places = [
    `packages/${folder}/manifest.json`,
    ...[folder, '.', `node_modules/${name}`].map((place) => `${place}/package.json`),
  ].flatMap((place) => findInPackage(place) ?? []);
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

/** Packs the files of a package as npm does, without its manifest. */
async function pack(folder: string, { files }: Manifest): Promise<PackedFiles> {
  const names = await readdir(folder);
  const parts = ['README.md', 'LICENSE', ...files].flatMap((pattern) =>
    pattern.startsWith('*')
      ? names.filter((name) => name.endsWith(pattern.slice(1)))
      : existsSync(join(folder, pattern))
        ? [pattern]
        : [],
  );
  // `!start/**/*.end`, or the path of one file.
  const excluded = files
    .filter((pattern) => pattern.startsWith('!'))
    .map((pattern) => pattern.slice(1).split('**/*'));
  const filter = (path: string) =>
    !excluded.some(([start = '', end]) =>
      end === undefined ? path === start : path.startsWith(start) && path.endsWith(end),
    );
  const options = { cwd: folder, prefix: 'package', portable: true, mtime: MTIME, filter };
  const archive = await create(options, parts).concat();
  const bytes = archive.subarray(0, archive.length - END.length);
  // In another thread; `tar` would compress in this one.
  const compressed = await promisify(deflateRaw)(bytes, {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const start = Buffer.concat([GZIP_HEADER, compressed]);
  const hash = createHash('sha512').update(start);
  return { start, hash, size: bytes.length, crc: crc32(bytes) };
}

function withManifest({ start, hash, size, crc }: PackedFiles, manifest: object): Archive {
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const header = Buffer.alloc(BLOCK);
  const path = 'package/package.json';
  new Header({ path, type: 'File', mode: 0o644, size: text.length, mtime: MTIME }).encode(header);
  const padding = Buffer.alloc(BLOCK - (text.length % BLOCK));
  const last = Buffer.concat([header, text, padding, END]);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(last, crc), 0);
  trailer.writeUInt32LE(size + last.length, 4);
  const end = Buffer.concat([deflateRawSync(last), trailer]);
  return {
    parts: [start, end],
    bytes: start.length + end.length,
    integrity: integrityOf(hash.copy().update(end)),
  };
}

const integrityOf = (hash: Hash): string => `sha512-${hash.digest('base64')}`;

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
    ([name, { bytes, integrity }]) =>
      `<tr><td><a href="${name}">${name}</a><td>${bytes}<td><code>${integrity}</code>`,
  )
  .join('\n')}
</table></html>`;

/** Serves the packages, and a page about them. */
export function ownPackages(app: Hono, { publicUrl }: ServerOptions): void {
  const baseOf = (c: Context) =>
    `${(publicUrl ?? new URL(c.req.url).origin).replace(/\/$/, '')}/packages`;
  const packed = new Map<string, Promise<PackedFiles>>();
  const wheels = new Map<string, Promise<Archive & { readonly name: string }>>();
  const wheel = (project: string) =>
    keepNewest(wheels, Number.POSITIVE_INFINITY, project, async () => {
      const { name, data } = await wheelOf(project);
      const integrity = integrityOf(createHash('sha512').update(data));
      return { name, parts: [data], bytes: data.length, integrity };
    });

  const tarball = async (stem: string, base: string, patience = TYPES_MS) => {
    const located = await locate(...PACKAGES[stem]!);
    if (!located || !(await hasTypes(located, patience))) return undefined;
    const { folder, manifest } = located;
    const make = () => pack(folder, manifest);
    const files = await keepNewest(packed, Number.POSITIVE_INFINITY, stem, make);
    return withManifest(files, published(manifest, base));
  };
  const python = async () => {
    const project =
      findInPackage('packages/python/pyproject.toml') ??
      findInPackage('clients/python/pyproject.toml');
    return project ? wheel(dirname(project)) : undefined;
  };

  const list = async (c: Context) => {
    const base = baseOf(c);
    const rows: (readonly [string, Archive])[] = [];
    for (const stem of Object.keys(PACKAGES)) {
      const made = await tarball(stem, base, 0);
      if (made) rows.push([`${stem}-${SERVER_VERSION}.tgz`, made]);
    }
    const made = await python();
    if (made) rows.push([made.name, made]);
    c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    return c.html(page(base, rows));
  };
  const find = async (file: string, base: string): Promise<Archive | undefined> => {
    if (file.endsWith('.whl')) {
      const made = await python();
      return made?.name === file ? made : undefined;
    }
    const stem = file.replace(/\.tgz$/, '').replace(`-${SERVER_VERSION}`, '');
    const isKnown = file.endsWith('.tgz') && Object.hasOwn(PACKAGES, stem);
    return isKnown ? tarball(stem, base) : undefined;
  };
  app.get('/packages', (c) => c.redirect('/packages/', 302));
  app.get('/packages/', list);
  app.get('/packages/:file', async (c) => {
    const file = c.req.param('file');
    const made = await find(file, baseOf(c));
    if (!made)
      return c.text(
        `There is no package ${file} here: this server has those of version ${SERVER_VERSION}, ` +
          'see /packages/.\n',
        404,
      );
    c.header('Content-Type', file.endsWith('.whl') ? 'application/zip' : 'application/gzip');
    c.header('Content-Length', String(made.bytes));
    c.header('Cache-Control', 'no-cache');
    c.header('ETag', `"${made.integrity}"`);
    // Parts are not copied: all callers of a package share its bytes.
    return c.body(Readable.toWeb(Readable.from(made.parts)) as ReadableStream);
  });
}
