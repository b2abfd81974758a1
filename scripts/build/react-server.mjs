/**
 * Bundles snapshots with a React of their own. In server components, as of Next.js, `react` has
 * neither class components nor contexts, and `react-dom/server` is refused.
 */
import { join } from 'node:path';
import { build } from 'esbuild';

const OWN = /^(?:react|react-dom|scheduler|lucide-react)(?:\/|$)/;

/** Writes `snapshot.react-server.js` beside the built `snapshot.js`. */
export const bundleForServerComponents = (dist) =>
  build({
    entryPoints: [join(dist, 'snapshot.js')],
    outfile: join(dist, 'snapshot.react-server.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    // The builds of React DOM for Node and browsers need modules of Node, or keep a process alive.
    conditions: ['edge-light', 'import'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
    plugins: [
      {
        name: 'own-react',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /./ }, ({ path, kind, importer }) => {
            if (kind === 'entry-point') return undefined;
            if (/^[@\w]/.test(path) && !OWN.test(path)) return { path, external: true };
            // Code of live views, which snapshots never load.
            const isLive = kind === 'dynamic-import' && !importer.endsWith('snapshot.js');
            return isLive ? { path, namespace: 'live' } : undefined;
          });
          onLoad({ filter: /./, namespace: 'live' }, () => ({ contents: 'export default null' }));
        },
      },
    ],
  });
