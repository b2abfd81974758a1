/** What tests of installed packages need around them: servers of files and notes, and a browser. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { build as bundle } from 'esbuild';

const root = join(import.meta.dirname, '../..');
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

/** Serves on a free port what `answer` returns for a path: `{ body, headers }`. */
export async function serveAnswers(answer) {
  const server = createServer(async (request, response) => {
    const name = new URL(request.url, 'http://x').pathname.slice(1) || 'index.html';
    if (name === 'favicon.ico') return response.writeHead(204).end();
    try {
      const { body, headers = {} } = await answer(name);
      const type = TYPES[extname(name)] ?? 'application/octet-stream';
      return response.writeHead(200, { 'Content-Type': type, ...headers }).end(body);
    } catch (error) {
      return response.writeHead(error.code === 'ENOENT' ? 404 : 500).end(String(error));
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}

/** Serves a folder; `change` may replace the text of a file. */
export const serveFolder = (folder, change = (_name, text) => text) =>
  serveAnswers((name) => ({
    body: change(name, name === 'token' ? '' : readFileSync(join(folder, name))),
  }));

/** Starts the browser of the tests, whose launcher is TypeScript. */
export async function launchBrowser() {
  // In the project, because it finds the browser next to itself.
  const outfile = join(root, 'dist/packages.chromium.mjs');
  await bundle({
    entryPoints: [join(root, 'test/support/chromium.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });
  return (await import(outfile)).launchChromium();
}

/**
 * Starts the server that is installed in `folder`. Returns its origin, an access token of the
 * administrator, and a function that stops it.
 */
export async function startInstalledServer(folder, data, origins) {
  const tiding = join(folder, 'node_modules/tiding/bin/tiding.mjs');
  const program = spawn(
    process.execPath,
    [
      ...[tiding, '--port', '0', '--no-open', '--data', data],
      ...origins.flatMap((origin) => ['--allow-origin', origin]),
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let printed = '';
  for await (const chunk of program.stdout) {
    printed += chunk;
    if (/http:\/\/\S+/.test(printed)) break;
  }
  const { origin } = new URL(/http:\/\/\S+/.exec(printed)[0]);
  const made = await promisify(execFile)(process.execPath, [
    ...[tiding, 'token', 'create', 'admin', '--data', data],
  ]);
  return {
    origin,
    token: made.stdout.trim(),
    async stop() {
      program.kill('SIGTERM');
      await once(program, 'exit');
    },
  };
}

/** Ids of the note 'Seattle weather' and of its paragraph with a chart. */
export async function weatherIds({ origin, token }) {
  const call = async (path) =>
    (await fetch(`${origin}/api${path}`, { headers: { Authorization: `Bearer ${token}` } })).json();
  const { body: notes } = await call('/notebook');
  const { id } = notes.find(({ path }) => path.endsWith('Samples/Seattle weather'));
  const { paragraphs } = (await call(`/notebook/${id}`)).body;
  return { note: id, paragraph: paragraphs[1].id };
}
