/** The grid of a preview. It is loaded with the first one. */
import type { ColumnType, RowColumn } from '@tiding/client/model';
import type { ConnectionPreview } from '@tiding/client/protocol';
import { useMemo, useState } from 'react';
import type { RowSource } from '../result/rows/row-source.ts';
import { viewTable } from '../result/rows/view-table.ts';
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

const kinds = { number: 'float', date: 'timestamp', string: 'text' } as const satisfies Record<
  ColumnType,
  RowColumn['kind']
>;

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
  const source = useMemo(
    (): RowSource => ({
      columns: columns.map(({ name }, index) => ({ name, index, kind: kinds[types[index]!] })),
      length: rows.length,
      complete: true,
      isText: true,
      nullText: '',
      value: (row, column) => rows[row]?.[column],
    }),
    [columns, rows, types],
  );
  const table = useMemo(() => viewTable(source, ''), [source]);
  return (
    <TableView
      table={table}
      source={source}
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
