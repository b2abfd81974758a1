/** What live handlers of the memory server are given. */
import type { StoredNote, StoredParagraph } from '../notebook/index.ts';
import type { EndpointBody, EndpointName, Sends, SentOp } from '../protocol/index.ts';
import type { MemoryRuns } from './runs.ts';
import type { MemoryConnection, MemoryPerson, MemorySession, World } from './world.ts';

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

/** A validated REST request. */
export interface MemoryRestRequest<Name extends EndpointName = EndpointName> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: EndpointBody<Name>;
  readonly session: MemorySession;
  /** The note in the path. The user has the right that the call needs. */
  readonly note: StoredNote;
  /** The paragraph in the path. */
  readonly paragraph: StoredParagraph;
  /** Ends the session, or starts another. */
  signIn(name: string | undefined): MemorySession;
  setStatus(status: number): void;
}

/** Handlers by endpoint. */
export type MemoryRestHandlers = {
  [Name in EndpointName]?: (request: MemoryRestRequest<Name>, services: MemoryServices) => unknown;
};
