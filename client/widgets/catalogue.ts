/** Payloads of the data catalogue; those of jobs and tasks are in jobs.ts. */
import * as z from 'zod/mini';
import { maybe, open } from '../protocol/define.ts';
import { field, lineage, list, named } from './shapes.ts';

const id = maybe(z.union([z.string(), z.number()]));
const about = { name: maybe(z.string()), description: maybe(z.string()) };
const file = open({
  path: maybe(z.string()),
  fileName: maybe(z.string()),
  format: maybe(z.string()),
  compression: maybe(z.string()),
  encoding: maybe(z.string()),
  delimiter: maybe(z.string()),
  header: maybe(z.boolean()),
  multiLine: maybe(z.boolean()),
  ignoreLeadingWhiteSpace: maybe(z.boolean()),
  ignoreTrailingWhiteSpace: maybe(z.boolean()),
  quoteCharacter: maybe(z.string()),
  escapeCharacter: maybe(z.string()),
  dateFormat: maybe(z.string()),
  timestampFormat: maybe(z.string()),
});
/** A table of a database, or a query to it; also as one text. */
const expression = z.union([
  z.string(),
  open({ schemaName: maybe(z.string()), tableName: maybe(z.string()), query: maybe(z.string()) }),
]);
/** Where a table's rows are: files, an expression of a database, or a query. */
export const persistenceMapping = open({
  mappingType: maybe(z.string()),
  sourceName: maybe(z.string()),
  isWritable: maybe(z.boolean()),
  file: maybe(file),
  mapping: list(open({ sourceField: maybe(z.string()), targetField: maybe(z.string()) })),
  expression: maybe(expression),
  query: maybe(z.string()),
});
/** Where a table's rows are. */
export type PersistenceMapping = z.infer<typeof persistenceMapping>;

/** By the name of the widget. */
export const catalogueSchemas = {
  table: open({
    table: maybe(
      open({
        tableId: id,
        name: maybe(z.string()),
        schemaName: maybe(z.string()),
        description: maybe(z.string()),
        isTemporary: maybe(z.boolean()),
        isCached: maybe(z.boolean()),
        fields: list(field),
        persistenceMapping: maybe(persistenceMapping),
      }),
    ),
    lineage: maybe(lineage),
  }),
  stream: open({
    stream: maybe(
      open({
        name: maybe(z.string()),
        description: maybe(z.string()),
        schemaName: maybe(z.string()),
        dataSourceName: maybe(z.string()),
        topic: maybe(z.string()),
        path: maybe(z.string()),
        state: maybe(z.string()),
        fields: list(field),
      }),
    ),
    lineage: maybe(lineage),
  }),
  sink: open({
    sink: maybe(
      open({
        name: maybe(z.string()),
        description: maybe(z.string()),
        schemaName: maybe(z.string()),
        sourceName: maybe(z.string()),
        dataSourceName: maybe(z.string()),
        topic: maybe(z.string()),
        path: maybe(z.string()),
        state: maybe(z.string()),
      }),
    ),
    lineage: maybe(lineage),
  }),
  schema: open({
    schema: maybe(
      open({
        schemaId: id,
        name: maybe(z.string()),
        description: maybe(z.string()),
        repositoryName: maybe(z.string()),
        defaultDataSourceName: maybe(z.string()),
        tables: list(named),
      }),
    ),
    lineage: maybe(lineage),
  }),
  repository: open({
    repository: maybe(
      open({
        repositoryId: id,
        name: maybe(z.string()),
        description: maybe(z.string()),
        defaultDataSourceId: id,
        defaultProjectId: id,
        defaultSchemaId: id,
        dataSources: list(open({ dataSourceId: id, ...about })),
        projects: list(open({ projectId: id, ...about })),
        schemas: list(open({ schemaId: id, ...about })),
      }),
    ),
    lineage: maybe(lineage),
  }),
  'data-source': open({
    dataSource: maybe(
      open({
        dataSourceId: id,
        name: maybe(z.string()),
        description: maybe(z.string()),
        sourceType: maybe(z.string()),
        hdfsType: maybe(z.string()),
        host: maybe(z.string()),
        port: maybe(z.number()),
        pathPrefix: maybe(z.string()),
        defaultPath: maybe(z.string()),
        rootPath: maybe(z.string()),
        path: maybe(z.string()),
        url: maybe(z.string()),
        databaseType: maybe(z.string()),
        databaseName: maybe(z.string()),
        userName: maybe(z.string()),
        credentialType: maybe(z.string()),
      }),
    ),
    lineage: maybe(lineage),
  }),
  lineage: open({ lineage: maybe(lineage) }),
};
