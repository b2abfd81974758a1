/** Serves the documentation at `/docs`, if `npm run docs` has built it. */
import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { decodedPart } from '@tiding/client/model';
import type { Context, Hono } from 'hono';
import type { ServerOptions } from '../base/options.ts';
import { basePath } from '../base/sso-options.ts';
import { findInPackage } from '../storage/package-folder.ts';
import { readBuilt } from './built-files.ts';
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
  const index = findInPackage('docs/404.html', 'dist/docs/404.html');
  return index && dirname(index);
}

/** Returns whether `/docs` shows the documentation. */
export function hasDocumentation(options: ServerOptions): boolean {
  const folder = folderOf(options);
  return folder !== undefined && existsSync(join(folder, '404.html'));
}

/** Returns whether a path of the site has a hash of the content in its name. */
const isHashed = (path: string): boolean =>
  path.startsWith('assets/') && /[.-][\w-]{8}\.\w+$/.test(path);

/** Serves the documentation. */
export function documentation(app: Hono, options: ServerOptions): void {
  const base = basePath(options);
  // The site was built for `/docs`.
  const belowBase = (data: Buffer): Buffer =>
    Buffer.from(String(data).replace(/(?<=["'=(])\/docs\//g, `${base}/docs/`));
  const send = async (c: Context): Promise<Response> => {
    c.header('Content-Security-Policy', documentationPolicy);
    c.header('Cross-Origin-Opener-Policy', 'same-origin');
    c.header('Permissions-Policy', 'camera=(), microphone=(), geolocation=()');
    // Looked up for each request, because it may be built while the server runs.
    const folder = folderOf(options);
    if (folder === undefined || !existsSync(join(folder, '404.html')))
      return c.html(missing, 404, { 'Cache-Control': 'no-store' });
    if (c.req.path === '/docs') return c.redirect(`${base}/docs/`, 302);
    let path = decodedPart(c.req.path.slice('/docs/'.length));
    if (path === '' || path.endsWith('/')) path += 'index.html';
    const isSound =
      /^[\w./@-]+$/.test(path) &&
      !path.split('/').some((part) => part.startsWith('.')) &&
      !/\.(?:br|gz)$/.test(path);
    const find = async (name: string) => {
      const isWritten = base !== '' && /\.(?:html|css|js)$/.test(name);
      const encodings = isWritten ? undefined : c.req.header('Accept-Encoding');
      const file = await readBuilt(join(folder, name), encodings);
      return file && isWritten ? { ...file, data: belowBase(file.data) } : file;
    };
    let found = isSound ? await find(path) : undefined;
    if (!found && isSound && extname(path) === '') {
      path += '.html';
      found = await find(path);
    }
    const file = found ?? (await find('404.html'));
    if (!file) return c.text('Not found', 404);
    const type = contentTypes[found ? extname(path) : '.html'] ?? 'application/octet-stream';
    c.header('Content-Type', type);
    c.header('Vary', 'Accept-Encoding', { append: true });
    if (file.encoding) c.header('Content-Encoding', file.encoding);
    if (!found) return c.body(new Uint8Array(file.data), 404, { 'Cache-Control': 'no-store' });
    c.header('ETag', file.tag);
    c.header('Cache-Control', isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
    return c.req.header('If-None-Match') === file.tag
      ? c.body(null, 304)
      : c.body(new Uint8Array(file.data));
  };

  app.get('/docs', send);
  app.get('/docs/*', send);
}
