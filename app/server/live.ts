/** The live channel: socket → frame → ticket → schema → right → handler. What a handler throws is told to its caller. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { clientFrame, sentOperations, type Sends, type SentOp } from 'tiding/protocol';
import { live } from './areas/index.ts';
import { auditedOperations } from './audit.ts';
import { personOf } from './auth/accounts.ts';
import { admitLive } from './auth/embed-access.ts';
import type { Person } from './auth/permissions.ts';
import type { Session } from './auth/sessions.ts';
import type { ServerContext } from './context.ts';
import { Refusal } from './errors.ts';
import { handshake } from './handshake.ts';
import { answering, type Answering, type Connection } from './hub.ts';
import { parse } from './json.ts';
import { requireOrigin, type OriginGate } from './origin.ts';
import { answerAgain, SentOnce } from './sent-once.ts';

/** A socket that has not shown a good ticket by then is closed, in ms. */
const TICKET_MS = 30_000;
/** A socket without any traffic is closed after this, in ms (upstream's time). */
const IDLE_MS = 300_000;
/** Whether those who only listen may still do so is looked at this often, in ms. */
const REVIEW_MS = 1_000;
/** Longest id of a message. */
const MAX_MSG_ID = 100;
const SESSION_OVER = 'Your ticket is invalid possibly due to server restart. Please login again.';

/** Answers upgrade requests on `/ws`. */
export function createLive(context: ServerContext, gate: OriginGate) {
  const { hub, options, log } = context;
  const admission = handshake(context, gate);
  const sent = new SentOnce();
  /** Those that have shown a ticket that nobody has. */
  const strangers = new WeakSet<Connection>();
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxMessageBytes,
    perMessageDeflate: false,
  });

  const refuse = (socket: Duplex, status: string) => {
    // Who is refused may hang up at any moment, or never.
    socket.on('error', () => {});
    socket.once('finish', () => socket.destroy());
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  };

  function accept(socket: WebSocket, request: IncomingMessage): void {
    const connection: Connection = {
      socket,
      stream: request.socket,
      address: admission.addressOf(request),
      origin: admission.hostPage(request),
      person: undefined,
      sessionKey: undefined,
      noteId: undefined,
      jobs: false,
    };
    hub.connections.add(connection);
    const ticketTimer = setTimeout(
      () => connection.person ?? socket.close(1008, 'no ticket'),
      TICKET_MS,
    );
    let idle = setTimeout(() => socket.close(1001, 'Idle Timeout'), IDLE_MS);
    const burst = options.maxFrames * 5;
    let budget = burst;
    let last = Date.now();
    // One socket's messages are handled one after another, in their order.
    let queue = Promise.resolve();
    let waiting = 0;

    socket.on('message', (raw, binary) => {
      if (socket.readyState !== socket.OPEN) return;
      clearTimeout(idle);
      idle = setTimeout(() => socket.close(1001, 'Idle Timeout'), IDLE_MS);
      const now = Date.now();
      budget = Math.min(burst, budget + ((now - last) / 1000) * options.maxFrames) - 1;
      last = now;
      if (budget < 0) return socket.close(1008, 'too many messages');
      const { length } = raw as Buffer;
      const text = binary ? undefined : (raw as Buffer).toString('utf8');
      // Who sends faster than is done waits at his end, and not in memory here.
      waiting += length;
      if (waiting > options.maxMessageBytes) socket.pause();
      queue = queue
        .then(() => receive(connection, text))
        .catch((error: Error) => {
          log.error({ error: error.stack }, 'a live message failed');
        })
        .then(() => {
          waiting -= length;
          if (socket.isPaused && waiting <= options.maxMessageBytes) socket.resume();
        });
    });
    socket.on('close', () => {
      clearTimeout(ticketTimer);
      clearTimeout(idle);
      hub.connections.delete(connection);
      hub.join(connection, undefined);
    });
    socket.on('error', (error) => log.debug({ error: error.message }, 'a socket failed'));
  }

  async function receive(connection: Connection, text: string | undefined): Promise<void> {
    let json: unknown;
    try {
      json = text === undefined ? undefined : parse(text, options.maxJsonDepth);
    } catch (error) {
      return tellError(connection, '', undefined, error);
    }
    const { msgId } = (typeof json === 'object' && json !== null ? json : {}) as {
      msgId?: unknown;
    };
    if (typeof msgId !== 'string' || msgId.length > MAX_MSG_ID)
      return handle(connection, text === undefined ? undefined : { json });
    const answer: Answering = { connection, msgId, over: false };
    return answering.run(answer, () =>
      handle(connection, text === undefined ? undefined : { json }).finally(
        () => (answer.over = true),
      ),
    );
  }

  /** A fault of one message is told to its caller; the socket and the server stay up. */
  async function handle(
    connection: Connection,
    message: { json: unknown } | undefined,
  ): Promise<void> {
    let op = '';
    let id: string | undefined;
    let finish = () => {};
    try {
      if (!message) throw new Refusal(400, 'a message is text');
      const frame = clientFrame.safeParse(message.json);
      if (!frame.success) throw new Refusal(400, 'a message is a JSON object with an operation');
      op = frame.data.op;
      context.metrics.message(Object.hasOwn(sentOperations, op) ? op : 'unknown');
      if (op === 'PING') return;
      const { data = {}, ticket = '', principal = '', msgId } = frame.data;
      if ((msgId?.length ?? 0) > MAX_MSG_ID)
        throw new Refusal(400, `msgId has at most ${MAX_MSG_ID} characters`);
      id = typeof data['id'] === 'string' ? data['id'] : undefined;
      const session = context.sessions.byTicket(ticket);
      const person =
        session?.principal === principal ? await personOf(session, context) : undefined;
      if (!session || !person) {
        // Once a socket: who has none is told each time.
        if (ticket !== '' && !strangers.has(connection)) {
          strangers.add(connection);
          context.audit.refusedStranger({
            address: connection.address,
            command: op,
            outcome: '401',
          });
        }
        hub.tell(connection, 'SESSION_LOGOUT', { info: SESSION_OVER });
        return;
      }
      if (connection.sessionKey !== session.key) attach(connection, session);
      connection.person = person;
      if (!Object.hasOwn(sentOperations, op)) throw new Refusal(400, `unknown operation ${op}`);
      const operation = sentOperations[op as SentOp];
      const parsed = operation.data.safeParse(data);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        throw new Refusal(
          400,
          `${op}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'does not fit the protocol'}`.trim(),
        );
      }
      const noteId = noteOf(op as SentOp, parsed.data as Sends[SentOp], connection);
      if (person.embed) admitLive(person.embed, op as SentOp, parsed.data as Sends[SentOp], noteId);
      const about = operation.right === 'none' ? '' : noteId;
      const key =
        operation.idempotent || !msgId ? undefined : SentOnce.key(msgId, op, about, parsed.data);
      const before = key === undefined ? undefined : sent.find(person.principal, key);
      if (before) {
        await before.done;
        return answerAgain(before, connection, person, context);
      }
      if (operation.right !== 'none') {
        context.notes.get(noteId);
        context.permissions.require(person, noteId, operation.right, verbOf(op as SentOp));
      }
      const answer = answering.getStore();
      if (key !== undefined && answer)
        ({ finish, hear: answer.hear } = sent.begin(person.principal, key, about));
      await (live[op as SentOp] as (request: unknown, context: ServerContext) => unknown)(
        { data: parsed.data, connection, person, msgId, noteId },
        context,
      );
      const event = auditedOperations[op as SentOp];
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
      tellError(connection, op, id, error);
    } finally {
      finish();
    }
  }

  const whoAndWhere = ({ person, address }: Connection, command: string) => ({
    principal: person?.principal,
    address,
    command,
  });

  function attach(connection: Connection, session: Session): void {
    requireOrigin(
      session.embed?.origin,
      connection.origin,
      connection.origin === undefined ? 'none' : 'listed',
    );
    // Many people come with tokens of one maker: there each token counts by itself.
    const isSame = (other: Connection) =>
      session.embed
        ? other.sessionKey === session.key
        : other.person?.principal === session.principal;
    const open = [...hub.connections].filter(isSame).length;
    if (open >= options.maxSockets) {
      connection.socket.close(1013, 'too many sockets');
      throw new Refusal(429, `at most ${options.maxSockets} sockets a user`);
    }
    connection.sessionKey = session.key;
    hub.signedIn(connection);
    hub.join(connection, undefined);
    connection.jobs = false;
  }

  function tellError(
    connection: Connection,
    op: string,
    id: string | undefined,
    error: unknown,
  ): void {
    const where = { ...(op ? { op } : {}), ...(id ? { id } : {}) };
    if (error instanceof Refusal) {
      if (error.kind === 'forbidden')
        hub.tell(connection, 'AUTH_INFO', { info: error.message, ...where });
      else
        hub.tell(connection, 'ERROR_INFO', { info: error.message, code: error.status, ...where });
      return;
    }
    // Its message is for the log: it may name files and classes.
    log.error({ op, error: (error as Error).stack }, 'an operation failed');
    hub.tell(connection, 'ERROR_INFO', {
      info: `${op || 'The message'} failed on the server.`,
      code: 500,
      ...where,
    });
  }

  /** Ends what a socket hears once its session is over, its user gone or its token no longer good. */
  async function review(): Promise<void> {
    // Once for each session, however many sockets it has.
    const people = new Map<string, Promise<Person | undefined>>();
    for (const connection of hub.connections) {
      const { sessionKey } = connection;
      if (sessionKey === undefined) continue;
      let found = people.get(sessionKey);
      if (!found) {
        const session = context.sessions.byKey(sessionKey);
        people.set(
          sessionKey,
          (found = session ? personOf(session, context) : Promise.resolve(undefined)),
        );
      }
      const person = await found;
      if (person && connection.sessionKey === sessionKey) connection.person = person;
    }
    for (const noteId of hub.openNotes()) hub.dropUnreadable(noteId);
  }
  const reviewing = setInterval(() => {
    review().catch((error: Error) =>
      log.error({ error: error.stack }, 'sessions could not be reviewed'),
    );
  }, REVIEW_MS).unref();

  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      // Who hangs up while he is looked at.
      socket.on('error', () => {});
      admission
        .look(request)
        .then((refusal) => {
          if (!refusal)
            return server.handleUpgrade(request, socket, head, (made) => accept(made, request));
          return refuse(socket, refusal);
        })
        .catch((error: Error) => {
          log.error({ error: error.stack }, 'an upgrade failed');
          refuse(socket, '500 Internal Server Error');
        });
    },
    async close(): Promise<void> {
      clearInterval(reviewing);
      for (const { socket } of hub.connections) socket.close(1001, 'the server is shutting down');
      await new Promise((resolve) => setTimeout(resolve, 50));
      for (const { socket } of hub.connections) socket.terminate();
      server.close();
    },
  };
}

const byNoteId = new Set([
  'GET_NOTE',
  'RELOAD_NOTE',
  'DEL_NOTE',
  'CLONE_NOTE',
  'NOTE_UPDATE',
  'NOTE_RENAME',
  'UPDATE_PERSONALIZED_MODE',
  'MOVE_NOTE_TO_TRASH',
  'RESTORE_NOTE',
  'PARAGRAPH_CLEAR_ALL_OUTPUT',
]);

/** The note an operation concerns: named by it, else the socket's open note. */
function noteOf(op: SentOp, data: Sends[SentOp], connection: Connection): string {
  const named = data as { id?: string; noteId?: string };
  if (byNoteId.has(op)) return named.id ?? '';
  return named.noteId ?? connection.noteId ?? '';
}

const verbs: Partial<Record<SentOp, string>> = {
  DEL_NOTE: 'remove',
  NOTE_RENAME: 'rename',
  NOTE_UPDATE: 'update',
  RUN_ALL_PARAGRAPHS: 'run all paragraphs',
  PARAGRAPH_CLEAR_ALL_OUTPUT: 'clear output',
  MOVE_NOTE_TO_TRASH: 'move to trash',
  RESTORE_NOTE: 'restore',
};
const verbOf = (op: SentOp) => verbs[op];
