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

/** Permissions that can be granted. */
export const permissionNames = [
  'admin',
  'developer',
  'execute',
  'create',
  'write',
  'read',
  'use',
  'lineage',
  'accesstoken',
] as const;
export type PermissionName = (typeof permissionNames)[number];

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
/** Plural object types, for `list`. */
export const listTypes = [
  'organizations',
  'repositories',
  'data sources',
  'schemas',
  'tables',
  'streams',
  'sinks',
  'fields',
  'projects',
  'jobs',
  'tasks',
  'schedules',
  'subscriptions',
  'clusters',
  'roles',
  'users',
  'secrets',
  'validation suites',
  'validators',
] as const;
export type ListType = (typeof listTypes)[number];

const scriptLanguages = ['magpie', 'scala', 'python', 'r'] as const;
export type ScriptLanguage = (typeof scriptLanguages)[number];

/** The user, role or organization of a grant. */
export interface Principal {
  readonly type: 'user' | 'role' | 'organization';
  readonly name: string;
}

/** Source of a table's rows. The `options` of `file` and `url` describe the file. */
export type Origin =
  | {
      readonly from: 'file';
      readonly path: string;
      readonly options: Body;
      readonly dataSource: string | undefined;
    }
  | { readonly from: 'url'; readonly url: string; readonly options: Body }
  | { readonly from: 'sql'; readonly query: string; readonly options: Body }
  | { readonly from: 'result' };

/** The part that `alter … add` adds to an object. */
export type Addition =
  | { readonly what: 'schedule' | 'subscription' | 'field' | 'validator'; readonly body: Body }
  | {
      readonly what: 'task';
      readonly task: 'script';
      readonly language: ScriptLanguage;
      readonly body: Body;
      readonly script: string;
    }
  | { readonly what: 'task'; readonly task: 'sql'; readonly body: Body; readonly script: string }
  | { readonly what: 'task'; readonly task: 'job'; readonly body: Body; readonly job: Ref };

/** The source that a statement profiles or exports. */
export type ProfileSourceRef =
  | { readonly of: 'table'; readonly ref: Ref }
  | { readonly of: 'sql'; readonly query: string }
  | { readonly of: 'result' };

/** Statements by kind, without their location. */
export type StatementBody =
  | {
      readonly kind: 'create';
      readonly type: ObjectType;
      readonly name: Ref | undefined;
      readonly body: Body;
      readonly parent: Target | undefined;
      readonly replace: boolean;
      readonly temporary: boolean;
    }
  | {
      readonly kind: 'createTable';
      readonly ref: Ref;
      readonly origin: Origin;
      readonly replace: boolean;
      readonly temporary: boolean;
    }
  | { readonly kind: 'alterSet'; readonly target: Target; readonly body: Body }
  | { readonly kind: 'alterAdd'; readonly target: Target; readonly addition: Addition }
  | {
      readonly kind: 'alterRemove';
      readonly target: Target;
      readonly what: 'schedule' | 'subscription' | 'field' | 'validator' | 'task';
      readonly name: string;
    }
  | { readonly kind: 'resetPassword'; readonly userName: string }
  | {
      readonly kind: 'drop';
      readonly target: Target;
      readonly ifExists: boolean;
      readonly cascade: boolean;
      readonly withDelete: boolean;
    }
  | { readonly kind: 'toggle'; readonly enable: boolean; readonly target: Target }
  | {
      readonly kind: 'toggleSchedule';
      readonly enable: boolean;
      readonly name: string;
      readonly of: Ref;
    }
  | { readonly kind: 'describe'; readonly target: Target }
  | { readonly kind: 'describeTask'; readonly ref: Ref }
  | { readonly kind: 'describeSchedule'; readonly name: string; readonly of: Ref }
  | { readonly kind: 'describeResult'; readonly resultId: string }
  | { readonly kind: 'describeLineage'; readonly target: Target }
  | {
      readonly kind: 'list';
      readonly type: ListType;
      readonly parent: Target | undefined;
      readonly recursive: boolean;
    }
  | {
      readonly kind: 'listFiles';
      readonly dataSource: string | undefined;
      readonly path: string | undefined;
      readonly recursive: boolean;
    }
  | {
      readonly kind: 'profile';
      readonly source: ProfileSourceRef | { readonly of: 'schema'; readonly ref: Ref };
      readonly options: Body;
    }
  | {
      readonly kind: 'discover';
      readonly scope:
        | { readonly schema: Ref }
        | { readonly left: Ref; readonly right: Ref }
        | { readonly from: Ref };
      readonly options: Body;
    }
  | {
      readonly kind: 'use';
      readonly type: 'repository' | 'schema' | 'project' | 'cluster' | 'data source';
      readonly ref: Ref;
    }
  | {
      readonly kind: 'execJob';
      readonly ref: Ref;
      readonly fromTask: string | undefined;
      readonly blocking: boolean;
    }
  | { readonly kind: 'execTask'; readonly ref: Ref }
  | { readonly kind: 'execScript'; readonly path: string }
  | { readonly kind: 'cancel'; readonly executionId: string }
  | {
      readonly kind: 'control';
      readonly action: 'start' | 'stop' | 'restart';
      readonly type: 'cluster' | 'stream' | 'sink';
      readonly ref: Ref;
    }
  | {
      readonly kind: 'validate';
      readonly of: 'table' | 'schema';
      readonly ref: Ref;
      readonly suite: Ref;
    }
  | { readonly kind: 'cache'; readonly cached: boolean; readonly ref: Ref }
  | { readonly kind: 'save'; readonly ref: Ref; readonly temporary: boolean; readonly body: Body }
  | {
      readonly kind: 'copy';
      readonly file: string;
      readonly from: { readonly url: string } | { readonly dataSource: string };
      readonly to: string;
    }
  | { readonly kind: 'export'; readonly source: ProfileSourceRef; readonly options: Body }
  | { readonly kind: 'exportFile'; readonly path: string; readonly dataSource: string }
  | { readonly kind: 'showResult'; readonly resultId: string | undefined }
  | { readonly kind: 'showMetrics'; readonly job: Ref }
  | { readonly kind: 'showHistory'; readonly of: 'job' | 'task'; readonly ref: Ref }
  | { readonly kind: 'showState'; readonly of: 'job' | 'cluster'; readonly ref: Ref }
  | { readonly kind: 'showUsage'; readonly target: Target | undefined }
  | { readonly kind: 'showActivity'; readonly target: Target }
  | { readonly kind: 'showSubscriptions'; readonly job: Ref }
  | { readonly kind: 'showSchedules'; readonly job: Ref }
  | { readonly kind: 'showPermissions'; readonly principal: Principal | undefined }
  | { readonly kind: 'showRuns'; readonly suite: Ref }
  | { readonly kind: 'print'; readonly text: string }
  | {
      readonly kind: 'grant' | 'revoke';
      readonly permission: PermissionName;
      readonly target: Target;
      readonly repository: string | undefined;
      readonly principal: Principal;
    }
  | {
      readonly kind: 'grantRole' | 'revokeRole';
      readonly role: string;
      readonly principal: Principal;
    }
  | { readonly kind: 'help'; readonly words: string }
  | { readonly kind: 'about' }
  | { readonly kind: 'sql'; readonly query: string };

/** A statement and its location in the script. */
export type Statement = StatementBody & { readonly location: SourceLocation };
export type StatementOf<Kind extends Statement['kind']> = Holding<Statement, Kind>;
type Holding<Each, Kind> = Each extends { readonly kind: infer Own }
  ? Kind extends Own
    ? Each
    : never
  : never;
