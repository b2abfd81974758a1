/** Which session a live connection belongs to, and whether it still may receive messages. */
import { setImmediate } from 'node:timers/promises';
import { TOO_MANY_CONNECTIONS } from '@tiding/client/protocol';
import type { ServerContext } from '../areas/context.ts';
import { personOf } from '../auth/accounts.ts';
import type { ActingUser } from '../auth/permissions.ts';
import type { ServerSession } from '../auth/sessions.ts';
import { Refusal } from '../base/errors.ts';
import { networkOf, requireOrigin } from '../http/origin.ts';
import type { LiveConnection } from '../hub/connection.ts';

/** Connections that are checked before other work has its turn. */
const AT_ONCE = 50;

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
  // Visitors of a page may share an embed token, so the sockets of their issuer are counted, and
  // those of one address, which could otherwise take all of them.
  const issuer = session.embed?.iss;
  const isSame = ({ person }: LiveConnection) =>
    issuer === undefined
      ? person?.principal === session.principal
      : person?.embed?.issuer.principal === issuer;
  const network = networkOf(connection.address);
  const same = [...hub.connections].filter(isSame);
  const near = same.filter(({ address }) => networkOf(address) === network);
  const counts =
    issuer === undefined
      ? ([[same, options.maxSockets, 'of this user']] as const)
      : ([
          [same, options.maxEmbedSockets, 'with embed tokens of one user'],
          [near, options.maxVisitorSockets, 'with embed tokens of one user from one address'],
        ] as const);
  for (const [open, most, whose] of counts) {
    if (open.length < most) continue;
    const reason = `too many connections ${whose}, at most ${most}`;
    connection.socket.close(TOO_MANY_CONNECTIONS, reason);
    throw new Refusal(429, reason);
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
  let count = 0;
  for (const connection of hub.connections) {
    if (++count % AT_ONCE === 0) await setImmediate();
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
