/** `create` of all but tables. */
import { sep } from 'node:path';
import { quoteName } from '../../interpreters/sql-script.ts';
import type { SecretBox } from '../catalogue/catalogue.ts';
import { define, type ItemType } from '../catalogue/definitions.ts';
import { addItem, changeItem, dropItem } from '../catalogue/edits.ts';
import { holderOf, sameName, type Item } from '../catalogue/state.ts';
import { MetadataError } from '../contract.ts';
import type { StatementOf } from '../language/statements.ts';
import type { Context } from './context.ts';
import { defineTable, left } from './make-table.ts';
import { rootOf, unavailable, within } from './sources.ts';
import { changed, need } from './uses.ts';
import { createUser } from './users.ts';

/** Names that the engine has for itself. */
const engineSchemas: readonly string[] = ['information_schema', 'pg_catalog', 'temp', 'system'];

/** Carries out `create`. */
export async function create(context: Context, statement: StatementOf<'create'>): Promise<void> {
  const { type } = statement;
  if (type === 'table') return defineTable(context, statement);
  if (type === 'user') return createUser(context, statement.body);
  if (type === 'organization')
    throw new MetadataError(
      'Another organization is not available on this server: it has the one of its people.',
    );
  if (type === 'cluster')
    throw new MetadataError(
      'Another cluster is not available on this server: it has the one engine, cluster local.',
    );
  const { catalogue, who, session, engine } = context;
  const { value, ignored } = define(type, statement.body);
  const { name, ...definition } = value;
  const parent = parentOf(context, statement);
  if (type === 'role') catalogue.demandAdmin(who, 'make roles');
  const existing = statement.replace ? catalogue.child(parent.id, type, name) : undefined;
  if (existing) catalogue.demand(existing, who, 'Write');
  else catalogue.demand(parent, who, 'Create');
  if (type === 'secret' && typeof definition !== 'string' && !('value' in definition) && !existing)
    throw new MetadataError('The secret needs "value".');
  if (type === 'schema' && engineSchemas.includes(name.toLowerCase()))
    throw new MetadataError(`The engine has ${name} for itself: choose another name.`);
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
  const ofHere = type === 'schema' && parent.id === session.place.repositoryId;
  const item = await catalogue.change(
    // What a suite or a job consists of comes with it; what a project, a schema or a repository holds stays.
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
  changed(context, item, existing ? 'Replace' : 'Create', undefined, 'Create');
  context.emit.say(
    `${existing ? 'Replaced' : 'Created'} ${type} ${catalogue.nameOf(item)}.${left(ignored)}${type === 'data source' ? sourceWords(item) : ''}`,
  );
}

const sourceMembers: Readonly<Record<string, readonly string[]>> = {
  file: ['rootPath'],
  duckdb: ['path'],
};

/** What is to be said of a data source: that nothing is read from it here, or what of its definition nothing asks for. */
export function sourceWords({ name, definition }: Item): string {
  const { sourceType, description: _, ...members } = definition;
  const used = sourceMembers[String(sourceType)];
  if (used === undefined) return ` ${unavailable(name, sourceType)}`;
  const idle = Object.keys(members).filter(
    (member) => members[member] !== undefined && !used.includes(member),
  );
  return idle.length === 0
    ? ''
    : ` Without effect on data sources of type ${String(sourceType)}: ${idle.join(', ')}.`;
}

/** Throws where another repository has a project of this name: runs and references say project.job, without a repository. */
export function checkProjectName(
  { catalogue }: Context,
  repositoryId: number | undefined,
  name: string,
): void {
  const namesake = catalogue.state.items.find(
    (item) =>
      item.type === 'project' && item.parentId !== repositoryId && sameName(item.name, name),
  );
  if (namesake)
    throw new MetadataError(
      `There is a project ${name} in another repository already: choose another name.`,
    );
}

/** Of what jobs and clusters consist; validators are in the definition of their suite. */
const partsOf = ['task', 'schedule', 'subscription'] as const satisfies readonly ItemType[];

/** What is to hold a new object: what `in` names, or where the session is. */
function parentOf(context: Context, { type, parent }: StatementOf<'create'>): Item {
  const kind = type as ItemType;
  if (!parent) return context.catalogue.holderFor(kind, [], context.session.place);
  if (parent.type === 'user' || !holderOf[kind].includes(parent.type))
    throw new MetadataError(
      `A ${type} is made in a ${holderOf[kind].join(' or ')}, not in a ${parent.type}.`,
    );
  return need(context, parent.type, parent.ref, 'Use');
}

/** Throws where a definition names something that is not there. */
export function checkReferences(
  context: Context,
  type: ItemType,
  parent: Item,
  definition: object,
): void {
  const { catalogue } = context;
  const members = definition as Readonly<Record<string, unknown>>;
  if (type === 'data source' && members['sourceType'] === 'file') {
    within(context.files, String(members['rootPath'] ?? ''), 'rootPath');
    rootOf(context, { ...parent, definition: members });
  }
  if (type === 'data source' && members['sourceType'] === 'duckdb') {
    if (typeof members['path'] !== 'string' || members['path'] === '')
      throw new MetadataError(
        'A data source of type duckdb needs "path": a database below the files of the server, such as "in/trips.duckdb".',
      );
    within(context.files, members['path']);
  }
  if ((type === 'stream' || type === 'sink') && members['state'] === 'Started')
    throw new MetadataError(
      `Running a ${type} is not available on this server: it is kept as Stopped.`,
    );
  const repository = type === 'repository' ? undefined : catalogue.holder(parent, 'repository');
  const wanted = [
    ['dataSourceName', 'data source'],
    ['defaultDataSourceName', 'data source'],
  ] as const;
  for (const [member, kind] of wanted) {
    const named = members[member];
    if (repository && typeof named === 'string' && !catalogue.child(repository.id, kind, named))
      throw new MetadataError(`There is no ${kind} ${named} in repository ${repository.name}.`);
  }
}

/**
 * Throws where a data source would reach files that are not its maker's: a folder of the server's files is chosen by administrators of the organization, and by who has
 * Admin on a data source of files that it lies in.
 */
export function demandFolder(context: Context, definition: object, before: object = {}): void {
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
      "Only administrators of the organization may choose a folder of the server's files, and who has Admin on a data source that it lies in.",
    );
}

/** The folder of a data source of files, the file of one that is a database; undefined for others. */
function reachOf(files: string, definition: object): string | undefined {
  const { sourceType, rootPath, path } = definition as Readonly<Record<string, unknown>>;
  if (sourceType === 'duckdb') return within(files, typeof path === 'string' ? path : '');
  return sourceType === 'file'
    ? within(files, typeof rootPath === 'string' ? rootPath : '', 'rootPath')
    : undefined;
}

/** Members of credentials that nobody reads back. */
const secretMembers: readonly string[] = ['secretAccessKey', 'clientSecret'];

/** A definition as it is stored: its secret parts encrypted. What is encrypted already stays. */
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
