/** Services that the live channel in front of a Zeppelin uses. */

import type { ServerOptions } from '../base/options.ts';
import type { OriginGate } from '../http/origin.ts';
import type { Audit } from '../logging/audit.ts';
import type { Logger } from '../logging/log.ts';
import type { Metrics } from '../logging/metrics.ts';
import type { GatewaySessions } from './gateway-sessions.ts';
import type { UpstreamNotes } from './notes.ts';
import type { ZeppelinClient } from './zeppelin.ts';

/** Dependencies of the live channel. */
export interface LiveServices {
  readonly zeppelin: ZeppelinClient;
  readonly sessions: GatewaySessions;
  readonly notes: UpstreamNotes;
  readonly gate: OriginGate;
  readonly options: ServerOptions;
  readonly log: Logger;
  readonly audit: Audit;
  readonly metrics: Metrics;
}
