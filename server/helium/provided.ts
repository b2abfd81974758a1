/**
 * The modules that Helium packages import from their host. They are bundled into each package: base
 * classes of visualizations and spells, and transformations of tables. Settings templates are
 * rendered if the host page provides `_compile` and `_createNewScope`.
 */
import advancedTransformation from './provided/advanced-transformation.js?raw';
import columnselector from './provided/columnselector.js?raw';
import cube from './provided/cube.js?raw';
import network from './provided/network.js?raw';
import passthrough from './provided/passthrough.js?raw';
import pivot from './provided/pivot.js?raw';
import setting from './provided/setting.js?raw';
import spell from './provided/spell.js?raw';
import transformation from './provided/transformation.js?raw';
import visualization from './provided/visualization.js?raw';

/** Sources by import specifier. */
const modules: Readonly<Record<string, string>> = {
  'tiding:setting': setting,
  'zeppelin-vis': visualization,
  'zeppelin-vis/visualization': visualization,
  'zeppelin-tabledata/transformation': transformation,
  'zeppelin-tabledata/passthrough': passthrough,
  'zeppelin-tabledata/columnselector': columnselector,
  'zeppelin-tabledata/pivot': pivot,
  'zeppelin-tabledata/network': network,
  'tiding:cube': cube,
  'zeppelin-tabledata/advanced-transformation': advancedTransformation,
  'zeppelin-spell': spell,
};

/** All provided modules as one text, for cache keys of bundles. */
export const PROVIDED = JSON.stringify(modules);

/**
 * Returns the source of a provided module, or `undefined` if the name is unknown. Names may end
 * in `.js`.
 */
export function providedModule(name: string): string | undefined {
  const specifier = name.replace(/\.js$/, '');
  return Object.hasOwn(modules, specifier) ? modules[specifier] : undefined;
}

/**
 * Whether all modules of a package are provided, so that it need not be installed. This excludes
 * `zeppelin-tabledata`, which has further modules.
 */
export const isProvided = (name: string): boolean =>
  name === 'zeppelin-vis' || name === 'zeppelin-spell';
