import type { Cell, ColumnType, TableData } from '@tiding/client/model';
import type { FunctionComponent } from 'react';
import type { DownloadFile, ResultContext, Selection } from '../contract.ts';
import type { RowFilter } from '../rows/arrangement.ts';
import type { ReadAs, RowSource } from '../rows/row-source.ts';
import type { Graph, GraphPatch } from '../view-settings.ts';

/** Renders the current view as an image file: PNG bytes or SVG text. */
export type MakePicture = (format: 'png' | 'svg') => Promise<string | Uint8Array<ArrayBuffer>>;

/** Props of a view component, which shows one table. */
export interface VisualizationProps {
  /**
   * The table to show: the rows that the note stores, or at most the first 100,000 rows and 2
   * million cells of a complete table. The object is new whenever rows were added; its row array
   * may be the same one, grown. `rows` is made when it is first read.
   */
  readonly table: TableData;
  /** View settings of the output, complete with defaults. */
  readonly graph: Graph;
  /**
   * Changes the view settings. A view stores its own settings in `setting[id]`. They are stored
   * `pause` ms after the last change; default 0.
   */
  readonly onGraph: (patch: GraphPatch, pause?: number) => void;
  /** Title of the paragraph. */
  readonly title: string;
  /** Whether the filter row, field list or settings are open. */
  readonly optionOpen: boolean;
  /** Height in px; a view with less content may be lower. */
  readonly height: number;
  /** Whether to fill the available height instead. */
  readonly fill: boolean;
  /** Reports the number of rows that pass the view's own filter; undefined if it shows all rows. */
  readonly onShown: (rows: number | undefined) => void;
  /** Note and paragraph of the table; undefined if only data is shown. */
  readonly context: ResultContext | undefined;
  /** Notifies the host page of a selection; `null` clears it. */
  readonly onSelect: (selection: Selection | null) => void;
  /** Offers a file to the user as a download. */
  readonly download: (file: DownloadFile) => void;
}

/** A category that the user selected in a chart: a value of a column, or a period. */
export type Category =
  | { readonly column: string; readonly values: readonly (Cell | null)[] }
  | { readonly column: string; readonly from: string; readonly to: string };

/** Props that only built-in views receive. */
export interface BuiltInVisualizationProps extends VisualizationProps {
  /** Registers a function that saves the view as an image; called with `null` on unmount. */
  readonly onPicture?: (make: MakePicture | null) => void;
  /** The rows. Built-in views compute from them, never from `table`. */
  readonly source: RowSource;
  /** Type of each column. */
  readonly types: readonly ColumnType[];
  /** Whether `source` has only the first rows, as text, until the stored rows arrive. */
  readonly pending?: boolean | undefined;
  /**
   * Reports the rows and columns shown, in order. Views that don't sort or filter never call it.
   */
  readonly onArranged?: ((arranged: Arranged | null) => void) | undefined;
  /**
   * Toolbar element into which the view renders its own buttons; null while there is no toolbar.
   */
  readonly tools?: HTMLElement | null | undefined;
  /** URL of the sandboxed page that renders HTML. */
  readonly frameUrl?: string | undefined;
  /** Returns filters of the page, besides those of the user; a new function if they change. */
  readonly narrow?: (
    typeOf: (column: number) => ReadAs,
  ) => readonly (readonly [number, RowFilter])[];
  /** Sends the categories that the user selected; none clears them. */
  readonly onCategories?: (categories: readonly Category[]) => void;
  /** Whether the categories that were sent still apply. */
  readonly hasCategories?: boolean;
}

/** The rows and columns a view shows. */
export interface Arranged {
  readonly source: RowSource;
  /** Row indices in display order; null for all rows in their original order. */
  readonly order: Uint32Array | null;
  /** Column indices in display order. */
  readonly columns: readonly number[];
}

/** A view of tables, such as a grid or a chart. */
export interface Visualization {
  /** Id under which the choice is stored in the view settings. */
  readonly id: string;
  /** Label of the button. */
  readonly label: string;
  /** Icon of the button. */
  readonly icon: FunctionComponent<{ className?: string }>;
  /**
   * What the button next to the view selector opens: the filter row, a chart's fields, other
   * settings, or nothing.
   */
  readonly option: 'filter' | 'fields' | 'settings' | 'none';
  /** Describes the amount of data in the toolbar; by default the number of rows. */
  readonly summary?: (table: TableData) => string | undefined;
  /** Whether the view can show a table. */
  readonly accepts: (table: TableData) => boolean;
  /** Loads the component; called when the view is first shown. */
  readonly load: () => Promise<{ readonly default: FunctionComponent<VisualizationProps> }>;
}

/** A view whose component may use the props of built-in views. */
export interface BuiltInVisualization extends Omit<Visualization, 'load'> {
  /** Whether the view is in the menu of further views instead of having a button. */
  readonly isInMenu?: boolean;
  readonly load: () => Promise<{ readonly default: FunctionComponent<BuiltInVisualizationProps> }>;
}
