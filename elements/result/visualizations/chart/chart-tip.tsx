import { seriesToken } from './palette.ts';

/** What a chart says about one place. */
export interface TipText {
  readonly head: string;
  readonly lines: readonly { readonly at: number; readonly count: number; readonly name: string; readonly value: string }[];
}

/** Most lines a tip holds. */
const mostLines = 14;
const distance = 12;

/** The numbers under the pointer. Drawn by the page and not by the chart library, whose own tip is markup. */
export function ChartTip({ text, x, y, width }: { text: TipText; x: number; y: number; width: number }) {
  const right = x > width / 2;
  const style = { top: Math.max(0, y - 20), ...(right ? { right: width - x + distance } : { left: x + distance }) };
  return (
    <div className="chart-tip" style={style} aria-hidden="true">
      <b>{text.head}</b>
      {text.lines.slice(0, mostLines).map(({ at, count, name, value }) => (
        <span key={at} className="chart-tip-line">
          <span className="chart-key" style={{ background: seriesToken(at, count) }} />
          <span className="chart-tip-name">{name}</span>
          <span className="chart-tip-value">{value}</span>
        </span>
      ))}
      {text.lines.length > mostLines && <span>…</span>}
    </div>
  );
}
