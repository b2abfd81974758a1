/** Paths in the repository that the documentation is generated from. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Root folder of the repository. */
export const root = join(import.meta.dirname, '../..');

/** Paths relative to the root. */
export const paths = {
  /** Markdown pages and the VitePress configuration. */
  docs: 'docs',
  /** The built site. */
  out: 'dist/docs',
  manifest: 'elements/dist/custom-elements.json',
  serverModule: 'server/dist/index.js',
  commandLine: 'server/dist/cli.js',
  payloads: 'test/fixtures/widgets',
  icon: 'app/icon.svg',
  results: 'docs/performance/results.json',
};

const manifestOf = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/**
 * Every importable module: its published name and its source file relative to the root. Reads the
 * `source` condition of `exports`, in the workspaces or in the root package.
 */
export function entries() {
  const { workspaces = ['.'] } = manifestOf('.');
  return workspaces.flatMap((folder) => {
    const { name, exports = {} } = manifestOf(folder);
    return Object.entries(exports).flatMap(([path, target]) => {
      const source = target?.source;
      if (!source || path.includes('*')) return [];
      const local = path.replace(/^\./, name);
      return [{ name: local, source: join(folder, source) }];
    });
  });
}

export const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Whether a path relative to the root exists. */
export const has = (path) => existsSync(join(root, path));
