import type { Pivot } from 'tiding/model';
import { formatInteger, formatTick } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import { seriesToken } from './palette.ts';

const words = resultText.chart;
/** Rows of the hidden table; a reader who wants more takes the table view. */
const tableRows = 200;

/** The series by colour and name, above the chart; a click takes one out. A single series needs none. */
export function Legend({ pivot, hidden, onToggle }: { pivot: Pivot; hidden: ReadonlySet<string>; onToggle: (name: string) => void }) {
  const { series } = pivot;
  if (series.length < 2) return null;
  return (
    <ul className="chart-legend">
      {series.map(({ name }, at) => (
        <li key={at}>
          <button type="button" aria-pressed={!hidden.has(name)} onClick={() => onToggle(name)}>
            <span className="chart-key" style={{ background: seriesToken(at, series.length) }} aria-hidden="true" />
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
  const names = series.length <= 8 ? series.map(({ name }) => name).join(', ') : words.seriesCount(series.length);
  return words.summary(kind, names, words.pointCount(x.length), low <= high ? words.range(formatTick(low), formatTick(high)) : '');
}

/** The drawn numbers, for those who read instead of look. */
export function ChartTable({ pivot: { x, series }, title }: { pivot: Pivot; title: string }) {
  return (
    <table className="visually-hidden">
      <caption>{words.data(title)}</caption>
      <thead>
        <tr>
          <th scope="col">{words.key}</th>
          {series.map(({ name }, at) => (
            <th key={at} scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {x.slice(0, tableRows).map((key, row) => (
          <tr key={row}>
            <th scope="row">{String(key)}</th>
            {series.map(({ values }, at) => (
              <td key={at}>{values[row] === null || values[row] === undefined ? '' : formatTick(values[row])}</td>
            ))}
          </tr>
        ))}
        {x.length > tableRows && (
          <tr>
            <td colSpan={series.length + 1}>{words.more(formatInteger(x.length - tableRows))}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
