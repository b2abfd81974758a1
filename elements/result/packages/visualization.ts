/** Adapts a package to a view of tables. */
import type { HeliumEntry } from '@tiding/client/protocol';
import type { PackageScript } from '../package-page/protocol.ts';
import type { BuiltInVisualization } from '../visualizations/contract.ts';
import { packageIcon } from './package-icon.tsx';

/** Creates the view of a package, which is drawn in a sandboxed frame. */
export const visualizationOf = (
  pkg: HeliumEntry['pkg'],
  script: () => Promise<PackageScript>,
): BuiltInVisualization => ({
  id: pkg.name,
  label: pkg.name,
  icon: packageIcon(pkg.icon),
  option: 'fields',
  accepts: ({ columns }) => columns.length > 0,
  load: async () => {
    const { packageView } = await import('./package-view.tsx');
    return { default: packageView(pkg, script) };
  },
});
