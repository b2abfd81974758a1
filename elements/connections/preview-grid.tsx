/** The grid of a preview. It is loaded with the first one. */
import { type ColumnType, type TableData, toCell } from '@tiding/client/model';
import type { ConnectionPreview } from '@tiding/client/protocol';
import { useMemo, useState } from 'react';
import { tableSheets } from '../result/styles/table-sheets.ts';
import { type Graph, type GraphPatch, graphOf } from '../result/view-settings.ts';
import TableView from '../result/visualizations/table/index.tsx';
import { useSheets } from '../runtime/use-sheets.ts';

const HEIGHT_PX = 420;
const nothing = (): void => {};

const typeOf = (type: string): ColumnType =>
  /^(?:u?int|float|decimal)/.test(type)
    ? 'number'
    : /^(?:date|timestamp|instant)/.test(type)
      ? 'date'
      : 'string';

/** The first rows of a table as a data grid. */
export default function PreviewGrid({
  preview: { columns, rows },
  title,
}: {
  preview: ConnectionPreview;
  title: string;
}) {
  useSheets(tableSheets);
  const [graph, setGraph] = useState<Graph>(() => graphOf({}));
  const types = useMemo(() => columns.map(({ type }) => typeOf(type)), [columns]);
  const table = useMemo(
    (): TableData => ({
      columns: columns.map(({ name }, index) => ({ name, index, aggr: 'sum' })),
      rows: rows.map((row) =>
        row.map((text, at) =>
          text === null ? 'null' : types[at] === 'number' ? toCell(text) : text,
        ),
      ),
      comment: '',
    }),
    [columns, rows, types],
  );
  return (
    <TableView
      table={table}
      types={types}
      graph={graph}
      onGraph={(patch: GraphPatch) => setGraph((before) => ({ ...before, ...patch }))}
      title={title}
      optionOpen={false}
      height={HEIGHT_PX}
      fill={false}
      onShown={nothing}
      context={undefined}
      onSelect={nothing}
      download={nothing}
    />
  );
}
