/** The server's user accounts, as used by statements. */

import { removeUser, setUserDisabled } from '../auth/accounts.ts';
import type { PasswordResets } from '../auth/password-resets.ts';
import { administers } from '../auth/permissions.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { AccessTokenStore } from '../auth/tokens.ts';
import type { User, Users } from '../auth/users.ts';
import { MetadataError, wrongName } from './contract.ts';

/** Maps permissions on the organization to the server roles that represent them. */
export const serverRoles = {
  Admin: 'magpie.OrganizationAdmin',
  AccessToken: 'magpie.AccessToken',
} as const;

/** A person with an account. */
export interface UserAccount {
  readonly userName: string;
  readonly roles: readonly string[];
  readonly isDisabled: boolean;
}

/** Account operations that the statements about users need. */
export interface UserAccounts {
  all(): Promise<readonly UserAccount[]>;
  find(userName: string): Promise<UserAccount | undefined>;
  isAdmin(person: UserAccount): boolean;
  /**
   * Creates an account without a password. Throws {@link MetadataError} if the name is invalid or
   * taken.
   */
  create(userName: string): Promise<void>;
  /** Removes an account. Throws {@link MetadataError} for the last administrator. */
  remove(userName: string): Promise<void>;
  /**
   * Disables or enables an account. Throws {@link MetadataError} for the last administrator.
   */
  setDisabled(userName: string, disabled: boolean): Promise<void>;
  /** Adds or removes a role of the server. */
  setRole(userName: string, role: string, has: boolean): Promise<void>;
  /**
   * Sends a link for setting a new password. Throws {@link MetadataError} if this is requested too
   * often.
   */
  resetPassword(userName: string): void;
}

const personOf = ({ name, roles, disabled }: User): UserAccount => ({
  userName: name,
  roles,
  isDisabled: disabled === true,
});

/** User accounts of this server. */
export function serverPeople(
  users: Users,
  tokens: AccessTokenStore,
  sessions: Sessions,
  resets: () => PasswordResets,
): UserAccounts {
  const fail = (error: unknown): never => {
    const { message } = error as Error;
    throw new MetadataError(
      `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`,
    );
  };
  return {
    async all() {
      await users.refresh();
      return users.names.map((name) => personOf(users.get(name)!));
    },
    async find(userName) {
      await users.refresh();
      const found = users.get(userName);
      return found && personOf(found);
    },
    isAdmin: ({ roles }) => administers({ roles }),
    async create(userName) {
      await users.refresh();
      if (users.get(userName))
        throw new MetadataError(
          `There is already a user ${userName}.`,
          wrongName('user', userName),
        );
      await users.set(userName, { roles: [] }).catch(fail);
    },
    async remove(userName) {
      await removeUser(userName, { users, tokens }, { keepAdministrator: true }).catch(fail);
    },
    async setDisabled(userName, disabled) {
      const stores = { users, sessions, passwordResets: resets() };
      await setUserDisabled(userName, disabled, stores).catch(fail);
    },
    async setRole(userName, role, has) {
      const before = users.get(userName)?.roles ?? [];
      await users.set(userName, {
        roles: has ? [...new Set([...before, role])] : before.filter((each) => each !== role),
      });
    },
    resetPassword(userName) {
      try {
        // Rate-limited by target user: users receive a limited number of messages, no matter who
        // requests them.
        resets().request(userName, `statement ${userName}`);
      } catch (error) {
        fail(error);
      }
    },
  };
}
