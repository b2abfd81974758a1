/**
 * All request handlers. The types are exhaustive: an operation or endpoint of the protocol without
 * a handler does not compile.
 */

import { credentialsRest } from './account/credentials.ts';
import { embedRest, embedRevocationRest } from './account/embed.ts';
import { peopleRest } from './account/people.ts';
import { sessionLive, sessionRest } from './account/session.ts';
import { ssoRest } from './account/sso.ts';
import { usersRest } from './account/users.ts';
import { administrationRest, commandLineRest } from './administration.ts';
import { assistantRest } from './assistant.ts';
import { clustersRest } from './clusters.ts';
import { commentsRest } from './comments.ts';
import { connectionsRest } from './connections.ts';
import type { GatewayContext, LiveHandlers, RestHandlers } from './context.ts';
import { descriptionsRest } from './descriptions.ts';
import { heliumRest } from './helium.ts';
import { interpretersLive, interpretersRest } from './interpreters.ts';
import { angularLive } from './notes/angular.ts';
import { commsLive } from './notes/comms.ts';
import { filesRest } from './notes/files.ts';
import { foldersLive } from './notes/folders.ts';
import { noteAddressRest } from './notes/note-address.ts';
import { noteOperationsLive } from './notes/note-operations.ts';
import { notesLive, notesRest } from './notes/notes.ts';
import { objectsRest } from './notes/objects.ts';
import { paragraphsLive, paragraphsRest } from './notes/paragraphs.ts';
import { presenceLive } from './notes/presence.ts';
import { fileDownloadRest, resultsRest } from './notes/results.ts';
import { revisionsLive, revisionsRest } from './notes/revisions.ts';
import { runCopiesRest } from './notes/run-copies.ts';
import { schedulesLive, schedulesRest } from './notes/schedules.ts';
import { searchRest } from './notes/search.ts';
import { terminalsLive } from './notes/terminals.ts';
import { trustRest } from './notes/trust.ts';
import { variablesRest } from './notes/variables.ts';
import { settingsRest } from './settings.ts';

export const live: LiveHandlers = {
  ...sessionLive,
  ...notesLive,
  ...foldersLive,
  ...paragraphsLive,
  ...terminalsLive,
  ...commsLive,
  ...interpretersLive,
  ...angularLive,
  ...revisionsLive,
  ...noteOperationsLive,
  ...presenceLive,
  ...schedulesLive,
};

/** REST handlers that can also be used in front of a Zeppelin. */
export const gatewayRest = {
  ...ssoRest,
  ...descriptionsRest,
  ...sessionRest,
  ...clustersRest,
  ...peopleRest,
  ...commandLineRest,
  ...fileDownloadRest,
  ...noteAddressRest,
  ...embedRevocationRest,
} satisfies Partial<RestHandlers<GatewayContext>>;

export const rest: RestHandlers = {
  ...gatewayRest,
  ...notesRest,
  ...paragraphsRest,
  ...interpretersRest,
  ...revisionsRest,
  ...schedulesRest,
  ...settingsRest,
  ...assistantRest,
  ...commentsRest,
  ...connectionsRest,
  ...credentialsRest,
  ...usersRest,
  ...administrationRest,
  ...searchRest,
  ...resultsRest,
  ...filesRest,
  ...heliumRest,
  ...embedRest,
  ...trustRest,
  ...runCopiesRest,
  ...variablesRest,
  ...objectsRest,
};
