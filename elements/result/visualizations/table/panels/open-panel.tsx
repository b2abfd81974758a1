import type { RefObject } from 'react';
import { headerOf } from '../grid/grid-head.tsx';
import type { ColumnActions, OpenedPanel } from '../input/use-column-actions.ts';
import type { ColumnView } from '../layout/columns.ts';
import type { TableRows } from '../state/use-table-rows.ts';
import type { TableSettings } from '../state/use-table-state.ts';
import { CellPanel } from './cell-panel.tsx';
import { ColumnMenu } from './column-menu.tsx';
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
  rows: TableRows;
  columns: readonly ColumnView[];
  frameUrl: string;
  settings: TableSettings;
  actionsOf: (position: number) => ColumnActions;
  onClean: ((column: string) => void) | undefined;
}

/** The panel or menu that is open next to the grid. */
export default function OpenPanel(props: OpenPanelProps) {
  const { opened, onClose, box, columns, settings } = props;
  const { source, order, rowAt } = props.rows;
  const anchorOf = (row: number, position: number) => () =>
    (
      box.current?.querySelector(`[data-row="${row}"][data-column="${position}"]`) ??
      headerOf(box.current, position) ??
      box.current
    )?.getBoundingClientRect();
  if (opened.what === 'options')
    return (
      <OptionsPanel
        settings={settings}
        columns={source.columns}
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
        state={settings.state}
        actions={props.actionsOf(opened.position)}
        onClean={props.onClean}
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
      row={rowAt(opened.row)}
      frameUrl={props.frameUrl}
      anchor={anchorOf(opened.row, opened.position)}
      onClose={onClose}
    />
  );
}
