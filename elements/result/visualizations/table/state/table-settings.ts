import type { RowColumn } from '@tiding/client/model';
import { isJsonObject, jsonObjectOf } from '@tiding/client/model';
import {
  type ColumnAggregate,
  type ColumnFilter,
  type ColumnSort,
  columnAggregates,
  type FilterOperator,
  filterOperators,
} from '../../../rows/arrangement.ts';
import type { ReadAs } from '../../../rows/row-source.ts';

/** Descriptions of the options of the table view, by the name under which they are stored. */
const descriptions = {
  useFilter: 'Enable filter for columns',
  showPagination: 'Enable pagination for better navigation',
  showAggregationFooter: 'Enable a footer for displaying aggregated values',
};
type TableOption = keyof typeof descriptions;

/** Options of the table view, in their order. */
export const tableOptions = Object.keys(descriptions) as readonly TableOption[];

/**
 * Stored next to the options. If it differs, the stored options belong to another option list and
 * are ignored.
 */
const specHash = JSON.stringify(
  tableOptions.map((name) => ({
    name,
    valueType: 'boolean',
    defaultValue: false,
    widget: 'checkbox',
    description: descriptions[name],
  })),
);

export const pageSizes = [25, 50, 100, 250, 1000] as const;
const defaultPageSize = 50;

/** Everything users configured in a table. Columns are identified by their index. */
export interface TableState {
  readonly options: Readonly<Record<TableOption, boolean>>;
  /** All columns in display order, pinned ones first. */
  readonly order: readonly number[];
  readonly hidden: ReadonlySet<number>;
  readonly pinned: ReadonlySet<number>;
  /** Widths of resized columns, in px. */
  readonly widths: ReadonlyMap<number, number>;
  readonly sorts: readonly ColumnSort[];
  readonly filters: ReadonlyMap<number, ColumnFilter>;
  readonly aggregates: ReadonlyMap<number, ColumnAggregate>;
  readonly types: ReadonlyMap<number, ReadAs>;
  readonly formats: ReadonlyMap<number, string>;
  readonly pageSize: number;
}

type Fields = Readonly<Record<string, unknown>>;
/** Settings in their stored form; unknown fields are preserved. */
type StoredTableSettings = Fields;

const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/**
 * Maps each column to its stored entry: by name and index if both match, otherwise to the next
 * unused entry with that name.
 */
function matchColumns(
  stored: readonly Fields[],
  columns: readonly RowColumn[],
): Map<number, Fields> {
  const found = new Map<number, Fields>();
  const byName = new Map<unknown, Fields[]>();
  for (const entry of stored)
    byName.set(entry['name'], [...(byName.get(entry['name']) ?? []), entry]);
  for (const { name, index } of columns) {
    const entries = byName.get(name);
    if (!entries?.length) continue;
    const at = Math.max(
      0,
      entries.findIndex((entry) => entry['index'] === index),
    );
    const [entry] = entries.splice(at, 1);
    found.set(index, entry!);
  }
  return found;
}

/**
 * Returns the key under which a column's type is stored. Zeppelin keys types by name; further
 * columns with the same name get their index appended.
 */
function typeKey(columns: readonly RowColumn[]): (column: RowColumn) => string {
  const first = new Map<string, number>();
  for (const { name, index } of columns) if (!first.has(name)) first.set(name, index);
  return ({ name, index }) => (first.get(name) === index ? name : `${name}\u0000${index}`);
}

/** Parses stored settings. Entries for missing columns and invalid values are ignored. */
export function readTableSettings(
  stored: StoredTableSettings | undefined,
  columns: readonly RowColumn[],
): TableState {
  const fields = jsonObjectOf(stored);
  const grid = jsonObjectOf(fields['tableGridState']);
  const entries = listOf(grid['columns']);
  const matched = matchColumns(entries, columns);
  const sorts: { sort: ColumnSort; priority: number }[] = [];
  const [hidden, pinned] = [new Set<number>(), new Set<number>()];
  const widths = new Map<number, number>();
  const filters = new Map<number, ColumnFilter>();
  const sums = new Map<number, ColumnAggregate>();
  for (const [column, entry] of matched) {
    if (entry['visible'] === false) hidden.add(column);
    if (entry['pinned'] === 'left') pinned.add(column);
    const width = Number(entry['width']);
    if (entry['resized'] !== false && Number.isFinite(width) && width >= 20 && width <= 5000)
      widths.set(column, width);
    const { direction, priority } = jsonObjectOf(entry['sort']);
    if (direction === 'asc' || direction === 'desc')
      sorts.push({
        sort: { column, direction: direction === 'asc' ? 'ascending' : 'descending' },
        priority: typeof priority === 'number' ? priority : sorts.length,
      });
    const filter = filterOf(listOf(entry['filters'])[0]);
    if (filter) filters.set(column, filter);
    if (columnAggregates.includes(entry['aggregation'] as ColumnAggregate))
      sums.set(column, entry['aggregation'] as ColumnAggregate);
  }
  const places = new Map([...matched].map(([column, entry]) => [column, entries.indexOf(entry)]));
  const order = columns.map(({ index }) => index);
  if (matched.size > 0)
    order.sort(
      (a, b) =>
        (places.get(a) ?? placeBefore(places, a)) - (places.get(b) ?? placeBefore(places, b)) ||
        a - b,
    );
  const { types, formats } = readTypes(fields, columns);
  const pageSize = Number(jsonObjectOf(grid['pagination'])['paginationPageSize']);
  return {
    options: readOptions(fields),
    order: pinnedFirst(order, pinned),
    hidden,
    pinned,
    widths,
    filters,
    aggregates: sums,
    types,
    formats,
    sorts: sorts.sort((a, b) => a.priority - b.priority).map(({ sort }) => sort),
    pageSize: pageSizes.includes(pageSize as never) ? pageSize : defaultPageSize,
  };
}

/** Places a new column after the column that precedes it in the table. */
function placeBefore(places: ReadonlyMap<number, number>, column: number): number {
  for (let before = column - 1; before >= 0; before--) {
    const place = places.get(before);
    if (place !== undefined) return place + 0.5;
  }
  return -1;
}

function pinnedFirst(order: readonly number[], pinned: ReadonlySet<number>): number[] {
  return [
    ...order.filter((column) => pinned.has(column)),
    ...order.filter((column) => !pinned.has(column)),
  ];
}

function filterOf(entry: Fields | undefined): ColumnFilter | undefined {
  const term = entry?.['term'];
  const operator = entry?.['operator'] ?? 'contains';
  if (!filterOperators.includes(operator as FilterOperator)) return undefined;
  const filter: ColumnFilter = {
    operator: operator as FilterOperator,
    term: typeof term === 'string' || typeof term === 'number' ? String(term) : '',
    ...(typeof entry?.['to'] === 'string' ? { to: entry['to'] } : {}),
  };
  return term === undefined && entry?.['operator'] === undefined ? undefined : filter;
}

function readOptions(fields: Fields): TableState['options'] {
  const hash = fields['tableOptionSpecHash'];
  const values =
    typeof hash === 'string' && hash !== specHash ? {} : jsonObjectOf(fields['tableOptionValue']);
  return {
    useFilter: values['useFilter'] === true,
    showPagination: values['showPagination'] === true,
    showAggregationFooter: values['showAggregationFooter'] === true,
  };
}

function readTypes(
  fields: Fields,
  columns: readonly RowColumn[],
): Pick<TableState, 'types' | 'formats'> {
  const state = jsonObjectOf(fields['tableColumnTypeState']);
  const [names, kept] = [jsonObjectOf(state['names']), jsonObjectOf(state['formats'])];
  const key = typeKey(columns);
  const types = new Map<number, ReadAs>();
  const formats = new Map<number, string>();
  for (const column of columns) {
    const type = Object.hasOwn(names, key(column)) ? names[key(column)] : undefined;
    if (type === 'string' || type === 'number' || type === 'date') types.set(column.index, type);
    const format = Object.hasOwn(kept, key(column)) ? kept[key(column)] : undefined;
    if (typeof format === 'string') formats.set(column.index, format);
  }
  return { types, formats };
}

/**
 * Serializes a state. Fields written by other software and entries of missing columns are
 * preserved.
 */
export function storeTableSettings(
  stored: StoredTableSettings | undefined,
  state: TableState,
  columns: readonly RowColumn[],
): StoredTableSettings {
  const fields = jsonObjectOf(stored);
  const grid = jsonObjectOf(fields['tableGridState']);
  const entries = listOf(grid['columns']);
  const matched = matchColumns(entries, columns);
  const known = new Set(matched.values());
  const written = state.order.map((index): Fields => {
    const {
      sort: oldSort,
      filters: oldFilters,
      aggregation: _,
      width: __,
      ...rest
    } = jsonObjectOf(matched.get(index));
    const at = state.sorts.findIndex(({ column }) => column === index);
    const filter = state.filters.get(index);
    const width = state.widths.get(index);
    const sum = state.aggregates.get(index);
    return {
      ...rest,
      name: columns[index]!.name,
      index,
      visible: !state.hidden.has(index),
      pinned: state.pinned.has(index) ? 'left' : '',
      ...(width === undefined ? {} : { width }),
      sort:
        at < 0
          ? {}
          : {
              ...jsonObjectOf(oldSort),
              priority: at,
              direction: state.sorts[at]!.direction === 'ascending' ? 'asc' : 'desc',
            },
      filters: [filter ? { ...jsonObjectOf(listOf(oldFilters)[0]), ...filter } : {}],
      ...(sum === undefined ? {} : { aggregation: sum }),
    };
  });
  const typeState = jsonObjectOf(fields['tableColumnTypeState']);
  const key = typeKey(columns);
  const keyed = (old: unknown, values: ReadonlyMap<number, string>): Fields => {
    const next: Record<string, unknown> = { ...jsonObjectOf(old) };
    for (const column of columns) delete next[key(column)];
    for (const [index, value] of values) next[key(columns[index]!)] = value;
    return next;
  };
  return {
    ...fields,
    tableOptionValue: { ...jsonObjectOf(fields['tableOptionValue']), ...state.options },
    tableColumnTypeState: {
      ...typeState,
      names: keyed(typeState['names'], state.types),
      formats: keyed(typeState['formats'], state.formats),
      updated: state.types.size > 0,
    },
    tableGridState: {
      ...grid,
      columns: [...written, ...entries.filter((entry) => !known.has(entry))],
      pagination: { ...jsonObjectOf(grid['pagination']), paginationPageSize: state.pageSize },
    },
    tableOptionSpecHash: specHash,
    initialized: true,
    updated: false,
  };
}
