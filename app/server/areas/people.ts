/** Names of people, and new passwords for who forgot theirs. */
import type { RestHandlers } from '../context.ts';
import { Refusal } from '../errors.ts';

const notYet = (): never => {
  throw new Refusal(501, 'not served yet');
};

/** REST calls. */
export const peopleRest = {
  findPrincipals: notYet,
  principals: notYet,
  requestPasswordReset: notYet,
  checkPasswordReset: notYet,
  resetPassword: notYet,
  loginAddress: notYet,
  ssoLogin: notYet,
} satisfies Partial<RestHandlers>;
