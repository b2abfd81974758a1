import type { CallOptions } from '../core/abort.ts';
import { TidingError } from '../core/errors.ts';
import type {
  PasswordLinkInfo,
  Principals,
  ServerUser,
  UserSessionInfo,
} from '../protocol/index.ts';
import { ClientArea } from '../session/client-area.ts';

/**
 * Searches users and roles, for example for permission lists, and resets forgotten passwords.
 *
 * Administrators of a Tiding server also manage its users, with {@link users} and the methods after
 * it. On other servers, these reject with `unsupported`; without the role `global.SuperAdmin`, with
 * status 403; on a server without sign-in, with status 409.
 *
 * @example
 * const { link, mailed } = await client.people.invite('ann@example.org', ['analysts']);
 * await client.people.setRoles('ann@example.org', ['analysts', 'magpie.AccessToken']);
 * await client.people.disable('ann@example.org');
 */
export class PeopleApi extends ClientArea {
  /**
   * Finds users and roles whose name contains `term`, ignoring case. Returns at most five users;
   * names that start with `term` come first.
   */
  find(term: string, options: CallOptions = {}): Promise<Principals> {
    return this.context.call('findPrincipals', { ...options, params: { term } });
  }

  /** Lists all users and roles. Tiding and Magpie servers only. */
  list(options: CallOptions = {}): Promise<Principals> {
    return this.context.call('principals', options);
  }

  /**
   * Requests a link for setting a new password. Also resolves if there is no such user, so that
   * user names can't be probed. Rejects with status 429 after too many requests.
   */
  async requestPasswordReset(username: string, options: CallOptions = {}): Promise<void> {
    await this.context.call('requestPasswordReset', {
      ...options,
      body: { username: username.trim() },
    });
  }

  /**
   * Returns until when a reset link is valid (ISO 8601, UTC). Rejects with status 404 for an
   * unknown link and 410 for a used or expired one.
   */
  async checkPasswordReset(
    resetToken: string,
    options: CallOptions = {},
  ): Promise<string | undefined> {
    return (await this.context.call('checkPasswordReset', { ...options, params: { resetToken } }))
      .expiresAt;
  }

  /**
   * Sets the new password. If the two passwords differ, rejects with 'Passwords must match'
   * (specification) without sending anything.
   */
  async resetPassword(
    resetToken: string,
    newPassword: string,
    confirmation = newPassword,
    options: CallOptions = {},
  ): Promise<void> {
    if (newPassword !== confirmation)
      throw new TidingError('protocol', 'Passwords must match', { operation: 'resetPassword' });
    await this.context.call('resetPassword', {
      ...options,
      params: { resetToken },
      body: { newPassword },
    });
  }

  /** Lists all users with their roles, last sign-in and number of sessions, by name. */
  users(options: CallOptions = {}): Promise<ServerUser[]> {
    return this.context.call('listUsers', options);
  }

  /**
   * Creates a user without a password, and a link that sets it. The link works once, within seven
   * days. It is sent by mail if the server has a mail server and the name is an address; otherwise
   * it is in the result, and can't be retrieved again. Rejects with status 409 if there is such a
   * user, and 400 for an invalid name or role.
   */
  invite(
    name: string,
    roles: readonly string[] = [],
    options: CallOptions = {},
  ): Promise<PasswordLinkInfo> {
    return this.context.call('inviteUser', { ...options, body: { name, roles: [...roles] } });
  }

  /**
   * Replaces the roles of a user. Rejects with status 404 for an unknown user, and 409 if you would
   * no longer be an administrator.
   */
  setRoles(name: string, roles: readonly string[], options: CallOptions = {}): Promise<ServerUser> {
    return this.context.call('setUserRoles', {
      ...options,
      params: { userName: name },
      body: { roles: [...roles] },
    });
  }

  /**
   * Disables a user: their pages are signed out, and their access tokens and schedules stop until
   * the user is enabled. Rejects with status 404 for an unknown user, and 409 for yourself.
   */
  disable(name: string, options: CallOptions = {}): Promise<ServerUser> {
    return this.context.call('setUserStatus', {
      ...options,
      params: { userName: name, status: 'disabled' },
    });
  }

  /** Enables a user again. Rejects with status 404 for an unknown user. */
  enable(name: string, options: CallOptions = {}): Promise<ServerUser> {
    return this.context.call('setUserStatus', {
      ...options,
      params: { userName: name, status: 'enabled' },
    });
  }

  /** Lists the sessions that a user signed in to, newest first. */
  sessions(name: string, options: CallOptions = {}): Promise<UserSessionInfo[]> {
    return this.context.call('listUserSessions', { ...options, params: { userName: name } });
  }

  /**
   * Signs a user out everywhere. The session of this client continues, and access tokens stay
   * valid.
   */
  async endSessions(name: string, options: CallOptions = {}): Promise<void> {
    await this.context.call('endUserSessions', { ...options, params: { userName: name } });
  }

  /**
   * Creates a link that sets a new password, and replaces the user's earlier links. It works once,
   * within half an hour, or seven days for a user without a password. It is sent by mail or in the
   * result, as by {@link invite}. Rejects with status 409 if the user is disabled or has no
   * password because of single sign-on.
   */
  createPasswordLink(name: string, options: CallOptions = {}): Promise<PasswordLinkInfo> {
    return this.context.call('createPasswordLink', { ...options, params: { userName: name } });
  }

  /**
   * Removes a user with their sessions, access tokens, files and permissions. Their notes stay.
   * Rejects with status 404 for an unknown user, and 409 for yourself.
   */
  async remove(name: string, options: CallOptions = {}): Promise<void> {
    await this.context.call('removeUser', { ...options, params: { userName: name } });
  }
}
