/** Payloads of profiles, relationships and exports. */
import * as z from 'zod/mini';
import { maybe, open } from '../protocol/define.ts';
import { list, time } from './shapes.ts';

/** How often each value is there: as a list, or as a map of them. */
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
/** One field of a data set. `inferredProfileType`: Text, Numerical, Date, Timestamp, Boolean or Other. */
export const fieldProfile = open({
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
      percentiles: list(open({ percentile: z.number(), value: maybe(z.number()) })),
      histogram: list(
        open({ from: maybe(z.number()), to: maybe(z.number()), count: maybe(z.number()) }),
      ),
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
/** One field of a data set. */
export type FieldProfile = z.infer<typeof fieldProfile>;

/** The profile of a data set as it travels. */
export const dataSetProfile = open({
  tableName: maybe(z.string()),
  query: maybe(z.string()),
  rowCount: maybe(z.number()),
  createdAt: maybe(time),
  fieldProfiles: list(fieldProfile),
});
/** The profile of a table or of a query's rows. */
export type DataSetProfile = z.infer<typeof dataSetProfile>;
/** A relationship as it travels: fields by themselves, or in pairs. */
export const relationship = open({
  fromSchemaName: maybe(z.string()),
  fromTableName: maybe(z.string()),
  toSchemaName: maybe(z.string()),
  toTableName: maybe(z.string()),
  relationshipType: maybe(z.string()),
  fromFieldName: maybe(z.string()),
  toFieldName: maybe(z.string()),
  fieldPairs: list(open({ fromFieldName: maybe(z.string()), toFieldName: maybe(z.string()) })),
  fromCardinality: maybe(z.string()),
  toCardinality: maybe(z.string()),
  score: maybe(z.number()),
});
/** A relationship as it travels: anything may be missing. */
export type SomeRelationship = z.infer<typeof relationship>;

/** The path alone, or with what is known of the file. */
const exportedFile = z.union([
  z.string(),
  open({
    path: maybe(z.string()),
    fileName: maybe(z.string()),
    format: maybe(z.string()),
    compression: maybe(z.string()),
  }),
]);

/** By the name of their widget. */
export const profileSchemas = {
  'schema-profile': open({
    schemaName: maybe(z.string()),
    createdAt: maybe(time),
    tableSummaries: list(
      open({
        tableName: maybe(z.string()),
        rowCount: maybe(z.number()),
        fieldCount: maybe(z.number()),
        createdAt: maybe(time),
      }),
    ),
  }),
  'data-set-profile': dataSetProfile,
  'profile-comparison': open({ before: maybe(dataSetProfile), after: maybe(dataSetProfile) }),
  relationships: open({ relationships: list(relationship) }),
  'exported-result': open({
    resultId: maybe(z.string()),
    format: maybe(z.string()),
    createTimestamp: maybe(time),
    rowCount: maybe(z.number()),
    sizeBytes: maybe(z.number()),
    query: maybe(z.string()),
  }),
  'exported-file': open({ dataSourceName: maybe(z.string()), file: maybe(exportedFile) }),
};
