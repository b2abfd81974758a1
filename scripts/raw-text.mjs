/** Imports a file as text, such as `./program.py?raw`, in both bundlers. Vite has this built in. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Plugin for Rollup. */
export const rawTextForRollup = {
  name: 'raw-text',
  resolveId: (id, importer) =>
    id.endsWith('?raw') && importer ? join(dirname(importer), id) : null,
  load(id) {
    if (!id.endsWith('?raw')) return null;
    const file = id.slice(0, -'?raw'.length);
    this.addWatchFile(file);
    return `export default ${JSON.stringify(readFileSync(file, 'utf8'))}`;
  },
};

/** Plugin for esbuild. */
export const rawTextForEsbuild = {
  name: 'raw-text',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/\?raw$/, '')),
      namespace: 'raw-text',
    }));
    onLoad({ filter: /./, namespace: 'raw-text' }, ({ path }) => ({
      contents: readFileSync(path, 'utf8'),
      loader: 'text',
    }));
  },
};
