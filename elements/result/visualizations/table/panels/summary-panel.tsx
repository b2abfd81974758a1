import { type ReactNode, useEffect, useState } from 'react';
import { formatInteger, numberFormat, withMinus } from '../../../parts/numbers.ts';
import { type ColumnSummary, summarizeColumn } from '../../../rows/column-summary.ts';
import { summarizeOnServer } from '../../../rows/remote-summary.ts';
import type { RowOrder } from '../../../rows/row-order.ts';
import type { RowSource } from '../../../rows/row-source.ts';
import { runGenerator, runRequest } from '../../../rows/run-generator.ts';
import type { ColumnView } from '../layout/columns.ts';
import { gridTexts } from '../texts.ts';
import { Popover } from './popover.tsx';

interface SummaryPanelProps {
  source: RowSource;
  order: RowOrder;
  column: ColumnView;
  anchor: () => DOMRect | undefined;
  onClose: () => void;
}

/**
 * Panel with statistics of a column over the rows that pass the filters. They are computed between
 * frames.
 */
export function SummaryPanel({ source, order, column, anchor, onClose }: SummaryPanelProps) {
  const [summary, setSummary] = useState<ColumnSummary | null>(null);
  const { index, type } = column;
  const { remote } = source;
  // A source on the server is new whenever rows have arrived.
  const rows = remote ? undefined : source;
  useEffect(() => {
    setSummary(null);
    return rows
      ? runGenerator(summarizeColumn(rows, order, index, type), setSummary)
      : runRequest((signal) => summarizeOnServer(remote!, index, type, signal), setSummary);
  }, [remote, rows, order, index, type]);
  return (
    <Popover
      anchor={anchor}
      label={gridTexts.summaryOf(column.name)}
      className="summary"
      onClose={onClose}
    >
      <div className="grid-panel-head in-row">
        <b>{gridTexts.summaryOf(column.name)}</b>
      </div>
      {summary ? (
        <Figures summary={summary} column={column} />
      ) : (
        <p className="dim" role="status">
          {gridTexts.computing}
        </p>
      )}
    </Popover>
  );
}

const mean = numberFormat({ maximumSignificantDigits: 8 });

function Figures({ summary, column }: { summary: ColumnSummary; column: ColumnView }) {
  const { count, nulls, distinct, more, notFinite, min, max, top, histogram } = summary;
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
          aria-label={gridTexts.histogram(column.format(min), column.format(max))}
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
        {line(gridTexts.count, formatInteger(count))}
        {line(gridTexts.nulls, formatInteger(nulls))}
        {line(
          gridTexts.distinct,
          more ? gridTexts.moreThan(formatInteger(distinct)) : formatInteger(distinct),
        )}
        {notFinite > 0 && line(gridTexts.notFinite, formatInteger(notFinite))}
        {min !== undefined && line(gridTexts.minimum, column.format(min))}
        {max !== undefined && line(gridTexts.maximum, column.format(max))}
        {summary.mean !== undefined && line(gridTexts.mean, withMinus(mean.format(summary.mean)))}
      </dl>
      {top.length > 0 && distinct < count && (
        <>
          <p className="menu-heading">{gridTexts.top}</p>
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
