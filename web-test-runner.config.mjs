/** Tests of the elements, in a real browser. They are bundled first: react-dom is CommonJS and would not load as it is. */
import { mkdirSync, readFileSync, rmSync, writeFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { build } from 'esbuild';

const root = import.meta.dirname;
const bundles = join(root, 'dist/test');
rmSync(bundles, { recursive: true, force: true });

function* tests(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* tests(join(folder, entry.name));
    else if (/\.test\.tsx?$/.test(entry.name)) yield join(folder, entry.name);
  }
}

/** A page for frames, with its script in it. */
async function framePageOf(script, page, attribute = '') {
  const {
    outputFiles: [{ text }],
  } = await build({
    entryPoints: [join(root, script)],
    bundle: true,
    write: false,
    format: 'iife',
    loader: { '.css': 'text' },
  });
  return readFileSync(join(root, page), 'utf8')
    .replace('<html', `<html${attribute}`)
    .replace(/<script src="[\w-]+\.js"[^>]*><\/script>/, '')
    .replace(
      '</body>',
      () => `</body><script>${text.replace(/<\/script/gi, '<\\/script')}</script>`,
    );
}
const frame = (source, attribute) =>
  framePageOf(
    `elements/result/frame-page/${source}.ts`,
    'elements/result/frame-page/frame.html',
    attribute,
  );
const framePages = { plain: await frame('frame'), angular: await frame('angular', ' ng-csp') };
const packagePage = await framePageOf(
  'elements/result/package-page/page.ts',
  'elements/result/package-page/package.html',
);

await build({
  entryPoints: [...tests(join(root, 'elements'))],
  outdir: bundles,
  outbase: join(root, 'elements'),
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  conditions: ['source'],
  loader: { '.css': 'text' },
  sourcemap: true,
  logLevel: 'error',
  define: {
    'process.env.NODE_ENV': '"test"',
    'process.env': '{}',
    FUZZ_RUNS: String(Number(process.env.FUZZ_RUNS ?? 0)),
    FUZZ_SEED: String(Number(process.env.SEED ?? 0)),
  },
});

// The same choice of a browser as the other tests make.
const support = await build({
  entryPoints: [join(root, 'test/support/chromium.ts')],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  packages: 'external',
});
mkdirSync(join(root, 'dist/test'), { recursive: true });
writeFileSync(join(bundles, 'chromium.mjs'), support.outputFiles[0].text);
const { chromiumLaunch } = await import(join(bundles, 'chromium.mjs'));
const { executablePath, args, env } = await chromiumLaunch();

// Packages as a server builds them, for the frame they run in.
const packaging = await build({
  entryPoints: [join(root, 'test/support/recorded-packages.ts')],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  conditions: ['source'],
  alias: {
    'tiding/protocol': join(root, 'client/protocol/index.ts'),
    'tiding/model': join(root, 'client/model/index.ts'),
  },
});
writeFileSync(join(bundles, 'packaging.mjs'), packaging.outputFiles[0].text);
const { recordedBundle } = await import(join(bundles, 'packaging.mjs'));
mkdirSync(join(bundles, 'packages'), { recursive: true });
for (const name of ['zeppelin-bubblechart', 'zeppelin-echo-spell'])
  writeFileSync(
    join(bundles, 'packages', `${name}.js`),
    await recordedBundle(name, join(root, 'test/fixtures/helium')),
  );

export default {
  files: 'dist/test/**/*.test.js',
  rootDir: root,
  nodeResolve: false,
  concurrency: 1,
  browserStartTimeout: 60_000,
  testsStartTimeout: 60_000,
  testsFinishTimeout: process.env.FUZZ_RUNS ? 1_200_000 : 240_000,
  // React looks for this when it loads; a test that counts renders listens through it.
  testRunnerHtml: (framework) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><script>window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = { supportsFiber: true, inject: () => 1, onCommitFiberRoot() {}, onCommitFiberUnmount() {}, checkDCE() {} };</script></head><body><script type="module" src="${framework}"></script></body></html>`,
  testFramework: { config: { ui: 'bdd', timeout: '20000' } },
  browsers: [
    playwrightLauncher({
      createBrowserContext: ({ browser }) =>
        browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] }),
      launchOptions: { executablePath, args, ...(env ? { env: { ...process.env, ...env } } : {}) },
    }),
  ],
  middleware: [
    async (context, next) => {
      if (context.path.startsWith('/output-frame/')) {
        context.type = 'html';
        context.set(
          'Content-Security-Policy',
          "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors *",
        );
        context.body = context.path.endsWith('/angular') ? framePages.angular : framePages.plain;
        return;
      }
      if (context.path.startsWith('/package-frame/')) {
        context.type = 'html';
        context.set(
          'Content-Security-Policy',
          "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors *",
        );
        context.body = packagePage;
        return;
      }
      await next();
    },
  ],
  reporters: [
    {
      reportTestFileResults({ logger, sessionsForTestFile }) {
        for (const session of sessionsForTestFile) {
          const walk = (suite, path) => {
            for (const test of suite?.tests ?? []) {
              logger.log(
                `${test.skipped ? '-' : test.passed ? '✓' : '✗'} ${[...path, test.name].join(' › ')}`,
              );
              if (test.error) logger.error(`${test.error.message}\n${test.error.stack ?? ''}`);
            }
            for (const inner of suite?.suites ?? []) walk(inner, [...path, inner.name]);
          };
          walk(session.testResults, []);
          for (const line of session.logs.flat())
            if (typeof line === 'string' && line.startsWith('fuzz: ')) logger.log(`  ${line}`);
          for (const error of session.errors)
            logger.error(`${session.testFile}: ${error.message}\n${error.stack ?? ''}`);
        }
      },
      onTestRunFinished({ sessions }) {
        const sum = { passed: 0, failed: 0, skipped: 0, names: [] };
        const files = sessions.map((session) => {
          const of = {
            file: relative(root, session.testFile),
            passed: 0,
            failed: session.errors.length,
            skipped: 0,
            names: session.errors.map(({ message }) => `${session.testFile}: ${message}`),
          };
          const count = (suite, path) => {
            for (const test of suite?.tests ?? []) {
              of[test.skipped ? 'skipped' : test.passed ? 'passed' : 'failed'] += 1;
              if (!test.skipped && !test.passed)
                of.names.push(
                  `${[...path, test.name].join(' › ')}\n    ${test.error?.message ?? ''}`,
                );
            }
            for (const inner of suite?.suites ?? []) count(inner, [...path, inner.name]);
          };
          count(session.testResults, []);
          for (const key of ['passed', 'failed', 'skipped']) sum[key] += of[key];
          sum.names.push(...of.names);
          return of;
        });
        mkdirSync(join(root, 'dist/test-results'), { recursive: true });
        writeFileSync(
          join(root, 'dist/test-results/elements.json'),
          JSON.stringify({ ...sum, files }),
        );
      },
    },
  ],
};
