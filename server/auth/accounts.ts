/**
 * Resolves the user of a session, and removes users with everything that would let them, or a later
 * user of the same name, in.
 */
import type { CredentialStore } from './credentials.ts';
import { type EmbedTokenStore, embedViewer } from './embed-tokens.ts';
import type { NoteTrustStore } from './note-trust.ts';
import type { PasswordResets } from './password-resets.ts';
import type { ActingUser, NotePermissions } from './permissions.ts';
import type { ServerSession, Sessions } from './sessions.ts';
import type { AccessTokenStore } from './tokens.ts';
import type { Users } from './users.ts';

/** Why the sessions of a user end, as sentences for that user. */
const ACCOUNT_DISABLED = 'Your account has been disabled. Ask an administrator.';
const ACCOUNT_REMOVED = 'Your account has been removed. Ask an administrator.';

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
  // Setting a password renews the session of the page that set it, perhaps during this call.
  const { created } = sessions.byKey(session.key) ?? session;
  const good =
    user !== undefined &&
    !user.disabled &&
    (session.tokenId === undefined
      ? created >= (user.passwordSet ?? 0)
      : await tokens.isGood(session.principal, session.tokenId));
  if (good) return { principal: user.name, roles: user.roles };
  await sessions.end(session.key, user?.disabled ? ACCOUNT_DISABLED : undefined);
  return undefined;
}

/** Returns a user with their current roles, or `undefined` if they were removed or disabled. */
export async function activeUser(
  users: Pick<Users, 'refresh' | 'get'>,
  principal: string,
): Promise<ActingUser | undefined> {
  await users.refresh();
  const user = users.get(principal);
  return user && !user.disabled ? { principal, roles: user.roles } : undefined;
}

/**
 * Disables or enables a user. The sessions of a disabled user end at once, also those of access
 * tokens and embed tokens, and links that set their password stop working. Tokens and schedules are
 * kept, and are refused until the user is enabled. Throws a refusal for the last administrator.
 */
export async function setUserDisabled(
  name: string,
  disabled: boolean,
  {
    users,
    sessions,
    passwordResets,
  }: Pick<UserStores, 'sessions' | 'passwordResets'> & Pick<Accounts, 'users'>,
): Promise<void> {
  await users.set(name, { disabled }, { keepAdministrator: true });
  if (!disabled) return;
  await sessions.endUser(name, ACCOUNT_DISABLED);
  await passwordResets.forget(name);
}

/**
 * Removes a user and their access tokens; returns whether there was one. Needs only files that the
 * command line shares with a running server. The server then calls {@link forgetUser}, at once or
 * at its next start. With `keepAdministrator`, throws a refusal for the last administrator.
 */
export async function removeUser(
  name: string,
  { users, tokens }: Pick<Accounts, 'users' | 'tokens'>,
  options: { keepAdministrator?: boolean } = {},
): Promise<boolean> {
  const had = await users.remove(name, options);
  await tokens.remove(name);
  return had;
}

/** Keeps things of users. */
interface OfUsers {
  forgetUser(name: string): Promise<void>;
}

/** The stores that only the server writes. */
interface UserStores extends Omit<Accounts, 'users'> {
  readonly credentials: CredentialStore;
  readonly passwordResets: PasswordResets;
  readonly permissions: NotePermissions;
  readonly trust: NoteTrustStore;
  readonly hub: { broadcastLists(): void };
  readonly files: OfUsers;
  readonly settings: OfUsers;
  /** Removes the user's roles and permissions in the command language. */
  forgetGrants(name: string): Promise<void>;
  /** Ends the schedules of notes that run in the user's name. */
  endSchedules(name: string): Promise<void>;
}

/** Ends the sessions and sockets of a removed user, and removes their tokens and grants. */
export async function forgetUser(name: string, stores: UserStores): Promise<void> {
  await stores.sessions.endUser(name, ACCOUNT_REMOVED);
  await stores.sessions.forgetSignIn(name);
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
