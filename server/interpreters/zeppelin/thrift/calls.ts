/** Calls of a Thrift service on sockets: the side that calls and the side that answers. */

import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import {
  CALL,
  ConnectionEnded,
  EXCEPTION,
  MessageReader,
  messageOf,
  ONEWAY,
  REPLY,
  ThriftMismatch,
} from './binary.ts';
import type {
  ThriftArgs,
  ThriftFields,
  ThriftMethod,
  ThriftResult,
  ThriftService,
  ThriftType,
} from './types.ts';

/** The other side could not carry out a call. The message is its own. */
export class CallFailed extends Error {
  override readonly name: string = 'CallFailed';
}

/** A call took longer than its time limit. */
export class CallTimeout extends Error {
  override readonly name: string = 'CallTimeout';
}

/** Field of the only exception of a method. */
const PROBLEM = 'problem';
const RESULT = 'result';
const failure: ThriftFields = { message: [1, 'string'], kind: [2, 'i32'] };
const UNKNOWN_METHOD = 1;
const INTERNAL_ERROR = 6;

/** The exception that methods declare, with its only field. */
const THROWN = 'errorMessage';
const thrown: ThriftType = { struct: { [THROWN]: [1, 'string'] } };

const resultFields = ({ result, throws = true }: ThriftMethod): ThriftFields => ({
  ...(result === undefined ? {} : { [RESULT]: [0, result] }),
  ...(throws ? { [PROBLEM]: [1, thrown] } : {}),
});

/** Time in which a connection must send the secret, in ms. */
const SECRET_MS = 5_000;

/** Where a service is, and what each connection to it begins with. */
export interface ThriftPlace {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
}

interface Connection {
  readonly socket: Socket;
  readonly reader: MessageReader;
  sequence: number;
}

/** Calls a service. A connection carries one call at a time; more calls open more connections. */
export class ThriftClient<S extends ThriftService> {
  readonly #place: ThriftPlace;
  readonly #service: S;
  readonly #idle: Connection[] = [];
  readonly #open = new Set<Socket>();
  #closed = false;

  constructor(service: S, place: ThriftPlace) {
    this.#service = service;
    this.#place = place;
  }

  /**
   * Calls a method. Rejects with {@link CallFailed}, {@link CallTimeout}, {@link ThriftMismatch} or
   * the error of the connection.
   * @param limitMs time limit; absent: none
   */
  async call<N extends keyof S & string>(
    name: N,
    args: ThriftArgs<S[N]>,
    limitMs?: number,
  ): Promise<ThriftResult<S[N]>> {
    const connection = this.#idle.pop() ?? (await this.#connect());
    const { socket } = connection;
    let isLate = false;
    const timer =
      limitMs === undefined
        ? undefined
        : setTimeout(() => {
            isLate = true;
            socket.destroy();
          }, limitMs);
    try {
      const result = await this.#exchange(connection, name, args);
      this.#idle.push(connection);
      return result as ThriftResult<S[N]>;
    } catch (error) {
      if (isLate) throw new CallTimeout(`${name} did not answer within ${limitMs} ms.`);
      // After a failure that the other side reports, the connection can be used again.
      if (error instanceof CallFailed) this.#idle.push(connection);
      else socket.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #exchange(connection: Connection, name: string, args: object): Promise<unknown> {
    const { socket, reader } = connection;
    const method = this.#service[name]!;
    connection.sequence += 1;
    const sent = { kind: CALL, name, sequence: connection.sequence };
    socket.write(messageOf(sent, method.args, args as Record<string, unknown>));
    const head = await reader.head();
    if (head.sequence !== sent.sequence || (head.kind !== REPLY && head.kind !== EXCEPTION))
      throw new ThriftMismatch(`The answer to ${name} does not belong to this call.`);
    if (head.kind === EXCEPTION) {
      const { message } = await reader.struct(failure);
      throw new CallFailed(String(message ?? `${name} failed.`));
    }
    const reply = await reader.struct(resultFields(method));
    const problem = reply[PROBLEM];
    if (problem) throw new CallFailed(String(Object.values(problem)[0] ?? `${name} failed.`));
    if (method.result !== undefined && reply[RESULT] === undefined)
      throw new CallFailed(`${name} returned nothing.`);
    return reply[RESULT];
  }

  async #connect(): Promise<Connection> {
    if (this.#closed) throw new ConnectionEnded('The connection was closed.');
    const { host, port, secret } = this.#place;
    const socket = connect({ host, port, noDelay: true });
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      const at = this.#idle.findIndex((each) => each.socket === socket);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    await once(socket, 'connect');
    // The reader notices that the socket was closed.
    socket.on('error', () => undefined);
    socket.write(secret);
    return { socket, reader: new MessageReader(socket), sequence: 0 };
  }

  /** Closes all connections. Calls that wait for an answer are rejected. */
  close(): void {
    this.#closed = true;
    for (const socket of this.#open) socket.destroy();
  }
}

/** Answers the calls of a service. An error becomes the exception of the method. */
export type ThriftHandlers<S extends ThriftService> = {
  readonly [N in keyof S]?: (
    args: ThriftArgs<S[N]>,
  ) => ThriftResult<S[N]> | Promise<ThriftResult<S[N]>>;
};

export interface RunningService {
  readonly port: number;
  /** Closes the port and all connections. */
  close(): void;
}

/** Serves a service on a free port of loopback, for connections that begin with the secret. */
export async function serveThrift<S extends ThriftService>(
  service: S,
  handlers: ThriftHandlers<S>,
  secret: string,
  host = '127.0.0.1',
): Promise<RunningService> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
    void answer(socket, service, handlers as Handlers, Buffer.from(secret)).finally(() =>
      socket.destroy(),
    );
  });
  server.listen(0, host);
  await once(server, 'listening');
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Handlers = Readonly<Record<string, ((args: unknown) => unknown) | undefined>>;

/** Answers the calls of a connection, one after another, until it ends. */
async function answer(
  socket: Socket,
  service: ThriftService,
  handlers: Handlers,
  secret: Buffer,
): Promise<void> {
  const reader = new MessageReader(socket);
  const timer = setTimeout(() => socket.destroy(), SECRET_MS);
  try {
    const start = await reader.prefix(secret.length).finally(() => clearTimeout(timer));
    if (!timingSafeEqual(start, secret)) return;
    for (;;) {
      const { kind, name, sequence } = await reader.head();
      const method = Object.hasOwn(service, name) ? service[name] : undefined;
      const args = await reader.struct(method?.args ?? {});
      const reply = await replyTo({ name, sequence }, method, handlers[name], args);
      if (kind !== ONEWAY && !socket.write(reply))
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    }
  } catch {
    // The connection has ended, or carries something other than Thrift. Both end it.
  }
}

async function replyTo(
  head: { readonly name: string; readonly sequence: number },
  method: ThriftMethod | undefined,
  handler: Handlers[string],
  args: unknown,
): Promise<Buffer> {
  const failed = (message: string, kind: number): Buffer =>
    messageOf({ ...head, kind: EXCEPTION }, failure, { message, kind });
  if (!method || !handler) return failed(`There is no method ${head.name}.`, UNKNOWN_METHOD);
  const fields = resultFields(method);
  try {
    return messageOf({ ...head, kind: REPLY }, fields, { [RESULT]: await handler(args) });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (method.throws === false) return failed(text, INTERNAL_ERROR);
    return messageOf({ ...head, kind: REPLY }, fields, { [PROBLEM]: { [THROWN]: text } });
  }
}
