import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const cssText = {
  name: 'css-text',
  enforce: 'pre' as const,
  load(id: string) {
    const path = id.split('?')[0]!;
    if (/\.(css|svg)$/.test(path) && !id.includes('?')) return `export default ${JSON.stringify(readFileSync(path, 'utf8'))}`;
    return undefined;
  },
};

export default defineConfig({
  plugins: [cssText],
  resolve: { conditions: ['source', 'import', 'module', 'default'] },
  ssr: { resolve: { conditions: ['source', 'node', 'import', 'module', 'default'] } },
  test: {
    include: ['client/**/*.test.ts', 'node/**/*.test.ts', 'app/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    environment: 'node',
    // On a machine that does other work a process may answer late; what passed only at its second try is named at the end.
    retry: 1,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    pool: 'forks',
  },
});
