/** The first administrator: made at the first start, with the password that was given, else signed in by a link. */
import { ADMIN_ROLES, FIRST_ADMIN, type Users } from './auth/users.ts';
import { isLoopback, type ServerOptions } from './options.ts';

/** What a start asks of the first administrator. */
export interface FirstAdministrator {
  /** Whether there is no password: then a link signs in. */
  needsLink(): boolean;
  /** Throws a sentence for people where others reach the server and there is no password. `before`: what more is to be said of the server. */
  requirePassword(before?: string): void;
}

/** Makes the first administrator where there is none. A password that is there stays: the option is for whoever has none yet. */
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
        `Refusing to listen on ${host} without a password${before}: set TIDING_ADMIN_PASSWORD, or run 'tiding user add ${FIRST_ADMIN}'.`,
      );
    },
  };
}
