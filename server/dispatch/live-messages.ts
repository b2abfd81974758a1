/**
 * Messages of live connections: frame → ticket → schema → right → handler. Errors of a handler are
 * sent to its caller.
 */
import { jsonObjectOf } from '@tiding/client/model';
import { concernedNote } from '@tiding/client/notebook';
import {
  type Access,
  clientFrame,
  type JsonObject,
  type Sends,
  type SentOp,
  type SentOperation,
  sentOperations,
} from '@tiding/client/protocol';
import type * as z from 'zod/mini';
import type { ServerContext } from '../areas/context.ts';
import { live } from '../areas/index.ts';
import { personOf } from '../auth/accounts.ts';
import { admitLive } from '../auth/embed-access.ts';
import type { ActingUser } from '../auth/permissions.ts';
import type { ServerSession } from '../auth/sessions.ts';
import { diskFailure, errorInfo, Refusal, validated } from '../base/errors.ts';
import { parseUntrustedJson } from '../base/json.ts';
import { UPGRADE_ADVICE } from '../base/version.ts';
import { type ActiveRequest, activeRequest } from '../hub/active-request.ts';
import type { LiveConnection } from '../hub/connection.ts';
import { attachSession } from './live-sessions.ts';
import { MessageDeduplicator, replayAnswer } from './message-deduplication.ts';

/** Maximum length of a message id. */
const MAX_MSG_ID = 100;
const SESSION_OVER = 'Your ticket is invalid possibly due to server restart. Please login again.';

/** Handles the messages of a server's live connections. */
export class LiveMessages {
  readonly #context: ServerContext;
  readonly #sent = new MessageDeduplicator();
  /** Connections that have sent an unknown ticket. */
  readonly #strangers = new WeakSet<LiveConnection>();

  constructor(context: ServerContext) {
    this.#context = context;
  }

  /** Handles one message; `undefined` stands for a binary one. */
  async receive(connection: LiveConnection, text: string | undefined): Promise<void> {
    let json: unknown;
    try {
      json =
        text === undefined
          ? undefined
          : parseUntrustedJson(text, this.#context.options.maxJsonDepth);
    } catch (error) {
      return this.#sendError(connection, '', undefined, error);
    }
    const { msgId } = jsonObjectOf(json);
    if (typeof msgId !== 'string' || msgId.length > MAX_MSG_ID)
      return this.#handle(connection, text === undefined ? undefined : { json });
    const answer: ActiveRequest = { connection, msgId, over: false };
    return activeRequest.run(answer, () =>
      this.#handle(connection, text === undefined ? undefined : { json }).finally(
        () => (answer.over = true),
      ),
    );
  }

  /** An error of one message is sent to its caller; the socket and the server stay up. */
  async #handle(connection: LiveConnection, message: { json: unknown } | undefined): Promise<void> {
    const context = this.#context;
    let op = '';
    let id: string | undefined;
    let finish = () => {};
    try {
      if (!message) throw new Refusal(400, 'A message must be text, not binary data.');
      const frame = clientFrame.safeParse(message.json);
      if (!frame.success)
        throw new Refusal(400, 'A message must be a JSON object with an operation.');
      op = frame.data.op;
      context.metrics.message(Object.hasOwn(sentOperations, op) ? op : 'unknown');
      if (op === 'PING') return;
      const { data = {}, ticket = '', principal = '', msgId } = frame.data;
      if ((msgId?.length ?? 0) > MAX_MSG_ID)
        throw new Refusal(400, `msgId has at most ${MAX_MSG_ID} characters`);
      id = typeof data['id'] === 'string' ? data['id'] : undefined;
      const found = await this.#identify(connection, op, ticket, principal);
      if (!found) return;
      const { session, person } = found;
      if (connection.sessionKey !== session.key) attachSession(context, connection, session);
      connection.person = person;
      const { operation, data: sentData } = parseOperation(op, data);
      const noteId = concernedNote(operation, sentData as JsonObject, connection.noteId);
      requireAccess(operation.access, op, person);
      if (person.embed) admitLive(person.embed, op as SentOp, sentData as Sends[SentOp], noteId);
      const about = operation.right === 'none' ? '' : noteId;
      const key =
        operation.idempotent || !msgId
          ? undefined
          : MessageDeduplicator.key(msgId, op, about, sentData);
      const before = key === undefined ? undefined : this.#sent.find(person.principal, key);
      if (before) {
        await before.done;
        return replayAnswer(before, connection, person, context);
      }
      if (operation.right !== 'none') {
        context.notes.get(noteId);
        context.permissions.require(person, noteId, operation.right, operation.verb);
      }
      const answer = activeRequest.getStore();
      if (key !== undefined && answer)
        ({ finish, hear: answer.onSent } = this.#sent.begin(person.principal, key, about));
      await (live[op as SentOp] as (request: unknown, context: ServerContext) => unknown)(
        { data: sentData, connection, person, msgId, noteId },
        context,
      );
      const { audit: event } = operation;
      if (event)
        context.audit.record(event, {
          ...whoAndWhere(connection, op),
          note: noteId,
          target: id,
          outcome: 'ok',
        });
    } catch (error) {
      if (error instanceof Refusal && (error.status === 403 || error.status === 429))
        context.audit.record('refused', {
          ...whoAndWhere(connection, op),
          target: id,
          outcome: String(error.status),
        });
      this.#sendError(connection, op, id, error);
    } finally {
      finish();
    }
  }

  /** Finds the user of a ticket. Tells the caller and returns `undefined` if there is none. */
  async #identify(
    connection: LiveConnection,
    op: string,
    ticket: string,
    principal: string,
  ): Promise<{ session: ServerSession; person: ActingUser } | undefined> {
    const session = this.#context.sessions.byTicket(ticket);
    const person =
      session?.alias === principal ? await personOf(session, this.#context) : undefined;
    if (!session || !person) {
      // Recorded once per socket, although the client is notified each time.
      if (ticket !== '' && !this.#strangers.has(connection)) {
        this.#strangers.add(connection);
        this.#context.audit.refusedStranger({
          address: connection.address,
          command: op,
          outcome: '401',
        });
      }
      this.#context.hub.send(connection, 'SESSION_LOGOUT', { info: SESSION_OVER });
      return undefined;
    }
    return { session, person };
  }

  #sendError(connection: LiveConnection, op: string, id: string | undefined, cause: unknown): void {
    const { hub, log } = this.#context;
    const where = { ...(op ? { op } : {}), ...(id ? { id } : {}) };
    const error = diskFailure(cause) ?? cause;
    if (error instanceof Refusal) {
      if (error.kind === 'forbidden')
        hub.send(connection, 'AUTH_INFO', { info: error.message, ...where });
      else hub.send(connection, 'ERROR_INFO', { ...errorInfo(error), ...where });
      return;
    }
    // The message is only logged: it may name files and classes.
    log.error({ op, error: (error as Error).stack }, 'an operation failed');
    hub.send(connection, 'ERROR_INFO', {
      info: `${op || 'The message'} failed on the server.`,
      code: 500,
      ...where,
    });
  }
}

/** Refuses an operation that needs a role which the user lacks. */
function requireAccess(access: Access, op: string, { roles, embed }: ActingUser): void {
  // Embed tokens have rules of their own.
  if (embed || typeof access === 'string' || access.some((role) => roles.includes(role))) return;
  throw new Refusal(403, `Only administrators can use ${op}. Ask an administrator.`, 'forbidden');
}

const whoAndWhere = ({ person, address }: LiveConnection, command: string) => ({
  principal: person?.principal,
  address,
  command,
});

/** Returns an operation of the protocol and its checked data. */
export function parseOperation(
  op: string,
  data: JsonObject,
): { operation: SentOperation; data: JsonObject } {
  if (!Object.hasOwn(sentOperations, op))
    throw new Refusal(400, `Unknown operation: ${op}. ${UPGRADE_ADVICE}`);
  const operation: SentOperation<z.ZodMiniType> = sentOperations[op as SentOp];
  return { operation, data: validated(operation.data, data, `${op}: `) as JsonObject };
}
