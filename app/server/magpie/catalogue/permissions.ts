/** Who may do what: pure functions of the state. */
import { holderOf, sameName, type Grant, type Item, type Permission, type State } from './state.ts';

/** Who asks. */
export interface Who {
  readonly userName: string;
  /** Administers the organization: may do everything. */
  readonly isAdmin: boolean;
  /** Somebody's script in somebody else's run: what both may, and no more. Whoever may change a job is not given the rights of those who run it. */
  readonly both?: readonly [Who, Who];
}

const direct: Readonly<Record<Permission, readonly Permission[]>> = {
  Admin: ['Developer', 'Write'],
  Write: ['Create', 'Execute', 'Read'],
  Read: ['Use'],
  Developer: [],
  Execute: [],
  Create: [],
  Use: [],
  Lineage: [],
  AccessToken: [],
};

/** What a permission on a kind of object carries along, itself too. On a secret, write does not give read. */
export function implied(permission: Permission, type: Item['type']): ReadonlySet<Permission> {
  const all = new Set<Permission>();
  const add = (each: Permission): void => {
    if (all.has(each)) return;
    all.add(each);
    for (const next of direct[each])
      if (!(type === 'secret' && each === 'Write' && next === 'Read')) add(next);
  };
  add(permission);
  return all;
}

/** An object and what holds it, upwards. */
export function chainOf(state: State, item: Item): readonly Item[] {
  const chain = [item];
  for (let next = byId(state, item.parentId); next; next = byId(state, next.parentId))
    chain.push(next);
  return chain;
}

/** The object of an id. */
export const byId = (state: State, id: number | undefined): Item | undefined =>
  id === undefined ? undefined : state.items.find((item) => item.id === id);

/** The roles of a user. */
export const rolesOf = (state: State, userName: string): readonly string[] =>
  state.members.filter((member) => member.userName === userName).map(({ role }) => role);

/** The grants that a user has, by name, by a role or as one of the organization. */
export function grantsOf(state: State, userName: string): readonly Grant[] {
  const roles = rolesOf(state, userName);
  return state.grants.filter(({ principalType, principalName }) => {
    if (principalType === 'User') return principalName === userName;
    return principalType === 'Organization' || roles.some((role) => sameName(role, principalName));
  });
}

/**
 * Whether somebody has a permission on an object. Admin on what holds it reaches it, also further down; so does every
 * permission on a schema or project, which are nothing but what they hold; Developer reaches from organization and repository.
 */
export function may(state: State, who: Who, permission: Permission, item: Item): boolean {
  if (who.both) return who.both.every((each) => may(state, each, permission, item));
  if (who.isAdmin) return true;
  const chain = chainOf(state, item);
  return grantsOf(state, who.userName).some((grant) => {
    const at = chain.findIndex(({ id }) => id === grant.itemId);
    if (at < 0) return false;
    const all = implied(grant.permission, item.type);
    if (!all.has(permission)) return false;
    // Who may make tables in a schema does not own those of others.
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

/** Whether somebody may know of an object: he has some permission on it, or on something in it. */
export function maySee(state: State, who: Who, item: Item): boolean {
  if (who.both) return who.both.every((each) => maySee(state, each, item));
  if (who.isAdmin || item.type === 'organization') return true;
  if (
    (['Use', 'Create', 'Execute', 'Developer', 'Lineage'] as const).some((permission) =>
      may(state, who, permission, item),
    )
  )
    return true;
  // A part of a job is seen with the job.
  if (holderOf[item.type].includes('job')) {
    const holder = byId(state, item.parentId);
    return holder !== undefined && may(state, who, 'Use', holder);
  }
  return grantsOf(state, who.userName).some(({ itemId }) => {
    const inside = byId(state, itemId);
    return inside !== undefined && chainOf(state, inside).some(({ id }) => id === item.id);
  });
}
