/** Runs everything in `examples/` with installed packages instead of the sources. */
import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { build as bundle } from 'esbuild';
import { writeGallery } from '../gallery.mjs';
import { launchBrowser, serveFolder, startInstalledServer, weatherIds } from './servers.mjs';

const root = join(import.meta.dirname, '../..');
const examples = join(root, 'examples');
const run = promisify(execFile);

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
  let fill = (_name, text) => text;
  const portal = await serveFolder(examples, (name, text) => fill(name, text));
  const started = await startInstalledServer(server, join(work, 'data'), [portal.origin]);
  const { origin, token } = started;
  let browser;
  try {
    const page = await fetch(origin);
    check(
      'the installed server serves the workbench',
      page.status === 200 && (await page.text()).includes('<html'),
    );
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

    const ids = await weatherIds(started);
    fill = (name, text) =>
      name === 'token'
        ? token
        : String(text)
            .replaceAll('http://127.0.0.1:8080', origin)
            .replace('NOTE', ids.note)
            .replace('PARAGRAPH', ids.paragraph);
    browser = await launchBrowser();
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
    // The package has only compressed files.
    const web = join(server, 'node_modules/tiding/dist/web');
    for (const path of readdirSync(web, { recursive: true }))
      if (path.endsWith('.br'))
        writeFileSync(
          join(web, path.slice(0, -3)),
          brotliDecompressSync(readFileSync(join(web, path))),
        );
    await writeGallery(gallery, {
      web,
      manifest: join(elements, 'node_modules/@tiding/elements/dist/custom-elements.json'),
      server: join(client, 'gallery-server.ts'),
      conditions: ['browser'],
    });
    const shown = await serveFolder(gallery);
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
    await started.stop();
  }
}
