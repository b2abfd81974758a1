/**
 * Set-up of each test file: cheap password hashes, as much time for interpreters as for browsers,
 * pictures of the pages if somebody wants them, and an end of what the file has started.
 */
import { afterAll, afterEach, beforeEach } from 'vitest';
import { setHashCost } from '../../server/auth/passwords.ts';
import { setNicerBy } from '../../server/interpreters/processes/process-priority.ts';
import { namePictures, takePictures } from './page.ts';
import { endResources } from './until-end.ts';

setHashCost(2 ** 10);
setNicerBy(0);
beforeEach(({ task }) => namePictures(task.name));
afterEach(takePictures);
afterAll(endResources);
