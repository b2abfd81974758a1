/**
 * Profile of a data set: a table of its fields with search, filters and sorting. Each field expands
 * to its details.
 */

import {
  filterProfile,
  nextProfileSort,
  type ProfileSort,
  profileQuerySql,
  profileSql,
  sortProfile,
} from '@tiding/client/model';
import { type DataSetProfile, type FieldProfile, shareOf } from '@tiding/client/widgets';
import { Copy, Search, X } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { fill } from '../../text/fill.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import type { WidgetModule, WidgetProps } from '../contract.ts';
import { timeText, WidgetHead } from '../parts.tsx';
import { widgetTexts } from '../texts.ts';
import { FilterRow, filterOfTyped, noFilters } from './field-filters.tsx';
import { FieldTable, fieldRows } from './field-table.tsx';
import { count, percent, pluralize } from './format.ts';
import profileSheet from './profile.css';
import { profilesTexts as t } from './texts.ts';
import { useReady } from './use-ready.ts';

/** Toast duration, in ms (specification). */
const TOAST_MS = 3_000;

/** `500 rows`, or `Sample of 100 of 5,000 rows` if not all rows were profiled. */
function rowsText({ rowCount, totalRowCount }: DataSetProfile): string | undefined {
  if (rowCount === undefined) return undefined;
  return totalRowCount !== undefined && totalRowCount > rowCount
    ? fill(t.sample, { n: count(rowCount), all: count(totalRowCount) })
    : pluralize(rowCount, t.row, t.rows);
}

/** Summary line: `500 rows, 4 fields, profiled May 02 2024, 10:09:59 AM`. */
export const aboutOf = (data: DataSetProfile): string =>
  [
    rowsText(data),
    pluralize(data.fieldProfiles.length, t.field, t.fields),
    timeText(data.createdAt) && fill(t.profiled, { time: timeText(data.createdAt) }),
  ]
    .filter(Boolean)
    .join(', ');

function View({ data, host }: WidgetProps<DataSetProfile>) {
  const { tableName, query, rowCount } = data;
  const ready = useReady(data, data.fieldProfiles.length);
  const [filters, setFilters] = useState(noFilters);
  const [sort, setSort] = useState<ProfileSort>();
  const [uncopied, setUncopied] = useState<string>();
  const [toast, toasts] = useToasts(TOAST_MS, 'center');
  const all = useMemo(() => fieldRows(data.fieldProfiles, data.rowCount), [data]);
  const types = useMemo(
    () =>
      [
        ...new Set(
          all.map(({ inferredProfileType }) => inferredProfileType).filter((type) => type !== ''),
        ),
      ].sort((a, b) => a.localeCompare(b)),
    [all],
  );
  // Typed text shows immediately, even if a thousand rows take longer to update.
  const wanted = useDeferredValue(filters);
  const rows = useMemo(
    () => sortProfile(filterProfile(all, filterOfTyped(wanted), rowCount ?? 0), sort),
    [all, wanted, rowCount, sort],
  );
  const copy = async (): Promise<void> => {
    const sql = tableName ? profileSql(tableName, rows) : profileQuerySql(query ?? '', rows);
    try {
      // The clipboard is missing outside secure contexts.
      await navigator.clipboard.writeText(sql);
      setUncopied(undefined);
      toast('success', t.copied);
    } catch {
      setUncopied(sql);
    }
  };
  return (
    <>
      <WidgetHead
        title={tableName ?? (query ? t.query : widgetTexts.names['data-set-profile'])}
        about={aboutOf(data)}
        actions={
          <>
            <label className="input profile-search">
              <Icon of={Search} size="sm" />
              <input
                type="search"
                placeholder={t.search}
                aria-label={t.search}
                autoComplete="off"
                spellCheck={false}
                value={filters.search}
                onChange={({ target }) =>
                  setFilters((before) => ({ ...before, search: target.value }))
                }
              />
            </label>
            <Button icon={X} onClick={() => setFilters(noFilters)}>
              {t.clear}
            </Button>
            {tableName || query ? (
              <Button
                kind="secondary"
                icon={Copy}
                disabled={rows.length === 0}
                onClick={() => void copy()}
              >
                {t.sql}
              </Button>
            ) : null}
          </>
        }
      />
      {!tableName && query ? (
        <pre className="profile-query" dir="ltr" tabIndex={0}>
          {query}
        </pre>
      ) : null}
      {uncopied === undefined ? null : (
        <div className="widget-part" role="alert">
          <p>{t.notCopied}</p>
          <textarea
            className="profile-query"
            readOnly
            aria-label={t.sqlText}
            value={uncopied}
            rows={4}
            onFocus={({ target }) => target.select()}
          />
        </div>
      )}
      {ready ? (
        <FieldTable
          rows={rows}
          all={all.length}
          rowCount={rowCount}
          sort={sort}
          onSort={(column) => setSort((before) => nextProfileSort(before, column))}
          host={host}
          filters={
            <FilterRow
              filters={filters}
              onFilters={setFilters}
              types={types}
              shown={rows.length}
              all={all.length}
            />
          }
        />
      ) : (
        <Loading />
      )}
      {toasts}
    </>
  );
}

/** Module of the `data-set-profile` widget, for a table or the rows of a query. */
export const dataSetProfileWidget: WidgetModule<DataSetProfile> = {
  View,
  sheets: [profileSheet],
  describe: (data) => {
    const most = data.fieldProfiles.reduce<FieldProfile | undefined>(
      (found, field) => ((field.nullCount ?? 0) > (found?.nullCount ?? 0) ? field : found),
      undefined,
    );
    const share = percent(shareOf(most?.nullCount, data.rowCount));
    const nulls = most
      ? fill(t.summaryNulls, {
          name: most.fieldName,
          n: [count(most.nullCount!), share].filter((part) => part !== '').join(', '),
        })
      : data.fieldProfiles.some(({ nullCount }) => nullCount !== undefined)
        ? t.noNulls
        : '';
    return [fill(t.summary, { name: data.tableName || t.thisQuery, what: aboutOf(data) }), nulls]
      .filter((part) => part !== '')
      .join(' ');
  },
};
