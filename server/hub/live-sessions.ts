/** Which session a live connection belongs to, and whether it still may receive messages. */
import { personOf } from '../auth/accounts.ts';
import type { ActingUser } from '../auth/permissions.ts';
import type { ServerSession } from '../auth/sessions.ts';
import type { ServerContext } from '../context.ts';
import { Refusal } from '../errors.ts';
import { requireOrigin } from '../http/origin.ts';
import type { LiveConnection } from './connection.ts';

/** Attaches a connection to the session whose ticket it has shown. */
export function attachSession(
  { hub, options }: ServerContext,
  connection: LiveConnection,
  session: ServerSession,
): void {
  requireOrigin(
    session.embed?.origin,
    connection.origin,
    connection.origin === undefined ? 'none' : 'listed',
  );
  // Many visitors share the creator of an embed token, so each token has a limit of its own.
  const isSame = (other: LiveConnection) =>
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

/**
 * Stops deliveries to sockets whose session ended, whose user was removed or whose token expired.
 */
export async function reviewSessions(context: ServerContext): Promise<void> {
  const { hub } = context;
  // Checks each session once, however many sockets it has.
  const people = new Map<string, Promise<ActingUser | undefined>>();
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
