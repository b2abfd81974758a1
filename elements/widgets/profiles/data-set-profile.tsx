/** The profile of a data set: a table of its fields to search, filter and order; each opens to all that is known of it. */
import {
  Calendar,
  ChevronDown,
  ChevronRight,
  Clock,
  Copy,
  Hash,
  Search,
  ToggleLeft,
  Type,
  X,
  type LucideIcon,
} from 'lucide-react';
import { memo, useDeferredValue, useMemo, useState, type CSSProperties } from 'react';
import {
  filterProfile,
  nextProfileSort,
  profileQuerySql,
  profileSql,
  sortProfile,
  type ProfileColumn,
  type ProfileField,
  type ProfileSort,
} from 'tiding/model';
import { shareOf, sparkline, type DataSetProfile, type FieldProfile } from 'tiding/widgets';
import { tell } from '../../runtime/define-element.ts';
import { useEvent } from '../../runtime/hooks.ts';
import { fill, text } from '../../text/en.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { SortHeader } from '../../ui/sort-header.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import type { WidgetModule, WidgetProps } from '../contract.ts';
import { timeText, WidgetHead } from '../parts.tsx';
import { Sparkline } from './charts.tsx';
import { FieldDetail } from './field-detail.tsx';
import { FilterRow, filterOfTyped, noFilters } from './field-filters.tsx';
import { count, many, percent } from './format.ts';
import profileSheet from './profile.css';
import { useDrawn, useReady } from './ready.ts';

const t = text.widgets.profiles;
/** How long a word about what was done stays, ms (specification). */
const TOAST_MS = 3_000;
const icons: ReadonlyMap<string, LucideIcon> = new Map([
  ['text', Type],
  ['numerical', Hash],
  ['date', Calendar],
  ['timestamp', Clock],
  ['boolean', ToggleLeft],
]);
const columns: readonly (readonly [
  ProfileColumn,
  keyof typeof t & ('index' | 'name' | 'type' | 'nulls' | 'distinct'),
])[] = [
  ['fieldIndex', 'index'],
  ['fieldName', 'name'],
  ['inferredProfileType', 'type'],
  ['nullCount', 'nulls'],
  ['distinctValueCount', 'distinct'],
];

/** A field with its place. */
interface Row extends ProfileField {
  /** As it came: two may have one name. */
  readonly at: number;
  readonly profile: FieldProfile;
}

const rowsOf = (fields: readonly FieldProfile[]): Row[] =>
  fields.map((profile, at) => ({
    at,
    fieldIndex: profile.fieldIndex ?? at,
    fieldName: profile.fieldName,
    inferredProfileType: profile.inferredProfileType ?? '',
    nullCount: profile.nullCount,
    distinctValueCount: profile.distinctValueCount,
    profile,
  }));

/** `500 rows, 4 fields, profiled May 02 2024, 10:09:59 AM`. */
export const aboutOf = ({ rowCount, fieldProfiles, createdAt }: DataSetProfile): string =>
  [
    rowCount === undefined ? undefined : many(rowCount, t.row, t.rows),
    many(fieldProfiles.length, t.field, t.fields),
    createdAt === undefined || createdAt === ''
      ? undefined
      : fill(t.profiled, { time: timeText(createdAt) }),
  ]
    .filter((part) => part !== undefined)
    .join(', ');

const FieldRow = memo(function FieldRow({
  row,
  rowCount,
  open,
  onToggle,
}: {
  row: Row;
  rowCount: number | undefined;
  open: boolean;
  onToggle: (row: Row) => void;
}) {
  const { fieldName, inferredProfileType: type, nullCount, distinctValueCount, profile } = row;
  const spark = useMemo(() => sparkline(profile), [profile]);
  const nulls = shareOf(nullCount, rowCount);
  const icon = icons.get(type.toLowerCase());
  const distinct = distinctValueCount === undefined ? '' : count(distinctValueCount);
  return (
    <>
      <tr role="row" className={open ? 'field-row open' : 'field-row'}>
        <td role="cell" className="toggle">
          <button
            type="button"
            className="button ghost sm icon-only"
            aria-expanded={open}
            aria-label={fill(t.profileOf, { name: fieldName })}
            onClick={() => onToggle(row)}
          >
            <Icon of={open ? ChevronDown : ChevronRight} size="sm" />
          </button>
        </td>
        <td role="cell" className="numeric dim">
          {row.fieldIndex}
        </td>
        <td role="cell" className="name" dir="auto">
          {fieldName}
        </td>
        <td role="cell" className="type">
          {icon ? <Icon of={icon} size="sm" /> : null}
          {type}
        </td>
        <td role="cell" className="numeric">
          {nulls !== undefined && nulls > 0 ? (
            <span className="share" aria-hidden="true">
              <i style={{ '--share': Math.min(1, nulls) } as CSSProperties} />
            </span>
          ) : null}
          <span className={nullCount === 0 ? 'amount dim' : 'amount'}>
            {nullCount === undefined ? '' : count(nullCount)}
          </span>
          <span className="percent">{percent(nulls)}</span>
        </td>
        <td role="cell" className="numeric">
          <span className="amount">
            {profile.isApproximate && distinct ? fill(t.approximate, { n: distinct }) : distinct}
          </span>
          <span className="percent">{percent(shareOf(distinctValueCount, rowCount))}</span>
        </td>
        <td role="cell">
          <Sparkline counts={spark} />
        </td>
      </tr>
      {open ? (
        <tr role="row" className="detail">
          <td role="cell" aria-colspan={7}>
            <FieldDetail profile={profile} rowCount={rowCount} />
          </td>
        </tr>
      ) : null}
    </>
  );
});

/** Rows of a part of the table. */
const PART = 60;

/** A part of the table. Until it is near it has the names of its fields alone, for the browser's find, in the height it will have. */
function FieldRows({
  rows,
  atOnce,
  rowCount,
  opened,
  onToggle,
}: {
  rows: readonly Row[];
  atOnce: boolean;
  rowCount: number | undefined;
  opened: ReadonlySet<FieldProfile>;
  onToggle: (row: Row) => void;
}) {
  const [drawn, place] = useDrawn(atOnce);
  return (
    <tbody role="rowgroup" ref={place}>
      {drawn ? (
        rows.map((row) => (
          <FieldRow
            key={row.at}
            row={row}
            rowCount={rowCount}
            open={opened.has(row.profile)}
            onToggle={onToggle}
          />
        ))
      ) : (
        <tr role="row" className="far" style={{ '--rows': rows.length } as CSSProperties}>
          <td role="cell">{rows.map(({ fieldName }) => fieldName).join('\n')}</td>
        </tr>
      )}
    </tbody>
  );
}

/** The table of fields. */
function Fields({
  rows,
  all,
  rowCount,
  sort,
  onSort,
  filters,
  host,
}: {
  rows: readonly Row[];
  all: number;
  rowCount: number | undefined;
  sort: ProfileSort | undefined;
  onSort: (column: ProfileColumn) => void;
  filters: React.ReactNode;
  host: HTMLElement;
}) {
  const [opened, setOpened] = useState<ReadonlySet<FieldProfile>>(() => new Set());
  const parts = useMemo(
    () =>
      Array.from({ length: Math.ceil(rows.length / PART) }, (_, at) =>
        rows.slice(at * PART, (at + 1) * PART),
      ),
    [rows],
  );
  const toggle = useEvent(({ profile }: Row) => {
    const closed = opened.has(profile);
    setOpened(
      (before) =>
        new Set(closed ? [...before].filter((each) => each !== profile) : [...before, profile]),
    );
    tell(
      host,
      'tiding-select',
      closed ? null : { values: { fieldName: profile.fieldName }, label: profile.fieldName },
    );
  });
  const order = { by: sort?.column ?? '', down: sort?.direction === 'descending' };
  return (
    <div className="table-card profile-table" role="region" aria-label={t.fieldsTable} tabIndex={0}>
      <table role="table" aria-rowcount={all + 2}>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              <span className="visually-hidden">{text.widgets.details}</span>
            </th>
            {columns.map(([column, label]) => (
              <SortHeader
                key={column}
                column={column}
                label={t[label]}
                order={order}
                onOrder={() => onSort(column)}
              />
            ))}
            <th role="columnheader" scope="col">
              {t.values}
            </th>
          </tr>
          {filters}
        </thead>
        {parts.map((part, at) => (
          <FieldRows
            key={at}
            rows={part}
            atOnce={at === 0}
            rowCount={rowCount}
            opened={opened}
            onToggle={toggle}
          />
        ))}
        {rows.length === 0 ? (
          <tbody role="rowgroup">
            <tr role="row" className="empty">
              <td role="cell" className="dim">
                {all === 0 ? t.noFields : t.noneShown}
              </td>
            </tr>
          </tbody>
        ) : null}
      </table>
    </div>
  );
}

function View({ data, host }: WidgetProps<DataSetProfile>) {
  const { tableName, query, rowCount } = data;
  const ready = useReady(data, data.fieldProfiles.length);
  const [filters, setFilters] = useState(noFilters);
  const [sort, setSort] = useState<ProfileSort>();
  const [uncopied, setUncopied] = useState<string>();
  const [toast, toasts] = useToasts(TOAST_MS, 'center');
  const all = useMemo(() => rowsOf(data.fieldProfiles), [data]);
  const types = useMemo(
    () =>
      [
        ...new Set(
          all.map(({ inferredProfileType }) => inferredProfileType).filter((type) => type !== ''),
        ),
      ].sort((a, b) => a.localeCompare(b)),
    [all],
  );
  // What is typed shows at once, also where a thousand rows have to follow.
  const wanted = useDeferredValue(filters);
  const rows = useMemo(
    () => sortProfile(filterProfile(all, filterOfTyped(wanted), rowCount ?? 0), sort),
    [all, wanted, rowCount, sort],
  );
  const copy = async (): Promise<void> => {
    const sql = tableName ? profileSql(tableName, rows) : profileQuerySql(query ?? '', rows);
    try {
      // Absent outside secure contexts.
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
        title={tableName ?? (query ? t.query : text.widgets.names['data-set-profile'])}
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
        <Fields
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

/** The profile of a table, or of a query's rows. */
export const dataSetProfile: WidgetModule<DataSetProfile> = {
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
