/** A field of a data-set profile, as a row of its table. */
export interface ProfileField {
  /** Position in the table, starting at 0. */
  readonly fieldIndex: number;
  /** Name of the column. */
  readonly fieldName: string;
  /** For example `Text`, `Numerical`, `Date`, `Timestamp`. */
  readonly inferredProfileType: string;
  /** Number of rows without a value; absent if it was not counted. */
  readonly nullCount?: number | undefined;
  /** Number of distinct values; absent if it was not counted. */
  readonly distinctValueCount?: number | undefined;
  /** Texts of the row as displayed, such as `1,400` and `28 %`. A search finds these too. */
  readonly displayed?: string | undefined;
}

/** A column of the profile table. */
export type ProfileColumn =
  | 'fieldIndex'
  | 'fieldName'
  | 'inferredProfileType'
  | 'nullCount'
  | 'distinctValueCount';
/** Comparison operator of a filter. */
export type NumberOperator = '=' | '<' | '>';
/**
 * A filter by number: an absolute count, or a percentage of the data set's rows (0–100) as {@link
 * displayedPercent} rounds it.
 */
export interface NumberFilter {
  /** Compares the count (left) with `value` (right). */
  readonly operator: NumberOperator;
  /** Number to compare with. One that is not finite disables the filter. */
  readonly value: number;
  /** Whether `value` is a percentage. Default: false. */
  readonly percent?: boolean;
}
/** Filter of the profile table. Absent and blank parts match everything. */
export interface ProfileFilter {
  /** Text in any value of the row, ignoring case. */
  readonly search?: string;
  /** Part of the name, ignoring case. */
  readonly fieldName?: string;
  /** Part of the type, ignoring case. */
  readonly inferredProfileType?: string;
  /** Number of missing values. */
  readonly nullCount?: NumberFilter;
  /** Number of distinct values. */
  readonly distinctValueCount?: NumberFilter;
}
/** Sort order of the profile table. */
export interface ProfileSort {
  /** Column to sort by. */
  readonly column: ProfileColumn;
  /** Starts ascending and toggles with each click (specification). */
  readonly direction: 'ascending' | 'descending';
}

const contains = (text: string, part: string | undefined) =>
  part === undefined ||
  part.trim() === '' ||
  text.toLowerCase().includes(part.trim().toLowerCase());

/**
 * Returns a share from 0 to 1 as the percentage that is displayed: with one decimal, except next to
 * 0 and 100, which mean none and all.
 */
export function displayedPercent(share: number): number {
  const isNearEnd = (share > 0 && share < 0.001) || (share > 0.999 && share < 1);
  return isNearEnd ? share * 100 : Math.round(share * 1_000) / 10;
}

function fits(
  count: number | undefined,
  filter: NumberFilter | undefined,
  rowCount: number,
): boolean {
  if (!filter || !Number.isFinite(filter.value)) return true;
  // An unknown count matches no filter.
  if (count === undefined) return false;
  // Percentages of an empty data set are 0.
  const share = rowCount === 0 ? 0 : count / rowCount;
  const value = filter.percent ? displayedPercent(share) : count;
  if (filter.operator === '=') return value === filter.value;
  return filter.operator === '<' ? value < filter.value : value > filter.value;
}

/**
 * Returns the fields that match a filter, in their order. `rowCount` is the number of rows of the
 * data set.
 */
export function filterProfile<Field extends ProfileField>(
  fields: readonly Field[],
  filter: ProfileFilter,
  rowCount: number,
): Field[] {
  return fields.filter((field) => {
    const { fieldName, inferredProfileType, nullCount, distinctValueCount, displayed } = field;
    const texts = [fieldName, inferredProfileType, nullCount, distinctValueCount, displayed];
    return (
      contains(texts.join('\n'), filter.search) &&
      contains(fieldName, filter.fieldName) &&
      contains(inferredProfileType, filter.inferredProfileType) &&
      fits(nullCount, filter.nullCount, rowCount) &&
      fits(distinctValueCount, filter.distinctValueCount, rowCount)
    );
  });
}

/**
 * Returns the sort order after a click on a column: the same column toggles, another one starts
 * ascending (specification).
 */
export function nextProfileSort(sort: ProfileSort | undefined, column: ProfileColumn): ProfileSort {
  const isTurned = sort?.column === column && sort.direction === 'ascending';
  return { column, direction: isTurned ? 'descending' : 'ascending' };
}

/**
 * Sorts the fields. Without a sort order they are in the order of the data set. The sort is stable.
 */
export function sortProfile<Field extends ProfileField>(
  fields: readonly Field[],
  sort: ProfileSort | undefined,
): Field[] {
  if (!sort) return [...fields].sort((a, b) => a.fieldIndex - b.fieldIndex);
  const { column, direction } = sort;
  const sign = direction === 'ascending' ? 1 : -1;
  return [...fields].sort((a, b) => {
    const [one, other] = [a[column], b[column]];
    // Unknown counts come last in both directions.
    if (one === undefined || other === undefined)
      return one === other ? 0 : one === undefined ? 1 : -1;
    return (
      sign *
      (typeof one === 'number' && typeof other === 'number'
        ? one - other
        : String(one).localeCompare(String(other)))
    );
  });
}

/** Reserved words of SQL, which have to be quoted as field names. */
const reserved = new Set(
  (
    'all alter and any array as asc authorization between both by case cast check collate ' +
    'column constraint create cross current_date current_time current_timestamp current_user ' +
    'default deferrable desc distinct drop else end ' +
    'escape except exists false fetch filter for foreign from full grant group having in ' +
    'initially inner insert intersect interval into is join lateral leading left like limit ' +
    'localtime localtimestamp natural not null offset on only or order ' +
    'outer over overlaps partition pivot primary qualify references right rows select ' +
    'session_user set similar some symmetric table tablesample then to trailing true union ' +
    'unique unknown unpivot update user using values when where window with'
  ).split(' '),
);
const quoted = (name: string) =>
  /^[A-Za-z_]\w*$/.test(name) && !reserved.has(name.toLowerCase())
    ? name
    : `"${name.replaceAll('"', '""')}"`;

const selectFrom = (fields: readonly Pick<ProfileField, 'fieldName'>[]): string =>
  `SELECT ${fields.map(({ fieldName }) => quoted(fieldName)).join(', ')} FROM`;

/**
 * Returns a SELECT of some fields of a table (`schema.table`), in order, for the action Generate
 * SQL. Names are quoted if necessary.
 */
export function profileSql(
  tableName: string,
  fields: readonly Pick<ProfileField, 'fieldName'>[],
): string {
  return `${selectFrom(fields)} ${tableName.split('.').map(quoted).join('.')}`;
}

/** Returns a SELECT like {@link profileSql} for a query that was profiled instead of a table. */
export function profileQuerySql(
  query: string,
  fields: readonly Pick<ProfileField, 'fieldName'>[],
): string {
  // The line break keeps a comment at the end of the query from hiding the parenthesis.
  return `${selectFrom(fields)} (\n${query.trim().replace(/\s*;$/, '')}\n) AS profiled`;
}
