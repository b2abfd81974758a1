import type { ChartSpot } from './chart-pointing.ts';
import { seriesToken } from './palette.ts';

/** Content of a tooltip. */
export interface TipText {
  readonly head: string;
  readonly lines: readonly {
    readonly at: number;
    readonly count: number;
    readonly name: string;
    readonly value: string;
  }[];
}

interface ChartTipProps {
  text: TipText;
  spot: ChartSpot;
  x: number;
  y: number;
  width: number;
  /** Whether to mark the position in the chart too. */
  mark: boolean;
}

/** Maximum number of lines. */
const mostLines = 14;
const distance = 12;

/**
 * Tooltip with the values at the pointer. It is rendered by React because ECharts builds its own
 * tooltip with innerHTML.
 */
export function ChartTip({ text: { head, lines }, spot, x, y, width, mark }: ChartTipProps) {
  const right = x > width / 2;
  const style = {
    top: Math.max(0, y - 20),
    ...(right ? { right: width - x + distance } : { left: x + distance }),
  };
  // If there are too many lines, show those around the hovered series.
  const own = lines.findIndex(({ at }) => at === spot.series);
  const from = Math.max(0, Math.min(own - Math.floor(mostLines / 2), lines.length - mostLines));
  const shown = lines.slice(from, from + mostLines);
  return (
    <>
      {mark && <span className="chart-mark" style={{ left: x, top: y }} />}
      <div className="chart-tip small-text" style={style} aria-hidden="true">
        {head !== '' && <b>{head}</b>}
        {from > 0 && <span>…</span>}
        {shown.map(({ at, count, name, value }) => (
          <span
            key={at}
            className={
              at === spot.series && lines.length > 1 ? 'chart-tip-line own' : 'chart-tip-line'
            }
          >
            <span className="chart-key" style={{ background: seriesToken(at, count) }} />
            <span className="chart-tip-name truncate">{name}</span>
            <span className="chart-tip-value">{value}</span>
          </span>
        ))}
        {from + mostLines < lines.length && <span>…</span>}
      </div>
    </>
  );
}
