/** Packages: visualizations, spells, applications. */
import type { RestHandlers } from '../context.ts';
import { Refusal } from '../errors.ts';

const notYet = (): never => {
  throw new Refusal(501, 'not served yet');
};

/** REST calls. */
export const heliumRest = {
  listPackages: notYet,
  getPackage: notYet,
  listEnabledPackages: notYet,
  loadBundle: notYet,
  listPackageConfigs: notYet,
  getPackageConfig: notYet,
  setPackageConfig: notYet,
  getSpellConfig: notYet,
  enablePackage: notYet,
  disablePackage: notYet,
  getPackageOrder: notYet,
  setPackageOrder: notYet,
  suggestPackages: notYet,
  loadPackage: notYet,
} satisfies Partial<RestHandlers>;
