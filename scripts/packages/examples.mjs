/** Runs everything in `examples/` with installed packages instead of the sources. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { build as bundle } from 'esbuild';
import { writeGallery } from '../gallery.mjs';

const root = join(import.meta.dirname, '../..');
const examples = join(root, 'examples');
const run = promisify(execFile);
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

/** Serves a folder; `change` may replace the text of a file. */
async function serve(folder, change = (_name, text) => text) {
  const server = createServer((request, response) => {
    const name = new URL(request.url, 'http://x').pathname.slice(1);
    if (name === 'favicon.ico') return response.writeHead(204).end();
    try {
      const text = change(name, name === 'token' ? '' : readFileSync(join(folder, name)));
      return response
        .setHeader('Content-Type', TYPES[extname(name)] ?? 'application/octet-stream')
        .end(text);
    } catch {
      return response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}

/** Starts the browser of the tests, whose launcher is TypeScript. */
async function launch() {
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

/** Opens a page, waits for a selector, and returns what the page reported on its console. */
async function open(browser, address, selector, act = async () => {}) {
  const page = await browser.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(address);
  await page.locator(selector).first().waitFor({ timeout: 60_000 });
  await act(page);
  await page.close();
  return complaints;
}

/**
 * Runs the examples. `client`, `elements` and `server` are folders with the installed packages,
 * `check(name, holds, detail)` takes each result.
 */
export async function runExamples({ work, client, elements, server, check }) {
  const tiding = join(server, 'node_modules/tiding/bin/tiding.mjs');
  const data = join(work, 'data');
  let fill = (_name, text) => text;
  const portal = await serve(examples, (name, text) => fill(name, text));
  const program = spawn(
    process.execPath,
    [tiding, '--port', '0', '--no-open', '--data', data, '--allow-origin', portal.origin],
    { cwd: server, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let browser;
  try {
    let printed = '';
    for await (const chunk of program.stdout) {
      printed += chunk;
      if (/http:\/\/\S+/.test(printed)) break;
    }
    const { origin } = new URL(/http:\/\/\S+/.exec(printed)[0]);
    const page = await fetch(origin);
    check(
      'the installed server serves the workbench',
      page.status === 200 && (await page.text()).includes('<html'),
    );
    const made = await run(process.execPath, [tiding, 'token', 'create', 'admin', '--data', data]);
    const token = made.stdout.trim();

    cpSync(join(examples, 'node-run.ts'), join(client, 'node-run.ts'));
    await bundle({
      entryPoints: [join(client, 'node-run.ts')],
      outfile: join(client, 'node-run.mjs'),
      format: 'esm',
      platform: 'node',
      packages: 'external',
      bundle: true,
    });
    const script = await run(process.execPath, [join(client, 'node-run.mjs'), origin, token], {
      cwd: client,
    });
    check('examples/node-run.ts prints a table', /\d+ rows: /.test(script.stdout));

    const call = async (path) =>
      (
        await fetch(`${origin}/api${path}`, { headers: { Authorization: `Bearer ${token}` } })
      ).json();
    const { body: notes } = await call('/notebook');
    const { id } = notes.find(({ path }) => path.endsWith('Samples/Seattle weather'));
    const { paragraphs } = (await call(`/notebook/${id}`)).body;
    fill = (name, text) =>
      name === 'token'
        ? token
        : String(text)
            .replaceAll('http://127.0.0.1:8080', origin)
            .replace('NOTE', id)
            .replace('PARAGRAPH', paragraphs[1].id);
    browser = await launch();
    const embedded = await open(
      browser,
      `${portal.origin}/embed.html`,
      'tiding-paragraph article',
      async (host) => {
        await host.getByRole('button', { name: 'Run this paragraph' }).click();
        await host.locator('tiding-paragraph svg path').first().waitFor({ timeout: 60_000 });
      },
    );
    check('examples/embed.html runs a paragraph', embedded.length === 0, embedded.join('; '));

    const gallery = join(work, 'gallery');
    cpSync(join(examples, 'gallery-server.ts'), join(client, 'gallery-server.ts'));
    await writeGallery(gallery, {
      web: join(server, 'node_modules/tiding/dist/web'),
      manifest: join(elements, 'node_modules/@tiding/elements/dist/custom-elements.json'),
      server: join(client, 'gallery-server.ts'),
      conditions: ['browser'],
    });
    const shown = await serve(gallery);
    const complaints = await open(
      browser,
      `${shown.origin}/gallery.html`,
      '#shown figure .stage > *',
    );
    check('examples/gallery.html shows elements', complaints.length === 0, complaints.join('; '));
    shown.server.close();
  } finally {
    await browser?.close();
    portal.server.close();
    program.kill('SIGTERM');
    await once(program, 'exit');
  }
}
