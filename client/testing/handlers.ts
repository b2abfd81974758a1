/** What live handlers of the memory server are given. */
import type { Sends, SentOp } from '../protocol/index.ts';
import type { MemoryRuns } from './runs.ts';
import type { MemoryConnection, MemoryPerson, World } from './world.ts';

/** Services that the handlers of a memory server share. */
export interface MemoryServices {
  readonly world: World;
  readonly runs: MemoryRuns;
}

/** A live request. `noteId` is the note in the message, or else the one open on the connection. */
export interface MemoryLiveRequest<Op extends SentOp = SentOp> {
  readonly data: Sends[Op];
  readonly connection: MemoryConnection;
  readonly person: MemoryPerson;
  readonly msgId: string | undefined;
  readonly noteId: string;
}

/** Handlers by operation. */
export type Handlers = {
  [Op in SentOp]?: (
    request: MemoryLiveRequest<Op>,
    services: MemoryServices,
  ) => void | Promise<void>;
};
