import { type ReactNode, useMemo, useState } from 'react';
import { FilterField, NoMatch } from './page.tsx';
import { entriesOnPage, PAGE_SIZE, Pager } from './pager.tsx';
import { SortHeader, useSortOrder } from './sort-header.tsx';

/** A column of a table of a page. */
export interface ResourceColumn<Entry> {
  readonly label: string;
  readonly className?: string | undefined;
  /** Whether only screen readers get the label. */
  readonly hidden?: boolean;
  /** Compares two entries in ascending order. A column without it can't be sorted by. */
  readonly compare?: (a: Entry, b: Entry) => number;
  /** The order of a column that can't be sorted by. */
  readonly sorted?: 'ascending';
}

/** The table of a page: entries that users filter, sort and turn over. */
export function ResourceTable<Entry>({
  label,
  className,
  entries,
  columns,
  sortedBy = '',
  filter: filterLabel,
  filterFrom,
  size = PAGE_SIZE,
  textsOf,
  empty,
  children: row,
}: {
  label: string;
  className?: string;
  entries: readonly Entry[];
  columns: readonly ResourceColumn<Entry>[];
  /** Label of the column that the entries are sorted by at first. */
  sortedBy?: string;
  filter: string;
  /** Number of entries from which on there is a filter. Default: more than a page. */
  filterFrom?: number;
  /** Entries per page. */
  size?: number;
  /** Returns the texts of an entry that the filter searches. */
  textsOf: (entry: Entry) => readonly string[];
  /** What an empty table shows. */
  empty?: ReactNode;
  children: (entry: Entry) => ReactNode;
}) {
  const [order, setOrder] = useSortOrder(sortedBy);
  const [filter, setFilter] = useState('');
  const [wanted, setPage] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns and texts stay the same
  const matches = useMemo(() => {
    const term = filter.trim().toLowerCase();
    const fitting = entries.filter((entry) =>
      textsOf(entry).some((text) => text.toLowerCase().includes(term)),
    );
    const compare = columns.find((each) => each.label === order.by)?.compare;
    if (compare) fitting.sort(compare);
    return order.down ? fitting.reverse() : fitting;
  }, [entries, filter, order]);
  const { shown, page } = entriesOnPage(matches, wanted, size);
  const first =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setPage(1);
    };
  return (
    <>
      {entries.length >= (filterFrom ?? size + 1) ? (
        <div className="page-tools">
          <FilterField label={filterLabel} value={filter} onValue={first(setFilter)} />
        </div>
      ) : null}
      {matches.length === 0 ? (
        <div className="card">
          {entries.length === 0 ? empty : <NoMatch onClear={() => setFilter('')} />}
        </div>
      ) : (
        <div className="table-card">
          <table className={className} aria-label={label}>
            <thead>
              <tr>
                {columns.map(({ compare, hidden, label: name, sorted, ...more }) =>
                  compare ? (
                    <SortHeader
                      key={name}
                      column={name}
                      label={name}
                      order={order}
                      onOrder={first(setOrder)}
                      {...more}
                    />
                  ) : (
                    <th key={name} scope="col" aria-sort={sorted} {...more}>
                      {hidden ? <span className="visually-hidden">{name}</span> : name}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>{shown.map(row)}</tbody>
          </table>
        </div>
      )}
      {matches.length > size ? (
        <Pager page={page} total={matches.length} size={size} onPage={setPage} />
      ) : null}
    </>
  );
}
