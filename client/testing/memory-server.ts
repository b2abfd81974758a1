/**
 * A server inside the page or process that speaks the protocol to clients created with its
 * `transport` and `fetch`.
 *
 * Everything stays in memory, no port is opened, and ids are the same in each run. Texts, forms,
 * permissions, merges and conflicts follow the rules of the real server; the output comes from
 * the test's own interpreters.
 */
import type { Transport } from '../channel/transport.ts';
import type { Note } from '../protocol/index.ts';
import type { MemoryFrame, MemoryServerOptions } from './contract.ts';
import type { MemoryServices } from './handlers.ts';
import { createMemoryTransport } from './live-transport.ts';
import { onConnectionLeft } from './presence.ts';
import { createMemoryFetch } from './rest-fetch.ts';
import { MemoryRuns } from './runs.ts';
import { MemorySessions } from './sessions.ts';
import { World } from './world.ts';

/** A memory server. Give its `server`, `transport` and `fetch` to a client as options. */
export interface MemoryServer {
  /** Base URL with a host name that does not exist. */
  readonly server: string;
  /** Transport of the live channel. */
  readonly transport: Transport;
  /** Answers REST calls; any other URL rejects like a network failure. */
  readonly fetch: typeof fetch;
  /** Received frames, oldest first, without PING. */
  readonly frames: readonly MemoryFrame[];
  /** The notes in their current state. */
  readonly notes: readonly Note[];
  /**
   * Sends a frame to every connection, or only to those that have the note open. The operation and
   * payload are not validated.
   */
  push(op: string, data?: unknown, options?: { noteId?: string; msgId?: string }): void;
  /**
   * Breaks every connection like a network failure. Clients reconnect according to their `backoff`.
   */
  drop(): void;
  /** Set to false to break connections and let calls fail. */
  online: boolean;
  /** Stops all runs and rejects everything from now on. */
  close(): void;
}

/**
 * Creates a memory server.
 *
 * @example
 * const { server, transport, fetch } = memoryServer({ notes: [{ id: 'n1', path: 'Hello' }] });
 * const note = await createClient({ server, transport, fetch }).open('n1');
 */
export function memoryServer(options: MemoryServerOptions = {}): MemoryServer {
  const server = (options.server ?? 'http://memory.test').replace(/\/+$/, '');
  const world = new World(options);
  const services: MemoryServices = { world, runs: new MemoryRuns(world) };
  const frames: MemoryFrame[] = [];
  const sessions = new MemorySessions(world);
  let online = true;
  let closed = false;
  const isReachable = () => online && !closed;

  const drop = () => {
    for (const connection of [...world.connections]) {
      connection.open = false;
      world.connections.delete(connection);
      if (connection.noteId !== undefined) onConnectionLeft(world, connection, connection.noteId);
      connection.events.onClose(1006, '');
    }
  };

  return {
    server,
    transport: createMemoryTransport({
      services,
      sessions,
      frames,
      intercept: options.intercept,
      isReachable,
    }),
    fetch: createMemoryFetch({ server, services, sessions, isReachable }),
    frames,
    drop,
    get notes() {
      return [...world.notes.values()].map((note) => structuredClone(world.wire(note)));
    },
    get online() {
      return online;
    },
    set online(now) {
      online = now;
      if (!now) drop();
    },
    push(op, data = {}, { noteId, msgId } = {}) {
      const text = JSON.stringify({ op, data, ...(msgId === undefined ? {} : { msgId }) });
      for (const connection of [...world.connections])
        if (connection.open && (noteId === undefined || connection.noteId === noteId))
          connection.events.onMessage(text);
    },
    close() {
      closed = true;
      services.runs.close();
      drop();
    },
  };
}
