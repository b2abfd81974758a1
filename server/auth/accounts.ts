/**
 * Resolves the user of a session, and removes users with everything that would let them, or a later
 * user of the same name, in.
 */
import type { Hub } from '../hub/hub.ts';
import type { InterpreterSettings } from '../settings/settings.ts';
import type { DataFiles } from '../storage/data-files.ts';
import type { CredentialStore } from './credentials.ts';
import { type EmbedTokenStore, embedViewer } from './embed-tokens.ts';
import type { NoteTrustStore } from './note-trust.ts';
import type { PasswordResets } from './password-resets.ts';
import type { ActingUser, NotePermissions } from './permissions.ts';
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
 * Returns the user of a session with their current roles. Called for every message and call,
 * because users and tokens may change while the server runs. Ends the session and returns
 * `undefined` if the user was removed or disabled or has a new password, or if the token that
 * started it is no longer valid.
 */
export async function personOf(
  session: ServerSession,
  { users, tokens, sessions, embeds }: Accounts,
): Promise<ActingUser | undefined> {
  if (session.embed) {
    const { embed, alias } = session;
    const issuer = await embeds.issuerOf(embed, { users, tokens });
    if (issuer) return embedViewer({ embed, alias }, issuer);
    await sessions.end(session.key);
    return undefined;
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

/**
 * Removes a user and their access tokens; returns whether there was one. Needs only files that the
 * command line shares with a running server. The server then calls {@link forgetUser}, at once or
 * at its next start.
 */
export async function removeUser(
  name: string,
  { users, tokens }: { users: Users; tokens: AccessTokenStore },
): Promise<boolean> {
  await tokens.remove(name);
  return users.remove(name);
}

/** The stores that only the server writes. */
export interface UserStores {
  readonly sessions: Sessions;
  readonly tokens: AccessTokenStore;
  readonly embeds: EmbedTokenStore;
  readonly credentials: CredentialStore;
  readonly passwordResets: PasswordResets;
  readonly permissions: NotePermissions;
  readonly trust: NoteTrustStore;
  readonly hub: Hub;
  readonly files: Pick<DataFiles, 'forgetUser'>;
  readonly settings: Pick<InterpreterSettings, 'forgetUser'>;
  /** Removes the user's roles and permissions in the command language. */
  forgetGrants(name: string): Promise<void>;
  /** Ends the schedules of notes that run in the user's name. */
  endSchedules(name: string): Promise<void>;
}

/** Ends the sessions and sockets of a removed user, and removes their tokens and grants. */
export async function forgetUser(name: string, stores: UserStores): Promise<void> {
  await stores.sessions.endUser(name);
  await stores.tokens.remove(name);
  await stores.embeds.revokeAll(name);
  await stores.passwordResets.forget(name);
  await stores.credentials.clear(name);
  await stores.trust.forgetUser(name);
  await stores.permissions.forgetUser(name);
  await stores.forgetGrants(name);
  await stores.endSchedules(name);
  await stores.settings.forgetUser(name);
  await stores.files.forgetUser(name);
  stores.hub.broadcastLists();
}
