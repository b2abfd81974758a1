/** Tables as statements name them: in the catalogue, or temporary ones of the session. */
import { foldName, quoteName } from '../../interpreters/sql-script.ts';
import type { FieldDefinition, MappingDefinition } from '../catalogue/definitions.ts';
import { typeOfEngine } from '../catalogue/field-types.ts';
import type { Item, Permission } from '../catalogue/state.ts';
import { MetadataError, type Engine } from '../contract.ts';
import type { Ref } from '../language/statements.ts';
import type { Context } from './context.ts';
import { databaseTable } from './databases.ts';
import { filesOf, pathOf, rootOf } from './sources.ts';
import type { TableName } from './sql-tables.ts';
import { need, use } from './uses.ts';

/** A table that a statement may use. */
export interface Table {
  /** What stands after FROM. */
  readonly from: string;
  /** `core.trips`, or the name of a temporary table. */
  readonly name: string;
  readonly schemaName: string;
  readonly tableName: string;
  /** Absent: a temporary table of the session. */
  readonly item?: Item;
}

/** The mapping of a table over files or a query; undefined for one whose rows are in the engine. */
export const mappingOf = (item: Item): MappingDefinition | undefined =>
  item.definition['persistenceMapping'] as MappingDefinition | undefined;

/** A table by name, with a permission on it. A table over files is looked after: what it reads now is still in its data source. */
export async function tableOf(context: Context, ref: Ref, permission: Permission): Promise<Table> {
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
  const item = need(context, 'table', ref, permission);
  await checkSources(context, item);
  return tableOfItem(context, item);
}

/** A table of the catalogue. */
export function tableOfItem(
  { catalogue, session }: Pick<Context, 'catalogue' | 'session'>,
  item: Item,
): Table {
  const schema = catalogue.byId(item.parentId)!;
  if (schema.parentId !== session.place.repositoryId)
    throw new MetadataError(
      `The table ${catalogue.nameOf(item)} is in another repository: start with "use repository".`,
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
 * What a table reads now is still in its data source, and may still be read: by who asks, or by who defined the table over it. Else a view would keep what was
 * taken from its maker, and show what somebody else has put under a name that was free again.
 */
async function checkSources(
  context: Context,
  item: Item,
  seen: readonly number[] = [],
): Promise<void> {
  const mapping = mappingOf(item);
  const { catalogue, people, who } = context;
  const userName = item.definedBy ?? item.createdBy;
  const person = await people.find(userName);
  const definer =
    person && !person.isDisabled ? { userName, isAdmin: people.isAdmin(person) } : undefined;
  if (mapping?.mappingType === 'Virtual' && item.definition['isCached'] !== true) {
    for (const name of item.sources ?? []) {
      const source = catalogue.find(
        { type: 'table', ref: name.split('.') },
        { ...context.session.place, repositoryId: catalogue.holder(item, 'repository')!.id },
      );
      if (!source)
        throw new MetadataError(
          `The table ${catalogue.nameOf(item)} reads a table that there is not any more.`,
        );
      if (
        !catalogue.may(source, who, 'Read') &&
        !(definer && catalogue.may(source, definer, 'Read'))
      )
        throw new MetadataError(
          `The table ${catalogue.nameOf(item)} reads a table that ${userName}, who defined it, may not read: who may read it says anew what it reads.`,
        );
      if (!seen.includes(source.id)) await checkSources(context, source, [...seen, item.id]);
    }
    return;
  }
  if (!mapping || mapping.mappingType === 'Virtual' || item.definition['isCached'] === true) return;
  const repository = catalogue.holder(item, 'repository')!;
  const source = catalogue.child(repository.id, 'data source', mapping.sourceName);
  if (!source)
    throw new MetadataError(
      `The data source ${mapping.sourceName} of table ${item.name} has been dropped.`,
    );
  if (!catalogue.may(source, who, 'Read') && !(definer && catalogue.may(source, definer, 'Read')))
    throw new MetadataError(
      `The table ${catalogue.nameOf(item)} reads data source ${source.name}, which ${userName}, who defined it, may not read any more: you need Read on it.`,
    );
  if (mapping.mappingType === 'JDBC') await databaseTable(context, source, mapping.expression);
  else await filesOf(context, source, pathOf(context, source, mapping.file));
}

/** The tables that a statement of SQL reads, each with Read on it. */
export async function readable(
  context: Context,
  names: readonly TableName[],
): Promise<readonly Table[]> {
  const tables: Table[] = [];
  for (const { schemaName, tableName } of names) {
    if (
      schemaName === undefined &&
      /[./]/.test(tableName) &&
      !context.session.temporary.has(foldName(tableName))
    ) {
      throw new MetadataError(
        `There is no table ${tableName}. Files are read through tables here: create table NAME from file "${tableName}"`,
      );
    }
    tables.push(
      await tableOf(
        context,
        schemaName === undefined ? [tableName] : [schemaName, tableName],
        'Read',
      ),
    );
  }
  return tables;
}

/** The fields of a table as the engine has them, with what the catalogue knows beside. */
export async function fieldsOf(
  engine: Engine,
  { from, item }: Pick<Table, 'from' | 'item'>,
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

/** The files that a table reads, which its user may remove, and the folder that they are in; none where it reads no files. */
export async function filesBehind(
  context: Context,
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
  catalogue.demand(source, who, 'Write');
  use(context, source, 'Write');
  const root = rootOf(context, source);
  const files = await filesOf(context, source, pathOf(context, source, mapping.file)).catch(
    (error: Error): readonly string[] => {
      if (error.message.startsWith('There is no file')) return [];
      throw error;
    },
  );
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
        ? await filesOf(context, from, pathOf(context, from, own.file)).catch(
            (): readonly string[] => [],
          )
        : [];
    const shared = read.find((file) => files.includes(file));
    if (shared !== undefined)
      throw new MetadataError(
        `The file ${shared.slice(root.length + 1)} is read by another table too: its files stay, so replace or drop this one without removing them.`,
      );
  }
  return { files, root };
}
