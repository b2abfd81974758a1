/** Names that may stand in lists of permissions, and new passwords for who forgot theirs. */
import type { CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import { TidingError } from '../errors.ts';
import type { Principals } from '../protocol/index.ts';

/** People of the server. */
export class People {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** Users and roles whose name has `term` in it, whatever its case: at most five users, those that start with it first. */
  find(term: string, options: CallOptions = {}): Promise<Principals> {
    return this.#context.call('findPrincipals', { ...options, params: { term } });
  }

  /** All users and roles. On ours and on the fork. */
  list(options: CallOptions = {}): Promise<Principals> {
    return this.#context.call('principals', options);
  }

  /** Asks for a link that sets a new password. Resolves whether or not there is such a user. 429 when asked too often. */
  async requestPasswordReset(username: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('requestPasswordReset', {
      ...options,
      body: { username: username.trim() },
    });
  }

  /** Until when a link is good (ISO 8601 UTC). 404 for an unknown one, 410 for one that is used or expired. */
  async checkPasswordReset(
    resetToken: string,
    options: CallOptions = {},
  ): Promise<string | undefined> {
    return (await this.#context.call('checkPasswordReset', { ...options, params: { resetToken } }))
      .expiresAt;
  }

  /** Sets the new password. Rejects before anything is sent with 'Passwords must match' (specification). */
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
