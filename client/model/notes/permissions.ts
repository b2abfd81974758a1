import type { Right } from '../../protocol/define.ts';
import type { Permissions } from '../../protocol/objects.ts';
import { parseJson } from '../json-object.ts';

/** A user with roles, to check against the permissions of a note. */
export interface UserWithRoles {
  /** Name of the user; `anonymous` if nobody is signed in. */
  readonly principal: string;
  /** Names of the roles with their prefix, for example `magpie.Analyst`. */
  readonly roles: readonly string[];
}

/** Prefix of principals from an external identity provider. */
const EXTERNAL_MARK = '#Pac4j';
const ADMIN_ROLE = 'notebook_admin';

/**
 * Parses the roles of a ticket, which is the JSON text of a list (specification). Anything else
 * means no roles.
 */
export function parseRoles(text: string | undefined): string[] {
  const roles = parseJson(text ?? '');
  return Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [];
}

/**
 * Whether `roles` contains a role. Names are compared exactly, including their prefix `global.` or
 * `magpie.` (specification).
 */
export function hasRole(roles: readonly string[], role: string): boolean {
  return roles.includes(role);
}

/** Whether `roles` contains any of the wanted roles (specification). False if none is wanted. */
export function hasAnyRole(roles: readonly string[], wanted: readonly string[]): boolean {
  return wanted.some((role) => roles.includes(role));
}

function allows(list: readonly string[], { principal, roles }: UserWithRoles): boolean {
  return list.length === 0 || list.includes(principal) || hasAnyRole(roles, list);
}

/**
 * Whether the user owns the note: the user or one of their roles is listed in `owners`, or they
 * have the role `notebook_admin` (specification). An empty list means everybody, as on the server
 * (Zeppelin 0.8.2).
 */
export function isOwner(permissions: Permissions, holder: UserWithRoles): boolean {
  return allows(permissions.owners, holder) || hasRole(holder.roles, ADMIN_ROLE);
}

/**
 * Whether the user may change the note: they are listed in `writers`, or own the note. An empty
 * list means everybody.
 */
export function isWriter(permissions: Permissions, holder: UserWithRoles): boolean {
  return allows(permissions.writers, holder) || isOwner(permissions, holder);
}

/**
 * Whether the user may run the note: they are listed in `runners`, or may change it. An empty list
 * means everybody.
 */
export function isRunner(permissions: Permissions, holder: UserWithRoles): boolean {
  return allows(permissions.runners, holder) || isWriter(permissions, holder);
}

/**
 * Whether the user may read the note: they are listed in `readers`, or may run it. An empty list
 * means everybody.
 */
export function isReader(permissions: Permissions, holder: UserWithRoles): boolean {
  return allows(permissions.readers, holder) || isRunner(permissions, holder);
}

/** Rights on a note from the lowest to the highest; each includes those before it. */
const ascending: readonly Right[] = ['none', 'reader', 'runner', 'writer', 'owner'];

/** Returns the highest right that the user has on the note. */
export function rightOn(permissions: Permissions, holder: UserWithRoles): Right {
  if (isOwner(permissions, holder)) return 'owner';
  if (isWriter(permissions, holder)) return 'writer';
  if (isRunner(permissions, holder)) return 'runner';
  return isReader(permissions, holder) ? 'reader' : 'none';
}

/** Whether a right on a note includes another one: an owner may write, a writer may run. */
export function includesRight(right: Right, needed: Right): boolean {
  return ascending.indexOf(right) >= ascending.indexOf(needed);
}

/**
 * Returns the user name to display. For an external identity (a principal with the prefix of its
 * provider) it is the part between `, name=` and the next comma (specification), or the principal
 * itself if there is no such part.
 */
export function screenUsername(principal: string): string {
  if (!principal.startsWith(EXTERNAL_MARK)) return principal;
  return /, name=(.*?),/.exec(principal)?.[1] ?? principal;
}

/**
 * Whether nobody is signed in: the principal is `anonymous` or missing (specification). Anonymous
 * users can't set permissions.
 */
export function isAnonymous(principal: string | undefined): boolean {
  return principal === undefined || principal.trim() === '' || principal === 'anonymous';
}

/** What setting lists of permissions would change. */
export interface PermissionChanges {
  /** Names that would be added, by list. */
  readonly added: Permissions;
  /** Names that would be removed, by list. */
  readonly removed: Permissions;
  /** Names in the wanted lists that no user and no role of the server has. */
  readonly unknown: readonly string[];
}

/** Compares the lists of a note with wanted ones. */
export function permissionChanges(
  now: Permissions,
  wanted: Permissions,
  known: readonly string[],
): PermissionChanges {
  const lists = ['owners', 'writers', 'runners', 'readers'] as const;
  const beyond = (more: Permissions, less: Permissions) =>
    Object.fromEntries(
      lists.map((list) => [list, more[list].filter((name) => !less[list].includes(name))]),
    ) as unknown as Permissions;
  const names = new Set(lists.flatMap((list) => wanted[list]));
  return {
    added: beyond(wanted, now),
    removed: beyond(now, wanted),
    unknown: [...names].filter((name) => !known.includes(name)),
  };
}
