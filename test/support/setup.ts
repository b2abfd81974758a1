/** Set-up of each test file: cheap password hashes, and an end of what the file has started. */
import { afterAll } from 'vitest';
import { setHashCost } from '../../server/auth/passwords.ts';
import { endResources } from './until-end.ts';

setHashCost(2 ** 10);
afterAll(endResources);
