/** Schemas of profile, relationship and export payloads. */
import * as z from 'zod/mini';
import { maybe, open } from '../protocol/define.ts';
import { listOf, maybeStrings, time } from './shared/shared-schemas.ts';

/** Frequencies of values, as a list or as an object. */
export type Counts =
  | readonly {
      readonly value?: string | number | boolean | null | undefined;
      readonly count?: number | undefined;
    }[]
  | Readonly<Record<string, number>>;
const counts = z.union([
  z.array(
    open({
      value: z.optional(z.nullable(z.union([z.string(), z.number(), z.boolean()]))),
      count: maybe(z.number()),
    }),
  ),
  z.record(z.string(), z.number()),
]) as unknown as z.ZodMiniType<Counts>;
const moment = maybe(open({ min: maybe(time), max: maybe(time) }));
/** Schema of {@link FieldProfile}. */
export const fieldProfileSchema = open({
  fieldIndex: maybe(z.number()),
  fieldName: z.string(),
  inferredProfileType: maybe(z.string()),
  nullCount: maybe(z.number()),
  distinctValueCount: maybe(z.number()),
  isApproximate: maybe(z.boolean()),
  topValues: maybe(counts),
  numericalProfile: maybe(
    open({
      min: maybe(z.number()),
      max: maybe(z.number()),
      mean: maybe(z.number()),
      standardDeviation: maybe(z.number()),
      sum: maybe(z.number()),
      percentiles: listOf(open({ percentile: z.number(), value: maybe(z.number()) })),
      histogram: listOf(
        open({ from: maybe(z.number()), to: maybe(z.number()), count: maybe(z.number()) }),
      ),
      // Infinite values and NaN, which the other figures do not include.
      nonFiniteCount: maybe(z.number()),
    }),
  ),
  dateProfile: moment,
  timestampProfile: moment,
  countByDayOfYear: maybe(counts),
  countByYear: maybe(counts),
  countByMonth: maybe(counts),
  countByDayOfMonth: maybe(counts),
  countByDayOfWeek: maybe(counts),
  countByHourOfDay: maybe(counts),
  countByMinuteOfHour: maybe(counts),
});
/**
 * Profile of one field. `inferredProfileType` is Text, Numerical, Date, Timestamp, Boolean or
 * Other.
 */
export type FieldProfile = z.infer<typeof fieldProfileSchema>;

/** Schema of {@link DataSetProfile}. */
export const dataSetProfileSchema = open({
  ...maybeStrings('tableName', 'query'),
  rowCount: maybe(z.number()),
  // Present if only a sample was profiled; `rowCount` is then the size of the sample.
  totalRowCount: maybe(z.number()),
  createdAt: maybe(time),
  fieldProfiles: listOf(fieldProfileSchema),
});
/** Profile of a table or of the rows of a query. */
export type DataSetProfile = z.infer<typeof dataSetProfileSchema>;
/** Schema of {@link RelationshipPayload}. */
export const relationshipSchema = open({
  ...maybeStrings('fromSchemaName', 'fromTableName', 'toSchemaName', 'toTableName'),
  ...maybeStrings('relationshipType', 'fromFieldName', 'toFieldName'),
  fieldPairs: listOf(open(maybeStrings('fromFieldName', 'toFieldName'))),
  ...maybeStrings('fromCardinality', 'toCardinality'),
  score: maybe(z.number()),
});
/**
 * A relationship as sent by the server, either with one field on each side or with field pairs. All
 * members are optional.
 */
export type RelationshipPayload = z.infer<typeof relationshipSchema>;

/** The path alone, or an object with what is known about the file. */
const exportedFile = z.union([
  z.string(),
  open({
    ...maybeStrings('path', 'fileName', 'format', 'compression'),
    sizeBytes: maybe(z.number()),
  }),
]);

/** Schemas of the profile, relationship and export widgets, by widget id. */
export const profileSchemas = {
  'schema-profile': open({
    schemaName: maybe(z.string()),
    createdAt: maybe(time),
    tableSummaries: listOf(
      open({
        tableName: maybe(z.string()),
        rowCount: maybe(z.number()),
        fieldCount: maybe(z.number()),
        createdAt: maybe(time),
        // Why the table could not be read. It has no counts then.
        error: maybe(z.string()),
      }),
    ),
  }),
  'data-set-profile': dataSetProfileSchema,
  'profile-comparison': open({
    before: maybe(dataSetProfileSchema),
    after: maybe(dataSetProfileSchema),
  }),
  relationships: open({
    relationships: listOf(relationshipSchema),
    // Field pairs that were not compared, because there were too many.
    candidatesLeftOut: maybe(z.number()),
  }),
  'exported-result': open({
    ...maybeStrings('resultId', 'format'),
    createTimestamp: maybe(time),
    rowCount: maybe(z.number()),
    sizeBytes: maybe(z.number()),
    query: maybe(z.string()),
  }),
  'exported-file': open({ dataSourceName: maybe(z.string()), file: maybe(exportedFile) }),
};
