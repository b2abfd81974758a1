/** People and their roles, in `users.json`. The command line changes it under a running server, so it is read again when it changed. */
import { join } from 'node:path';
import { SharedList } from '../files.ts';
import { hashPassword, MIN_PASSWORD, verifyPassword } from './passwords.ts';

/** A user. `password` absent: signs in by link only. */
export interface User {
  name: string;
  roles: string[];
  password?: string;
  /** When the password was set, in ms: sessions from before are over. */
  passwordSet?: number;
  /** Who it is at the identity provider: signs in there. */
  sso?: { issuer: string; subject: string };
  /** Does not sign in, and what he is signed in with is over. */
  disabled?: boolean;
}

/** Name of the first administrator. */
export const FIRST_ADMIN = 'admin';
/** Roles of the first administrator. */
export const ADMIN_ROLES = ['global.SuperAdmin', 'magpie.OrganizationAdmin', 'magpie.AccessToken'];

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,127}$/u;

/** The users of a data folder. */
export class Users {
  readonly #list: SharedList<User>;

  constructor(folder: string) {
    this.#list = new SharedList(join(folder, 'users.json'), 'users');
  }

  /** Reads the file, if it changed. */
  refresh(): Promise<void> {
    return this.#list.refresh();
  }

  get count(): number {
    return this.#list.items.length;
  }

  get names(): string[] {
    return this.#list.items.map(({ name }) => name).sort();
  }

  /** The roles that somebody has, or may be given. */
  get roles(): string[] {
    return [...new Set([...ADMIN_ROLES, ...this.#list.items.flatMap(({ roles }) => roles)])].sort();
  }

  /** Whether somebody administers the server. */
  get hasAdmin(): boolean {
    return this.#list.items.some(
      ({ roles }) => roles.includes('global.SuperAdmin') || roles.includes('admin'),
    );
  }

  get(name: string): User | undefined {
    return this.#list.items.find((user) => user.name === name);
  }

  /** The user that somebody is at the identity provider. */
  bySso({ issuer, subject }: { issuer: string; subject: string }): User | undefined {
    return this.#list.items.find(({ sso }) => sso?.issuer === issuer && sso.subject === subject);
  }

  /**
   * Adds a user, or changes one. Throws on a name or a password that will not do. A new user with the first
   * administrator's name has that one's roles, unless others are given.
   */
  async set(
    name: string,
    change: { roles?: string[]; password?: string; sso?: User['sso']; disabled?: boolean },
  ): Promise<User> {
    if (!namePattern.test(name) || name === 'anonymous')
      throw new Error(`'${name}' is not a user name: use letters, digits and . _ @ + -`);
    if (change.password !== undefined && change.password.length < MIN_PASSWORD) {
      throw new Error(`the password needs at least ${MIN_PASSWORD} characters`);
    }
    const secret =
      change.password === undefined
        ? {}
        : { password: await hashPassword(change.password), passwordSet: Date.now() };
    let user: User = { name, roles: name === FIRST_ADMIN ? ADMIN_ROLES : [] };
    await this.#list.update((users) => {
      user = {
        ...user,
        ...users.find((known) => known.name === name),
        ...secret,
        ...(change.roles ? { roles: change.roles } : {}),
        ...(change.sso ? { sso: change.sso } : {}),
        ...(change.disabled === undefined ? {} : { disabled: change.disabled }),
      };
      return [...users.filter((known) => known.name !== name), user];
    });
    return user;
  }

  /** Removes a user; says whether there was one. */
  async remove(name: string): Promise<boolean> {
    let had = false;
    await this.#list.update((users) => {
      had = users.some((user) => user.name === name);
      return had ? users.filter((user) => user.name !== name) : users;
    });
    return had;
  }

  /** The user, if name and password fit. Takes the same time whether or not there is such a user. */
  async verify(name: string, password: string): Promise<User | undefined> {
    await this.refresh();
    const user = this.get(name);
    return (await verifyPassword(password, user?.password)) && !user?.disabled ? user : undefined;
  }
}
