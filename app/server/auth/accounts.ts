/** Who a session stands for. Asked at every message and call: users and tokens change under a running server. */
import type { Person } from './permissions.ts';
import type { EmbedTokens } from './embed-tokens.ts';
import type { Session, Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';
import type { Users } from './users.ts';

/** What the answer depends on. */
export interface Accounts {
  readonly users: Users;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly embeds: EmbedTokens;
}

/**
 * The person of a session, with the roles held now. A session ends here, and the answer is `undefined`, when its user is
 * gone, disabled or has a new password, or the token that signed it in is no longer good.
 */
export async function personOf(
  session: Session,
  { users, tokens, sessions, embeds }: Accounts,
): Promise<Person | undefined> {
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
