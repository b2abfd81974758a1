/** Schemas of catalogue payloads. Those of jobs and tasks are in jobs.ts. */
import * as z from 'zod/mini';
import { maybe, open } from '../protocol/define.ts';
import {
  id,
  lineageSchema,
  listOf,
  maybeStrings,
  named,
  namedSchema,
  tableColumnSchema,
} from './shared/shared-schemas.ts';

const file = open({
  ...maybeStrings('path', 'fileName', 'format', 'compression', 'encoding', 'delimiter'),
  header: maybe(z.boolean()),
  multiLine: maybe(z.boolean()),
  ignoreLeadingWhiteSpace: maybe(z.boolean()),
  ignoreTrailingWhiteSpace: maybe(z.boolean()),
  ...maybeStrings('quoteCharacter', 'escapeCharacter', 'dateFormat', 'timestampFormat'),
  partitionBy: maybe(z.array(z.string())),
});
/** A table of a database, or a query. Also accepted as one text. */
const expression = z.union([z.string(), open(maybeStrings('schemaName', 'tableName', 'query'))]);
/** Schema of {@link PersistenceMapping}. */
export const persistenceMappingSchema = open({
  ...maybeStrings('mappingType', 'sourceName'),
  isWritable: maybe(z.boolean()),
  file: maybe(file),
  mapping: listOf(open(maybeStrings('sourceField', 'targetField'))),
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
        ...maybeStrings('name', 'schemaName', 'description'),
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
        ...named,
        ...maybeStrings('schemaName', 'dataSourceName', 'topic', 'path', 'state'),
        fields: listOf(tableColumnSchema),
      }),
    ),
    lineage: maybe(lineageSchema),
  }),
  sink: open({
    sink: maybe(
      open({
        sinkId: id,
        ...named,
        ...maybeStrings('schemaName', 'sourceName', 'dataSourceName', 'topic', 'path', 'state'),
      }),
    ),
    lineage: maybe(lineageSchema),
  }),
  schema: open({
    schema: maybe(
      open({
        schemaId: id,
        ...named,
        ...maybeStrings('repositoryName', 'defaultDataSourceName'),
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
        ...named,
        ...maybeStrings('defaultDataSourceName', 'defaultProjectName', 'defaultSchemaName'),
        defaultDataSourceId: id,
        defaultProjectId: id,
        defaultSchemaId: id,
        dataSources: listOf(open({ dataSourceId: id, ...named })),
        projects: listOf(open({ projectId: id, ...named })),
        schemas: listOf(open({ schemaId: id, ...named })),
      }),
    ),
    lineage: maybe(lineageSchema),
  }),
  'data-source': open({
    dataSource: maybe(
      open({
        dataSourceId: id,
        ...named,
        ...maybeStrings('sourceType', 'hdfsType', 'host'),
        port: maybe(z.number()),
        ...maybeStrings('pathPrefix', 'defaultPath', 'rootPath', 'path', 'url', 'databaseType'),
        ...maybeStrings('databaseName', 'userName'),
        // The name of a secret, not its value.
        passwordSecret: maybe(z.string()),
        credentialType: maybe(z.string()),
      }),
    ),
    lineage: maybe(lineageSchema),
  }),
  lineage: open({ lineage: maybe(lineageSchema) }),
};
