/**
 * Users and their roles, in `users.json`. The command line may change the file while a server runs,
 * so it is read again when it has changed.
 */
import { join } from 'node:path';
import { SharedList } from '../storage/files.ts';
import { hashPassword, MIN_PASSWORD, verifyPassword } from './passwords.ts';

/** A user. Without `password`, they sign in by link only. */
export interface User {
  name: string;
  roles: string[];
  password?: string;
  /** When the password was set, in ms; older sessions have ended. */
  passwordSet?: number;
  /** Identity at the provider for users who sign in there. */
  sso?: { issuer: string; subject: string };
  /** The user can't sign in, and their sessions have ended. */
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

  /** Reads the file if it has changed. */
  refresh(): Promise<void> {
    return this.#list.refresh();
  }

  get count(): number {
    return this.#list.items.length;
  }

  get names(): string[] {
    return this.#list.items.map(({ name }) => name).sort();
  }

  /** All roles that are in use or can be granted. */
  get roles(): string[] {
    return [...new Set([...ADMIN_ROLES, ...this.#list.items.flatMap(({ roles }) => roles)])].sort();
  }

  /** Whether any user is an administrator. */
  get hasAdmin(): boolean {
    return this.#list.items.some(
      ({ roles }) => roles.includes('global.SuperAdmin') || roles.includes('admin'),
    );
  }

  get(name: string): User | undefined {
    return this.#list.items.find((user) => user.name === name);
  }

  /** Returns the user with this identity at the provider. */
  bySso({ issuer, subject }: { issuer: string; subject: string }): User | undefined {
    return this.#list.items.find(({ sso }) => sso?.issuer === issuer && sso.subject === subject);
  }

  /**
   * Adds or changes a user. Throws for an invalid name or password. A new user with the first
   * administrator's name gets that account's roles, unless others are given.
   */
  async set(
    name: string,
    change: { roles?: string[]; password?: string; sso?: User['sso']; disabled?: boolean },
  ): Promise<User> {
    if (!namePattern.test(name) || name === 'anonymous')
      throw new Error(`'${name}' is not a valid user name. Use letters, digits and . _ @ + -`);
    if (change.password !== undefined && change.password.length < MIN_PASSWORD) {
      throw new Error(`The password needs at least ${MIN_PASSWORD} characters.`);
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

  /** Removes a user and returns whether there was one. */
  async remove(name: string): Promise<boolean> {
    let had = false;
    await this.#list.update((users) => {
      had = users.some((user) => user.name === name);
      return had ? users.filter((user) => user.name !== name) : users;
    });
    return had;
  }

  /**
   * Returns the user if name and password match. Takes the same time whether or not the user
   * exists.
   */
  async verify(name: string, password: string): Promise<User | undefined> {
    await this.refresh();
    const user = this.get(name);
    return (await verifyPassword(password, user?.password)) && !user?.disabled ? user : undefined;
  }
}
