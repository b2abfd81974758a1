import type { Pivot } from 'tiding/model';
import { chartTexts } from '../../../text/charts.ts';
import { formatInteger, formatTick } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import { formatKey } from './axes.ts';
import { seriesToken } from './palette.ts';

const words = resultText.chart;
/** Cells of the hidden table; a reader who wants more takes the table view. */
const tableCells = 4_000;
const tableRows = 200;
const tableColumns = 100;

/** One name of the legend: a series, a slice, a group. */
export interface Entry {
  readonly name: string;
  /** Number of its colour, and among how many. */
  readonly at: number;
  readonly count: number;
}

/** Entries of so many names. */
export function entriesOf(names: readonly string[]): Entry[] {
  return names.map((name, at) => ({ name, at, count: names.length }));
}

interface LegendProps {
  entries: readonly Entry[];
  hidden: ReadonlySet<string>;
  onToggle: (name: string) => void;
  /** The names stand in the chart: here only for whoever comes by keyboard. */
  quiet: boolean;
}

/** The series by colour and name, above the chart; a click takes one out. A single series needs none. */
export function Legend({ entries, hidden, onToggle, quiet }: LegendProps) {
  if (entries.length < 2) return null;
  return (
    <ul className={quiet ? 'chart-legend quiet' : 'chart-legend'} aria-label={chartTexts.legend}>
      {entries.map(({ name, at, count }) => (
        <li key={at}>
          <button type="button" aria-pressed={!hidden.has(name)} onClick={() => onToggle(name)}>
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

/** What a chart says, in one sentence. */
export function chartSummary(kind: string, { x, series }: Pivot): string {
  let low = Infinity;
  let high = -Infinity;
  for (const { values } of series) {
    for (const value of values) {
      if (value === null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  const names =
    series.length <= 8
      ? series.map(({ name }) => name).join(', ')
      : words.seriesCount(series.length);
  return words.summary(
    kind,
    names,
    words.pointCount(x.length),
    low <= high ? words.range(formatTick(low), formatTick(high)) : '',
  );
}

/** What the limits of a chart have left out, in sentences. */
export function leftNotes({ left }: Pivot): string[] {
  return [
    ...(left.series > 0 ? [chartTexts.moreSeries(formatInteger(left.series))] : []),
    ...(left.points > 0 ? [chartTexts.morePoints(formatInteger(left.points))] : []),
  ];
}

/** The drawn numbers, for those who read instead of look. */
export function ChartTable({
  pivot: { x, series, left },
  title,
  format = formatKey,
}: {
  pivot: Pivot;
  title: string;
  format?: (key: string | number) => string;
}) {
  const shown = series.slice(0, tableColumns);
  const rows = Math.min(tableRows, Math.max(1, Math.floor(tableCells / Math.max(1, shown.length))));
  const more = {
    points: x.length - rows + left.points,
    series: series.length - shown.length + left.series,
  };
  return (
    <div className="visually-hidden">
      <table>
        <caption>{words.data(title)}</caption>
        <thead>
          <tr>
            <th scope="col">{words.key}</th>
            {shown.map(({ name }, at) => (
              <th key={at} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {x.slice(0, rows).map((key, row) => (
            <tr key={row}>
              <th scope="row">{format(key)}</th>
              {shown.map(({ values }, at) => (
                <td key={at}>
                  {values[row] === null || values[row] === undefined ? '' : formatTick(values[row])}
                </td>
              ))}
            </tr>
          ))}
          {more.points > 0 && (
            <tr>
              <td colSpan={shown.length + 1}>
                {chartTexts.morePoints(formatInteger(more.points))}
              </td>
            </tr>
          )}
          {more.series > 0 && (
            <tr>
              <td colSpan={shown.length + 1}>
                {chartTexts.moreSeries(formatInteger(more.series))}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
