/** Set-up of tests that start servers in their own process: cheap password hashes. */
import { setHashCost } from '../../server/auth/passwords.ts';

setHashCost(2 ** 10);
