/** The people of the server, as the platform sees and changes them. */
import type { PasswordResets } from '../auth/password-resets.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { User, Users } from '../auth/users.ts';
import { MetadataError } from './contract.ts';

/** Roles of the server that administer the organization. */
const adminRoles: readonly string[] = ['global.SuperAdmin', 'magpie.OrganizationAdmin', 'admin'];
/** The role of the server that a permission on the organization is the visible side of. */
export const serverRoles = {
  Admin: 'magpie.OrganizationAdmin',
  AccessToken: 'magpie.AccessToken',
} as const;

/** A person with an account. */
export interface Person {
  readonly userName: string;
  readonly roles: readonly string[];
  readonly isDisabled: boolean;
}

/** What the statements about users need. */
export interface People {
  /** All, by name. */
  all(): Promise<readonly Person[]>;
  find(userName: string): Promise<Person | undefined>;
  isAdmin(person: Person): boolean;
  /** Makes an account without a password. Throws {@link MetadataError} on a name that will not do or is taken. */
  create(userName: string): Promise<void>;
  remove(userName: string): Promise<void>;
  setDisabled(userName: string, disabled: boolean): Promise<void>;
  /** Gives or takes a role of the server. */
  setRole(userName: string, role: string, has: boolean): Promise<void>;
  /** Sends a link that sets a new password. Throws {@link MetadataError} where that is asked too often. */
  resetPassword(userName: string): void;
}

const personOf = ({ name, roles, disabled }: User): Person => ({
  userName: name,
  roles,
  isDisabled: disabled === true,
});

/** The accounts of this server. */
export function serverPeople(
  users: Users,
  sessions: Sessions,
  resets: () => PasswordResets,
): People {
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
    isAdmin: ({ roles }) => roles.some((role) => adminRoles.includes(role)),
    async create(userName) {
      await users.refresh();
      if (users.get(userName)) throw new MetadataError(`There is a user ${userName} already.`);
      await users.set(userName, { roles: [] }).catch(fail);
    },
    async remove(userName) {
      await users.remove(userName);
      await sessions.endPrincipal(userName);
    },
    async setDisabled(userName, disabled) {
      await users.set(userName, { disabled });
      if (disabled) await sessions.endPrincipal(userName);
    },
    async setRole(userName, role, has) {
      const before = users.get(userName)?.roles ?? [];
      await users.set(userName, {
        roles: has ? [...new Set([...before, role])] : before.filter((each) => each !== role),
      });
    },
    resetPassword(userName) {
      try {
        // Under the name of the user: whoever asks, he gets so many letters and no more.
        resets().request(userName, `statement ${userName}`);
      } catch (error) {
        fail(error);
      }
    },
  };
}
