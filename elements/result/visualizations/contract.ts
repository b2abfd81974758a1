import type { FunctionComponent } from 'react';
import type { TableData } from 'tiding/model';
import type { DownloadFile, ResultPlace, Selection } from '../contract.ts';
import type { Graph, GraphPatch } from '../graph.ts';
import type { RowSource } from './table/row-source.ts';

/** Draws what a view shows as a file: PNG bytes, or SVG text. */
export type MakePicture = (format: 'png' | 'svg') => Promise<string | Uint8Array<ArrayBuffer>>;

/** What a view of a table is given. */
export interface VisualizationProps {
  /** A new object when rows have come; the list of rows may be the same, grown. */
  readonly table: TableData;
  /** Settings of the output, every gap filled. */
  readonly graph: Graph;
  /** Changes the graph settings; a view puts its own under `setting[its id]`. It is stored `pause` ms after the last change (0). */
  readonly onGraph: (patch: GraphPatch, pause?: number) => void;
  /** Title of the paragraph. */
  readonly title: string;
  /** The filter row or the fields are open. */
  readonly optionOpen: boolean;
  /** Height in px; a view may be lower when it has less to show. */
  readonly height: number;
  /** Takes all the height there is instead. */
  readonly fill: boolean;
  /** Rows left by the view's own filter; undefined when it shows all. */
  readonly onShown: (rows: number | undefined) => void;
  /** Where the table stands; absent for data alone. */
  readonly place: ResultPlace | undefined;
  /** Tells the page around what was chosen; `null` when nothing is any more. */
  readonly onSelect: (selection: Selection | null) => void;
  /** Hands a file to the reader. */
  readonly download: (file: DownloadFile) => void;
}

/** What the views of the package itself are given besides. */
export interface OwnVisualizationProps extends VisualizationProps {
  /** A view that can be saved as a picture says how, and `null` when it goes. */
  readonly onPicture?: (make: MakePicture | null) => void;
  /** All rows, where the table holds only the first ones. */
  readonly source?: RowSource | undefined;
  /** Tells which rows and columns are shown, in what order; a view that arranges nothing does not. */
  readonly onArranged?: ((arranged: Arranged | null) => void) | undefined;
  /** Where in the bar above a view puts buttons of its own; null while there is no bar. */
  readonly tools?: HTMLElement | null | undefined;
  /** Address of the page in which markup is drawn. */
  readonly frameUrl?: string | undefined;
}

/** What a view shows of its rows. */
export interface Arranged {
  readonly source: RowSource;
  /** Numbers of the rows in their order; null for all as they came. */
  readonly order: Uint32Array | null;
  /** Numbers of the columns in their order. */
  readonly columns: readonly number[];
}

/** A view of tables. */
export interface Visualization {
  /** As it is stored in the graph settings. */
  readonly id: string;
  /** Name of the button. */
  readonly label: string;
  /** Of its button. */
  readonly icon: FunctionComponent<{ className?: string }>;
  /** What the button beside the views opens: a filter, the fields of a chart, or other settings. */
  readonly option: 'filter' | 'fields' | 'settings' | 'none';
  /** How much there is, in words; without it the rows are counted. */
  readonly summary?: (table: TableData) => string | undefined;
  /** Whether it can show a table. */
  readonly accepts: (table: TableData) => boolean;
  /** Called when the view is first shown. */
  readonly load: () => Promise<{ readonly default: FunctionComponent<VisualizationProps> }>;
}
