/**
 * Tests of the elements, in a real browser. They are bundled first: react-dom is CommonJS and would
 * not load as it is.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { build } from 'esbuild';
import { rawTextForEsbuild } from './scripts/raw-text.mjs';

const root = import.meta.dirname;
const bundles = join(root, 'dist/test');
rmSync(bundles, { recursive: true, force: true });

/** Names of the tests, from the root: those in `TIDING_TEST_FILES`, or all. */
const tests =
  process.env.TIDING_TEST_FILES?.split(',') ??
  readdirSync(join(root, 'elements'), { recursive: true })
    .filter((file) => file.endsWith('.test.tsx'))
    .map((file) => `elements/${file}`);

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
  entryPoints: tests.map((file) => join(root, file)),
  inject: [join(root, 'elements/ui/testing/test-setup.ts')],
  plugins: [rawTextForEsbuild],
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
    FUZZ_FAMILIES: JSON.stringify(process.env.FUZZ_FAMILIES ?? ''),
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
  plugins: [rawTextForEsbuild],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  conditions: ['source'],
  alias: {
    '@tiding/client/protocol': join(root, 'client/protocol/index.ts'),
    '@tiding/client/model': join(root, 'client/model/index.ts'),
    '@tiding/client/notebook': join(root, 'client/notebook/index.ts'),
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

/** Prints one line for each test file, and writes the results as JSON for `npm test`. */
function elementReporter() {
  const files = [];
  const resultOf = (session) => {
    const file = `elements/${relative('dist/test', relative(root, session.testFile))}`.replace(
      /\.js$/,
      '.tsx',
    );
    const result = { file, passed: 0, failed: 0, skipped: 0, ms: 0, failures: [] };
    for (const { message, stack } of session.errors) {
      result.failed += 1;
      result.failures.push({ name: file, reason: stack ?? message });
    }
    const walk = (suite, path) => {
      for (const test of suite?.tests ?? []) {
        result[test.skipped ? 'skipped' : test.passed ? 'passed' : 'failed'] += 1;
        result.ms += test.duration ?? 0;
        if (!test.skipped && !test.passed)
          result.failures.push({
            name: `${file} › ${[...path, test.name].join(' › ')}`,
            reason: `${test.error?.message ?? ''}\n${test.error?.stack ?? ''}`,
          });
      }
      for (const inner of suite?.suites ?? []) walk(inner, [...path, inner.name]);
    };
    walk(session.testResults, []);
    return result;
  };
  return {
    reportTestFileResults({ sessionsForTestFile }) {
      for (const session of sessionsForTestFile) {
        const { file, passed, failed, ms, failures } = resultOf(session);
        const counts = `${passed + failed} tests, ${(ms / 1_000).toFixed(1)} s`;
        console.log(`${failed > 0 ? '✗' : '✓'} ${file} (${counts})`);
        for (const { name, reason } of failures) console.error(`✗ ${name}\n${reason}`);
        for (const line of session.logs.flat())
          if (typeof line === 'string' && line.startsWith('fuzz: ')) console.log(`  ${line}`);
      }
    },
    onTestRunFinished({ sessions }) {
      files.push(...sessions.map(resultOf));
      mkdirSync(join(root, 'dist/test-results'), { recursive: true });
      writeFileSync(join(root, 'dist/test-results/elements.json'), JSON.stringify({ files }));
    },
  };
}

export default {
  files: 'dist/test/**/*.test.js',
  rootDir: root,
  nodeResolve: false,
  staticLogging: true,
  // Two pages use both cores; more wait for each other.
  concurrency: 2,
  browserStartTimeout: 60_000,
  testsStartTimeout: 60_000,
  testsFinishTimeout: process.env.FUZZ_RUNS ? 7_200_000 : 240_000,
  // React looks for this when it loads; a test that counts renders listens through it.
  testRunnerHtml: (framework) =>
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<script>window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = { supportsFiber: true, inject: () => 1, ' +
    'onCommitFiberRoot() {}, onCommitFiberUnmount() {}, checkDCE() {} };</script></head>' +
    `<body><script type="module" src="${framework}"></script></body></html>`,
  testFramework: { config: { ui: 'bdd', timeout: '120000' } },
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
          "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' " +
            "'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; font-src " +
            "data:; media-src data: blob:; connect-src 'none'; form-action 'none'; " +
            "base-uri 'none'; frame-ancestors *",
        );
        context.body = context.path.endsWith('/angular') ? framePages.angular : framePages.plain;
        return;
      }
      if (context.path.startsWith('/package-frame/')) {
        context.type = 'html';
        context.set(
          'Content-Security-Policy',
          "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' " +
            "'unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; img-src data: " +
            "blob:; font-src data:; media-src data: blob:; connect-src 'none'; " +
            "form-action 'none'; base-uri 'none'; frame-ancestors *",
        );
        context.body = packagePage;
        return;
      }
      await next();
    },
  ],
  reporters: [elementReporter()],
};
