import type { ClientContext } from '../client-context.ts';
import type { CallOptions } from '../core/abort.ts';
import { TidingError } from '../errors.ts';
import type { Principals } from '../protocol/index.ts';

/** Searches users and roles, for example for permission lists, and resets forgotten passwords. */
export class PeopleApi {
  readonly #context: ClientContext;

  /** @internal */
  constructor(context: ClientContext) {
    this.#context = context;
  }

  /**
   * Finds users and roles whose name contains `term`, ignoring case. Returns at most five users;
   * names that start with `term` come first.
   */
  find(term: string, options: CallOptions = {}): Promise<Principals> {
    return this.#context.call('findPrincipals', { ...options, params: { term } });
  }

  /** Lists all users and roles. Tiding and Magpie servers only. */
  list(options: CallOptions = {}): Promise<Principals> {
    return this.#context.call('principals', options);
  }

  /**
   * Requests a link for setting a new password. Also resolves if there is no such user, so that
   * user names can't be probed. Rejects with status 429 after too many requests.
   */
  async requestPasswordReset(username: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('requestPasswordReset', {
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
    return (await this.#context.call('checkPasswordReset', { ...options, params: { resetToken } }))
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
    await this.#context.call('resetPassword', {
      ...options,
      params: { resetToken },
      body: { newPassword },
    });
  }
}
