/** Who may do what: roles of a session, and the four lists of a note. */
import type { Permissions } from '../protocol/objects.ts';

/** A session's principal and roles. */
export interface Holder {
  /** Name of the user; `anonymous` for nobody. */
  readonly principal: string;
  /** Names of roles with their prefix, for example `magpie.Analyst`. */
  readonly roles: readonly string[];
}

/** Marks a principal of an external identity provider. */
const EXTERNAL_MARK = '#Pac4j';
const ADMIN_ROLE = 'notebook_admin';

/** The roles of a ticket, which carries them as the JSON text of a list (specification). Anything else is no roles. */
export function parseRoles(text: string | undefined): string[] {
  try {
    const roles: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [];
  } catch {
    return [];
  }
}

/** Whether a role is among `roles`; names are compared exactly, with their prefix `global.` or `magpie.` (specification). */
export function hasRole(roles: readonly string[], role: string): boolean {
  return roles.includes(role);
}

/** Whether any of the wanted roles is among `roles` (specification). False when none is wanted. */
export function hasAnyRole(roles: readonly string[], wanted: readonly string[]): boolean {
  return wanted.some((role) => roles.includes(role));
}

function allows(list: readonly string[], { principal, roles }: Holder): boolean {
  return list.length === 0 || list.includes(principal) || hasAnyRole(roles, list);
}

/**
 * Whether the holder owns the note: named in `owners`, holder of a role named there, or of `notebook_admin`
 * (specification). An empty list means everybody, as the server acts (upstream 0.8.2).
 */
export function isOwner(permissions: Permissions, holder: Holder): boolean {
  return allows(permissions.owners, holder) || hasRole(holder.roles, ADMIN_ROLE);
}

/** Whether the holder may change the note: named in `writers`, or an owner. An empty list means everybody. */
export function isWriter(permissions: Permissions, holder: Holder): boolean {
  return allows(permissions.writers, holder) || isOwner(permissions, holder);
}

/** Whether the holder may run the note: named in `runners`, or a writer. An empty list means everybody. */
export function isRunner(permissions: Permissions, holder: Holder): boolean {
  return allows(permissions.runners, holder) || isWriter(permissions, holder);
}

/** Whether the holder may read the note: named in `readers`, or a runner. An empty list means everybody. */
export function isReader(permissions: Permissions, holder: Holder): boolean {
  return allows(permissions.readers, holder) || isRunner(permissions, holder);
}

/**
 * The user name people see. For an external identity (a principal that starts with its provider's mark) the part after
 * `, name=` up to the next comma (specification); without such a part the principal itself.
 */
export function screenUsername(principal: string): string {
  if (!principal.startsWith(EXTERNAL_MARK)) return principal;
  return /, name=(.*?),/.exec(principal)?.[1] ?? principal;
}

/** Whether nobody is signed in: principal `anonymous`, or none at all (specification). Such users cannot set permissions. */
export function isAnonymous(principal: string | undefined): boolean {
  return principal === undefined || principal.trim() === '' || principal === 'anonymous';
}
