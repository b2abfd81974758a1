/**
 * Users and their roles, in `users.json`. The command line may change the file while a server runs,
 * so it is read again when it has changed.
 */
import { join } from 'node:path';
import { Refusal } from '../base/errors.ts';
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

/** A removed user whose grants the server still has to remove; see {@link Users.onRemoved}. */
interface RemovedUser extends User {
  removed: true;
}

/** Principal of callers who have not signed in. */
export const ANONYMOUS_USER = 'anonymous';
export const FIRST_ADMIN = 'admin';
/** Roles of the first administrator. */
export const ADMIN_ROLES = ['global.SuperAdmin', 'magpie.OrganizationAdmin', 'magpie.AccessToken'];

export const isServerAdministrator = ({ roles }: Pick<User, 'roles'>): boolean =>
  roles.includes('global.SuperAdmin') || roles.includes(ADMIN_ROLE);
const canAdminister = (user: User): boolean => isServerAdministrator(user) && !user.disabled;

/** Throws if a change would leave the server without an administrator who can sign in. */
function requireAdministrator(name: string, before: readonly User[], after: readonly User[]): void {
  if (before.some(canAdminister) && !after.some(canAdminister))
    throw new Refusal(
      409,
      `There is no administrator without ${name}. First give another user the role ` +
        'global.SuperAdmin.',
    );
}

const isRemoved = (user: User | RemovedUser): user is RemovedUser =>
  'removed' in user && user.removed;
const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,127}$/u;
/**
 * The role of administrators in Zeppelin. It shares its name with the first administrator, whose
 * account its holders can manage anyway.
 */
const ADMIN_ROLE = 'admin';

/** The users of a data folder. */
export class Users {
  readonly #list: SharedList<User | RemovedUser>;
  #known: { items: unknown; names: ReadonlySet<string> } = { items: undefined, names: new Set() };
  #forgetting: Promise<void> | undefined;
  #anonymous: User | undefined;
  /**
   * Called for each removed user, also one that the command line removed while no server was
   * running. The user's name can't be used before it resolves. If it rejects, it is called again at
   * the next refresh.
   */
  onRemoved: ((name: string) => Promise<void>) | undefined;

  constructor(folder: string) {
    this.#list = new SharedList(join(folder, 'users.json'), 'users');
  }

  /** Reads the file if it has changed. */
  async refresh(): Promise<void> {
    await this.#list.refresh();
    if (this.onRemoved && this.#list.items.some(isRemoved))
      await (this.#forgetting ??= this.#forget().finally(() => (this.#forgetting = undefined)));
  }

  async #forget(): Promise<void> {
    for (const { name } of this.#list.items.filter(isRemoved)) {
      try {
        await this.onRemoved?.(name);
      } catch {
        // The entry stays, and keeps a new user of that name out.
        continue;
      }
      await this.#list.update((users) =>
        users.filter((user) => user.name !== name || !isRemoved(user)),
      );
    }
  }

  get #users(): readonly User[] {
    return this.#list.items.filter((user) => !isRemoved(user));
  }

  /**
   * Whether a name belongs to a user. Lists of permissions hold names of users and of roles, so a
   * name is one or the other: a role with the name of a user would have the user's rights.
   */
  isUserName(name: string): boolean {
    return name !== ADMIN_ROLE && (name === ANONYMOUS_USER || this.#names.has(name));
  }

  get #names(): ReadonlySet<string> {
    const { items } = this.#list;
    if (this.#known.items !== items)
      this.#known = { items, names: new Set(this.#users.map(({ name }) => name)) };
    return this.#known.names;
  }

  /** Returns a user without roles that have the name of a user; older versions stored them. */
  #withOwnRights(user: User): User {
    return user.roles.some((role) => this.isUserName(role))
      ? { ...user, roles: user.roles.filter((role) => !this.isUserName(role)) }
      : user;
  }

  get count(): number {
    return this.#users.length;
  }

  get names(): string[] {
    return this.#users.map(({ name }) => name).sort();
  }

  /** All roles that are in use or can be granted. */
  get roles(): string[] {
    const used = this.#users.flatMap(({ roles }) => roles);
    return [...new Set([...ADMIN_ROLES, ...used])].filter((role) => !this.isUserName(role)).sort();
  }

  get hasAdmin(): boolean {
    return this.#users.some(isServerAdministrator);
  }

  /** Adds the user of a server without sign-in. It is never stored. */
  admitAnonymous(): void {
    this.#anonymous = { name: ANONYMOUS_USER, roles: ADMIN_ROLES };
  }

  get(name: string): User | undefined {
    if (name === ANONYMOUS_USER) return this.#anonymous;
    const found = this.#list.items.filter((user) => user.name === name);
    if (this.onRemoved && found.some(isRemoved)) return undefined;
    const user = found.find((each) => !isRemoved(each));
    return user && this.#withOwnRights(user);
  }

  /** Returns the user with this identity at the provider. */
  bySso({ issuer, subject }: { issuer: string; subject: string }): User | undefined {
    const user = this.#users.find(({ sso }) => sso?.issuer === issuer && sso.subject === subject);
    return user && this.#withOwnRights(user);
  }

  /**
   * Adds or changes a user. Throws for an invalid name or password. A new user with the first
   * administrator's name gets that account's roles, unless others are given. With
   * `keepAdministrator`, throws a refusal if nobody could administer the server afterwards; with
   * `isNew`, if there is a user of this name. A password counts as set at `passwordSet`, in ms, by
   * default now.
   */
  async set(
    name: string,
    change: Partial<Omit<User, 'name'>>,
    { keepAdministrator = false, isNew = false } = {},
  ): Promise<User> {
    if (!namePattern.test(name) || name === ANONYMOUS_USER)
      throw new Error(`'${name}' is not a valid user name. Use letters, digits and . _ @ + -`);
    if (change.password !== undefined && change.password.length < MIN_PASSWORD) {
      throw new Error(`The password needs at least ${MIN_PASSWORD} characters.`);
    }
    const secret =
      change.password === undefined
        ? {}
        : {
            password: await hashPassword(change.password),
            passwordSet: change.passwordSet ?? Date.now(),
          };
    let user: User = { name, roles: name === FIRST_ADMIN ? ADMIN_ROLES : [] };
    await this.#list.update((users) => {
      const existing = users.find((known) => known.name === name && !isRemoved(known));
      if (isNew && existing) throw new Refusal(409, `There is already a user ${name}.`);
      if (!existing && name !== FIRST_ADMIN && this.roles.includes(name))
        throw new Refusal(409, `There is a role ${name}. Choose another name for the user.`);
      const taken = change.roles?.find((role) => role === name || this.isUserName(role));
      if (taken !== undefined && taken !== ADMIN_ROLE && !existing?.roles.includes(taken))
        throw new Refusal(409, `${taken} is a user. Choose another name for the role.`);
      user = {
        ...user,
        ...existing,
        ...secret,
        ...(change.roles ? { roles: change.roles } : {}),
        ...(change.sso ? { sso: change.sso } : {}),
        ...(change.disabled === undefined ? {} : { disabled: change.disabled }),
      };
      const all = [...users.filter((known) => known.name !== name || isRemoved(known)), user];
      if (keepAdministrator) requireAdministrator(name, users, all);
      return all;
    });
    return user;
  }

  /**
   * Removes a user and returns whether there was one. Use `removeUser`, which also removes what
   * belongs to the user. `keepAdministrator`: see {@link set}.
   */
  async remove(name: string, { keepAdministrator = false } = {}): Promise<boolean> {
    let had = false;
    await this.#list.update((users) => {
      had = users.some((user) => user.name === name && !isRemoved(user));
      if (!had) return users;
      const removed: RemovedUser = { name, roles: [], removed: true };
      const all = [...users.filter((user) => user.name !== name), removed];
      if (keepAdministrator) requireAdministrator(name, users, all);
      return all;
    });
    await this.refresh();
    return had;
  }

  /**
   * Returns the user if name and password match. Takes the same time whether or not the user
   * exists. `isFirst`: before other passwords that wait.
   */
  async verify(
    name: string,
    password: string,
    options: { readonly isFirst?: boolean } = {},
  ): Promise<User | undefined> {
    await this.refresh();
    const user = this.get(name);
    const isRight = await verifyPassword(password, user?.password, options);
    return isRight && !user?.disabled ? user : undefined;
  }
}
