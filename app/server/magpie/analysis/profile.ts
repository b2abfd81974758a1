/** Profiles: what values the fields of a table have. Each is made of aggregates; no row leaves the engine. */
import { randomBytes } from 'node:crypto';
import { ExecutionError, MetadataError, type AnswerValue, type Engine } from '../contract.ts';
import { aliased, describeFields, EXACT_ROWS, inParts, numberOf, type Field } from './fields.ts';
import {
  binsOf,
  countColumns,
  isPlainText,
  numberExpression,
  numberQuery,
  promotedType,
  promotionColumns,
  promotionsOf,
  rangeColumns,
  TIME_COUNTS,
  timeCountsQuery,
  timeExpression,
  topValuesQuery,
} from './profile-sql.ts';
import type {
  DataSetProfile,
  FieldProfile,
  NumericalProfile,
  ProfileType,
  SchemaProfile,
  TableSummary,
  TimeCounts,
  ValueCount,
} from './profile-types.ts';

export type { DataSetProfile, FieldProfile, SchemaProfile } from './profile-types.ts';

/** What is profiled. */
export interface ProfileSource {
  /** SQL that stands after FROM: a quoted table or `(query)`. */
  readonly from: string;
  readonly tableName?: string;
  readonly query?: string;
}

/** How. */
export interface ProfileOptions {
  /** Looks at so many rows only, chosen at random. */
  readonly sample?: number;
  /** Names of the fields to look at; all by default. */
  readonly fields?: readonly string[];
  /** How many of the most frequent values are told, at most 1000; 10 by default. */
  readonly topValues?: number;
  /** Rows up to which distinct values are counted exactly. */
  readonly exactRows?: number;
}

/** Fields that one statement looks at: more of them make it slow to plan. */
const FIELDS_A_SCAN = 100;
/** Rows that tell whether texts may be something else. */
const FIRST_ROWS = 1_000;
const MAX_TOP_VALUES = 1_000;

/**
 * The profile of a table or query. Counts are exact up to a number of rows, above it those of distinct values and the
 * percentiles are estimated and flagged. Queries and samples are put aside in a temporary table first, so that all counts are of the
 * same rows. Rejects with MetadataError for options that do not hold, ExecutionError with the engine's words, or the signal's reason.
 */
export async function profileDataSet(
  engine: Engine,
  source: ProfileSource,
  options: ProfileOptions = {},
  signal?: AbortSignal,
): Promise<DataSetProfile> {
  const { sample, topValues = 10, exactRows = EXACT_ROWS } = options;
  if (sample !== undefined && !(Number.isSafeInteger(sample) && sample > 0))
    throw new MetadataError('sample is a whole number of rows, at least 1.');
  if (!(Number.isSafeInteger(topValues) && topValues >= 0 && topValues <= MAX_TOP_VALUES))
    throw new MetadataError(`topValues is a whole number from 0 to ${MAX_TOP_VALUES}.`);
  const all = await describeFields(engine, source.from, signal);
  const fields = chosen(all, options.fields);
  const createdAt = new Date().toISOString();
  const head = { tableName: source.tableName ?? null, query: source.query ?? null };
  const kept =
    sample !== undefined || source.tableName === undefined
      ? `profile_${randomBytes(8).toString('hex')}`
      : undefined;
  try {
    if (kept !== undefined) {
      const part =
        sample === undefined ? '' : ` USING SAMPLE reservoir(${sample} ROWS) REPEATABLE (1)`;
      await engine.query(
        `CREATE TEMPORARY TABLE ${kept} AS SELECT ${fields.map(({ alias }) => alias).join(', ')} FROM (SELECT * FROM ${aliased(source.from, all)}${part})`,
        signal,
      );
    }
    const from = kept ?? aliased(source.from, all);
    const rowCount = await countRows(engine, from, signal);
    const totalRowCount =
      sample === undefined ? undefined : await countRows(engine, source.from, signal);
    const profiler = new Profiler(
      engine,
      from,
      rowCount,
      { topValues, exact: rowCount <= exactRows },
      signal,
    );
    const fieldProfiles = await profiler.run(fields, all);
    return {
      ...head,
      rowCount,
      ...(totalRowCount === undefined ? {} : { totalRowCount }),
      createdAt,
      fieldProfiles,
    };
  } finally {
    // Not with the signal: it goes also after a cancel.
    if (kept !== undefined)
      await engine.query(`DROP TABLE IF EXISTS temp.${kept}`).catch(() => undefined);
  }
}

/** Counts of the tables of a schema. A table that cannot be read is listed with the engine's words; others are not lost for it. */
export async function profileSchema(
  engine: Engine,
  source: {
    readonly schemaName: string;
    readonly tables: readonly { readonly tableName: string; readonly from: string }[];
  },
  signal?: AbortSignal,
): Promise<SchemaProfile> {
  const tableSummaries: TableSummary[] = [];
  for (const { tableName, from } of source.tables) {
    try {
      const fields = await describeFields(engine, from, signal);
      const rowCount = await countRows(engine, from, signal);
      tableSummaries.push({
        tableName,
        rowCount,
        fieldCount: fields.length,
        createdAt: new Date().toISOString(),
      });
    } catch (error) {
      if (signal?.aborted || !(error instanceof ExecutionError)) throw error;
      tableSummaries.push({ tableName, createdAt: new Date().toISOString(), error: error.message });
    }
  }
  return { schemaName: source.schemaName, createdAt: new Date().toISOString(), tableSummaries };
}

const countRows = async (engine: Engine, from: string, signal?: AbortSignal): Promise<number> =>
  numberOf((await engine.query(`SELECT count(*) FROM ${from}`, signal)).rows[0]?.[0]);

function chosen(all: readonly Field[], names: readonly string[] | undefined): readonly Field[] {
  if (!names || names.length === 0) return all;
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const missing = names.find(
    (name) => !all.some((field) => field.name.toLowerCase() === name.toLowerCase()),
  );
  if (missing !== undefined)
    throw new MetadataError(
      `There is no field '${missing}' here. Fields are: ${all
        .slice(0, 20)
        .map(({ name }) => name)
        .join(', ')}${all.length > 20 ? ', …' : ''}.`,
    );
  return all.filter(({ name }) => wanted.has(name.toLowerCase()));
}

/** A field with what the first scan has told. */
interface Counted {
  readonly field: Field;
  readonly type: ProfileType;
  readonly present: number;
  readonly distinct: number;
}

class Profiler {
  readonly #engine: Engine;
  readonly #from: string;
  readonly #rowCount: number;
  readonly #options: { readonly topValues: number; readonly exact: boolean };
  readonly #signal: AbortSignal | undefined;

  constructor(
    engine: Engine,
    from: string,
    rowCount: number,
    options: { topValues: number; exact: boolean },
    signal: AbortSignal | undefined,
  ) {
    this.#engine = engine;
    this.#from = from;
    this.#rowCount = rowCount;
    this.#options = options;
    this.#signal = signal;
  }

  async run(fields: readonly Field[], all: readonly Field[]): Promise<FieldProfile[]> {
    const profiles: FieldProfile[] = [];
    for (const part of inParts(fields, FIELDS_A_SCAN)) {
      const counted = await this.#count(part);
      const numbers = await this.#numbers(
        counted.filter(({ type, present }) => type === 'Numerical' && present > 0),
      );
      const ranges = await this.#ranges(
        counted.filter(
          ({ type, present }) => (type === 'Date' || type === 'Timestamp') && present > 0,
        ),
      );
      for (const entry of counted) {
        const { field, type, present, distinct } = entry;
        const numericalProfile = numbers.get(field);
        profiles.push({
          fieldIndex: all.indexOf(field),
          fieldName: field.name,
          inferredProfileType: type,
          nullCount: this.#rowCount - present,
          distinctValueCount: distinct,
          ...(this.#options.exact ? {} : { isApproximate: true as const }),
          topValues: await this.#topValues(entry),
          ...(numericalProfile ? { numericalProfile } : {}),
          ...(ranges.has(field)
            ? {
                [type === 'Date' ? 'dateProfile' : 'timestampProfile']: ranges.get(field),
                ...(await this.#timeCounts(entry)),
              }
            : {}),
        });
      }
    }
    return profiles;
  }

  /** One row of aggregates. */
  async #row(columns: readonly string[], from = this.#from): Promise<readonly AnswerValue[]> {
    if (columns.length === 0) return [];
    return (
      (await this.#engine.query(`SELECT ${columns.join(', ')} FROM ${from}`, this.#signal))
        .rows[0] ?? []
    );
  }

  /** Counts of all fields, in one scan. */
  async #count(fields: readonly Field[]): Promise<Counted[]> {
    const possible = await this.#promotions(fields.filter(isPlainText));
    const columns = fields.map((field) =>
      countColumns(field, this.#options.exact, possible.get(field) ?? []),
    );
    const row = [...(await this.#row(columns.flat()))];
    return fields.map((field, at) => {
      const [present = 0, distinct = 0, ...parsed] = row
        .splice(0, columns[at]!.length)
        .map(numberOf);
      return {
        field,
        type: promotedType(field, present, possible.get(field) ?? [], parsed),
        present,
        distinct: Math.min(distinct, present),
      };
    });
  }

  /** What texts may be, by the first rows: to try each type on all of them takes long. */
  async #promotions(fields: readonly Field[]): Promise<ReadonlyMap<Field, readonly ProfileType[]>> {
    const columns = fields.map(promotionColumns);
    const row = [
      ...(await this.#row(columns.flat(), `(SELECT * FROM ${this.#from} LIMIT ${FIRST_ROWS})`)),
    ];
    return new Map(
      fields.map((field, at) => {
        const [present = 0, ...parsed] = row.splice(0, columns[at]!.length).map(numberOf);
        return [field, promotionsOf(present, parsed)];
      }),
    );
  }

  /** Numbers of all fields: a scan for their range and one, which needs that, for the rest. */
  async #numbers(counted: readonly Counted[]): Promise<ReadonlyMap<Field, NumericalProfile>> {
    const result = new Map<Field, NumericalProfile>();
    if (counted.length === 0) return result;
    const query = numberQuery(
      this.#from,
      counted.map(({ field }) => numberExpression(field)),
      this.#options.exact,
    );
    const row = [...((await this.#engine.query(query, this.#signal)).rows[0] ?? [])];
    const found = counted
      .map(({ field, present }) => {
        const [min, max, mean, sum, finite, ...percentiles] = row.splice(0, 10);
        return { field, present, min, max, mean, sum, finite: numberOf(finite), percentiles };
      })
      .filter(({ finite }) => finite > 0);
    const bins = found.map(({ field, min, max }) =>
      binsOf(numberExpression(field), numberOf(min), numberOf(max)),
    );
    const counts = [
      ...(await this.#row(bins.flatMap((bin) => [...bin.columns, bin.deviation]))),
    ].map((value) => (value === null ? null : numberOf(value)));
    found.forEach(({ field, present, min, max, mean, sum, finite, percentiles }, at) => {
      const { edges, columns: histogram, scale } = bins[at]!;
      const own = counts.splice(0, histogram.length);
      const deviation = counts.shift() ?? null;
      result.set(field, {
        min: numberOf(min),
        max: numberOf(max),
        mean: finiteOf(mean),
        standardDeviation: deviation === null ? null : finiteOf(deviation * scale),
        sum: finiteOf(sum),
        percentiles: [5, 25, 50, 75, 95].flatMap((percentile, n) => {
          const value = finiteOf(percentiles[n]);
          return value === null ? [] : [{ percentile, value }];
        }),
        histogram: own.map((count, n) => ({
          from: edges[n]!,
          to: edges[n + 1]!,
          count: count ?? 0,
        })),
        ...(finite < present ? { nonFiniteCount: present - finite } : {}),
      });
    });
    return result;
  }

  async #ranges(
    counted: readonly Counted[],
  ): Promise<ReadonlyMap<Field, { min: string; max: string }>> {
    const row = await this.#row(
      counted.flatMap(({ field, type }) => rangeColumns(timeExpression(field, type), type)),
    );
    const ranges = counted.map(({ field }, at) => [field, row[2 * at], row[2 * at + 1]] as const);
    // Nothing but infinite dates has no range.
    return new Map(
      ranges.flatMap(([field, min, max]) =>
        typeof min === 'string' && typeof max === 'string'
          ? [[field, { min: min.replace('.000Z', 'Z'), max: max.replace('.000Z', 'Z') }]]
          : [],
      ),
    );
  }

  async #topValues({ field, present, distinct }: Counted): Promise<ValueCount[]> {
    const { topValues, exact } = this.#options;
    // An estimate may be some hundredths off.
    const isUnique = exact ? distinct === present : distinct > present * 0.9;
    if (topValues === 0 || present === 0 || (isUnique && distinct > 20)) return [];
    const { rows } = await this.#engine.query(
      topValuesQuery(this.#from, field, topValues),
      this.#signal,
    );
    return rows.map(([value, count]) => ({ value: String(value), count: numberOf(count) }));
  }

  async #timeCounts({ field, type }: Counted): Promise<TimeCounts> {
    const { rows } = await this.#engine.query(
      timeCountsQuery(this.#from, timeExpression(field, type), type),
      this.#signal,
    );
    const counts: Record<string, ValueCount[]> = {};
    for (const [key, value, count] of rows) {
      const name = TIME_COUNTS[numberOf(key)]!.name;
      (counts[name] ??= []).push({
        value: name === 'countByDayOfYear' ? String(value) : numberOf(value),
        count: numberOf(count),
      });
    }
    return counts;
  }
}

function finiteOf(value: AnswerValue | undefined): number | null {
  const number = value === null || value === undefined ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}
