/** What the catalogue keeps, as it stands in its file. */
import type { PermissionName } from '../language/statements.ts';
import type { ItemType } from './definitions.ts';

/** Permissions as payloads and the file have them. */
export type Permission =
  | 'Admin'
  | 'Developer'
  | 'Execute'
  | 'Create'
  | 'Write'
  | 'Read'
  | 'Use'
  | 'Lineage'
  | 'AccessToken';
/** The permission that a word of a statement means. */
export const permissionOf = {
  admin: 'Admin',
  developer: 'Developer',
  execute: 'Execute',
  create: 'Create',
  write: 'Write',
  read: 'Read',
  use: 'Use',
  lineage: 'Lineage',
  accesstoken: 'AccessToken',
} as const satisfies Record<PermissionName, Permission>;

/** Something that has a name: a schema, a table, a job, a task of it. */
export interface Item {
  readonly id: number;
  readonly type: ItemType;
  readonly name: string;
  /** What holds it; the organization has none. */
  readonly parentId: number | undefined;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  /** As {@link file://./definitions.ts} checked it, without the name; secret parts are encrypted. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** Names of what a table was made of: `core.trips`, `files:/in/trips.csv`. */
  readonly sources?: readonly string[];
  /** Who said last what a table over a query reads; absent: who created it. It reads what he may read, at any time. */
  readonly definedBy?: string;
}

/** A permission that somebody was given. */
export interface Grant {
  readonly permission: Permission;
  readonly itemId: number;
  readonly principalType: 'User' | 'Role' | 'Organization';
  readonly principalName: string;
}

/** What is known of a user beside his account. */
export interface Profile {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly serviceAccount?: boolean | undefined;
}

/** All of it. Never changed in place. */
export interface State {
  readonly version: 2;
  readonly nextId: number;
  readonly items: readonly Item[];
  readonly grants: readonly Grant[];
  /** Who has which role. */
  readonly members: readonly { readonly role: string; readonly userName: string }[];
  readonly profiles: Readonly<Record<string, Profile>>;
  /** Runs of validation suites, newest first. */
  readonly suiteRuns: readonly Readonly<Record<string, unknown>>[];
}

/** Names are the same in any case, as the engine has it. */
export const sameName = (left: string, right: string): boolean =>
  left.toLowerCase() === right.toLowerCase();

/** Kinds by what holds them. */
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

/** The first state: one organization whose people may make things of their own in its repository, and see what they are given. */
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
      item(1, 'organization', 'local', undefined, 'The people of this server', {
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
    // Tables and jobs are for who makes them; files are for administrators, until one of them grants them.
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

/** A state of version 1, in which everybody might read and write all files: what the first state granted of them goes. Answers what went, for the log. */
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
