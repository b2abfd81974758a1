/** The fields of a data-set profile: search, filters and order of their table. Pure. */

/** A field as its row in the table shows it. */
export interface ProfileField {
  /** Place in the table, from 0. */
  readonly fieldIndex: number;
  /** Name of the column. */
  readonly fieldName: string;
  /** For example `Text`, `Numerical`, `Date`, `Timestamp`. */
  readonly inferredProfileType: string;
  /** Rows without a value; absent where that was not counted. */
  readonly nullCount?: number | undefined;
  /** Different values; absent where that was not counted. */
  readonly distinctValueCount?: number | undefined;
}

/** A column of the table. */
export type ProfileColumn =
  | 'fieldIndex'
  | 'fieldName'
  | 'inferredProfileType'
  | 'nullCount'
  | 'distinctValueCount';
/** How a number is compared. */
export type NumberOperator = '=' | '<' | '>';
/** A filter of a number: in counts, or as percent of the rows of the data set (0–100). */
export interface NumberFilter {
  /** Stands between the count and `value`. */
  readonly operator: NumberOperator;
  /** The number compared with; one that is not finite filters nothing. */
  readonly value: number;
  /** Default false: in counts. */
  readonly percent?: boolean;
}
/** What is looked for. Absent and blank parts let everything through. */
export interface ProfileFilter {
  /** In all values of a row, whatever its case. */
  readonly search?: string;
  /** Part of the name, whatever its case. */
  readonly fieldName?: string;
  /** Part of the type, whatever its case. */
  readonly inferredProfileType?: string;
  /** How many values are missing. */
  readonly nullCount?: NumberFilter;
  /** How many different values there are. */
  readonly distinctValueCount?: NumberFilter;
}
/** The column by which the table stands. */
export interface ProfileSort {
  /** Column whose values are compared. */
  readonly column: ProfileColumn;
  /** Starts ascending, toggles with each click (specification). */
  readonly direction: 'ascending' | 'descending';
}

const contains = (text: string, part: string | undefined) =>
  part === undefined ||
  part.trim() === '' ||
  text.toLowerCase().includes(part.trim().toLowerCase());

function fits(
  count: number | undefined,
  filter: NumberFilter | undefined,
  rowCount: number,
): boolean {
  if (!filter || !Number.isFinite(filter.value)) return true;
  // What was not counted is neither more nor less.
  if (count === undefined) return false;
  // No rows have no share.
  const share = rowCount === 0 ? 0 : (count / rowCount) * 100;
  const value = filter.percent ? share : count;
  return filter.operator === '='
    ? value === filter.value
    : filter.operator === '<'
      ? value < filter.value
      : value > filter.value;
}

/** The fields that pass every part of a filter, in their order; `rowCount` is that of the data set. */
export function filterProfile<Field extends ProfileField>(
  fields: readonly Field[],
  filter: ProfileFilter,
  rowCount: number,
): Field[] {
  return fields.filter(
    (field) =>
      contains(
        [
          field.fieldName,
          field.inferredProfileType,
          field.nullCount,
          field.distinctValueCount,
        ].join('\n'),
        filter.search,
      ) &&
      contains(field.fieldName, filter.fieldName) &&
      contains(field.inferredProfileType, filter.inferredProfileType) &&
      fits(field.nullCount, filter.nullCount, rowCount) &&
      fits(field.distinctValueCount, filter.distinctValueCount, rowCount),
  );
}

/** After a click on a column: the same toggles, another starts ascending (specification). */
export function nextProfileSort(sort: ProfileSort | undefined, column: ProfileColumn): ProfileSort {
  return {
    column,
    direction:
      sort?.column === column && sort.direction === 'ascending' ? 'descending' : 'ascending',
  };
}

/** The fields in an order; without one as the data set has them. Equal fields keep their order. */
export function sortProfile<Field extends ProfileField>(
  fields: readonly Field[],
  sort: ProfileSort | undefined,
): Field[] {
  if (!sort) return [...fields].sort((a, b) => a.fieldIndex - b.fieldIndex);
  const { column, direction } = sort;
  const sign = direction === 'ascending' ? 1 : -1;
  return [...fields].sort((a, b) => {
    const [one, other] = [a[column], b[column]];
    // What was not counted stands last, either way.
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

/** Words that SQL keeps for itself; a field of such a name cannot stand without quotes. */
const reserved = new Set(
  (
    'all alter and any array as asc authorization between both by case cast check collate column constraint create cross current_date current_time current_timestamp current_user default deferrable desc distinct drop else end ' +
    'escape except exists false fetch filter for foreign from full grant group having in initially inner insert intersect interval into is join lateral leading left like limit localtime localtimestamp natural not null offset on only or order ' +
    'outer over overlaps partition pivot primary qualify references right rows select session_user set similar some symmetric table tablesample then to trailing true union unique unknown unpivot update user using values when where window with'
  ).split(' '),
);
const quoted = (name: string) =>
  /^[A-Za-z_]\w*$/.test(name) && !reserved.has(name.toLowerCase())
    ? name
    : `"${name.replaceAll('"', '""')}"`;

/** A SELECT of some fields of a table (`schema.table`) in their order, as the action Generate SQL copies it; names that need it are quoted. */
export function profileSql(
  tableName: string,
  fields: readonly Pick<ProfileField, 'fieldName'>[],
): string {
  return `SELECT ${fields.map(({ fieldName }) => quoted(fieldName)).join(', ')} FROM ${tableName.split('.').map(quoted).join('.')}`;
}

/** The same of a query that was profiled, instead of a table. */
export function profileQuerySql(
  query: string,
  fields: readonly Pick<ProfileField, 'fieldName'>[],
): string {
  // A comment at its end must not take the bracket along.
  return `SELECT ${fields.map(({ fieldName }) => quoted(fieldName)).join(', ')} FROM (\n${query.trim().replace(/\s*;$/, '')}\n) AS profiled`;
}
