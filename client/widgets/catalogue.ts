/** Schemas of catalogue payloads. Those of jobs and tasks are in jobs.ts. */
import * as z from 'zod/mini';
import { maybe, open, texts } from '../protocol/define.ts';
import { lineageSchema, listOf, namedSchema, tableColumnSchema } from './shared/shared-schemas.ts';

const id = maybe(z.union([z.string(), z.number()]));
const about = { name: maybe(z.string()), description: maybe(z.string()) };
const file = open({
  ...texts('path', 'fileName', 'format', 'compression', 'encoding', 'delimiter'),
  header: maybe(z.boolean()),
  multiLine: maybe(z.boolean()),
  ignoreLeadingWhiteSpace: maybe(z.boolean()),
  ignoreTrailingWhiteSpace: maybe(z.boolean()),
  ...texts('quoteCharacter', 'escapeCharacter', 'dateFormat', 'timestampFormat'),
  partitionBy: maybe(z.array(z.string())),
});
/** A table of a database, or a query. Also accepted as one text. */
const expression = z.union([
  z.string(),
  open({ schemaName: maybe(z.string()), tableName: maybe(z.string()), query: maybe(z.string()) }),
]);
/** Schema of {@link PersistenceMapping}. */
export const persistenceMappingSchema = open({
  mappingType: maybe(z.string()),
  sourceName: maybe(z.string()),
  isWritable: maybe(z.boolean()),
  file: maybe(file),
  mapping: listOf(open({ sourceField: maybe(z.string()), targetField: maybe(z.string()) })),
  expression: maybe(expression),
  query: maybe(z.string()),
});
/** Source of a table's rows: files, a database expression, or a query. */
export type PersistenceMapping = z.infer<typeof persistenceMappingSchema>;

/** Schemas of the catalogue widgets, by widget id. */
export const catalogueSchemas = {
  table: open({
    table: maybe(
      open({
        tableId: id,
        ...texts('name', 'schemaName', 'description'),
        isTemporary: maybe(z.boolean()),
        isCached: maybe(z.boolean()),
        fields: listOf(tableColumnSchema),
        persistenceMapping: maybe(persistenceMappingSchema),
      }),
    ),
    lineage: maybe(lineageSchema),
  }),
  stream: open({
    stream: maybe(
      open({
        streamId: id,
        ...texts('name', 'description', 'schemaName', 'dataSourceName', 'topic', 'path', 'state'),
        fields: listOf(tableColumnSchema),
      }),
    ),
    lineage: maybe(lineageSchema),
  }),
  sink: open({
    sink: maybe(
      open({
        sinkId: id,
        ...texts('name', 'description', 'schemaName', 'sourceName', 'dataSourceName', 'topic'),
        ...texts('path', 'state'),
      }),
    ),
    lineage: maybe(lineageSchema),
  }),
  schema: open({
    schema: maybe(
      open({
        schemaId: id,
        ...texts('name', 'description', 'repositoryName', 'defaultDataSourceName'),
        tables: listOf(namedSchema),
        streams: listOf(namedSchema),
        sinks: listOf(namedSchema),
      }),
    ),
    lineage: maybe(lineageSchema),
  }),
  repository: open({
    repository: maybe(
      open({
        repositoryId: id,
        ...texts('name', 'description', 'defaultDataSourceName', 'defaultProjectName'),
        defaultSchemaName: maybe(z.string()),
        defaultDataSourceId: id,
        defaultProjectId: id,
        defaultSchemaId: id,
        dataSources: listOf(open({ dataSourceId: id, ...about })),
        projects: listOf(open({ projectId: id, ...about })),
        schemas: listOf(open({ schemaId: id, ...about })),
      }),
    ),
    lineage: maybe(lineageSchema),
  }),
  'data-source': open({
    dataSource: maybe(
      open({
        dataSourceId: id,
        ...texts('name', 'description', 'sourceType', 'hdfsType', 'host'),
        port: maybe(z.number()),
        ...texts('pathPrefix', 'defaultPath', 'rootPath', 'path', 'url', 'databaseType'),
        ...texts('databaseName', 'userName'),
        // The name of a secret, not its value.
        passwordSecret: maybe(z.string()),
        credentialType: maybe(z.string()),
      }),
    ),
    lineage: maybe(lineageSchema),
  }),
  lineage: open({ lineage: maybe(lineageSchema) }),
};
