/**
 * Runs the client's unit tests, the same files as in Node, in a page or a dedicated worker of a
 * real Chromium: `node test/anywhere/run.mjs page worker`. Prints the results and writes them to
 * dist/test-results/{page,worker}.json; exits with 1 if a test fails.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');
const out = join(root, 'dist/test-anywhere');
/** Time limit for each run, in ms. */
const LIMIT_MS = 600_000;

/** Tests that only run in Node, with the reason. */
const nodeOnly = {
  'client/channel/transport.test.ts': 'it starts a WebSocket server',
  'client/channel/live-transport.test.ts': 'it blocks the sockets of a real server',
  'client/channel/recording.test.ts': 'it records a real server',
  'client/model/index.test.ts': 'it reads the sources from the disk',
  'client/node/file-journal.test.ts': 'it tests files',
  'client/rest/cookies.test.ts': 'browsers hide session cookies from scripts',
};

function* tests(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* tests(join(folder, entry.name));
    else if (entry.name.endsWith('.test.ts')) yield join(folder, entry.name);
  }
}

const all = [...tests(join(root, 'client'))]
  .map((file) => relative(root, file).replaceAll('\\', '/'))
  .sort();
const files = all.filter((file) => !(file in nodeOnly));
const gone = Object.keys(nodeOnly).filter((file) => !all.includes(file));
if (gone.length > 0) throw new Error(`nodeOnly lists missing files: ${gone.join(', ')}`);

/** The recorded frames and notes, as an object of file contents. */
function fixtures(folder = join(root, 'test/fixtures'), found = {}) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) fixtures(path, found);
    else if (/^(frames\/.*|[^/]*)\.jsonl?$/.test(relative(join(root, 'test/fixtures'), path)))
      found[`/${relative(root, path).replaceAll('\\', '/')}`] = readFileSync(path, 'utf8');
  }
  return found;
}

const imported = files.map((file) => {
  const [name, path] = [file, join(root, file)].map((text) => JSON.stringify(text));
  return `${name}: () => import(${path})`;
});
const virtual = {
  'anywhere:files': () => `export const files = { ${imported.join(',\n')} };`,
  'node:path': () =>
    `export const join = (...parts) => new URL(parts.join('/'), 'file:///').pathname;`,
  'node:fs': () => `const files = ${JSON.stringify(fixtures())};
    const names = Object.keys(files);
    export const existsSync = (path) =>
      names.some((file) => file === path || file.startsWith(path + '/'));
    export const readdirSync = (path) => [
      ...new Set(
        names
          .filter((file) => file.startsWith(path + '/'))
          .map((file) => file.slice(path.length + 1).split('/')[0]),
      ),
    ];
    export const readFileSync = (path) => {
      if (!(path in files)) throw new Error('no such file: ' + path);
      return files[path];
    };`,
};

const vitest = join(import.meta.dirname, 'vitest.ts');
/** Replaces Node modules for the tests: recordings as files, and an in-memory HTTP server. */
const anywhere = {
  name: 'anywhere',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(anywhere:files|node:(path|fs))$/ }, ({ path }) => ({
      path,
      namespace: 'virtual',
    }));
    onResolve({ filter: /^vitest$/ }, ({ importer }) =>
      importer === vitest ? undefined : { path: vitest, sideEffects: true },
    );
    onResolve({ filter: /\/rest-server\.ts$/ }, () => ({
      path: join(import.meta.dirname, 'rest-server.ts'),
    }));
    onLoad({ filter: /.*/, namespace: 'virtual' }, ({ path }) => ({
      contents: virtual[path](),
      loader: 'js',
      resolveDir: root,
    }));
  },
};

rmSync(out, { recursive: true, force: true });
await build({
  entryPoints: { suite: join(import.meta.dirname, 'suite.ts') },
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  conditions: ['source', 'browser'],
  sourcemap: 'inline',
  logLevel: 'error',
  plugins: [anywhere],
  define: { 'import.meta.dirname': '"/test/support"', 'process.env.NODE_ENV': '"test"' },
});

// Use the same Chromium as the other tests.
await build({
  entryPoints: [join(root, 'test/support/chromium.ts')],
  outfile: join(out, 'chromium.mjs'),
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'error',
});
const { launchChromium } = await import(join(out, 'chromium.mjs'));

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://server');
  if (pathname === '/')
    return response
      .setHeader('Content-Type', 'text/html')
      .end(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>client</title>' +
          '<link rel="icon" href="data:,"></html>',
      );
  const name = /^\/([\w.-]+\.js)$/.exec(pathname)?.[1];
  try {
    response.setHeader('Content-Type', 'text/javascript').end(readFileSync(join(out, name ?? '-')));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const ways = {
  page: {
    where: 'Chromium',
    start: (page) =>
      page.evaluate(async () => {
        await import('/suite.js');
        return globalThis.outcome;
      }),
  },
  worker: {
    where: 'a worker',
    start: (page) =>
      page.evaluate(
        () =>
          new Promise((resolve, reject) => {
            const worker = new Worker('/suite.js', { type: 'module' });
            worker.onmessage = ({ data }) => resolve(data);
            // Uncaught errors of tests are part of the outcome. This handles a worker that does
            // not start.
            worker.onerror = (event) =>
              setTimeout(
                () => reject(new Error(event.message || 'the worker did not start')),
                120_000,
              );
          }),
      ),
  },
};

/** Settles like `promise`, or rejects after `ms`. */
function within(promise, ms) {
  let timer;
  const late = new Promise(
    (_, reject) =>
      (timer = setTimeout(() => reject(new Error(`timed out after ${ms / 1000} s`)), ms)),
  );
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const results = join(root, 'dist/test-results');
mkdirSync(results, { recursive: true });
const browser = await launchChromium();
try {
  for (const name of process.argv.slice(2)) {
    const { where, start } = ways[name];
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const outcome = await within(start(page), LIMIT_MS).catch((error) => ({
      passed: 0,
      failed: 1,
      skipped: 0,
      failures: [{ name: 'the run', text: error.stack }],
    }));
    await page.close();
    for (const failure of outcome.failures) console.error(`✗ ${failure.name}\n${failure.text}\n`);
    const { passed, failed, skipped } = outcome;
    const also = skipped > 0 ? `, ${skipped} skipped` : '';
    console.log(
      `client in ${where}: ${passed} passed, ${failed} failed${also} (${files.length} files)`,
    );
    writeFileSync(
      join(results, `${name}.json`),
      JSON.stringify({
        files: [
          {
            file: `client in ${where}`,
            passed,
            failed,
            skipped,
            failures: outcome.failures.map((failure) => ({
              name: `client in ${where} › ${failure.name}`,
              reason: failure.text,
            })),
          },
        ],
      }),
    );
    if (failed > 0) process.exitCode = 1;
  }
  for (const [file, why] of Object.entries(nodeOnly))
    console.log(`  only in Node: ${file}: ${why}`);
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
}
