/** Pure edits of the catalogue state. Each returns a new state. */
import { MetadataError, wrongName } from '../contract.ts';
import type { ItemType } from './definitions.ts';
import { byId, chainOf } from './permissions.ts';
import { type Grant, type Item, isSameName, type State } from './state.ts';

/** An object to create. */
type NewItem = Pick<Item, 'type' | 'name' | 'definition' | 'sources' | 'definedBy'> & {
  readonly parentId: number;
};

/**
 * Adds an object and makes its creator its Admin. Throws if the name is taken or the parent no
 * longer exists.
 */
export function addItem(
  state: State,
  given: NewItem,
  userName: string,
): { state: State; value: Item } {
  const parent = byId(state, given.parentId);
  if (!parent) throw new MetadataError('The parent object has been dropped.');
  const taken = namesake(state, given, given.name);
  if (taken)
    throw new MetadataError(
      `There is already a ${taken.type} ${taken.name} in ${parent.type} ${parent.name}.`,
      wrongName(given.type, given.name),
    );
  const { sources, definedBy, ...rest } = given;
  const now = new Date().toISOString();
  const value: Item = {
    id: state.nextId,
    ...rest,
    createdAt: now,
    createdBy: userName,
    updatedAt: now,
    ...(sources ? { sources } : {}),
    ...(definedBy === undefined ? {} : { definedBy }),
  };
  // Parts of a job get no separate grant: they belong to the users who may change the job.
  const own: Grant[] = isPart(given.type)
    ? []
    : [{ permission: 'Admin', itemId: value.id, principalType: 'User', principalName: userName }];
  return {
    state: {
      ...state,
      nextId: state.nextId + 1,
      items: [...state.items, value],
      grants: [...state.grants, ...own],
    },
    value,
  };
}

const isPart = (type: ItemType): boolean =>
  type === 'task' || type === 'schedule' || type === 'subscription';
/** Tables, streams and sinks of a schema share one namespace. */
const sharesNames = (left: ItemType, right: ItemType): boolean =>
  [left, right].every((type) => type === 'table' || type === 'stream' || type === 'sink');
/** Another object that has the name which an object is to have. */
const namesake = (
  state: State,
  { id, parentId, type }: Pick<Item, 'parentId' | 'type'> & { readonly id?: number },
  name: string,
): Item | undefined =>
  state.items.find(
    (item) =>
      item.id !== id &&
      item.parentId === parentId &&
      isSameName(item.name, name) &&
      (item.type === type || sharesNames(item.type, type)),
  );

/**
 * Changes the name, definition, sources or definer of an object. Throws if the object no longer
 * exists or the new name is taken.
 */
export function changeItem(
  state: State,
  id: number,
  change: Partial<Pick<Item, 'name' | 'definition' | 'sources' | 'definedBy'>>,
): { state: State; value: Item } {
  const before = byId(state, id);
  if (!before) throw new MetadataError('The object has been dropped meanwhile.');
  const { name } = change;
  if (name !== undefined && namesake(state, before, name))
    throw new MetadataError(`There is already a ${before.type} ${name}.`, { member: ['name'] });
  const value: Item = { ...before, ...change, updatedAt: new Date().toISOString() };
  return {
    state: { ...state, items: state.items.map((item) => (item.id === id ? value : item)) },
    value,
  };
}

/**
 * Members of definitions that refer to an object by name, by type of that object. The referring
 * object is in the same repository, or is the repository's organization.
 */
const namedBy: Partial<Record<ItemType, readonly string[]>> = {
  repository: ['defaultRepositoryName'],
  project: ['defaultProjectName'],
  schema: ['defaultSchemaName'],
  'data source': ['defaultDataSourceName', 'dataSourceName'],
};

/**
 * Updates references after an object was renamed: nested jobs of tasks, defaults, and data sources
 * of tables. `before` is the object with its old name.
 */
export function renameReferences(state: State, before: Item, name: string): State {
  if (before.name === name) return state;
  const repositoryOf = (item: Item) =>
    chainOf(state, item).find(({ type }) => type === 'repository')?.id;
  const repository = repositoryOf(before);
  const project = before.type === 'job' ? byId(state, before.parentId)?.name : undefined;
  const isOld = (value: unknown): boolean =>
    typeof value === 'string' && isSameName(value, before.name);
  const next = (definition: Item['definition']): Item['definition'] => {
    let made = definition;
    for (const member of namedBy[before.type] ?? [])
      if (isOld(made[member])) made = { ...made, [member]: name };
    const mapping = made['persistenceMapping'] as { readonly sourceName?: string } | undefined;
    if (before.type === 'data source' && isOld(mapping?.sourceName))
      made = { ...made, persistenceMapping: { ...mapping, sourceName: name } };
    const nested = made['nestedJobReference'] as
      | { readonly projectName: string; readonly jobName: string }
      | undefined;
    if (nested && before.type === 'project' && isOld(nested.projectName))
      made = { ...made, nestedJobReference: { ...nested, projectName: name } };
    if (
      nested &&
      project !== undefined &&
      isSameName(nested.projectName, project) &&
      isOld(nested.jobName)
    )
      made = { ...made, nestedJobReference: { ...nested, jobName: name } };
    return made;
  };
  return {
    ...state,
    items: state.items.map((item) => {
      if (before.type !== 'repository' && repositoryOf(item) !== repository) return item;
      const definition = next(item.definition);
      const prefix = `${before.name}:`;
      const sources =
        before.type === 'data source' && item.sources?.some((source) => source.startsWith(prefix))
          ? item.sources.map((source) =>
              source.startsWith(prefix) ? `${name}:${source.slice(prefix.length)}` : source,
            )
          : item.sources;
      return definition === item.definition && sources === item.sources
        ? item
        : { ...item, definition, ...(sources ? { sources } : {}) };
    }),
  };
}

/** Removes an object, its descendants, and all grants on them. */
export function dropItem(state: State, id: number): { state: State; value: readonly Item[] } {
  const gone = state.items.filter((item) => chainOf(state, item).some((each) => each.id === id));
  const ids = new Set(gone.map((item) => item.id));
  const roles = gone.filter(({ type }) => type === 'role').map(({ name }) => name);
  const ofRole = (name: string) => roles.some((role) => isSameName(role, name));
  return {
    state: {
      ...state,
      items: state.items.filter((item) => !ids.has(item.id)),
      grants: state.grants.filter(
        (grant) =>
          !ids.has(grant.itemId) &&
          !(grant.principalType === 'Role' && ofRole(grant.principalName)),
      ),
      members: state.members.filter(({ role }) => !ofRole(role)),
    },
    value: gone,
  };
}

const sameGrant = (left: Grant, right: Grant): boolean =>
  left.permission === right.permission &&
  left.itemId === right.itemId &&
  left.principalType === right.principalType &&
  (left.principalType === 'Role'
    ? isSameName(left.principalName, right.principalName)
    : left.principalName === right.principalName);

/** Adds a grant. `value` is true if it is new. */
export function addGrant(state: State, grant: Grant): { state: State; value: boolean } {
  if (state.grants.some((each) => sameGrant(each, grant))) return { state, value: false };
  return { state: { ...state, grants: [...state.grants, grant] }, value: true };
}

/** Removes a grant. `value` is true if it existed. */
export function removeGrant(state: State, grant: Grant): { state: State; value: boolean } {
  const grants = state.grants.filter((each) => !sameGrant(each, grant));
  return grants.length === state.grants.length
    ? { state, value: false }
    : { state: { ...state, grants }, value: true };
}

/** Adds or removes a role of a user. `value` is true if that changed anything. */
export function setMember(
  state: State,
  role: string,
  userName: string,
  isMember: boolean,
): { state: State; value: boolean } {
  const rest = state.members.filter(
    (member) => !(isSameName(member.role, role) && member.userName === userName),
  );
  const was = rest.length < state.members.length;
  if (was === isMember) return { state, value: false };
  return {
    state: { ...state, members: isMember ? [...rest, { role, userName }] : rest },
    value: true,
  };
}

/** Removes a user's profile, roles and grants. Objects that the user created stay. */
export function forgetUser(state: State, userName: string): { state: State; value: undefined } {
  const { [userName]: _, ...profiles } = state.profiles;
  return {
    state: {
      ...state,
      profiles,
      members: state.members.filter((member) => member.userName !== userName),
      grants: state.grants.filter(
        (grant) => !(grant.principalType === 'User' && grant.principalName === userName),
      ),
    },
    value: undefined,
  };
}
