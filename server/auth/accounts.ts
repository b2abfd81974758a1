/**
 * Resolves the user of a session. Called for every message and call, because users and tokens may
 * change while the server runs.
 */

import type { EmbedTokenStore } from './embed-tokens.ts';
import type { ActingUser } from './permissions.ts';
import type { ServerSession, Sessions } from './sessions.ts';
import type { AccessTokenStore } from './tokens.ts';
import type { Users } from './users.ts';

/** The stores that users, tokens and sessions are looked up in. */
export interface Accounts {
  readonly users: Users;
  readonly tokens: AccessTokenStore;
  readonly sessions: Sessions;
  readonly embeds: EmbedTokenStore;
}

/**
 * Returns the user of a session with their current roles. Ends the session and returns `undefined`
 * if the user was removed or disabled or has a new password, or if the token that started it is no
 * longer valid.
 */
export async function personOf(
  session: ServerSession,
  { users, tokens, sessions, embeds }: Accounts,
): Promise<ActingUser | undefined> {
  if (session.embed) {
    const person = await embeds.personOf(session.embed, { users, tokens });
    if (!person) await sessions.end(session.key);
    return person;
  }
  await users.refresh();
  const user = users.get(session.principal);
  const good =
    user !== undefined &&
    !user.disabled &&
    (session.tokenId === undefined
      ? session.created >= (user.passwordSet ?? 0)
      : await tokens.isGood(session.principal, session.tokenId));
  if (good) return { principal: user.name, roles: user.roles };
  await sessions.end(session.key);
  return undefined;
}
