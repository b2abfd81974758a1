/** A probe for each live operation and each REST call. */
import type { EndpointName, SentOp } from '@tiding/client/protocol';
import { administrationProbes } from './administration.ts';
import { commentsProbes } from './comments.ts';
import type { Probe } from './lab.ts';
import { notesProbes } from './notes.ts';
import { paragraphsProbes } from './paragraphs.ts';
import { sessionProbes } from './session.ts';

export const probes: { [Name in SentOp | EndpointName]: Probe } = {
  ...sessionProbes,
  ...administrationProbes,
  ...notesProbes,
  ...commentsProbes,
  ...paragraphsProbes,
};
