/** Serves the documentation at `/docs`, if `npm run docs` has built it. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { decodedPart } from '@tiding/client/model';
import type { Context, Hono } from 'hono';
import type { ServerOptions } from '../base/options.ts';
import { findInPackage } from '../storage/package-folder.ts';
import { contentTypes } from './content-types.ts';

/**
 * Highlighted code has style attributes, and VitePress and TypeDoc insert style elements.
 * Everything else comes from files of this server.
 */
const documentationPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; " +
  "base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'none'";

const missing =
  '<!doctype html><html lang="en"><meta charset="utf-8">' +
  '<meta name="viewport" content="width=device-width, initial-scale=1">' +
  '<title>Documentation not built</title><h1>The documentation is not built</h1>' +
  '<p>Run <code>npm run docs</code> in the repository folder, then reload this page.</p></html>';

/** Returns the folder of the built documentation; `undefined` if none is found. */
function folderOf({ docs }: ServerOptions): string | undefined {
  if (docs !== undefined) return docs;
  const index = findInPackage('docs/index.html', 'dist/docs/index.html');
  return index && dirname(index);
}

/** Returns whether `/docs` shows the documentation. */
export function hasDocumentation(options: ServerOptions): boolean {
  const folder = folderOf(options);
  return folder !== undefined && existsSync(join(folder, 'index.html'));
}

/** Returns whether a path of the site has a hash of the content in its name. */
const isHashed = (path: string): boolean =>
  path.startsWith('assets/') && /[.-][\w-]{8}\.\w+$/.test(path);

/** Serves the documentation. */
export function documentation(app: Hono, options: ServerOptions): void {
  /** Returns the file of a path and its encoding; `undefined` if it does not exist. */
  const find = async (folder: string, path: string, accepted: string) => {
    for (const [suffix, encoding] of [
      ['.br', 'br'],
      ['.gz', 'gzip'],
      ['', undefined],
    ] as const) {
      if (encoding && !accepted.includes(encoding)) continue;
      const file = join(folder, path + suffix);
      const data = await readFile(file).catch(() => undefined);
      if (data) return { path, file, data, encoding };
    }
    return undefined;
  };

  const tags = new Map<string, { modified: number; size: number; tag: string }>();
  /** Returns the ETag of a file. It is hashed again only after the file has changed. */
  const tagOf = async (file: string, data: Buffer): Promise<string> => {
    const modified = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    const known = tags.get(file);
    if (known && known.modified === modified && known.size === data.length) return known.tag;
    const tag = `"${createHash('sha256').update(data).digest('base64url').slice(0, 22)}"`;
    if (modified !== undefined) tags.set(file, { modified, size: data.length, tag });
    return tag;
  };

  const send = async (c: Context): Promise<Response> => {
    c.header('Content-Security-Policy', documentationPolicy);
    c.header('Cross-Origin-Opener-Policy', 'same-origin');
    c.header('Permissions-Policy', 'camera=(), microphone=(), geolocation=()');
    // Looked up for each request, because it may be built while the server runs.
    const folder = folderOf(options);
    if (folder === undefined || !existsSync(join(folder, 'index.html')))
      return c.html(missing, 404, { 'Cache-Control': 'no-store' });
    if (c.req.path === '/docs') return c.redirect('/docs/', 302);
    let path = decodedPart(c.req.path.slice('/docs/'.length));
    if (path === '' || path.endsWith('/')) path += 'index.html';
    const isSound =
      /^[\w./@-]+$/.test(path) &&
      !path.split('/').some((part) => part.startsWith('.')) &&
      !/\.(?:br|gz)$/.test(path);
    const accepted = c.req.header('Accept-Encoding') ?? '';
    const found = isSound
      ? ((await find(folder, path, accepted)) ??
        (extname(path) === '' ? await find(folder, `${path}.html`, accepted) : undefined))
      : undefined;
    const file = found ?? (await find(folder, '404.html', accepted));
    if (!file) return c.text('Not found', 404);
    c.header('Content-Type', contentTypes[extname(file.path)] ?? 'application/octet-stream');
    c.header('Vary', 'Accept-Encoding', { append: true });
    if (file.encoding) c.header('Content-Encoding', file.encoding);
    if (!found) return c.body(new Uint8Array(file.data), 404, { 'Cache-Control': 'no-store' });
    const tag = await tagOf(file.file, file.data);
    c.header('ETag', tag);
    c.header(
      'Cache-Control',
      isHashed(file.path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
    return c.req.header('If-None-Match') === tag
      ? c.body(null, 304)
      : c.body(new Uint8Array(file.data));
  };

  app.get('/docs', send);
  app.get('/docs/*', send);
}
