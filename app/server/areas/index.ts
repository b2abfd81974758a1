/**
 * Every handler of the server. The types are exhaustive: an operation or a call that the protocol names and nobody
 * handles does not compile.
 */
import type { LiveHandlers, RestHandlers } from '../context.ts';
import { angularLive } from './angular.ts';
import { interpretersLive, interpretersRest } from './interpreters.ts';
import { jobsLive } from './jobs.ts';
import { notesLive, notesRest } from './notes.ts';
import { paragraphsLive, paragraphsRest } from './paragraphs.ts';
import { sessionLive, sessionRest } from './session.ts';

/** Live operations by name. */
export const live: LiveHandlers = {
  ...sessionLive, ...notesLive, ...paragraphsLive, ...interpretersLive, ...jobsLive, ...angularLive,
};

/** REST calls by name. */
export const rest: RestHandlers = { ...sessionRest, ...notesRest, ...paragraphsRest, ...interpretersRest };
