import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const cssText = {
  name: 'css-text',
  enforce: 'pre' as const,
  load(id: string) {
    const path = id.split('?')[0]!;
    if (/\.(css|svg)$/.test(path) && !id.includes('?'))
      return `export default ${JSON.stringify(readFileSync(path, 'utf8'))}`;
    return undefined;
  },
};

/** Files that take long, the longest first: what is begun last should be short. The others follow in their usual order. */
const longest = [
  'test/contract/zeppelin',
  'test/e2e/accessibility',
  'test/cli-commands',
  'test/e2e/texts',
  'test/cli.',
  'test/e2e/workbench',
  'test/e2e/zeppelin-revisions',
  'test/e2e/looks',
  'test/e2e/notebook',
  'test/e2e/embed',
  'test/e2e/revisions',
  'test/rest',
  'test/helium',
  'test/revisions',
  'test/contract/embedded',
  'test/security/injection',
  'test/docs',
  'test/e2e/typing-ahead',
  'test/e2e/roles',
  'test/e2e/gallery',
  'test/faults-server',
  'test/embed',
  'test/e2e/saving',
  'test/public-api',
  'test/contract/rest',
];
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((part) => moduleId.includes(part));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** What is no test of ours. */
const none = ['**/node_modules/**', 'dist/**'];
/** Files that put a module of their own in the place of one that others use: they share none. */
const alone = ['test/security/remote.test.ts'];

export default defineConfig({
  plugins: [cssText],
  resolve: { conditions: ['source', 'import', 'module', 'default'] },
  ssr: { resolve: { conditions: ['source', 'node', 'import', 'module', 'default'] } },
  test: {
    projects: [
      // Files share the modules of their project: loading them anew for each took as long as the tests.
      { extends: true, test: { name: 'client', include: ['client/**/*.test.ts'], isolate: false } },
      { extends: true, test: { name: 'server', include: ['app/**/*.test.ts'], isolate: false } },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['node/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...none, ...alone],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
    exclude: none,
    environment: 'node',
    // On a machine that does other work a process may answer late; what passed only at its second try is named at the end.
    retry: 1,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // What is waited for comes when the machine gets to it.
    expect: { poll: { timeout: 10_000 } },
    // Two more than processors: much of the time is spent waiting, for a browser or another server.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
  },
});
