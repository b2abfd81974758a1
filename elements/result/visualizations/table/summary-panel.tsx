import { useEffect, useState, type ReactNode } from 'react';
import { texts } from '../../../text/table.ts';
import { formatInteger, withMinus } from '../../numbers.ts';
import type { ColumnView } from './columns.ts';
import { runInSlices, type Order } from './order.ts';
import { Popover } from './popover.tsx';
import type { RowSource } from './row-source.ts';
import { summarise, type Summary } from './summary.ts';

interface SummaryPanelProps {
  source: RowSource;
  order: Order;
  column: ColumnView;
  anchor: () => DOMRect | undefined;
  onClose: () => void;
}

/** What a column holds, over the rows that pass the filters; counted between frames. */
export function SummaryPanel({ source, order, column, anchor, onClose }: SummaryPanelProps) {
  const words = texts.grid;
  const [summary, setSummary] = useState<Summary | null>(null);
  const { index, type } = column;
  useEffect(() => {
    setSummary(null);
    return runInSlices(summarise(source, order, index, type), setSummary);
  }, [source, order, index, type]);
  return (
    <Popover
      anchor={anchor}
      label={words.summaryOf(column.name)}
      className="summary"
      onClose={onClose}
    >
      <div className="grid-panel-head">
        <b>{words.summaryOf(column.name)}</b>
      </div>
      {summary ? (
        <Figures summary={summary} column={column} />
      ) : (
        <p className="dim" role="status">
          {words.computing}
        </p>
      )}
    </Popover>
  );
}

const mean = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 8 });

function Figures({ summary, column }: { summary: Summary; column: ColumnView }) {
  const words = texts.grid;
  const { count, nulls, distinct, more, min, max, top, histogram } = summary;
  const line = (name: string, value: ReactNode) => (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
  const highest = Math.max(1, ...(histogram ?? []));
  return (
    <>
      {histogram && (
        <svg
          className="grid-histogram"
          viewBox={`0 0 ${histogram.length} 24`}
          preserveAspectRatio="none"
          role="img"
          aria-label={words.histogram(column.format(min), column.format(max))}
        >
          {histogram.map((value, at) => (
            <rect
              key={at}
              x={at + 0.08}
              width={0.84}
              y={24 - (24 * value) / highest}
              height={(24 * value) / highest}
            />
          ))}
        </svg>
      )}
      <dl>
        {line(words.count, formatInteger(count))}
        {line(words.nulls, formatInteger(nulls))}
        {line(
          words.distinct,
          more ? words.moreThan(formatInteger(distinct)) : formatInteger(distinct),
        )}
        {min !== undefined && line(words.minimum, column.format(min))}
        {max !== undefined && line(words.maximum, column.format(max))}
        {summary.mean !== undefined && line(words.mean, withMinus(mean.format(summary.mean)))}
      </dl>
      {top.length > 0 && distinct < count && (
        <>
          <p className="menu-heading">{words.top}</p>
          <ul>
            {top.map(({ value, count: times }, at) => (
              <li key={at}>
                <span>{column.format(value)}</span>
                <span className="dim">{formatInteger(times)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
