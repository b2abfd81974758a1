/**
 * Serves the built files: the app, the module for host pages, and the frame that isolates foreign
 * HTML.
 */
import { dirname, extname, join, normalize } from 'node:path';
import { scriptJson } from '@tiding/client/model';
import type { Context, Hono } from 'hono';
import { etag } from 'hono/etag';
import { framePolicy, packagePolicy, stillPolicy } from '../base/frame-policy.ts';
import type { ServerOptions } from '../base/options.ts';
import { findInPackage } from '../storage/package-folder.ts';
import { type BuiltFile, readBuilt } from './built-files.ts';
import { contentTypes } from './content-types.ts';
import { documentation } from './documentation.ts';
import { nestedFrame } from './nested-frame.ts';
import { ownPackages } from './own-packages.ts';

/** Returns the content security policy of the app's own pages. */
function pagePolicy(allowOrigins: readonly string[], port: number): string {
  // Some browsers do not treat ws: as the same origin.
  const socket = `ws://127.0.0.1:${port} ws://localhost:${port}`;
  return (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
    "img-src 'self' data: blob:; font-src 'self'; " +
    `media-src 'self' data: blob:; connect-src 'self' ${socket}; worker-src 'self'; ` +
    "frame-src 'self'; manifest-src 'self'; form-action 'self'; " +
    "base-uri 'none'; object-src 'none'; " +
    `frame-ancestors ${["'self'", ...allowOrigins].join(' ')}; ` +
    "require-trusted-types-for 'script'; trusted-types dompurify tiding#worker tiding#frame"
  );
}

function webFolder(options: ServerOptions): string {
  if (options.web) return options.web;
  const index = findInPackage('web/index.html.br', 'dist/web/index.html.br');
  return index === undefined ? '/web' : dirname(index);
}

/** Output frames with a library: for templates, charts, diagrams and Jupyter widgets. */
const frameKinds = ['angular', 'plotly', 'vega', 'jupyter', 'mermaid'];

/**
 * A policy for a frame inside of the page of `nested-frame.ts`. `frame-ancestors *` would not admit
 * that page, because a sandboxed page has no scheme.
 */
const forNesting = (c: Context, policy: string): string =>
  c.req.query('nested') === undefined ? policy : policy.replace('; frame-ancestors *', '');

/** Sends a page that isolates content. */
function frame(c: Context, policy: string, html: Buffer | string): Response {
  c.header('Content-Type', 'text/html; charset=utf-8');
  c.header('Content-Security-Policy', policy);
  c.header('Cross-Origin-Resource-Policy', 'cross-origin');
  c.header('Cache-Control', 'public, max-age=3600');
  return c.body(typeof html === 'string' ? html : new Uint8Array(html));
}

/**
 * Serves the built files. `initial` returns answers for the user of a request, which are written
 * into the app's document, so that the app needn't ask for them.
 */
export function pages(
  app: Hono,
  options: ServerOptions,
  port: () => number,
  initial: (c: Context) => Promise<object | undefined> = async () => undefined,
): void {
  const folder = webFolder(options);
  const readFor = (c: Context, path: string): Promise<BuiltFile | undefined> =>
    readBuilt(join(folder, normalize(`/${path}`)), c.req.header('Accept-Encoding'));

  const send = async (c: Context, path: string): Promise<Response> => {
    const found = await readFor(c, path);
    return found ? reply(c, path, found.data, found.encoding) : c.text('Not found', 404);
  };

  const reply = (
    c: Context,
    path: string,
    data: Buffer,
    encoding: string | undefined,
  ): Response => {
    const type = contentTypes[extname(path)] ?? 'application/octet-stream';
    c.header('Content-Type', type);
    if (encoding) c.header('Content-Encoding', encoding);
    c.header('Vary', 'Accept-Encoding', { append: true });
    c.header(
      'Cache-Control',
      /-[\w-]{8}\.\w+$/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
    if (type.startsWith('text/html')) {
      c.header('Content-Security-Policy', pagePolicy(options.allowOrigins, port()));
      c.header('Cross-Origin-Opener-Policy', 'same-origin');
      c.header('Permissions-Policy', 'camera=(), microphone=(), geolocation=()');
    } else {
      // Other pages load module scripts and fonts with CORS; these files are public.
      c.header('Access-Control-Allow-Origin', '*');
      c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    }
    return c.body(new Uint8Array(data));
  };

  // What has no hash in its name is asked for on each visit, and answered with 304 if unchanged.
  const unchanged = etag();
  app.get('/', unchanged, async (c) => {
    // Only a document of this origin can read them.
    const navigates = (c.req.header('Sec-Fetch-Mode') ?? 'navigate') === 'navigate';
    const data = navigates ? await initial(c) : undefined;
    const html = data && (await readBuilt(join(folder, 'index.html')))?.data;
    if (!html) return send(c, 'index.html');
    // Not compressed: the length of compressed data could reveal the ticket beside names of notes
    // that others choose.
    const element = `<script type="application/json" id="initial">${scriptJson(data)}</script>`;
    const filled = String(html).replace('</head>', () => `${element}\n</head>`);
    const response = reply(c, 'index.html', Buffer.from(filled), undefined);
    response.headers.set('Cache-Control', 'no-store');
    return response;
  });
  // `still`: scripts of the output are disabled; others: a page with a library.
  app.get('/output-frame/:version/:kind?', async (c) => {
    const kind = c.req.param('kind');
    const file =
      kind === undefined || kind === 'still'
        ? 'output-frame.html'
        : frameKinds.includes(kind)
          ? `output-frame-${kind}.html`
          : undefined;
    const found = file === undefined ? undefined : await readFor(c, file);
    if (!file || !found) return c.text('Not found', 404);
    const { data, encoding } = found;
    if (encoding) c.header('Content-Encoding', encoding);
    c.header('Vary', 'Accept-Encoding', { append: true });
    const policy =
      kind === 'still'
        ? stillPolicy((await readBuilt(join(folder, file)))?.data ?? data)
        : // Diagrams are drawn without trust in the note, so that they load nothing.
          framePolicy(kind === 'mermaid' ? [] : options.frameSources);
    return frame(c, forNesting(c, policy), data);
  });
  app.get('/package-frame/:version', async (c) => {
    const html = (await readBuilt(join(folder, 'package-frame.html')))?.data;
    return html ? frame(c, forNesting(c, packagePolicy()), html) : c.text('Not found', 404);
  });
  app.get(
    `/nested/:page{(?:output-frame/1(?:/(?:still|${frameKinds.join('|')}))?|package-frame/1)}`,
    (c) => {
      const { html, policy } = nestedFrame(c.req.param('page'));
      return frame(c, policy, html);
    },
  );
  documentation(app, options);
  ownPackages(app, options);
  app.get('/*', unchanged, async (c) => {
    const path = c.req.path.slice(1);
    // The frames have paths and policies of their own.
    const good =
      /^[\w./-]+$/.test(path) &&
      !path.includes('..') &&
      !/^(?:output-frame(?:-\w+)?|package-frame)\.html$/.test(path);
    return good ? send(c, path) : c.text('Not found', 404);
  });
}
