/** Schemas of catalogue payloads. Those of jobs and tasks are in jobs.ts. */
import * as z from 'zod/mini';
import { maybe, open } from '../protocol/define.ts';
import {
  id,
  lineageSchema,
  listOf,
  named,
  namedSchema,
  tableColumnSchema,
} from './shared/shared-schemas.ts';

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
        name: maybe(z.string()),
        schemaName: maybe(z.string()),
        description: maybe(z.string()),
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
        schemaName: maybe(z.string()),
        dataSourceName: maybe(z.string()),
        topic: maybe(z.string()),
        path: maybe(z.string()),
        state: maybe(z.string()),
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
        schemaName: maybe(z.string()),
        sourceName: maybe(z.string()),
        dataSourceName: maybe(z.string()),
        topic: maybe(z.string()),
        path: maybe(z.string()),
        state: maybe(z.string()),
      }),
    ),
    lineage: maybe(lineageSchema),
  }),
  schema: open({
    schema: maybe(
      open({
        schemaId: id,
        ...named,
        repositoryName: maybe(z.string()),
        defaultDataSourceName: maybe(z.string()),
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
        defaultDataSourceName: maybe(z.string()),
        defaultProjectName: maybe(z.string()),
        defaultSchemaName: maybe(z.string()),
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
        // The name of a secret, not its value.
        passwordSecret: maybe(z.string()),
        credentialType: maybe(z.string()),
      }),
    ),
    lineage: maybe(lineageSchema),
  }),
  lineage: open({ lineage: maybe(lineageSchema) }),
};
