/**
 * Profiles the values of a table's fields. All figures are aggregates: no row leaves the engine.
 */
import { randomBytes } from 'node:crypto';
import type { QueryResultValue } from '../../interpreters/sql/engine/query-result.ts';
import { type Engine, ExecutionError, MetadataError, wrongName } from '../contract.ts';
import {
  aliased,
  chunked,
  countRows,
  describeFields,
  EXACT_ROWS,
  firstRow,
  numericValue,
  type TableField,
  withSignal,
} from './fields.ts';
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
  MeasuredField,
  MeasuredNumbers,
  MeasuredProfile,
  MeasuredRange,
  MeasuredSchema,
  ProfileType,
  TableSummary,
  TimeCountName,
  ValueCount,
} from './profile-types.ts';

interface ProfileSource {
  /** SQL after FROM: a quoted table name or `(query)`. */
  readonly from: string;
  readonly tableName?: string;
  readonly query?: string;
}

export interface ProfileOptions {
  /** Profile only this many rows, chosen at random. */
  readonly sample?: number;
  /** Names of the fields to profile. Default: all. */
  readonly fields?: readonly string[];
  /** Number of most frequent values to list, at most 1000. Default: 10. */
  readonly topValues?: number;
  /** Up to this many rows, distinct values are counted exactly. */
  readonly exactRows?: number;
}

/** Maximum number of fields per statement. More make it slow to plan. */
const FIELDS_PER_SCAN = 100;
/** Number of rows used to guess which types a text field may have. */
const FIRST_ROWS = 1_000;
const MAX_TOP_VALUES = 1_000;

/**
 * Profiles a table or query. Up to a number of rows all counts are exact; above it, distinct counts
 * and percentiles are estimates and flagged as such. Queries and samples are first stored in a
 * temporary table, so that all counts refer to the same rows. Rejects with MetadataError for
 * invalid options, with ExecutionError and the engine's message, or with the signal's reason.
 */
export async function profileDataSet(
  given: Engine,
  source: ProfileSource,
  options: ProfileOptions = {},
  signal?: AbortSignal,
): Promise<MeasuredProfile> {
  const { sample, topValues = 10, exactRows = EXACT_ROWS } = options;
  if (sample !== undefined && !(Number.isSafeInteger(sample) && sample > 0))
    throw new MetadataError('sample must be a whole number of rows, at least 1.');
  if (!(Number.isSafeInteger(topValues) && topValues >= 0 && topValues <= MAX_TOP_VALUES))
    throw new MetadataError(`topValues must be a whole number from 0 to ${MAX_TOP_VALUES}.`);
  const engine = withSignal(given, signal);
  const all = await describeFields(engine, source.from);
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
        `CREATE TEMPORARY TABLE ${kept} AS ` +
          `SELECT ${fields.map(({ alias }) => alias).join(', ')} ` +
          `FROM (SELECT * FROM ${aliased(source.from, all)}${part})`,
      );
    }
    const from = kept ?? aliased(source.from, all);
    const rowCount = await countRows(engine, from);
    const totalRowCount = sample === undefined ? undefined : await countRows(engine, source.from);
    const exact = rowCount <= exactRows;
    const profiler = new Profiler({ engine, from, rowCount, topValues, exact });
    const fieldProfiles = await profiler.run(fields, all);
    return {
      ...head,
      rowCount,
      ...(totalRowCount === undefined ? {} : { totalRowCount }),
      createdAt,
      fieldProfiles,
    };
  } finally {
    // Without the signal, because the table must also be dropped after a cancel.
    if (kept !== undefined)
      await given.query(`DROP TABLE IF EXISTS temp.${kept}`).catch(() => undefined);
  }
}

/**
 * Counts the rows and fields of each table of a schema. A table that cannot be read is listed with
 * the engine's message and does not affect the others.
 */
export async function profileSchema(
  given: Engine,
  source: {
    readonly schemaName: string;
    readonly tables: readonly { readonly tableName: string; readonly from: string }[];
  },
  signal?: AbortSignal,
): Promise<MeasuredSchema> {
  const engine = withSignal(given, signal);
  const tableSummaries: TableSummary[] = [];
  for (const { tableName, from } of source.tables) {
    try {
      const fields = await describeFields(engine, from);
      const rowCount = await countRows(engine, from);
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

function chosen(
  all: readonly TableField[],
  names: readonly string[] | undefined,
): readonly TableField[] {
  if (!names || names.length === 0) return all;
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const missing = names.find(
    (name) => !all.some((field) => field.name.toLowerCase() === name.toLowerCase()),
  );
  if (missing !== undefined)
    throw new MetadataError(
      `There is no field '${missing}'. The fields are ${all
        .slice(0, 20)
        .map(({ name }) => name)
        .join(', ')}${all.length > 20 ? ', …' : ''}.`,
      wrongName('fields', missing),
    );
  return all.filter(({ name }) => wanted.has(name.toLowerCase()));
}

/** A field with the results of the first scan. */
interface Counted {
  readonly field: TableField;
  readonly type: ProfileType;
  readonly present: number;
  readonly distinct: number;
}

interface ProfilerInput {
  readonly engine: Engine;
  readonly from: string;
  readonly rowCount: number;
  readonly topValues: number;
  readonly exact: boolean;
}

class Profiler {
  readonly #input: ProfilerInput;

  constructor(input: ProfilerInput) {
    this.#input = input;
  }

  async run(fields: readonly TableField[], all: readonly TableField[]): Promise<MeasuredField[]> {
    const profiles: MeasuredField[] = [];
    for (const part of chunked(fields, FIELDS_PER_SCAN)) {
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
          nullCount: this.#input.rowCount - present,
          distinctValueCount: distinct,
          ...(this.#input.exact ? {} : { isApproximate: true as const }),
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

  /** Runs aggregates and returns their single result row. */
  async #row(
    columns: readonly string[],
    from = this.#input.from,
  ): Promise<readonly QueryResultValue[]> {
    if (columns.length === 0) return [];
    return firstRow(this.#input.engine, `SELECT ${columns.join(', ')} FROM ${from}`);
  }

  async #count(fields: readonly TableField[]): Promise<Counted[]> {
    const possible = await this.#promotions(fields.filter(isPlainText));
    const columns = fields.map((field) =>
      countColumns(field, this.#input.exact, possible.get(field) ?? []),
    );
    const row = [...(await this.#row(columns.flat()))];
    return fields.map((field, at) => {
      const [present = 0, distinct = 0, ...parsed] = row
        .splice(0, columns[at]!.length)
        .map(numericValue);
      return {
        field,
        type: promotedType(field, present, possible.get(field) ?? [], parsed),
        present,
        distinct: Math.min(distinct, present),
      };
    });
  }

  /**
   * Guesses the possible types of text fields from the first rows, because parsing all rows as
   * every type is slow.
   */
  async #promotions(
    fields: readonly TableField[],
  ): Promise<ReadonlyMap<TableField, readonly ProfileType[]>> {
    const columns = fields.map(promotionColumns);
    const row = [
      ...(await this.#row(
        columns.flat(),
        `(SELECT * FROM ${this.#input.from} LIMIT ${FIRST_ROWS})`,
      )),
    ];
    return new Map(
      fields.map((field, at) => {
        const [present = 0, ...parsed] = row.splice(0, columns[at]!.length).map(numericValue);
        return [field, promotionsOf(present, parsed)];
      }),
    );
  }

  /**
   * Profiles numbers in two scans: one for the range, and one that needs the range for everything
   * else.
   */
  async #numbers(counted: readonly Counted[]): Promise<ReadonlyMap<TableField, MeasuredNumbers>> {
    const result = new Map<TableField, MeasuredNumbers>();
    if (counted.length === 0) return result;
    const query = numberQuery(
      this.#input.from,
      counted.map(({ field }) => numberExpression(field)),
      this.#input.exact,
    );
    const row = [...(await firstRow(this.#input.engine, query))];
    const found = counted
      .map(({ field, present }) => {
        const [min, max, mean, sum, finite, ...percentiles] = row.splice(0, 10);
        return { field, present, min, max, mean, sum, finite: numericValue(finite), percentiles };
      })
      .filter(({ finite }) => finite > 0);
    const bins = found.map(({ field, min, max }) =>
      binsOf(numberExpression(field), numericValue(min), numericValue(max)),
    );
    const counts = [
      ...(await this.#row(bins.flatMap((bin) => [...bin.columns, bin.deviation]))),
    ].map((value) => (value === null ? null : numericValue(value)));
    found.forEach(({ field, present, min, max, mean, sum, finite, percentiles }, at) => {
      const { edges, columns: histogram, scale } = bins[at]!;
      const own = counts.splice(0, histogram.length);
      const deviation = counts.shift() ?? null;
      result.set(field, {
        min: numericValue(min),
        max: numericValue(max),
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

  async #ranges(counted: readonly Counted[]): Promise<ReadonlyMap<TableField, MeasuredRange>> {
    const row = await this.#row(
      counted.flatMap(({ field, type }) => rangeColumns(timeExpression(field, type), type)),
    );
    const ranges = counted.map(({ field }, at) => [field, row[2 * at], row[2 * at + 1]] as const);
    // A field with only infinite dates has no range.
    return new Map(
      ranges.flatMap(([field, min, max]) =>
        typeof min === 'string' && typeof max === 'string'
          ? [[field, { min: min.replace('.000Z', 'Z'), max: max.replace('.000Z', 'Z') }]]
          : [],
      ),
    );
  }

  async #topValues({ field, present, distinct }: Counted): Promise<ValueCount[]> {
    const { topValues, exact } = this.#input;
    // An estimate may be off by a few per cent.
    const isUnique = exact ? distinct === present : distinct > present * 0.9;
    if (topValues === 0 || present === 0 || (isUnique && distinct > 20)) return [];
    const { rows } = await this.#input.engine.query(
      topValuesQuery(this.#input.from, field, topValues),
    );
    return rows.map(([value, count]) => ({ value: String(value), count: numericValue(count) }));
  }

  async #timeCounts({ field, type }: Counted): Promise<Pick<MeasuredField, TimeCountName>> {
    const { rows } = await this.#input.engine.query(
      timeCountsQuery(this.#input.from, timeExpression(field, type), type),
    );
    const counts: Partial<Record<TimeCountName, ValueCount[]>> = {};
    for (const [key, value, count] of rows) {
      const name = TIME_COUNTS[numericValue(key)]!.name;
      (counts[name] ??= []).push({
        value: name === 'countByDayOfYear' ? String(value) : numericValue(value),
        count: numericValue(count),
      });
    }
    return counts;
  }
}

function finiteOf(value: QueryResultValue | undefined): number | null {
  const number = value === null || value === undefined ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}
