/** A live connection of a server. */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { ActingUser } from '../auth/permissions.ts';

/** One socket. `person` is set by its first valid message. */
export interface LiveConnection {
  readonly socket: WebSocket;
  /** The TCP stream that the socket writes to. */
  readonly stream: Socket;
  /** IP address of the caller, for the audit log. */
  readonly address: string;
  /** Origin of the third-party page that opened it. */
  readonly origin: string | undefined;
  person: ActingUser | undefined;
  /** Hash of the session id; ending the session ends the socket's permissions. */
  sessionKey: string | undefined;
  /** The note open on this socket, at most one. */
  noteId: string | undefined;
  /** Whether it is subscribed to the job list. */
  jobs: boolean;
}
