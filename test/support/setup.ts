/**
 * Set-up of each test file: cheap password hashes, as much time for interpreters as for browsers,
 * and an end of what the file has started.
 */
import { afterAll } from 'vitest';
import { setHashCost } from '../../server/auth/passwords.ts';
import { setNicerBy } from '../../server/interpreters/processes/process-priority.ts';
import { endResources } from './until-end.ts';

setHashCost(2 ** 10);
setNicerBy(0);
afterAll(endResources);
