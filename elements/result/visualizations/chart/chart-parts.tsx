import type { Pivot } from '@tiding/client/model';
import { formatInteger, formatTick } from '../../parts/numbers.ts';
import { resultText } from '../../texts.ts';
import { boundsOf, keyFormat } from './axes.ts';
import type { ChartKind } from './chart-kind.ts';
import { HiddenTable } from './hidden-table.tsx';
import { seriesToken } from './palette.ts';
import { chartTexts } from './texts.ts';

const uiText = resultText.chart;
/** Limits of the hidden table; the table view shows everything. */
const tableCells = 4_000;
const tableRows = 200;
const tableColumns = 100;

/** An entry of the legend: a series, slice or group. */
export interface LegendEntry {
  readonly name: string;
  /** Index of its colour, and the number of colours in use. */
  readonly at: number;
  readonly count: number;
}

/** Creates legend entries from names. */
export function legendEntries(names: readonly string[]): LegendEntry[] {
  return names.map((name, at) => ({ name, at, count: names.length }));
}

export interface LegendProps {
  entries: readonly LegendEntry[];
  hidden: ReadonlySet<string>;
  onToggle: (name: string) => void;
  /**
   * Whether the chart shows the names itself, so that the legend is visible only on keyboard focus.
   */
  quiet: boolean;
}

/** Legend above the chart; clicking a name hides its series. Omitted for a single series. */
export function Legend({ entries, hidden, onToggle, quiet }: LegendProps) {
  if (entries.length < 2) return null;
  return (
    <ul
      className={`chart-legend small-text secondary-text ${quiet ? 'quiet' : ''}`}
      aria-label={chartTexts.legend}
    >
      {entries.map(({ name, at, count }) => (
        <li key={at}>
          <button
            type="button"
            className="bare"
            aria-pressed={!hidden.has(name)}
            onClick={() => onToggle(name)}
          >
            <span
              className="chart-key"
              style={{ background: seriesToken(at, count) }}
              aria-hidden="true"
            />
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The names of a few series, or the number of many. */
export const seriesNames = (series: readonly { readonly name: string }[]): string =>
  series.length <= 8
    ? series.map(({ name }) => name).join(', ')
    : uiText.seriesCount(series.length);

/** Describes a chart in one sentence, after its title. */
export function chartSummary(id: ChartKind['id'], { x, series }: Pivot, title = ''): string {
  const kind = resultText.views[id];
  const [low, high] = boundsOf(
    series.flatMap(({ values }) => values.filter((value) => value !== null)),
  );
  return uiText.summary(
    title === '' ? kind : `${title}. ${kind}`,
    seriesNames(series),
    uiText.pointCount(x.length),
    low <= high ? uiText.range(formatTick(low), formatTick(high)) : '',
  );
}

/** Title and subtitle above a chart. */
export function ChartHeading({ title, subtitle }: { title: string; subtitle: string }) {
  if (title === '' && subtitle === '') return null;
  return (
    <div className="chart-heading">
      {title && <p className="chart-title">{title}</p>}
      {subtitle && <p className="small-text secondary-text">{subtitle}</p>}
    </div>
  );
}

/** Returns notes about series and points that are not drawn or listed. */
export const omittedNotes = ({ points, series }: Pivot['omitted']): string[] => [
  ...(series > 0 ? [chartTexts.moreSeries(formatInteger(series))] : []),
  ...(points > 0 ? [chartTexts.morePoints(formatInteger(points))] : []),
];

/** Notes below a chart. */
export const ChartNotes = ({ notes }: { notes: readonly string[] }) =>
  notes.map((note) => (
    <p key={note} className="chart-more small-text dim">
      {note}
    </p>
  ));

/** Visually hidden table of the drawn values. */
export function ChartTable({
  pivot,
  title,
  format = keyFormat(pivot),
}: {
  pivot: Pivot;
  title: string;
  format?: ((key: string | number) => string) | undefined;
}) {
  const { x, series, omitted: left } = pivot;
  const shown = series.slice(0, tableColumns);
  const rows = Math.min(tableRows, Math.max(1, Math.floor(tableCells / Math.max(1, shown.length))));
  return (
    <HiddenTable
      title={title}
      head={[uiText.key, ...shown.map(({ name }) => name)]}
      rows={x
        .slice(0, rows)
        .map((key, row) => [
          format(key),
          ...shown.map(({ values }) => (values[row] == null ? '' : formatTick(values[row]))),
        ])}
      more={omittedNotes({
        points: x.length - rows + left.points,
        series: series.length - shown.length + left.series,
      }).reverse()}
    />
  );
}
