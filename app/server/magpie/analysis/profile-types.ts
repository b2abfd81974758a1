/** What a profile consists of; times are ISO-8601 in UTC. */

/** The kind of values that a field was found to have; texts of which every one is a number, a date, … count as these. */
export type ProfileType = 'Text' | 'Numerical' | 'Date' | 'Timestamp' | 'Boolean' | 'Other';

/** How often a value occurs. */
export interface ValueCount {
  readonly value: string | number;
  readonly count: number;
}

/** Finite numbers of a field; infinities and NaN are only counted. */
export interface NumericalProfile {
  readonly min: number;
  readonly max: number;
  readonly mean: number | null;
  /** Of the sample; `null` for a single value. */
  readonly standardDeviation: number | null;
  readonly sum: number | null;
  readonly percentiles: readonly { readonly percentile: number; readonly value: number }[];
  /** Equal bins from min to max, 8 or, where all values are the same, one. */
  readonly histogram: readonly {
    readonly from: number;
    readonly to: number;
    readonly count: number;
  }[];
  /** Values that are infinite or not a number. Absent: none. */
  readonly nonFiniteCount?: number;
}

/** The first and the last day or moment. */
export interface RangeProfile {
  readonly min: string;
  readonly max: string;
}

/** The counts of dates and times by parts of them; hours and minutes only of timestamps. */
export interface TimeCounts {
  /** Values `--MM-DD`. */
  readonly countByDayOfYear?: readonly ValueCount[];
  readonly countByYear?: readonly ValueCount[];
  readonly countByMonth?: readonly ValueCount[];
  readonly countByDayOfMonth?: readonly ValueCount[];
  /** Monday is 1. */
  readonly countByDayOfWeek?: readonly ValueCount[];
  readonly countByHourOfDay?: readonly ValueCount[];
  readonly countByMinuteOfHour?: readonly ValueCount[];
}

/** One field. */
export interface FieldProfile extends TimeCounts {
  readonly fieldIndex: number;
  readonly fieldName: string;
  readonly inferredProfileType: ProfileType;
  readonly nullCount: number;
  readonly distinctValueCount: number;
  /** `distinctValueCount` and percentiles are estimates, as there are many rows. Absent: exact. */
  readonly isApproximate?: true;
  /** The most frequent values, longer texts cut; none where each value occurs once and there are more than 20. */
  readonly topValues: readonly ValueCount[];
  readonly numericalProfile?: NumericalProfile;
  readonly dateProfile?: RangeProfile;
  readonly timestampProfile?: RangeProfile;
}

/** A table or an answer. */
export interface DataSetProfile {
  readonly tableName: string | null;
  readonly query: string | null;
  /** Rows that were looked at: of the sample where one was asked for. */
  readonly rowCount: number;
  /** All rows, where only a sample was looked at. */
  readonly totalRowCount?: number;
  readonly createdAt: string;
  readonly fieldProfiles: readonly FieldProfile[];
}

/** A table of a schema; one that could not be read has its `error` in the place of counts. */
export interface TableSummary {
  readonly tableName: string;
  readonly rowCount?: number;
  readonly fieldCount?: number;
  readonly createdAt: string;
  readonly error?: string;
}

/** A schema. */
export interface SchemaProfile {
  readonly schemaName: string;
  readonly createdAt: string;
  readonly tableSummaries: readonly TableSummary[];
}
