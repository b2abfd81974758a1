/** What widgets are made of. Their sheet is widgets.css. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { Fragment, useContext, useMemo, useState, type ReactNode } from 'react';
import { formatDate, parseDate } from 'tiding/model';
import {
  healthBadge,
  sortSteps,
  stateBadge,
  type Badge as Colour,
  type Time,
  type WidgetId,
} from 'tiding/widgets';
import { tell } from '../runtime/define-element.ts';
import { HostContext } from '../runtime/hooks.ts';
import { fill, text } from '../text/en.ts';
import { Icon } from '../ui/button.tsx';
import { pageOf, Pager } from '../ui/page.tsx';
import { SortHeader, useOrder } from '../ui/sort-header.tsx';
import { AT_ONCE, useSteps } from './steps.ts';

const t = text.widgets;
/** How moments are written (specification, of profiles). */
export const TIME_FORMAT = 'MMMM DD YYYY, h:mm:ss A';
/** Rows of a table of records that are shown at once. */
export const RECORDS_PAGE = 25;

/** The head of a widget: what it is of, a word about it, and what can be done. */
export function WidgetHead({
  title,
  about,
  badge,
  actions,
}: {
  title: ReactNode;
  about?: ReactNode;
  badge?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="widget-head">
      <div className="widget-title">
        <h2 dir="auto">{title}</h2>
        {badge}
      </div>
      {actions ? <div className="widget-actions">{actions}</div> : null}
      {about ? (
        <p className="widget-about" dir="auto">
          {about}
        </p>
      ) : null}
    </header>
  );
}

/** A part of a widget under its own heading. */
export function WidgetPart({
  title,
  count,
  children,
}: {
  title: string;
  count?: number | undefined;
  children: ReactNode;
}) {
  return (
    <section className="widget-part">
      <h3>
        {title}
        {count === undefined ? null : <span className="dim"> {count}</span>}
      </h3>
      {children}
    </section>
  );
}

/** Names with their values; what has none is left out. */
export function Facts({ of }: { of: readonly (readonly [label: string, value: ReactNode])[] }) {
  const shown = of.filter(
    ([, value]) => value !== undefined && value !== null && value !== '' && value !== false,
  );
  if (shown.length === 0) return null;
  return (
    <dl className="facts">
      {shown.map(([label, value], at) => (
        <Fragment key={at}>
          <dt>{label}</dt>
          <dd dir="auto">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** A word on a colour; never colour alone. */
export function Badge({ colour, children }: { colour: Colour; children: ReactNode }) {
  return <span className={`badge ${colour}`}>{children}</span>;
}
/** The state of a run, a cluster, a schedule. */
export const StateBadge = ({ state }: { state: string | undefined }) =>
  state ? <Badge colour={stateBadge(state)}>{state}</Badge> : null;
/** Healthy, Degraded, Unhealthy. */
export const HealthBadge = ({ health }: { health: string | undefined }) =>
  health ? <Badge colour={healthBadge(health)}>{health}</Badge> : null;

/** A moment in words; a text that is no date stands as it is. */
export function timeText(value: Time | undefined): string {
  if (value === undefined || value === '') return '';
  const date = parseDate(value, { utc: true });
  return date ? formatDate(date, TIME_FORMAT) : String(value);
}
/** A moment. */
export function When({ at }: { at: Time | undefined }) {
  const date = parseDate(at, { utc: true });
  return date ? <time dateTime={date.toISOString()}>{timeText(at)}</time> : <>{timeText(at)}</>;
}

/** The name of another object; choosing it is told to the page. */
export function ObjectLink({
  widget,
  name,
  children,
}: {
  widget: WidgetId;
  name: string | undefined;
  children?: ReactNode;
}) {
  const host = useContext(HostContext);
  if (!name) return null;
  return (
    <button
      type="button"
      className="link"
      dir="auto"
      onClick={() => host && tell(host, 'tiding-open-object', { widget, name })}
    >
      {children ?? name}
    </button>
  );
}

/** A column of a table of records. */
export interface RecordColumn<Row> {
  readonly id: string;
  readonly label: string;
  /** What it is ordered by, and shown where there is no `cell`. Absent: not ordered by. */
  readonly value?: (row: Row) => string | number | undefined;
  readonly cell?: (row: Row) => ReactNode;
  /** Digits stand under digits. */
  readonly numeric?: boolean;
}

/**
 * Records as a table, 25 at a time however many there are; in the order they come until a head is chosen. `expand`: what a row opens to;
 * `named`: what its button calls it, where the first column does not.
 */
export function RecordTable<Row>({
  label,
  rows,
  columns,
  expand,
  named,
  empty = t.none,
  open = false,
}: {
  label: string;
  rows: readonly Row[];
  columns: readonly RecordColumn<Row>[];
  expand?: (row: Row) => ReactNode;
  named?: (row: Row) => string | undefined;
  empty?: string;
  open?: boolean;
}) {
  const [order, choose] = useOrder<string>('');
  const [wanted, setPage] = useState(1);
  // By name: what is open stays so when the same rows come anew, as they do while something runs.
  const nameIn = (row: Row) => named?.(row) ?? columns[0]?.value?.(row);
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set(open ? keysOf(rows, rows.slice(0, 1), nameIn).values() : []),
  );
  const { value: sorted = rows, busy } = useSteps<readonly Row[]>(
    () => {
      const value = columns.find(({ id }) => id === order.by)?.value;
      if (!value) return rows;
      return rows.length > AT_ONCE ? undefined : [...rows].sort(inOrder(value, order.down));
      // The columns follow from the rows.
    },
    () => sortSteps(rows, inOrder(columns.find(({ id }) => id === order.by)!.value!, order.down)),
    [rows, order],
  );
  const { shown, page } = pageOf(sorted, wanted, RECORDS_PAGE);
  // Of those that are shown alone, and only where something is open: there may be a hundred thousand.
  const keys = useMemo(
    () => (opened.size > 0 ? keysOf(rows, shown, nameIn) : undefined),
    [rows, sorted, page, opened],
  );
  const isOpen = (row: Row): boolean => keys !== undefined && opened.has(keys.get(row) ?? '');
  if (rows.length === 0) return <p className="dim">{empty}</p>;
  const toggle = (row: Row) =>
    setOpened((before) => {
      const next = new Set(before);
      const key = keysOf(rows, [row], nameIn).get(row)!;
      if (!next.delete(key)) next.add(key);
      return next;
    });
  return (
    <>
      <div
        className="table-card widget-table"
        role="region"
        aria-label={label}
        aria-busy={busy || undefined}
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              {expand ? (
                <th scope="col" className="toggle">
                  <span className="visually-hidden">{t.details}</span>
                </th>
              ) : null}
              {columns.map(({ id, label: name, value, numeric }) =>
                value ? (
                  <SortHeader
                    key={id}
                    column={id}
                    label={name}
                    order={order}
                    onOrder={choose}
                    numeric={numeric}
                  />
                ) : (
                  <th key={id} scope="col" className={numeric ? 'numeric' : undefined}>
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              <Fragment key={(page - 1) * RECORDS_PAGE + at}>
                <tr>
                  {expand ? (
                    <td className="toggle">
                      <button
                        type="button"
                        className="button ghost sm icon-only"
                        aria-expanded={isOpen(row)}
                        aria-label={fill(t.detailsOf, {
                          name: named?.(row) ?? String(columns[0]?.value?.(row) ?? at + 1),
                        })}
                        onClick={() => toggle(row)}
                      >
                        <Icon of={isOpen(row) ? ChevronDown : ChevronRight} size="sm" />
                      </button>
                    </td>
                  ) : null}
                  {columns.map(({ id, cell, value, numeric }) => (
                    <td
                      key={id}
                      className={numeric ? 'numeric' : undefined}
                      dir={numeric ? undefined : 'auto'}
                    >
                      {cell ? cell(row) : value?.(row)}
                    </td>
                  ))}
                </tr>
                {expand && isOpen(row) ? (
                  <tr className="detail">
                    <td colSpan={columns.length + 1}>{expand(row)}</td>
                  </tr>
                ) : null}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > RECORDS_PAGE ? (
        <Pager page={page} total={rows.length} size={RECORDS_PAGE} onPage={setPage} />
      ) : null}
    </>
  );
}

/** A key for each of some rows: its name, and which of that name it is among all. */
function keysOf<Row>(
  rows: readonly Row[],
  wanted: readonly Row[],
  name: (row: Row) => string | number | undefined,
): ReadonlyMap<Row, string> {
  const own = new Set(wanted);
  const seen = new Map(wanted.map((row) => [String(name(row) ?? ''), 0]));
  const keys = new Map<Row, string>();
  for (const row of rows) {
    const key = String(name(row) ?? '');
    const before = seen.get(key);
    if (before === undefined) continue;
    seen.set(key, before + 1);
    if (own.has(row)) keys.set(row, `${before}:${key}`);
    if (keys.size === own.size) break;
  }
  return keys;
}

/** The order of rows by a value, up or down. */
const inOrder =
  <Row,>(value: (row: Row) => string | number | undefined, down: boolean) =>
  (a: Row, b: Row): number =>
    (down ? -1 : 1) * compare(value(a), value(b));

function compare(a: string | number | undefined, b: string | number | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).localeCompare(String(b));
}
