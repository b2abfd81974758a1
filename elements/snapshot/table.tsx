/** Tables as HTML tables: sorted, formatted and as high as in a page, with a limit of rows. */
import type { Output } from '@tiding/client';
import { runNow, type TypedRows } from '@tiding/client/model';
import type { ReactNode } from 'react';
import { ExportMenu } from '../result/displays/table-result/export-menu.tsx';
import { plainComment } from '../result/displays/table-result/plain-comment.ts';
import { ResultBar } from '../result/displays/table-result/result-bar.tsx';
import { formatInteger } from '../result/parts/numbers.ts';
import { ResizeHandle } from '../result/parts/resize-handle.tsx';
import { orderRows } from '../result/rows/row-order.ts';
import type { RowSource } from '../result/rows/row-source.ts';
import { viewTable } from '../result/rows/view-table.ts';
import { resultText } from '../result/texts.ts';
import { type Graph, shownHeight } from '../result/view-settings.ts';
import { visualizations } from '../result/visualizations/index.ts';
import { TypeMark } from '../result/visualizations/table/grid/grid-head.tsx';
import { CellText } from '../result/visualizations/table/grid/grid-row.tsx';
import { readColumns } from '../result/visualizations/table/layout/columns.ts';
import { GridTools } from '../result/visualizations/table/panels/grid-tools.tsx';
import { readTableSettings } from '../result/visualizations/table/state/table-settings.ts';
import { gridTexts } from '../result/visualizations/table/texts.ts';

/** Height of a row and of the frame in a page, in px. */
const ROW_PX = 30;
const FRAME_PX = 1;

/** A chart to draw. */
export interface ChartProps {
  readonly source: TypedRows;
  readonly graph: Graph;
  readonly title: string;
  /** Width of the drawing, in px. It is scaled to the page. */
  readonly width: number;
}

/** Draws a chart. Returns `null` if the view is no chart or has nothing to draw. */
export type DrawChart = (props: ChartProps) => ReactNode;

interface TableProps extends ChartProps {
  /** HTML from the interpreter. */
  readonly comment: string;
  readonly output: Pick<Output, 'rows'>;
  readonly rows: number;
  readonly draw?: DrawChart | undefined;
  /** Whether it is shown without its toolbar. */
  readonly bare: boolean;
}

const nothing = (): void => {};
const noFrame = { current: null };

/** The toolbar of a table, as the page shows it before anybody uses it. */
function Bar({
  source,
  graph,
  title,
  html,
}: Omit<ChartProps, 'source' | 'width'> & { source: RowSource; html: string }) {
  const table = viewTable(source, html);
  const views = visualizations.filter((view) => view.accepts(table));
  const chosen = views.find(({ id }) => id === graph.mode) ?? views[0]!;
  return (
    <ResultBar
      {...{ table, views, chosen, source }}
      frame={noFrame}
      shown={undefined}
      optionOpen={false}
      onView={nothing}
      onOption={nothing}
      full={false}
      onFull={nothing}
      applications={undefined}
      exports={
        <ExportMenu
          {...{ source, title }}
          frame={noFrame}
          pending={false}
          arranged={null}
          dateFinished={undefined}
          download={nothing}
          onFailed={nothing}
        />
      }
    >
      {chosen.id === 'table' && <GridTools onSearch={nothing} onOptions={nothing} open={false} />}
    </ResultBar>
  );
}

/** A table in the chosen view: a chart, or its rows. */
export function StaticTable(props: TableProps) {
  const { graph, title, width, draw, bare } = props;
  const source: RowSource = { complete: true, ...props.source };
  const comment = plainComment(props.comment);
  return (
    <div className="table-result">
      {!bare && <Bar {...{ source, graph, title }} html={props.comment} />}
      {(source.length > 0 && draw?.({ source, graph, title, width })) || (
        <Rows {...props} source={source} />
      )}
      {!bare && <ResizeHandle height={graph.height} />}
      {comment !== '' && <p className="table-comment small-text secondary-text">{comment}</p>}
    </div>
  );
}

interface RowsProps extends Omit<TableProps, 'source'> {
  source: RowSource;
}

function Rows({ output, source, graph, rows: limit, bare }: RowsProps) {
  const state = readTableSettings(graph.setting['table'], source.columns);
  const read = readColumns(source, (column) => ({
    type: state.types.get(column),
    format: state.formats.get(column),
  }));
  const columns = state.order
    .filter((index) => !state.hidden.has(index) && read[index])
    .map((index) => ({ ...read[index]!, width: 0 }));
  const order = runNow(
    orderRows(source, {
      sorts: state.sorts,
      filters: new Map(),
      typeOf: (column) => read[column]?.type ?? 'string',
    }),
  );
  const all = Math.max(output.rows ?? 0, source.length);
  const shown = Math.min(source.length, limit);
  const height = Math.min(
    shownHeight({ mode: 'table', height: graph.height }),
    (all + 1) * ROW_PX + FRAME_PX,
  );
  const side = (type: string) => (type === 'number' ? 'right' : undefined);
  return (
    <>
      <div className={`snapshot-table height-${height}`}>
        <table>
          <thead>
            <tr>
              {!bare && <td className="snapshot-number" />}
              {columns.map(({ index, name, type }) => (
                <th key={index} scope="col" className={side(type)}>
                  <TypeMark type={type} />
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: shown }, (_, row) => (
              <tr key={row}>
                {!bare && (
                  <td className="snapshot-number" aria-hidden="true">
                    {formatInteger((order?.[row] ?? row) + 1)}
                  </td>
                )}
                {columns.map((column) => (
                  <td key={column.index} className={side(column.type)}>
                    <CellText source={source} column={column} row={order?.[row] ?? row} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {shown < all && (
          <p className="grid-empty small-text dim">
            {gridTexts.firstRows(formatInteger(shown), formatInteger(all))}
          </p>
        )}
      </div>
      {all === 0 && <p className="grid-empty small-text dim">{resultText.table.empty}</p>}
    </>
  );
}
