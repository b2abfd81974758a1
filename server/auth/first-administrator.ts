/**
 * The first administrator account: created at the first start, with the given password or else with
 * a sign-in link.
 */

import { isLoopback, type ServerOptions } from '../base/options.ts';
import { ADMIN_ROLES, FIRST_ADMIN, type Users } from './users.ts';

interface FirstAdministrator {
  /** Whether the account has no password, so that signing in needs a link. */
  needsLink(): boolean;
  /**
   * Throws an error with a user-readable message if the server is reachable from other machines and
   * the account has no password. `before` is inserted into the message.
   */
  requirePassword(before?: string): void;
}

/**
 * Creates the first administrator if there is none. An existing password is kept: the option only
 * sets the password of an account without one.
 */
export async function firstAdministrator(
  users: Users,
  { host, adminPassword }: Pick<ServerOptions, 'host' | 'adminPassword'>,
): Promise<FirstAdministrator> {
  await users.refresh();
  if (!users.hasAdmin) await users.set(FIRST_ADMIN, { roles: ADMIN_ROLES });
  const needsLink = () => {
    const first = users.get(FIRST_ADMIN);
    return first !== undefined && first.password === undefined;
  };
  if (needsLink() && adminPassword) await users.set(FIRST_ADMIN, { password: adminPassword });
  return {
    needsLink,
    requirePassword(before = '') {
      if (isLoopback(host) || !needsLink()) return;
      throw new Error(
        `Refusing to listen on ${host} without a password${before}: ` +
          `set TIDING_ADMIN_PASSWORD, or run 'tiding user add ${FIRST_ADMIN}'.`,
      );
    },
  };
}
