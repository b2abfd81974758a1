/** A package as a view of tables. */
import type { HeliumEntry } from 'tiding/protocol';
import type { Visualization } from '../visualizations/contract.ts';
import { packageIcon } from './icon.tsx';

/** The view of a package: drawn in a frame of its own. */
export const visualizationOf = (pkg: HeliumEntry['pkg']): Visualization => ({
  id: pkg.name,
  label: pkg.name,
  icon: packageIcon(pkg.icon),
  option: 'fields',
  accepts: ({ columns }) => columns.length > 0,
  load: async () => {
    const { packageView } = await import('./package-view.tsx');
    return { default: packageView(pkg) };
  },
});
