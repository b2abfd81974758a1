/** The state of the catalogue, in the format of its file. */

import type { SuiteResult } from '../analysis/validation.ts';
import type { PermissionName, permissionOf } from '../language/statements.ts';
import type { ItemType, ObjectDefinition } from './definitions.ts';
import type { ValidatorDefinition } from './validator-definitions.ts';

/** Permissions, as spelled in payloads and in the file. */
export type Permission = (typeof permissionOf)[PermissionName];

/** A named object: a schema, table, job, task, … */
export interface Item {
  readonly id: number;
  readonly type: ItemType;
  readonly name: string;
  /** The containing object. Undefined for the organization. */
  readonly parentId: number | undefined;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  /**
   * The definition as validated by {@link file://./definitions.ts}, without the name. Secret
   * members are encrypted.
   */
  readonly definition: Readonly<Record<string, unknown>>;
  /** Tables and files that a table was made from: `core.trips`, `files:/in/trips.csv`. */
  readonly sources?: readonly string[];
  /**
   * User who last defined what a table reads; by default its creator. The table may read only what
   * this user may currently read.
   */
  readonly definedBy?: string;
}

/** A permission granted to a user, a role or the organization. */
export interface Grant {
  readonly permission: Permission;
  readonly itemId: number;
  readonly principalType: 'User' | 'Role' | 'Organization';
  readonly principalName: string;
}

/** Profile fields that the server's account does not have. */
export interface Profile {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly serviceAccount?: boolean | undefined;
}

/** A run of a validation suite, and the user who started it. */
type StoredSuiteRun = SuiteResult & {
  readonly suiteId: number;
  readonly userName: string;
};

/** The complete state. Never modified in place. */
export interface State {
  readonly version: 2;
  readonly nextId: number;
  readonly items: readonly Item[];
  readonly grants: readonly Grant[];
  /** Role memberships. */
  readonly members: readonly { readonly role: string; readonly userName: string }[];
  readonly profiles: Readonly<Record<string, Profile>>;
  /** Runs of validation suites, newest first. */
  readonly suiteRuns: readonly StoredSuiteRun[];
}

/** Members that the catalogue stores beside what a body may contain. */
interface StoredMembers {
  readonly table: { readonly isCached?: boolean };
  readonly task: {
    readonly taskType: string;
    readonly script?: string;
    readonly nestedJobReference?: { readonly projectName: string; readonly jobName: string };
  };
  readonly 'validation suite': { readonly validators?: readonly ValidatorDefinition[] };
}

/** The definition of an object as the catalogue stores it: without the name. */
export type StoredDefinition<Type extends ItemType> = Omit<ObjectDefinition<Type>, 'name'> &
  (Type extends keyof StoredMembers ? StoredMembers[Type] : unknown);

/** The definition of an object of a known type. It was validated when it was stored. */
export const definitionOf = <Type extends ItemType>(
  { definition }: Pick<Item, 'definition'>,
  _type: Type,
): StoredDefinition<Type> => definition as StoredDefinition<Type>;

/** Compares names ignoring case, like the engine. */
export const isSameName = (left: string | null | undefined, right: string): boolean =>
  left?.toLowerCase() === right.toLowerCase();

/** Possible parent types of each type. */
export const holderOf: Readonly<Record<ItemType, readonly ItemType[]>> = {
  organization: [],
  repository: ['organization'],
  cluster: ['organization'],
  role: ['organization'],
  secret: ['organization'],
  'data source': ['repository'],
  schema: ['repository'],
  project: ['repository'],
  'validation suite': ['repository'],
  table: ['schema'],
  stream: ['schema'],
  sink: ['schema'],
  job: ['project'],
  task: ['job'],
  schedule: ['job', 'cluster'],
  subscription: ['job', 'cluster'],
};

/**
 * The initial state: one organization. All its users may create objects in its repository and see
 * what they are granted.
 */
export function firstState(now: string): State {
  const item = (
    id: number,
    type: ItemType,
    name: string,
    parentId: number | undefined,
    description: string,
    definition: Record<string, unknown> = {},
  ): Item => ({
    id,
    type,
    name,
    parentId,
    createdAt: now,
    createdBy: 'system',
    updatedAt: now,
    definition: { description, ...definition },
  });
  const everybody = (permission: Permission, itemId: number): Grant => ({
    permission,
    itemId,
    principalType: 'Organization',
    principalName: 'local',
  });
  return {
    version: 2,
    nextId: 7,
    items: [
      item(1, 'organization', 'local', undefined, 'The users of this server', {
        defaultRepositoryName: 'main',
      }),
      item(2, 'repository', 'main', 1, 'The first repository', {
        defaultDataSourceName: 'files',
        defaultProjectName: 'main',
        defaultSchemaName: 'main',
      }),
      item(3, 'data source', 'files', 2, 'Files of this server', {
        sourceType: 'file',
        rootPath: '',
      }),
      item(4, 'schema', 'main', 2, 'The first schema', { defaultDataSourceName: 'files' }),
      item(5, 'project', 'main', 2, 'The first project'),
      item(6, 'cluster', 'local', 1, 'The engine of this server', { workerCount: 0 }),
    ],
    // Tables and jobs belong to their creators. Files are only for administrators, until one of
    // them grants access.
    grants: [
      everybody('Use', 2),
      everybody('Create', 2),
      everybody('Create', 4),
      everybody('Use', 4),
      everybody('Create', 5),
      everybody('Use', 5),
      everybody('Read', 6),
    ],
    members: [],
    profiles: {},
    suiteRuns: [],
  };
}

/**
 * Upgrades a state. In version 1 everybody could read and write all files; these initial grants are
 * removed. Returns the removed grants, to be logged.
 */
export function upgradeState(state: Omit<State, 'version'> & { readonly version: 1 | 2 }): {
  readonly state: State;
  readonly taken: readonly { readonly item: Item; readonly permission: Permission }[];
} {
  if (state.version === 2) return { state: { ...state, version: 2 }, taken: [] };
  const files = state.items.find(
    ({ type, createdBy }) => type === 'data source' && createdBy === 'system',
  );
  const gone = state.grants.filter(
    ({ itemId, principalType, permission }) =>
      itemId === files?.id &&
      principalType === 'Organization' &&
      (permission === 'Read' || permission === 'Write'),
  );
  return {
    state: { ...state, version: 2, grants: state.grants.filter((grant) => !gone.includes(grant)) },
    taken: files ? gone.map(({ permission }) => ({ item: files, permission })) : [],
  };
}
