/** Sources that tables read: data sources, files and databases. */
import { quoteName } from '../../../interpreters/sql/script.ts';
import type { Item } from '../../catalogue/state.ts';
import type { FieldDefinition, MappingDefinition } from '../../catalogue/table-definitions.ts';
import { ExecutionError, MetadataError } from '../../contract.ts';
import type { StatementContext } from '../context.ts';
import { databaseTable } from '../files/databases.ts';
import { fileQuery, type TypedFields, withTypes } from '../files/read-files.ts';
import { dataSourceFilePath, filesOf } from '../files/sources.ts';
import { recordUse, resolveObject } from '../resolve-and-record.ts';
import { type NewTable, tableBody } from './make-table.ts';
import { checkTableQuery, sourceNames } from './sql.ts';

/** A table over files or a database. It reads them on each query, unless it is temporary. */
export async function overSource(
  context: StatementContext,
  source: Item,
  mapping: Exclude<MappingDefinition, { mappingType: 'Virtual' }>,
  temporary: boolean,
  fields?: TypedFields,
): Promise<Pick<NewTable, 'as' | 'sources'>> {
  const { engine } = context;
  if (mapping.mappingType === 'JDBC') {
    const { expression } = mapping;
    const rows = `SELECT * FROM ${await databaseTable(context, source, expression)}`;
    const query = await withTypes(engine, rows, fields);
    const parts = 'tableName' in expression ? [expression.schemaName, expression.tableName] : [];
    const name = parts.filter(Boolean).join('.');
    return { as: { query, view: !temporary }, sources: [`${source.name}:${name}`] };
  }
  const { path, fileName } = mapping.file;
  const pattern = dataSourceFilePath(context, source, mapping.file);
  await filesOf(context, source, pattern, fileName);
  const query = await fileQuery(engine, pattern, mapping, fields);
  return {
    as: { query, view: !temporary },
    sources: [`${source.name}:${[path, fileName].filter(Boolean).join('/')}`],
  };
}

/**
 * Resolves a data source by name, or the default one of the session or schema, and requires a
 * permission on it.
 */
export function dataSourceOf(
  context: StatementContext,
  name: string | undefined,
  permission: 'Read' | 'Write' = 'Read',
): Item {
  if (name !== undefined) return resolveObject(context, 'data source', [name], permission);
  const { catalogue, session } = context;
  const ofSchema = catalogue.byId(session.scope.schemaId)?.definition['defaultDataSourceName'];
  const found =
    catalogue.byId(session.scope.dataSourceId) ??
    catalogue.child(session.scope.repositoryId, 'data source', String(ofSchema ?? ''));
  if (!found)
    throw new MetadataError(
      'No data source is selected. ' +
        'Add "in data source NAME", or select one with "use data source NAME".',
    );
  catalogue.requirePermission(found, context.who, permission);
  recordUse(context, found, permission);
  return found;
}

/**
 * Returns the DDL that recreates the view of a table over files or a query from its current
 * mapping.
 */
export async function remakeView(
  context: StatementContext,
  item: Item,
  mapping: MappingDefinition,
): Promise<{ readonly view: string; readonly sources: readonly string[] }> {
  const schema = context.catalogue.byId(item.parentId)!;
  // Fields of the previous mapping that the new one does not have are ignored.
  const fields = {
    known: (item.definition['fields'] as readonly FieldDefinition[] | undefined) ?? [],
  };
  const full = `${quoteName(schema.name)}.${quoteName(item.name)}`;
  if (mapping.mappingType === 'Virtual') {
    const { query, reads } = await checkTableQuery(context, schema, mapping.expression.query);
    if (reads.some(({ item: read }) => read!.id === item.id))
      throw new MetadataError('A table over a query cannot read itself.');
    return {
      view: `CREATE VIEW ${full} AS ${await withTypes(context.engine, query, fields)}`,
      sources: sourceNames(reads),
    };
  }
  const source = context.catalogue.child(schema.parentId, 'data source', mapping.sourceName);
  if (!source) throw new ExecutionError(`The data source ${mapping.sourceName} has been dropped.`);
  const { as, sources } = await overSource(context, source, mapping, false, fields);
  return { view: `CREATE VIEW ${full} ${tableBody(as)}`, sources };
}
