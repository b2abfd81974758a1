import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Imports style sheets and drawings as text, as the builds do. Their modules have other names,
 * because Vitest empties style sheets.
 */
const fileText = {
  name: 'file-text',
  enforce: 'pre' as const,
  resolveId: (id: string, importer?: string) =>
    /^\..*\.(css|svg)$/.test(id) && importer
      ? `\0text:${join(dirname(importer), id)}.js`
      : undefined,
  load: (id: string) =>
    id.startsWith('\0text:')
      ? `export default ${JSON.stringify(readFileSync(id.slice(6, -3), 'utf8'))}`
      : undefined,
};

/**
 * Compiles programs of child processes (`new URL('./x.worker.ts', import.meta.url)`), because Node
 * can't run their sources.
 */
const programs = {
  name: 'programs',
  enforce: 'pre' as const,
  async transform(code: string, id: string) {
    if (!/\/server\/.*\.ts$/.test(id)) return undefined;
    const name = /new URL\('(\.[^']+\.worker\.ts)', import\.meta\.url\)/.exec(code);
    if (!name) return undefined;
    const { outputFiles } = await build({
      entryPoints: [join(dirname(id), name[1]!)],
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      conditions: ['source'],
      // Packages are bundled: loading their hundreds of files took longer than most tests' SQL.
      // The second one loads its program from a file beside it.
      external: ['@duckdb/node-bindings', 'node-sqlite3-wasm'],
      banner: {
        js:
          "import { createRequire } from 'node:module';" +
          'const require = createRequire(import.meta.url);',
      },
    });
    const { text } = outputFiles[0]!;
    const folder = join(import.meta.dirname, 'node_modules/.cache/programs');
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const file = join(folder, `${hash}.mjs`);
    mkdirSync(folder, { recursive: true });
    // Renamed, because several processes compile at the same time.
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
    return code.replace(name[0], `new URL(${JSON.stringify(pathToFileURL(file).href)})`);
  },
};

/**
 * Files whose tests take long for their size. Vitest begins with those that took longest, or with
 * the largest if it has no record of them, and the last one would run alone for minutes.
 */
const longest = /every-state|python-client|token-endpoints|public-api|walk-|spare-kernel|floods/;
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(longest.test(moduleId));
    return (await super.sort(files)).sort((a, b) => isLong(b) - isLong(a));
  }
}

/** Password hashes as expensive as in production take a third of a second each; ends servers. */
const setupFiles = ['test/support/setup.ts'];
/** What is no test of ours. */
const none = ['**/node_modules/**', '**/dist/**'];
/** Files that put a module of their own in the place of one that others use: they share none. */
const alone = ['test/security/remote.test.ts', 'test/security/private-fetch.test.ts'];

export default defineConfig({
  plugins: [fileText, programs],
  resolve: { conditions: ['source', 'import', 'module', 'default'] },
  ssr: { resolve: { conditions: ['source', 'node', 'import', 'module', 'default'] } },
  test: {
    projects: [
      // Files share the modules of their project: loading them anew for each took as long as the
      // tests.
      { extends: true, test: { name: 'client', include: ['client/**/*.test.ts'], isolate: false } },
      {
        extends: true,
        test: {
          name: 'elements',
          include: ['elements/**/*.test.ts'],
          isolate: false,
          globals: true,
        },
      },
      // One project: each project compiles the modules of the server for itself.
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...none, ...alone],
          isolate: false,
          setupFiles,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
    exclude: none,
    environment: 'node',
    // Packages that publish TypeScript under the condition `source`, which Node can't load.
    server: { deps: { inline: [/esm\/client\/streamableHttp/, /eventsource-parser/] } },
    // Limits for tests that hang. They are long, because a busy machine is slow.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // More than processors: much of the time is spent waiting, for a browser or another server.
    maxWorkers: 4,
    reporters: process.env['TIDING_TEST_RESULTS']
      ? ['./scripts/test/vitest-reporter.mjs']
      : ['default'],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
  },
});
