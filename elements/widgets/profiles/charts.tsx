/** Small SVG charts of profiles; their labels are ordinary text beside them. */

import type { CountSlot, TimeCounts, TimeUnit, TopValues } from '@tiding/client/widgets';
import { type CSSProperties, useMemo } from 'react';
import { withMinus } from '../../result/parts/numbers.ts';
import { fill } from '../../text/fill.ts';
import { count, measure } from './format.ts';
import { profilesTexts as t } from './texts.ts';

/** Maximum number of bars with a tooltip of their own. */
const MAX_TOOLTIP_BARS = 400;

interface Bar {
  readonly label: string;
  readonly count: number;
  /** Start for charts with bars of different widths, from 0 to 1. */
  readonly from?: number;
  readonly to?: number;
}
/** An axis label; `at` is its position from 0 to 1. */
interface Tick {
  readonly label: string;
  readonly at: number;
}

interface BarsProps {
  title: string;
  about?: string | undefined;
  bars: readonly Bar[];
  ticks: readonly Tick[];
  height?: number;
  wide?: boolean;
  note?: string | undefined;
}

/**
 * Bars over an axis; the longest fills the height. The axis runs left to right in every language,
 * as in all charts.
 */
function Bars({ title, about, bars, ticks, height = 84, wide = false, note }: BarsProps) {
  const { most, total, at } = useMemo(
    () =>
      bars.reduce(
        (found, { count: n }, index) => ({
          most: Math.max(found.most, n),
          total: found.total + n,
          at: n > found.most ? index : found.at,
        }),
        { most: 0, total: 0, at: 0 },
      ),
    [bars],
  );
  if (bars.length === 0) return null;
  const gap = bars.length > 120 ? 0 : 0.16;
  const shapes = bars.map(({ count: n, from, to }, index) => {
    const start = from ?? index / bars.length;
    const width = (to ?? (index + 1) / bars.length) - start;
    return {
      x: (start + width * (gap / 2)) * 1000,
      width: width * (1 - gap) * 1000,
      height: most === 0 ? 0 : (n / most) * 100,
    };
  });
  const said = fill(t.chart, {
    title,
    n: bars.length,
    label: bars[at]!.label,
    count: count(most),
    total: count(total),
  });
  return (
    <figure className={wide ? 'profile-chart wide' : 'profile-chart'} dir="ltr">
      <figcaption dir="auto">
        <b>{title}</b>
        {about ? <span className="dim"> {about}</span> : null}
      </figcaption>
      <svg
        viewBox="0 0 1000 100"
        preserveAspectRatio="none"
        style={{ '--height': `${height}px` } as CSSProperties}
        role="img"
        aria-label={said}
      >
        {/* A single path, so that adjacent bars have no seams. */}
        <path
          className="bar"
          d={shapes
            .map(
              ({ x, width, height: tall }) =>
                `M${x.toFixed(2)} 100v${(-tall).toFixed(2)}h${width.toFixed(2)}V100z`,
            )
            .join('')}
        />
        {bars.length > MAX_TOOLTIP_BARS
          ? null
          : shapes.map(({ x, width }, index) => (
              <rect key={index} className="reach" x={x} width={width} y="0" height="100">
                <title>
                  {fill(t.bar, { label: bars[index]!.label, count: count(bars[index]!.count) })}
                </title>
              </rect>
            ))}
      </svg>
      <div className="ticks" aria-hidden="true">
        {ticks.map(({ label, at: place }) => (
          <span key={place} style={{ '--at': place } as CSSProperties}>
            {label}
          </span>
        ))}
      </div>
      {note ? (
        <p className="dim" dir="auto">
          {note}
        </p>
      ) : null}
    </figure>
  );
}

/** Label of a slot in a time chart. */
function nameOf(unit: TimeUnit, key: string): string {
  if (unit === 'month') return t.months[Number(key) - 1]!;
  if (unit === 'dayOfWeek') return t.weekdays[Number(key) - 1]!;
  if (unit === 'dayOfYear')
    return `${t.months[Number(key.slice(2, 4)) - 1]!} ${Number(key.slice(5))}`;
  return unit === 'hourOfDay'
    ? `${key.padStart(2, '0')}:00`
    : unit === 'minuteOfHour'
      ? `:${key.padStart(2, '0')}`
      : key;
}

/** Maximum number of years that are all labelled. */
const MAX_LABELLED_YEARS = 8;
/** Axis labels of a time chart: all of them if there is room, otherwise some. */
function ticksOf(unit: TimeUnit, slots: readonly CountSlot[]): Tick[] {
  const middle = (index: number) => (index + 0.5) / slots.length;
  const pick = (wanted: (key: string, index: number) => string | undefined): Tick[] =>
    slots.flatMap(({ key }, index) => {
      const label = wanted(key, index);
      return label === undefined ? [] : [{ label, at: middle(index) }];
    });
  switch (unit) {
    case 'month':
      return pick((_, index) => t.monthLetters[index]);
    case 'dayOfWeek':
      return pick((_, index) => t.weekdaysShort[index]);
    case 'dayOfYear':
      return pick((key) =>
        key.endsWith('-15') ? t.monthLetters[Number(key.slice(2, 4)) - 1] : undefined,
      );
    case 'dayOfMonth':
      return pick((key, index) => (index % 7 === 0 ? key : undefined));
    case 'hourOfDay':
      return pick((key, index) => (index % 6 === 0 ? key : undefined));
    case 'minuteOfHour':
      return pick((key, index) => (index % 15 === 0 ? key : undefined));
    case 'year': {
      const step = Math.ceil(slots.length / MAX_LABELLED_YEARS);
      return pick((key, index) => (index % step === 0 ? key : undefined));
    }
  }
}

/** Distribution of a field's values over time. */
export function TimeChart({
  unit,
  counts: { slots, unplaced },
}: {
  unit: TimeUnit;
  counts: TimeCounts;
}) {
  const bars = useMemo(
    () => slots.map(({ key, count: n }) => ({ label: nameOf(unit, key), count: n })),
    [unit, slots],
  );
  const most = slots.reduce((found, { count: n }) => Math.max(found, n), 0);
  return (
    <Bars
      title={t.times[unit]}
      about={most > 0 ? fill(t.highest, { n: count(most) }) : undefined}
      bars={bars}
      ticks={ticksOf(unit, slots)}
      wide={unit === 'dayOfYear'}
      note={unplaced > 0 ? fill(t.unplaced, { n: count(unplaced) }) : undefined}
    />
  );
}

interface Bin {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly count?: number | undefined;
}

/** Histogram of a numeric field. */
export function Distribution({ bins }: { bins: readonly Bin[] }) {
  const { bars, ticks } = useMemo(() => {
    const edged = bins.every(({ from, to }) => from !== undefined && to !== undefined && to > from);
    const low = bins.reduce(
      (found, { from }) => Math.min(found, from ?? found),
      Number.POSITIVE_INFINITY,
    );
    const high = bins.reduce(
      (found, { to }) => Math.max(found, to ?? found),
      Number.NEGATIVE_INFINITY,
    );
    const span = high - low;
    const real = edged && Number.isFinite(span) && span > 0;
    const label = ({ from, to }: Bin, index: number) =>
      from === undefined && to === undefined
        ? String(index + 1)
        : fill(t.range, {
            from: from === undefined ? '' : measure(from),
            to: to === undefined ? '' : measure(to),
          });
    return {
      bars: bins.map((bin, index) => ({
        label: label(bin, index),
        count: Math.max(0, bin.count ?? 0),
        ...(real ? { from: (bin.from! - low) / span, to: (bin.to! - low) / span } : {}),
      })),
      ticks: real
        ? roundSteps(low, high).map((value) => ({
            label: measure(value),
            at: (value - low) / span,
          }))
        : [],
    };
  }, [bins]);
  return <Bars title={t.distribution} bars={bars} ticks={ticks} height={182} />;
}

/** About five round numbers between two bounds. */
function roundSteps(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
  const first = Math.ceil(low / step);
  return Array.from({ length: 12 }, (_, at) => Number(((first + at) * step).toPrecision(12)))
    .filter((value) => value <= high && Number.isFinite(value))
    .filter((value, at, all) => all.indexOf(value) === at);
}

/** Maximum number of values rendered; the list scrolls. */
const MAX_VALUES = 100;

/** The most frequent values, the number of other values, and the number of nulls. */
export function TopValuesChart({ values, other, nulls }: TopValues) {
  const most = Math.max(1, values[0]?.count ?? 0, nulls);
  const entries = [
    ...values.slice(0, MAX_VALUES).map(({ key, count: n }) => ({ kind: '', label: key, n })),
    ...(other > 0 ? [{ kind: 'other', label: t.other, n: other }] : []),
    ...(nulls > 0 ? [{ kind: 'null', label: t.null, n: nulls }] : []),
  ];
  return (
    <section className="top-values">
      <h4>{t.topValues}</h4>
      <ul tabIndex={entries.length > 12 ? 0 : undefined} aria-label={t.topValues}>
        {entries.map(({ kind, label, n }, index) => (
          <li key={index} className={kind}>
            <span className={label.trim() === '' ? 'label dim' : 'label'} dir="auto">
              {label.trim() === '' ? t.empty : /^-\d/.test(label) ? withMinus(label) : label}
            </span>
            {/*
             * The number of other values may be a hundred times that of the most frequent value, so
             * its bar is cut off and marked.
             */}
            <span className={n > most ? 'track beyond' : 'track'} aria-hidden="true">
              <i style={{ '--share': Math.min(1, n / most) } as CSSProperties} />
            </span>
            <span className="amount">{count(n)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Small histogram in a table row. */
export function Sparkline({ counts }: { counts: readonly number[] }) {
  const path = useMemo(() => {
    const most = counts.reduce((found, each) => Math.max(found, each), 0);
    const width = 120 / counts.length;
    return most === 0
      ? ''
      : counts
          .map(
            (each, at) =>
              `M${(at * width).toFixed(1)} ` +
              `18v${(-(each / most) * 18).toFixed(1)}h${Math.max(0.5, width - 1).toFixed(1)}` +
              'V18z',
          )
          .join('');
  }, [counts]);
  return path === '' ? null : (
    <svg className="spark" width="120" height="18" viewBox="0 0 120 18" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
