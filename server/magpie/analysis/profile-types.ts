/** Profiles as this server computes them. All times are ISO 8601 in UTC. */
import type {
  Counts,
  DataSetProfile,
  FieldProfile,
  NarrowPayload,
  PayloadOf,
  WidgetPayload,
} from '@tiding/client/widgets';

/** Kind of values in a field. Text of which every value is a date counts as dates, and so on. */
export type ProfileType = 'Text' | 'Numerical' | 'Date' | 'Timestamp' | 'Boolean' | 'Other';

/** Frequency of a value. */
export type ValueCount = NarrowPayload<
  PayloadOf<Extract<Counts, readonly unknown[]>[number]>,
  { value: string | number; count: number }
>;

/** Figures of a field's finite numbers. Infinite values and NaN are only counted. */
export type MeasuredNumbers = NarrowPayload<
  PayloadOf<NonNullable<FieldProfile['numericalProfile']>>,
  {
    min: number;
    max: number;
    mean: number | null;
    /** Sample standard deviation. `null` for a single value. */
    standardDeviation: number | null;
    sum: number | null;
    percentiles: readonly { readonly percentile: number; readonly value: number }[];
    /** Eight equal bins from min to max, or a single one if all values are equal. */
    histogram: readonly { readonly from: number; readonly to: number; readonly count: number }[];
    /** Number of infinite values and NaN. Absent if there are none. */
    nonFiniteCount?: number;
  }
>;

/** The first and the last date or timestamp. */
export type MeasuredRange = NarrowPayload<
  PayloadOf<NonNullable<FieldProfile['dateProfile']>>,
  { min: string; max: string }
>;

export type MeasuredField = NarrowPayload<
  PayloadOf<FieldProfile>,
  {
    fieldIndex: number;
    fieldName: string;
    inferredProfileType: ProfileType;
    nullCount: number;
    distinctValueCount: number;
    /** `distinctValueCount` and percentiles are estimates. Absent if they are exact. */
    isApproximate?: true;
    /**
     * The most frequent values; long text is truncated. Empty if all values are distinct and there
     * are more than 20.
     */
    topValues: readonly ValueCount[];
    numericalProfile?: MeasuredNumbers;
    dateProfile?: MeasuredRange;
    timestampProfile?: MeasuredRange;
  }
>;

/** Members of a field profile that count dates and times by their parts. */
export type TimeCountName = keyof MeasuredField & `countBy${string}`;

/** Profile of a table or query. */
export type MeasuredProfile = NarrowPayload<
  PayloadOf<DataSetProfile>,
  {
    tableName: string | null;
    query: string | null;
    /** Number of profiled rows: those of the sample, if one was requested. */
    rowCount: number;
    /** Number of all rows. Only present if a sample was requested. */
    totalRowCount?: number;
    createdAt: string;
    fieldProfiles: readonly MeasuredField[];
  }
>;

/** A table in the profile of a schema. If it could not be read, `error` replaces the counts. */
export type TableSummary = NarrowPayload<
  NonNullable<WidgetPayload<'schema-profile'>['tableSummaries']>[number],
  {
    tableName: string;
    rowCount?: number;
    fieldCount?: number;
    createdAt: string;
    error?: string;
  }
>;

export type MeasuredSchema = NarrowPayload<
  WidgetPayload<'schema-profile'>,
  { schemaName: string; createdAt: string; tableSummaries: readonly TableSummary[] }
>;
