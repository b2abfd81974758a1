/** Building blocks of widgets. They need widgets.css. */

import { formatDate, parseDate } from '@tiding/client/model';
import {
  type BadgeColour as Colour,
  healthBadge,
  type NamedObject,
  newestFirst,
  type PayloadTime,
  type Spanned,
  sortSteps,
  stateBadge,
  timeOf,
  type WidgetId,
  widgetOfObject,
} from '@tiding/client/widgets';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { Fragment, type ReactNode, useContext, useMemo, useState } from 'react';
import { emitEvent } from '../runtime/define-element.ts';
import { HostContext, useStableValue } from '../runtime/hooks.ts';
import { toggled } from '../runtime/toggled.ts';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { entriesOnPage, Pager } from '../ui/page.tsx';
import { SortHeader, useSortOrder } from '../ui/sort-header.tsx';
import type { OpenObject } from './contract.ts';
import { widgetTexts } from './texts.ts';
import { MAX_SYNC_ROWS, useSteps } from './use-steps.ts';

const t = widgetTexts;
/** Format of times (specification, for profiles). */
export const TIME_FORMAT = 'MMMM DD YYYY, h:mm:ss A';
/** Rows shown at once in a table of records. */
const RECORDS_PER_PAGE = 25;

/** A run or a part of one. */
export interface TimedRun extends Spanned {
  readonly state?: string | undefined;
}

/** Whether a run has started and not ended. A state may tell its end without a time. */
export const isUnderway = (run: TimedRun): boolean =>
  run.startTime !== undefined &&
  run.endTime === undefined &&
  !/^(succeeded|finished|failed|cancelled|stopped)$/i.test(run.state ?? '');

/**
 * Header of a widget: name, description, state and actions. An object without a name has the name
 * of the widget.
 */
export function WidgetHead({
  widget,
  of,
  title,
  about = of?.description,
  state,
  badge,
  actions,
}: {
  widget?: WidgetId;
  of?: NamedObject | undefined;
  title?: ReactNode;
  about?: ReactNode;
  state?: string | undefined;
  badge?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="widget-head">
      <div className="widget-title">
        <h2 dir="auto">{title || of?.name || (widget && widgetTexts.names[widget])}</h2>
        {badge}
        <StateBadge state={state} />
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

interface WidgetPartProps {
  title: string;
  count?: number | undefined;
  children: ReactNode;
}

/** A section of a widget with its own heading. */
export function WidgetPart({ title, count, children }: WidgetPartProps) {
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

/** A label with its value. With a `widget`, the value is the name of an object to link to. */
type Fact = readonly [label: string, value: ReactNode, widget?: OpenObject['widget']];

/** Labels with their values; those without a value are omitted. */
export function Facts({ of }: { of: readonly Fact[] }) {
  const shown = of.filter(
    ([, value]) => value !== undefined && value !== null && value !== '' && value !== false,
  );
  if (shown.length === 0) return null;
  return (
    <dl className="facts">
      {shown.map(([label, value, widget], at) => (
        <Fragment key={at}>
          <dt>{label}</dt>
          <dd dir="auto">{widget ? <ObjectLink widget={widget} name={String(value)} /> : value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** Coloured badge; its text never leaves the meaning to colour alone. */
export function ColourBadge({ colour, children }: { colour: Colour; children: ReactNode }) {
  return <span className={`badge ${colour}`}>{children}</span>;
}
/** Badge of the state of a run, cluster or schedule. */
export const StateBadge = ({ state }: { state: string | undefined }) =>
  state ? <ColourBadge colour={stateBadge(state)}>{state}</ColourBadge> : null;
/** Badge of a health state: Healthy, Degraded, Unhealthy. */
export const HealthBadge = ({ health }: { health: string | undefined }) =>
  health ? <ColourBadge colour={healthBadge(health)}>{health}</ColourBadge> : null;

/** Formats a time; text that is not a date is returned unchanged. */
export function timeText(value: PayloadTime | undefined): string {
  if (value === undefined || value === '') return '';
  const date = parseDate(value, { utc: true });
  return date ? formatDate(date, TIME_FORMAT) : String(value);
}
/** Short name of the viewer's time zone at a date, such as `CET`. */
const zoneOf = (date: Date): string =>
  new Intl.DateTimeFormat('en', { timeZoneName: 'short' })
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';
/** A time. Its tooltip has the zone of the viewer, and the time in UTC. */
export function TimeText({ at }: { at: PayloadTime | undefined }) {
  const date = parseDate(at, { utc: true });
  if (!date) return timeText(at);
  const both = [
    `${formatDate(date, TIME_FORMAT)} ${zoneOf(date)}`,
    `${formatDate(date, TIME_FORMAT, { utc: true })} UTC`,
  ];
  return (
    <time dateTime={date.toISOString()} title={[...new Set(both)].join('\n')}>
      {timeText(at)}
    </time>
  );
}

/** A time among facts; nothing if it is missing. */
export const moment = (at: PayloadTime | undefined) =>
  at === undefined || at === '' ? undefined : <TimeText at={at} />;

interface ObjectLinkProps {
  widget: OpenObject['widget'];
  name: string | undefined;
  children?: ReactNode;
}

/** Name of another object; selecting it is announced to the host page. */
export function ObjectLink({ widget, name, children }: ObjectLinkProps) {
  const host = useContext(HostContext);
  if (!name) return null;
  return (
    <button
      type="button"
      className="link"
      dir="auto"
      onClick={() => host && emitEvent(host, 'tiding-open-object', { widget, name })}
    >
      {children ?? name}
    </button>
  );
}

/** Name of an object, with a link if there is a widget for its type. */
export function ObjectName({ type, name }: { type: string | undefined; name: string | undefined }) {
  const widget = widgetOfObject(type);
  return widget ? <ObjectLink widget={widget} name={name} /> : name;
}

export interface RecordColumn<Row> {
  /** Unique in its table. */
  readonly label: string;
  /**
   * The value to sort by, also displayed if there is no `cell`. A column without it can't be
   * sorted.
   */
  readonly value?: (row: Row) => string | number | undefined;
  readonly cell?: (row: Row) => ReactNode;
  /** The time that the column shows, instead of `value` and `cell`. */
  readonly time?: (row: Row) => PayloadTime | undefined;
  /** The state that the column shows, instead of `value` and `cell`. */
  readonly state?: (row: Row) => string | undefined;
  /** The object of any type that the column shows, instead of `value` and `cell`. */
  readonly object?: (row: Row) => readonly [type: string | undefined, name: string | undefined];
  /** Shows the value as the name of an object, with a link to its widget. */
  readonly link?: OpenObject['widget'];
  /** Name of the linked object, if the value is only a part of it. */
  readonly to?: (row: Row) => string | undefined;
  /** Aligns digits. */
  readonly numeric?: boolean;
  /** Number of columns that the cell covers, from this one on. Default: 1. */
  readonly span?: (row: Row) => number;
}

interface RecordTableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly RecordColumn<Row>[];
  newest?: (row: Row) => PayloadTime | undefined;
  keepEmpty?: boolean;
  expand?: (row: Row) => ReactNode;
  named?: (row: Row) => string | undefined;
  empty?: string;
  open?: boolean;
}

/** A section with a table of records, and their number in its heading. */
export const RecordPart = <Row,>(table: RecordTableProps<Row>) => (
  <WidgetPart title={table.label} count={table.rows.length}>
    <RecordTable {...table} />
  </WidgetPart>
);

/** Returns a column with the value and the cell of its kind. */
function complete<Row>({ time, state, object, ...column }: RecordColumn<Row>): RecordColumn<Row> {
  const { link, to, value } = column;
  if (time)
    return {
      ...column,
      value: (row) => timeOf(time(row)) ?? time(row),
      cell: (row) => <TimeText at={time(row)} />,
    };
  if (state) return { ...column, value: state, cell: (row) => <StateBadge state={state(row)} /> };
  if (object)
    return {
      ...column,
      value: (row) => object(row)[1],
      cell: (row) => <ObjectName type={object(row)[0]} name={object(row)[1]} />,
    };
  if (!link || !value) return column;
  const cell = (row: Row) => {
    const text = String(value(row) ?? '');
    return (
      <ObjectLink widget={link} name={text && to ? to(row) : text}>
        {text}
      </ObjectLink>
    );
  };
  return { ...column, cell };
}

/**
 * Table of records, 25 at a time, in the given order or the newest by `newest` first, until a
 * header is clicked. Columns that are empty in every row are omitted, except the first one and
 * those without `value`, unless `keepEmpty` is set. `expand` renders the details of a row; `named`
 * returns its name for the expand button if the first column doesn't show it.
 */
export function RecordTable<Row>({
  label,
  rows: unsorted,
  columns: given,
  newest,
  keepEmpty = false,
  expand,
  named,
  empty = t.none,
  open = false,
}: RecordTableProps<Row>) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `newest` is a new function each time
  const rows = useMemo(() => (newest ? newestFirst(unsorted, newest) : unsorted), [unsorted]);
  const [order, choose] = useSortOrder<string>('');
  const all = given.map(complete);
  const labels = all.map(({ label: name }) => name).join('\n');
  // There may be a hundred thousand rows, and the columns are new objects on every render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: columns are told apart by their labels
  const filled = useMemo(() => {
    const isFilled = ({ value }: RecordColumn<Row>, at: number) =>
      keepEmpty || at === 0 || !value || rows.some((row) => (value(row) ?? '') !== '');
    return new Set(all.filter(isFilled).map(({ label: name }) => name));
  }, [rows, labels, keepEmpty]);
  const columns = all.filter(({ label: name }) => filled.has(name));
  const [wanted, setPage] = useState(1);
  // Identify rows by name, so that expanded rows stay open when the data is reloaded, as it is
  // while something runs.
  const nameIn = (row: Row) => named?.(row) ?? columns[0]?.value?.(row);
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set(open ? keysOf(rows, rows.slice(0, 1), nameIn).values() : []),
  );
  const { value: sorted = rows, busy } = useSteps<readonly Row[]>(
    () => {
      const value = columns.find((each) => each.label === order.by)?.value;
      if (!value) return rows;
      return rows.length > MAX_SYNC_ROWS ? undefined : [...rows].sort(inOrder(value, order.down));
      // The columns depend on the rows.
    },
    () =>
      sortSteps(rows, inOrder(columns.find((each) => each.label === order.by)!.value!, order.down)),
    [rows, order],
  );
  const { shown, page } = entriesOnPage(sorted, wanted, RECORDS_PER_PAGE);
  // Only for the rows on this page, and only if a row is expanded: there may be a hundred thousand.
  const onPage = useStableValue({ rows, shown, nameIn }, [rows, sorted, page]);
  const keys = useMemo(
    () => (opened.size > 0 ? keysOf(onPage.rows, onPage.shown, onPage.nameIn) : undefined),
    [onPage, opened],
  );
  const isOpen = (row: Row): boolean => keys !== undefined && opened.has(keys.get(row) ?? '');
  if (rows.length === 0) return <p className="dim">{empty}</p>;
  const toggle = (row: Row) =>
    setOpened((before) => toggled(before, keysOf(rows, [row], nameIn).get(row)!));
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
              {columns.map(({ label: name, value, numeric }) =>
                value ? (
                  <SortHeader
                    key={name}
                    column={name}
                    label={name}
                    order={order}
                    onOrder={choose}
                    numeric={numeric}
                  />
                ) : (
                  <th key={name} scope="col" className={numeric ? 'numeric' : undefined}>
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              <Fragment key={(page - 1) * RECORDS_PER_PAGE + at}>
                <tr>
                  {expand ? (
                    <td className="toggle">
                      <Button
                        size="sm"
                        icon={isOpen(row) ? ChevronDown : ChevronRight}
                        aria-expanded={isOpen(row)}
                        aria-label={fill(t.detailsOf, {
                          name: named?.(row) ?? String(columns[0]?.value?.(row) ?? at + 1),
                        })}
                        onClick={() => toggle(row)}
                      />
                    </td>
                  ) : null}
                  {uncovered(columns, row).map(({ label: name, cell, value, numeric, span }) => {
                    const colSpan = span?.(row) ?? 1;
                    const digits = numeric && colSpan === 1;
                    return (
                      <td
                        key={name}
                        className={digits ? 'numeric' : undefined}
                        dir={digits ? undefined : 'auto'}
                        colSpan={colSpan === 1 ? undefined : colSpan}
                      >
                        {cell ? cell(row) : value?.(row)}
                      </td>
                    );
                  })}
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
      {rows.length > RECORDS_PER_PAGE ? (
        <Pager page={page} total={rows.length} size={RECORDS_PER_PAGE} onPage={setPage} />
      ) : null}
    </>
  );
}

/** The columns of a row without those that the cell of an earlier column covers. */
function uncovered<Row>(
  columns: readonly RecordColumn<Row>[],
  row: Row,
): readonly RecordColumn<Row>[] {
  let end = 0;
  return columns.filter(({ span }, at) => {
    if (at < end) return false;
    end = at + (span?.(row) ?? 1);
    return true;
  });
}

/** Returns a key for each wanted row: its name, and its index among all rows with that name. */
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

/** Comparator of rows by a value, ascending or descending. */
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
