/** `create` for every object except tables. */
import { sep } from 'node:path';
import { quoteName } from '../../../interpreters/sql/script.ts';
import type { SecretBox } from '../../catalogue/catalogue.ts';
import { define, type ItemType } from '../../catalogue/definitions.ts';
import { addItem, changeItem, dropItem } from '../../catalogue/edits.ts';
import { holderOf, type Item, isSameName, type StoredDefinition } from '../../catalogue/state.ts';
import { MetadataError } from '../../contract.ts';
import type { StatementOf } from '../../language/statements.ts';
import type { RunStatement, StatementContext } from '../context.ts';
import { joinInside, rootOf, unavailable } from '../files/sources.ts';
import { unknownMembersNote } from '../notes.ts';
import { recordChange, resolveObject } from '../resolve-and-record.ts';
import { createUser } from '../security/users.ts';
import { defineTable } from '../tables/create-table.ts';

/** Schema names that the engine reserves. */
const engineSchemas: readonly string[] = ['information_schema', 'pg_catalog', 'temp', 'system'];

/** Carries out `create`. */
export const runCreate: RunStatement<'create'> = async (context, statement) => {
  const { type } = statement;
  if (type === 'table') return defineTable(context, statement);
  if (type === 'user') return createUser(context, statement.body);
  if (type === 'organization')
    throw new MetadataError('A second organization is not available on this server.');
  if (type === 'cluster')
    throw new MetadataError(
      'A second cluster is not available on this server: its only engine is cluster local.',
    );
  const { catalogue, who, session, engine } = context;
  const { value, ignored } = define(type, statement.body);
  const { name, ...definition } = value;
  const parent = parentOf(context, statement);
  if (type === 'role') catalogue.requireAdmin(who, 'create roles');
  const existing = statement.replace ? catalogue.child(parent.id, type, name) : undefined;
  if (existing) catalogue.requirePermission(existing, who, 'Write');
  else catalogue.requirePermission(parent, who, 'Create');
  if (type === 'secret' && typeof definition !== 'string' && !('value' in definition) && !existing)
    throw new MetadataError('The secret needs "value".');
  if (type === 'schema' && engineSchemas.includes(name.toLowerCase()))
    throw new MetadataError(`The engine reserves the schema name ${name}. Choose another name.`);
  checkReferences(context, type, parent, definition);
  if (type === 'data source')
    demandFolder(context, { ...existing?.definition, ...definition }, existing?.definition);
  if (type === 'project') checkProjectName(context, parent.id, name);
  const stored = seal(
    catalogue.secrets,
    type,
    existing && type !== 'validation suite'
      ? { ...existing.definition, ...definition }
      : definition,
  );
  const parts = existing ? partsOf.flatMap((part) => catalogue.children(existing.id, part)) : [];
  const ofHere = type === 'schema' && parent.id === session.scope.repositoryId;
  const item = await catalogue.change(
    // Replacing a job or suite also replaces its parts. Replacing a project, schema or repository
    // keeps the objects in it.
    (state) =>
      existing
        ? changeItem(
            parts.reduce((now, part) => dropItem(now, part.id).state, state),
            existing.id,
            { definition: stored },
          )
        : addItem(state, { type, name, parentId: parent.id, definition: stored }, who.userName),
    ofHere
      ? async () => void (await engine.query(`CREATE SCHEMA IF NOT EXISTS ${quoteName(name)}`))
      : undefined,
  );
  recordChange(context, item, existing ? 'Replace' : 'Create', undefined, 'Create');
  context.emit.line(
    `${existing ? 'Replaced' : 'Created'} ${type} ${catalogue.nameOf(item)}.` +
      unknownMembersNote(ignored) +
      (type === 'data source' ? dataSourceWarnings(item) : ''),
  );
};

const sourceMembers: Readonly<Record<string, readonly string[]>> = {
  file: ['rootPath'],
  duckdb: ['path'],
};

/**
 * Warns about a new data source: either its type cannot be read on this server, or some of its
 * members have no effect.
 */
export function dataSourceWarnings({ name, definition }: Item): string {
  const { sourceType, description: _, ...members } = definition;
  const used = sourceMembers[String(sourceType)];
  if (used === undefined) return ` ${unavailable(name, sourceType)}`;
  const idle = Object.keys(members).filter(
    (member) => members[member] !== undefined && !used.includes(member),
  );
  return idle.length === 0
    ? ''
    : ` These members have no effect on data sources of type ${String(sourceType)}: ` +
        `${idle.join(', ')}.`;
}

/**
 * Throws if another repository has a project of this name. Runs and references identify a job as
 * `project.job`, without the repository.
 */
export function checkProjectName(
  { catalogue }: StatementContext,
  repositoryId: number | undefined,
  name: string,
): void {
  const namesake = catalogue.state.items.find(
    (item) =>
      item.type === 'project' && item.parentId !== repositoryId && isSameName(item.name, name),
  );
  if (namesake)
    throw new MetadataError(
      `Another repository already has a project ${name}. Choose another name.`,
    );
}

/**
 * Parts of jobs and clusters. Validators are not listed, because they are stored in the definition
 * of their suite.
 */
const partsOf = ['task', 'schedule', 'subscription'] as const satisfies readonly ItemType[];

/**
 * Returns the parent of a new object: the one named after `in`, or the current one of the session.
 */
function parentOf(context: StatementContext, { type, parent }: StatementOf<'create'>): Item {
  const kind = type as ItemType;
  if (!parent) return context.catalogue.holderFor(kind, context.session.scope);
  if (parent.type === 'user' || !holderOf[kind].includes(parent.type))
    throw new MetadataError(
      `A ${type} is created in a ${holderOf[kind].join(' or ')}, not in a ${parent.type}.`,
    );
  return resolveObject(context, parent.type, parent.ref, 'Use');
}

/** Throws if a definition refers to an object that does not exist. */
export function checkReferences(
  context: StatementContext,
  type: ItemType,
  parent: Item,
  definition: object,
): void {
  const { catalogue } = context;
  const members = definition as Readonly<Record<string, unknown>>;
  if (type === 'data source' && members['sourceType'] === 'file') {
    joinInside(context.files, String(members['rootPath'] ?? ''), 'rootPath');
    rootOf(context, { ...parent, definition: members });
  }
  if (type === 'data source' && members['sourceType'] === 'duckdb') {
    if (typeof members['path'] !== 'string' || members['path'] === '')
      throw new MetadataError(
        'A data source of type duckdb needs "path": a database in the files of the server, ' +
          'such as "in/trips.duckdb".',
      );
    joinInside(context.files, members['path']);
  }
  if ((type === 'stream' || type === 'sink') && members['state'] === 'Started')
    throw new MetadataError(
      `Running a ${type} is not available on this server. Its "state" must be "Stopped".`,
    );
  const repository = type === 'repository' ? undefined : catalogue.holder(parent, 'repository');
  for (const member of ['dataSourceName', 'defaultDataSourceName']) {
    const named = members[member];
    if (typeof named !== 'string' || !repository) continue;
    if (!catalogue.child(repository.id, 'data source', named))
      throw new MetadataError(
        `There is no data source ${named} in repository ${repository.name}.`,
        { member: [member] },
      );
  }
}

/**
 * Throws if the user may not point a data source at this location. Administrators of the
 * organization may choose any folder of the server's files. Other users may choose one inside a
 * data source on which they have Admin.
 */
export function demandFolder(
  context: StatementContext,
  definition: object,
  before: object = {},
): void {
  const { catalogue, files, who } = context;
  const reached = reachOf(files, definition);
  if (reached === undefined || reached === reachOf(files, before) || who.isAdmin) return;
  const holds = (root: string | undefined): boolean =>
    root !== undefined && (reached === root || reached.startsWith(root + sep));
  const own = catalogue.state.items.some(
    (item) =>
      item.type === 'data source' &&
      item.definition['sourceType'] === 'file' &&
      catalogue.may(item, who, 'Admin') &&
      holds(reachOf(files, item.definition)),
  );
  if (!own)
    throw new MetadataError(
      "Only administrators of the organization may choose a folder of the server's files, " +
        'and users with Admin on a data source that contains it.',
    );
}

/** The folder of a `file` data source or the file of a `duckdb` one. Undefined for other types. */
function reachOf(files: string, definition: object): string | undefined {
  const {
    sourceType,
    rootPath = '',
    path = '',
  } = definition as Partial<StoredDefinition<'data source'>>;
  if (sourceType === 'duckdb') return joinInside(files, path);
  return sourceType === 'file' ? joinInside(files, rootPath, 'rootPath') : undefined;
}

/** Members of credentials that are write-only. */
const secretMembers: readonly string[] = ['secretAccessKey', 'clientSecret'];

/**
 * Encrypts the secret members of a definition before it is stored. Members that are already
 * encrypted stay unchanged.
 */
export function seal(
  secrets: SecretBox,
  type: ItemType,
  definition: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const sealed = (value: unknown) =>
    typeof value === 'string' ? { sealed: secrets.encrypt(value) } : value;
  if (type === 'secret' && 'value' in definition)
    return { ...definition, value: sealed(definition['value']) };
  const { credentials } = definition;
  if (type !== 'data source' || typeof credentials !== 'object' || credentials === null)
    return definition;
  return {
    ...definition,
    credentials: Object.fromEntries(
      Object.entries(credentials).map(([key, value]) => [
        key,
        secretMembers.includes(key) ? sealed(value) : value,
      ]),
    ),
  };
}
