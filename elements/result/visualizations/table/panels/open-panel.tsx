import type { RowColumn } from '@tiding/client/model';
import type { RefObject } from 'react';
import { defaultAggregate } from '../../../rows/arrangement.ts';
import type { RowOrder } from '../../../rows/row-order.ts';
import type { RowSource } from '../../../rows/row-source.ts';
import { headerOf } from '../grid/grid-head.tsx';
import type { OpenedPanel } from '../input/use-column-actions.ts';
import type { ColumnView } from '../layout/columns.ts';
import type { TableState } from '../state/table-settings.ts';
import type { ChangeState } from '../state/use-table-state.ts';
import { CellPanel } from './cell-panel.tsx';
import { type ColumnActions, ColumnMenu } from './column-menu.tsx';
import { OptionsPanel } from './options-panel.tsx';
import { SummaryPanel } from './summary-panel.tsx';

interface OpenPanelProps {
  opened: NonNullable<OpenedPanel>;
  /** Closes the panel; the grid gets the focus. */
  onClose: () => void;
  /** Closes the column menu unless another panel has replaced it. */
  onMenuClose: () => void;
  box: RefObject<HTMLElement | null>;
  /** Element in the toolbar next to which the options open. */
  tools: HTMLElement | null | undefined;
  source: RowSource;
  order: RowOrder;
  columns: readonly ColumnView[];
  allColumns: readonly RowColumn[];
  rowAt: (position: number) => number;
  frameUrl: string;
  state: TableState;
  change: ChangeState;
  reset: () => void;
  actionsOf: (position: number) => ColumnActions;
}

/** The panel or menu that is open next to the grid. */
export default function OpenPanel(props: OpenPanelProps) {
  const { opened, onClose, box, source, order, columns, state } = props;
  const anchorOf = (row: number, position: number) => () =>
    (
      box.current?.querySelector(`[data-row="${row}"][data-column="${position}"]`) ??
      headerOf(box.current, position) ??
      box.current
    )?.getBoundingClientRect();
  if (opened.what === 'options')
    return (
      <OptionsPanel
        state={state}
        change={props.change}
        reset={props.reset}
        columns={props.allColumns}
        anchor={() => (props.tools ?? box.current)?.getBoundingClientRect()}
        onClose={onClose}
      />
    );
  const column = columns[opened.position];
  if (!column) return null;
  if (opened.what === 'menu')
    return (
      <ColumnMenu
        anchor={opened.anchor}
        column={column}
        sorts={state.sorts}
        pinned={state.pinned.has(column.index)}
        format={state.formats.get(column.index)}
        aggregate={
          state.options.showAggregationFooter
            ? (state.aggregates.get(column.index) ?? defaultAggregate(column))
            : undefined
        }
        actions={props.actionsOf(opened.position)}
        onClose={props.onMenuClose}
      />
    );
  if (opened.what === 'summary')
    return (
      <SummaryPanel
        source={source}
        order={order}
        column={column}
        anchor={anchorOf(-1, opened.position)}
        onClose={onClose}
      />
    );
  return (
    <CellPanel
      source={source}
      column={column}
      row={props.rowAt(opened.row)}
      frameUrl={props.frameUrl}
      anchor={anchorOf(opened.row, opened.position)}
      onClose={onClose}
    />
  );
}
