/** Permission checks, as pure functions of the catalogue state. */
import {
  type Grant,
  holderOf,
  type Item,
  isSameName,
  type Permission,
  type State,
} from './state.ts';

/** The user whose permissions are checked. */
export interface Requester {
  readonly userName: string;
  /** Administrators of the organization have every permission. */
  readonly isAdmin: boolean;
  /**
   * For a script that runs as one user and was written by another: only what both may do is
   * allowed. This way, users who may change a job do not gain the rights of those who run it.
   */
  readonly both?: readonly [Requester, Requester];
}

const direct: Partial<Record<Permission, readonly Permission[]>> = {
  Admin: ['Developer', 'Write'],
  Write: ['Create', 'Execute', 'Read'],
  Read: ['Use'],
};

/**
 * All permissions that a permission implies, including itself. On a secret, Write does not imply
 * Read.
 */
export function implied(permission: Permission, type: Item['type']): ReadonlySet<Permission> {
  const all = new Set<Permission>();
  const add = (each: Permission): void => {
    if (all.has(each)) return;
    all.add(each);
    for (const next of direct[each] ?? [])
      if (!(type === 'secret' && each === 'Write' && next === 'Read')) add(next);
  };
  add(permission);
  return all;
}

/** An object and its ancestors, from the inside out. */
export function chainOf(state: State, item: Item): readonly Item[] {
  const chain = [item];
  for (let next = byId(state, item.parentId); next; next = byId(state, next.parentId))
    chain.push(next);
  return chain;
}

/** Finds an object by id. */
export const byId = (state: State, id: number | undefined): Item | undefined =>
  id === undefined ? undefined : state.items.find((item) => item.id === id);

export const rolesOf = (state: State, userName: string): readonly string[] =>
  state.members.filter((member) => member.userName === userName).map(({ role }) => role);

/** All grants of a user: direct, through roles, or to the whole organization. */
export function grantsOf(state: State, userName: string): readonly Grant[] {
  const roles = rolesOf(state, userName);
  return state.grants.filter(({ principalType, principalName }) => {
    if (principalType === 'User') return principalName === userName;
    return (
      principalType === 'Organization' || roles.some((role) => isSameName(role, principalName))
    );
  });
}

/**
 * Whether a user has a permission on an object. Admin extends to all descendants. On a schema,
 * project, job or cluster, other permissions do too, except Create and Use. Developer extends from
 * the organization and the repository.
 */
export function may(state: State, who: Requester, permission: Permission, item: Item): boolean {
  if (who.both) return who.both.every((each) => may(state, each, permission, item));
  if (who.isAdmin) return true;
  const chain = chainOf(state, item);
  return grantsOf(state, who.userName).some((grant) => {
    const at = chain.findIndex(({ id }) => id === grant.itemId);
    if (at < 0) return false;
    const all = implied(grant.permission, item.type);
    if (!all.has(permission)) return false;
    // Users who may create tables in a schema have no rights on other users' tables.
    if (at === 0) return true;
    if (grant.permission === 'Admin') return true;
    if (grant.permission === 'Developer') return permission === 'Developer';
    const holder = chain[at]!.type;
    return (
      (holder === 'schema' || holder === 'project' || holder === 'job' || holder === 'cluster') &&
      grant.permission !== 'Create' &&
      grant.permission !== 'Use'
    );
  });
}

/**
 * Whether a user may know that an object exists. They need some permission on the object or on one
 * of its descendants.
 */
export function canSee(state: State, who: Requester, item: Item): boolean {
  if (who.both) return who.both.every((each) => canSee(state, each, item));
  if (who.isAdmin || item.type === 'organization') return true;
  if (
    (['Use', 'Create', 'Execute', 'Developer', 'Lineage'] as const).some((permission) =>
      may(state, who, permission, item),
    )
  )
    return true;
  // Parts of a job are visible to users who may use the job.
  if (holderOf[item.type].includes('job')) {
    const holder = byId(state, item.parentId);
    return holder !== undefined && may(state, who, 'Use', holder);
  }
  return grantsOf(state, who.userName).some(({ itemId }) => {
    const inside = byId(state, itemId);
    return inside !== undefined && chainOf(state, inside).some(({ id }) => id === item.id);
  });
}
