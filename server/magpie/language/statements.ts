/** Syntax tree of the command language. */
import type { SourceLocation } from '../contract.ts';

/** Object types that statements can name. */
export const objectTypes = [
  'organization',
  'repository',
  'data source',
  'schema',
  'table',
  'stream',
  'sink',
  'project',
  'job',
  'cluster',
  'role',
  'user',
  'secret',
  'validation suite',
] as const;
export type ObjectType = (typeof objectTypes)[number];

/** Permissions that can be granted, by the keywords of statements. */
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
} as const;
export type PermissionName = keyof typeof permissionOf;

/** A JSON value, parsed by {@link file://./json.ts}. */
export type BodyValue =
  | null
  | boolean
  | number
  | string
  | readonly BodyValue[]
  | { readonly [key: string]: BodyValue };
/** A JSON object. */
export type Body = { readonly [key: string]: BodyValue };

/** A qualified name: `['core', 'trips']`. Never empty. */
export type Ref = readonly string[];
/** An object's type and name. */
export interface Target {
  readonly type: ObjectType;
  readonly ref: Ref;
}
/** What `list` lists: the plural and the singular of each type. */
export const listTypes = {
  organizations: 'organization',
  repositories: 'repository',
  'data sources': 'data source',
  schemas: 'schema',
  tables: 'table',
  streams: 'stream',
  sinks: 'sink',
  fields: 'field',
  projects: 'project',
  jobs: 'job',
  tasks: 'task',
  schedules: 'schedule',
  subscriptions: 'subscription',
  clusters: 'cluster',
  roles: 'role',
  users: 'user',
  secrets: 'secret',
  'validation suites': 'validation suite',
  validators: 'validator',
} as const;
export type ListType = keyof typeof listTypes;

export type ScriptLanguage = 'magpie' | 'scala' | 'python' | 'r';

/** The user, role or organization of a grant. */
export interface Principal {
  readonly type: 'user' | 'role' | 'organization';
  readonly name: string;
}

/** Source of a table's rows. The `options` of `file` and `url` describe the file. */
export type Origin = Readonly<
  | { from: 'file'; path: string; options: Body; dataSource: string | undefined }
  | { from: 'url'; url: string; options: Body }
  | { from: 'sql'; query: string; options: Body }
  | { from: 'result' }
>;

/** The part that `alter … add` adds to an object. */
export type Addition = Readonly<
  | { what: 'schedule' | 'subscription' | 'field' | 'validator'; body: Body }
  | { what: 'task'; task: 'script'; language: ScriptLanguage; body: Body; script: string }
  | { what: 'task'; task: 'sql'; body: Body; script: string }
  | { what: 'task'; task: 'job'; body: Body; job: Ref }
>;

/** The source that a statement profiles or exports. */
export type ProfileSourceRef = Readonly<
  { of: 'table'; ref: Ref } | { of: 'sql'; query: string } | { of: 'result' }
>;

interface Create {
  type: ObjectType;
  name: Ref | undefined;
  body: Body;
  parent: Target | undefined;
  replace: boolean;
  temporary: boolean;
}
interface Grant {
  permission: PermissionName;
  target: Target;
  repository: string | undefined;
  principal: Principal;
}

/** What each kind of statement consists of. */
interface Statements {
  create: Create;
  createTable: { ref: Ref; origin: Origin; replace: boolean; temporary: boolean };
  alterSet: { target: Target; body: Body };
  alterAdd: { target: Target; addition: Addition };
  alterRemove: { target: Target; what: Addition['what']; name: string };
  resetPassword: { userName: string };
  drop: { target: Target; ifExists: boolean; cascade: boolean; withDelete: boolean };
  toggle: { enable: boolean; target: Target };
  toggleSchedule: { enable: boolean; name: string; of: Ref };
  describe: { target: Target };
  describeTask: { ref: Ref };
  describeSchedule: { name: string; of: Ref };
  describeResult: { resultId: string };
  describeLineage: { target: Target };
  list: { type: ListType; parent: Target | undefined; recursive: boolean };
  listFiles: { dataSource: string | undefined; path: string | undefined; recursive: boolean };
  profile: { source: ProfileSourceRef | { of: 'schema'; ref: Ref }; options: Body };
  discover: { scope: { schema: Ref } | { left: Ref; right: Ref } | { from: Ref }; options: Body };
  use: { type: 'repository' | 'schema' | 'project' | 'cluster' | 'data source'; ref: Ref };
  execJob: { ref: Ref; fromTask: string | undefined; blocking: boolean };
  execTask: { ref: Ref };
  execScript: { path: string };
  cancel: { executionId: string };
  control: { action: 'start' | 'stop' | 'restart'; type: 'cluster' | 'stream' | 'sink'; ref: Ref };
  validate: { of: 'table' | 'schema'; ref: Ref; suite: Ref };
  cache: { cached: boolean; ref: Ref };
  save: { ref: Ref; temporary: boolean; body: Body };
  copy: { file: string; from: { url: string } | { dataSource: string }; to: string };
  export: { source: ProfileSourceRef; options: Body };
  exportFile: { path: string; dataSource: string };
  showResult: { resultId: string | undefined };
  showMetrics: { job: Ref };
  showHistory: { of: 'job' | 'task'; ref: Ref };
  showState: { of: 'job' | 'cluster'; ref: Ref };
  showUsage: { target: Target | undefined };
  showActivity: { target: Target };
  showSubscriptions: { job: Ref };
  showSchedules: { job: Ref };
  showPermissions: { principal: Principal | undefined };
  showRuns: { suite: Ref };
  print: { text: string };
  grant: Grant;
  revoke: Grant;
  grantRole: { role: string; principal: Principal };
  revokeRole: { role: string; principal: Principal };
  help: { words: string };
  about: unknown;
  sql: { query: string };
}

type BodyOf<Kind extends keyof Statements> = { readonly kind: Kind } & Readonly<Statements[Kind]>;

/** A statement without its location. */
export type StatementBody = { [Kind in keyof Statements]: BodyOf<Kind> }[keyof Statements];

/** A statement and its location in the script. */
export type Statement = StatementBody & { readonly location: SourceLocation };
export type StatementOf<Kind extends Statement['kind']> = {
  [Each in Kind]: BodyOf<Each> & { readonly location: SourceLocation };
}[Kind];
