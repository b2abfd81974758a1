/** The live channel of the memory server. */
import type { Transport } from '../channel/transport.ts';
import { concernedNote, errorInfo, Refusal } from '../notebook/index.ts';
import {
  clientFrame,
  type JsonObject,
  type Sends,
  type SentOp,
  sentOperations,
} from '../protocol/index.ts';
import type { MemoryFrame, MemoryServerOptions } from './contract.ts';
import type { MemoryLiveRequest, MemoryServices } from './handlers.ts';
import { parsedJson } from './json.ts';
import { liveHandlers } from './live.ts';
import { onConnectionLeft } from './presence.ts';
import { type MemorySessions, SESSION_OVER } from './sessions.ts';
import type { MemoryConnection } from './world.ts';

interface LiveOptions {
  readonly services: MemoryServices;
  readonly sessions: MemorySessions;
  /** Receives the frames of clients, without PING. */
  readonly frames: MemoryFrame[];
  readonly intercept: MemoryServerOptions['intercept'];
  /** Whether new connections are accepted. */
  readonly isReachable: () => boolean;
}

/** Creates the transport of the live channel. */
export function createMemoryTransport(options: LiveOptions): Transport {
  const { world } = options.services;
  return (_url, events) => {
    const connection: MemoryConnection = {
      events,
      open: false,
      session: undefined,
      noteId: undefined,
      jobs: false,
    };
    // Handle the frames of one connection one after another.
    let queue = Promise.resolve().then(() => {
      if (!world.connections.has(connection)) return;
      connection.open = true;
      events.onOpen();
    });
    if (options.isReachable()) world.connections.add(connection);
    else queue = queue.then(() => events.onClose(1006, ''));
    return {
      send(text) {
        if (connection.open)
          queue = queue.then(() =>
            connection.open ? receive(connection, text, options) : undefined,
          );
      },
      close(code, reason) {
        if (!world.connections.delete(connection)) return;
        connection.open = false;
        if (connection.noteId !== undefined) onConnectionLeft(world, connection, connection.noteId);
        events.onClose(code ?? 1000, reason ?? '');
      },
    };
  };
}

/** Handles one message; failures are sent to its connection. */
async function receive(
  connection: MemoryConnection,
  text: string,
  { services, sessions, frames, intercept }: LiveOptions,
): Promise<void> {
  const { world } = services;
  let op = '';
  let id: string | undefined;
  try {
    const frame = clientFrame.safeParse(parsedJson(text));
    if (!frame.success)
      throw new Refusal(400, 'A message must be a JSON object with an operation.');
    const { data = {}, principal = '', ticket = '', msgId } = frame.data;
    ({ op } = frame.data);
    if (op === 'PING') return;
    id = typeof data['id'] === 'string' ? data['id'] : undefined;
    const seen = { op, data, principal, msgId, noteId: connection.noteId };
    frames.push(seen);
    if (intercept?.(seen)) return;
    const session = sessions.byTicket(principal, ticket);
    if (!session) return world.send(connection, 'SESSION_LOGOUT', { info: SESSION_OVER });
    if (connection.session !== session)
      Object.assign(connection, { session, noteId: undefined, jobs: false });
    if (!Object.hasOwn(sentOperations, op)) throw new Refusal(400, `Unknown operation: ${op}.`);
    const handler = liveHandlers[op as SentOp] as
      | ((request: MemoryLiveRequest, services: MemoryServices) => void | Promise<void>)
      | undefined;
    if (!handler) throw new Refusal(501, `${op} is not supported by the memory server.`);
    const operation = sentOperations[op as SentOp];
    const fit = operation.data.safeParse(data);
    if (!fit.success) {
      const [issue] = fit.error.issues;
      throw new Refusal(
        400,
        `${op}: ${issue?.path.join('.') ?? ''} ` +
          (issue?.message ?? 'does not match the protocol'),
      );
    }
    const noteId = concernedNote(operation, fit.data as JsonObject, connection.noteId);
    if (operation.right !== 'none') {
      world.note(noteId);
      world.require(session, noteId, operation.right, operation.verb);
    }
    await handler(
      { data: fit.data as Sends[SentOp], connection, person: session, msgId, noteId },
      services,
    );
  } catch (error) {
    const where = { ...(op ? { op } : {}), ...(id ? { id } : {}) };
    const refusal = error instanceof Refusal ? error : new Refusal(500, (error as Error).message);
    if (refusal.kind === 'forbidden')
      world.send(connection, 'AUTH_INFO', { info: refusal.message, ...where });
    else world.send(connection, 'ERROR_INFO', { ...errorInfo(refusal), ...where });
  }
}
