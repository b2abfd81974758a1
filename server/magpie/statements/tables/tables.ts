/**
 * Resolves the tables that statements name, in the catalogue or among the session's temporary
 * tables.
 */
import { foldName, quoteName } from '../../../interpreters/sql/script.ts';
import { typeOfEngine } from '../../catalogue/field-types.ts';
import type { Item, Permission } from '../../catalogue/state.ts';
import type { FieldDefinition, MappingDefinition } from '../../catalogue/table-definitions.ts';
import { type Engine, MetadataError, StatementError } from '../../contract.ts';
import type { Ref } from '../../language/statements.ts';
import type { StatementContext } from '../context.ts';
import { databaseTable } from '../files/databases.ts';
import { dataSourceFilePath, filesOf, rootOf } from '../files/sources.ts';
import { recordUse, resolveObject } from '../resolve-and-record.ts';
import type { SqlTableName } from './sql-reads.ts';

/** A table that a statement may use. */
export interface ResolvedTable {
  /** SQL that follows FROM. */
  readonly from: string;
  /** `core.trips`, or the name of a temporary table. */
  readonly name: string;
  readonly schemaName: string;
  readonly tableName: string;
  /** Absent for a temporary table. */
  readonly item?: Item;
}

/**
 * The mapping of a table over files or a query. Undefined if the table's rows are stored in the
 * engine.
 */
export const mappingOf = (item: Item): MappingDefinition | undefined =>
  item.definition['persistenceMapping'] as MappingDefinition | undefined;

/**
 * Resolves a table and requires a permission on it. For a table over files, also checks that the
 * sources still exist and may still be read.
 */
export async function resolveTable(
  context: StatementContext,
  ref: Ref,
  permission: Permission,
): Promise<ResolvedTable> {
  const name = ref.at(-1)!;
  const temporary =
    ref.length === 1 || (ref.length === 2 && ref[0]!.toLowerCase() === 'temp')
      ? context.session.temporary.get(foldName(name))
      : undefined;
  if (temporary !== undefined)
    return {
      from: `temp.main.${quoteName(temporary)}`,
      name: temporary,
      schemaName: 'temp',
      tableName: temporary,
    };
  const item = resolveObject(context, 'table', ref, permission);
  await checkSources(context, item);
  return tableOfItem(context, item);
}

export function tableOfItem(
  { catalogue, session }: Pick<StatementContext, 'catalogue' | 'session'>,
  item: Item,
): ResolvedTable {
  const schema = catalogue.byId(item.parentId)!;
  if (schema.parentId !== session.scope.repositoryId)
    throw new MetadataError(
      `Table ${catalogue.nameOf(item)} is in another repository. ` +
        'Switch to it with "use repository NAME" first.',
    );
  return {
    from: `${quoteName(schema.name)}.${quoteName(item.name)}`,
    name: `${schema.name}.${item.name}`,
    schemaName: schema.name,
    tableName: item.name,
    item,
  };
}

/**
 * Checks that the sources of a table still exist and that either the user or the table's definer
 * may read them. Without this check, a view would keep exposing data after its definer lost access,
 * or would expose a new object that reuses the name of a dropped source.
 */
async function checkSources(
  context: StatementContext,
  item: Item,
  seen: readonly number[] = [],
): Promise<void> {
  const mapping = mappingOf(item);
  if (!mapping || item.definition['isCached'] === true) return;
  const { catalogue, people, who } = context;
  const userName = item.definedBy ?? item.createdBy;
  const person = await people.find(userName);
  const definer =
    person && !person.isDisabled ? { userName, isAdmin: people.isAdmin(person) } : undefined;
  const mayRead = (source: Item): boolean =>
    catalogue.may(source, who, 'Read') ||
    (definer !== undefined && catalogue.may(source, definer, 'Read'));
  if (mapping.mappingType === 'Virtual') {
    for (const name of item.sources ?? []) {
      const source = catalogue.find(
        { type: 'table', ref: name.split('.') },
        { ...context.session.scope, repositoryId: catalogue.holder(item, 'repository')!.id },
      );
      if (!source)
        throw new MetadataError(
          `Table ${catalogue.nameOf(item)} reads a table that no longer exists.`,
        );
      if (!mayRead(source))
        throw new MetadataError(
          `Table ${catalogue.nameOf(item)} reads a table that ${userName}, who defined it, ` +
            'may not read. A user with access has to define it again.',
        );
      if (!seen.includes(source.id)) await checkSources(context, source, [...seen, item.id]);
    }
    return;
  }
  const repository = catalogue.holder(item, 'repository')!;
  const source = catalogue.child(repository.id, 'data source', mapping.sourceName);
  if (!source)
    throw new MetadataError(
      `The data source ${mapping.sourceName} of table ${item.name} has been dropped.`,
    );
  if (!mayRead(source))
    throw new MetadataError(
      `Table ${catalogue.nameOf(item)} reads data source ${source.name}, which ${userName}, ` +
        'who defined it, may no longer read. You need Read on that data source.',
    );
  if (mapping.mappingType === 'JDBC') await databaseTable(context, source, mapping.expression);
  else await filesOf(context, source, dataSourceFilePath(context, source, mapping.file));
}

/** Resolves the tables that a SQL statement reads and requires Read on each. */
export async function readable(
  context: StatementContext,
  names: readonly SqlTableName[],
): Promise<readonly ResolvedTable[]> {
  const tables: ResolvedTable[] = [];
  for (const name of names) {
    const { schemaName, tableName, sql } = name;
    if (
      schemaName === undefined &&
      /[./]/.test(tableName) &&
      !context.session.temporary.has(foldName(tableName))
    ) {
      throw new MetadataError(
        `There is no table ${tableName}. To query a file, create a table from it first: ` +
          `create table NAME from file "${tableName}"`,
        { sql },
      );
    }
    tables.push(await resolveSqlTable(context, name, 'Read'));
  }
  return tables;
}

/** Like {@link resolveTable}, for a table that SQL names. */
export async function resolveSqlTable(
  context: StatementContext,
  { schemaName, tableName, sql }: SqlTableName,
  permission: Permission,
): Promise<ResolvedTable> {
  try {
    return await resolveTable(
      context,
      schemaName === undefined ? [tableName] : [schemaName, tableName],
      permission,
    );
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    throw new StatementError(error.code, error.message, undefined, { ...error.subject, sql });
  }
}

/**
 * Fields of a table as the engine reports them, with the descriptions and lengths that the
 * catalogue stores.
 */
export async function readTableFields(
  engine: Engine,
  { from, item }: Pick<ResolvedTable, 'from' | 'item'>,
): Promise<readonly FieldDefinition[]> {
  const { rows } = await engine.query(`DESCRIBE SELECT * FROM ${from}`);
  const known = (item?.definition['fields'] as readonly FieldDefinition[] | undefined) ?? [];
  return rows.map(([name, type], fieldIndex) => {
    const { description, length } =
      known.find((field) => field.name.toLowerCase() === String(name).toLowerCase()) ?? {};
    return {
      fieldIndex,
      name: String(name),
      fieldType: typeOfEngine(String(type)),
      ...(description === undefined ? {} : { description }),
      ...(length === undefined ? {} : { length }),
    };
  });
}

/**
 * The files that a table reads and their folder, if the user may delete them. Empty if the table
 * reads no files. Throws if another table reads one of the files.
 */
export async function filesBehind(
  context: StatementContext,
  item: Item,
): Promise<{ readonly files: readonly string[]; readonly root: string }> {
  const mapping = mappingOf(item);
  const { catalogue, who } = context;
  const repository = catalogue.holder(item, 'repository');
  const source =
    mapping?.mappingType === 'FileSystem'
      ? catalogue.child(repository?.id, 'data source', mapping.sourceName)
      : undefined;
  if (mapping?.mappingType !== 'FileSystem' || !source) return { files: [], root: '' };
  catalogue.requirePermission(source, who, 'Write');
  recordUse(context, source, 'Write');
  const root = rootOf(context, source);
  const files = await filesOf(
    context,
    source,
    dataSourceFilePath(context, source, mapping.file),
  ).catch((error: Error): readonly string[] => {
    if (error.message.startsWith('There is no file')) return [];
    throw error;
  });
  for (const other of catalogue.state.items) {
    const own =
      other.type === 'table' &&
      other.id !== item.id &&
      catalogue.holder(other, 'repository')?.id === repository?.id
        ? mappingOf(other)
        : undefined;
    if (own?.mappingType !== 'FileSystem') continue;
    const from = catalogue.child(repository?.id, 'data source', own.sourceName);
    const read =
      from?.definition['sourceType'] === 'file'
        ? await filesOf(context, from, dataSourceFilePath(context, from, own.file)).catch(
            (): readonly string[] => [],
          )
        : [];
    const shared = read.find((file) => files.includes(file));
    if (shared !== undefined)
      throw new MetadataError(
        `Another table also reads the file ${shared.slice(root.length + 1)}. ` +
          'Replace or drop this table without deleting its files.',
      );
  }
  return { files, root };
}
