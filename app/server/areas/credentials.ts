/** Credentials of users for data sources. */
import type { RestHandlers } from '../context.ts';
import { Refusal } from '../errors.ts';

const notYet = (): never => {
  throw new Refusal(501, 'not served yet');
};

/** REST calls. */
export const credentialsRest = {
  listCredentials: notYet,
  putCredential: notYet,
  deleteCredential: notYet,
  deleteCredentials: notYet,
} satisfies Partial<RestHandlers>;
