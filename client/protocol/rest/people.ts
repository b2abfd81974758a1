/** Users of a Tiding server, for its administrators. */
import * as z from 'zod/mini';
import { endpoint, maybe, open } from '../define.ts';
import { roleAdmin } from './roles.ts';
import { names, nothing, text } from './schemas.ts';

/**
 * A user. `displayName` is the name in the command language. Times are ISO 8601 in UTC. `sessions`
 * counts sign-ins that have not ended. `invited`: the user has neither a password nor signed in.
 * `linkExpiresAt` is when the latest unused link for a password expires. `sso`: the user signs in
 * at the identity provider. `service`: a service account, which has no password.
 */
const serverUser = open({
  name: text,
  displayName: maybe(text),
  roles: names,
  disabled: z.boolean(),
  invited: z.boolean(),
  hasPassword: z.boolean(),
  linkExpiresAt: maybe(text),
  sso: z.boolean(),
  service: z.boolean(),
  lastSignIn: maybe(text),
  sessions: z.number(),
});
/** A user, as administrators see it. */
export type ServerUser = z.infer<typeof serverUser>;

/**
 * A session of a user. `open`: a page of it is open now. `lastUsedAt` is at most half an hour too
 * early. `current` marks the session of the caller.
 */
const userSession = open({
  startedAt: text,
  lastUsedAt: text,
  open: z.boolean(),
  current: z.boolean(),
});
/** A session that a user signed in to. */
export type UserSessionInfo = z.infer<typeof userSession>;

/**
 * A link that sets the password of a user, once, until `expiresAt`. `link` is absent if it was sent
 * by mail.
 */
const passwordLink = open({
  name: text,
  link: maybe(text),
  expiresAt: text,
  mailed: z.boolean(),
});
/** A link that sets a password. */
export type PasswordLinkInfo = z.infer<typeof passwordLink>;

/**
 * REST calls for users. Every call answers 404 for an unknown user, 409 for a change that an
 * administrator can't make to themselves or to the last administrator, and 409 on a server without
 * sign-in.
 */
export const peopleEndpoints = {
  listUsers: endpoint('GET', '/magpie/users', { access: roleAdmin, answer: z.array(serverUser) }),
  /**
   * Creates a user without a password, and a link that sets it within seven days. 409 if there is
   * such a user, 400 for an invalid name or role.
   */
  inviteUser: endpoint('POST', '/magpie/users', {
    access: roleAdmin,
    body: open({ name: text.check(z.minLength(1)), roles: maybe(names) }),
    answer: passwordLink,
    audit: 'user-invited',
  }),
  setUserRoles: endpoint('PUT', '/magpie/users/:userName/roles', {
    access: roleAdmin,
    body: open({ roles: names }),
    answer: serverUser,
    audit: 'user-changed',
  }),
  /**
   * `status` is `enabled` or `disabled`. The sessions of a disabled user end at once; their access
   * tokens and schedules stop until they are enabled.
   */
  setUserStatus: endpoint('PUT', '/magpie/users/:userName/status/:status', {
    access: roleAdmin,
    answer: serverUser,
    audit: 'user-changed',
  }),
  listUserSessions: endpoint('GET', '/magpie/users/:userName/sessions', {
    access: roleAdmin,
    answer: z.array(userSession),
  }),
  /** Ends the sessions of a user, except that of the caller. Access tokens stay valid. */
  endUserSessions: endpoint('DELETE', '/magpie/users/:userName/sessions', {
    access: roleAdmin,
    answer: nothing,
    audit: 'user-sessions-ended',
  }),
  /**
   * Creates a link that sets a new password, and replaces earlier ones. It is valid for half an
   * hour, or for seven days if the user has no password. 409 for users who have none because they
   * sign in elsewhere, or because they are disabled.
   */
  createPasswordLink: endpoint('POST', '/magpie/users/:userName/password-link', {
    access: roleAdmin,
    answer: passwordLink,
    audit: 'password-link-created',
  }),
  /** Removes a user with their sessions, access tokens and permissions. Their notes stay. */
  removeUser: endpoint('DELETE', '/magpie/users/:userName', {
    access: roleAdmin,
    answer: nothing,
    audit: 'user-removed',
  }),
};
