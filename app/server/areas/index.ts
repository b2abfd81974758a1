/**
 * Every handler of the server. The types are exhaustive: an operation or a call that the protocol names and nobody
 * handles does not compile.
 */
import type { LiveHandlers, RestHandlers } from '../context.ts';
import { administrationRest } from './administration.ts';
import { angularLive } from './angular.ts';
import { clustersRest } from './clusters.ts';
import { collaborationLive } from './collaboration.ts';
import { credentialsRest } from './credentials.ts';
import { descriptionsRest } from './descriptions.ts';
import { embedRest } from './embed.ts';
import { heliumRest } from './helium.ts';
import { interpretersLive, interpretersRest } from './interpreters.ts';
import { jobsLive } from './jobs.ts';
import { notesLive, notesRest } from './notes.ts';
import { paragraphsLive, paragraphsRest } from './paragraphs.ts';
import { objectsRest } from './objects.ts';
import { peopleRest } from './people.ts';
import { presenceLive } from './presence.ts';
import { resultsRest } from './results.ts';
import { revisionsLive, revisionsRest } from './revisions.ts';
import { schedulesLive, schedulesRest } from './schedules.ts';
import { searchRest } from './search.ts';
import { ssoRest } from './sso.ts';
import { sessionLive, sessionRest } from './session.ts';
import { settingsRest } from './settings.ts';
import { trustRest } from './trust.ts';

/** Live operations by name. */
export const live: LiveHandlers = {
  ...sessionLive,
  ...notesLive,
  ...paragraphsLive,
  ...interpretersLive,
  ...jobsLive,
  ...angularLive,
  ...revisionsLive,
  ...collaborationLive,
  ...presenceLive,
  ...schedulesLive,
};

/** REST calls by name. */
export const rest: RestHandlers = {
  ...ssoRest,
  ...descriptionsRest,
  ...sessionRest,
  ...notesRest,
  ...paragraphsRest,
  ...interpretersRest,
  ...revisionsRest,
  ...schedulesRest,
  ...settingsRest,
  ...credentialsRest,
  ...clustersRest,
  ...peopleRest,
  ...administrationRest,
  ...searchRest,
  ...resultsRest,
  ...heliumRest,
  ...embedRest,
  ...trustRest,
  ...objectsRest,
};
