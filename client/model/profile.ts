/** The fields of a data-set profile: search, filters and order of their table. Pure. */

/** A field as its row in the table shows it. */
export interface ProfileField {
  readonly fieldIndex: number;
  readonly fieldName: string;
  readonly inferredProfileType: string;
  readonly nullCount: number;
  readonly distinctValueCount: number;
}

/** A column of the table. */
export type ProfileColumn = 'fieldName' | 'inferredProfileType' | 'nullCount' | 'distinctValueCount';
/** How a number is compared. */
export type NumberOperator = '=' | '<' | '>';
/** A filter of a number: in counts, or as percent of the rows of the data set (0–100). */
export interface NumberFilter {
  readonly operator: NumberOperator;
  readonly value: number;
  readonly percent?: boolean;
}
/** What is looked for. Absent and blank parts let everything through. */
export interface ProfileFilter {
  /** In all values of a row, whatever its case. */
  readonly search?: string;
  readonly fieldName?: string;
  readonly inferredProfileType?: string;
  readonly nullCount?: NumberFilter;
  readonly distinctValueCount?: NumberFilter;
}
/** The column by which the table stands. */
export interface ProfileSort {
  readonly column: ProfileColumn;
  readonly direction: 'ascending' | 'descending';
}

const contains = (text: string, part: string | undefined) => part === undefined || part.trim() === '' || text.toLowerCase().includes(part.trim().toLowerCase());

function fits(count: number, filter: NumberFilter | undefined, rowCount: number): boolean {
  if (!filter || !Number.isFinite(filter.value)) return true;
  // No rows have no share.
  const share = rowCount === 0 ? 0 : (count / rowCount) * 100;
  const value = filter.percent ? share : count;
  return filter.operator === '=' ? value === filter.value : filter.operator === '<' ? value < filter.value : value > filter.value;
}

/** The fields that pass every part of a filter, in their order; `rowCount` is that of the data set. */
export function filterProfile<Field extends ProfileField>(fields: readonly Field[], filter: ProfileFilter, rowCount: number): Field[] {
  return fields.filter((field) =>
    contains([field.fieldName, field.inferredProfileType, field.nullCount, field.distinctValueCount].join('\n'), filter.search)
    && contains(field.fieldName, filter.fieldName)
    && contains(field.inferredProfileType, filter.inferredProfileType)
    && fits(field.nullCount, filter.nullCount, rowCount)
    && fits(field.distinctValueCount, filter.distinctValueCount, rowCount));
}

/** After a click on a column: the same toggles, another starts ascending (specification). */
export function nextProfileSort(sort: ProfileSort | undefined, column: ProfileColumn): ProfileSort {
  return { column, direction: sort?.column === column && sort.direction === 'ascending' ? 'descending' : 'ascending' };
}

/** The fields in an order; without one as the data set has them. Equal fields keep their order. */
export function sortProfile<Field extends ProfileField>(fields: readonly Field[], sort: ProfileSort | undefined): Field[] {
  if (!sort) return [...fields].sort((a, b) => a.fieldIndex - b.fieldIndex);
  const { column, direction } = sort;
  const sign = direction === 'ascending' ? 1 : -1;
  return [...fields].sort((a, b) => {
    const [one, other] = [a[column], b[column]];
    return sign * (typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other)));
  });
}

const quoted = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

/** A SELECT of some fields of a table (`schema.table`) in their order, as the action Generate SQL copies it; names that need it are quoted. */
export function profileSql(tableName: string, fields: readonly Pick<ProfileField, 'fieldName'>[]): string {
  return `SELECT ${fields.map(({ fieldName }) => quoted(fieldName)).join(', ')} FROM ${tableName.split('.').map(quoted).join('.')}`;
}
