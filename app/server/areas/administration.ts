/** What an administrator sees and sets of the server itself. */
import type { RestHandlers } from '../context.ts';
import { Refusal } from '../errors.ts';

const notYet = (): never => {
  throw new Refusal(501, 'not served yet');
};

/** REST calls. */
export const administrationRest = {
  configurationsByPrefix: notYet,
  clientConfiguration: notYet,
  listStorages: notYet,
  reloadStorages: notYet,
  updateStorage: notYet,
  setLogLevel: notYet,
  getLogger: notYet,
  setLogger: notYet,
  commandLine: notYet,
} satisfies Partial<RestHandlers>;
