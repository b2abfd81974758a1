import type { FunctionComponent } from 'react';
import type { TableData } from 'tiding/model';
import type { DownloadFile, ResultPlace, Selection } from '../contract.ts';
import type { Graph, GraphPatch } from '../graph.ts';

/** What a view of a table is given. */
export interface VisualizationProps {
  /** A new object when rows have come; the list of rows may be the same, grown. */
  readonly table: TableData;
  /** Settings of the output, every gap filled. */
  readonly graph: Graph;
  /** Changes the graph settings; a view puts its own under `setting[its id]`. */
  readonly onGraph: (patch: GraphPatch) => void;
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

/** A view of tables. */
export interface Visualization {
  /** As it is stored in the graph settings. */
  readonly id: string;
  /** Name of the button. */
  readonly label: string;
  /** Of its button. */
  readonly icon: FunctionComponent<{ className?: string }>;
  /** What the button beside the views opens: a filter, or the fields of a chart. */
  readonly option: 'filter' | 'fields' | 'none';
  /** Whether it can show a table. */
  readonly accepts: (table: TableData) => boolean;
  /** Called when the view is first shown. */
  readonly load: () => Promise<{ readonly default: FunctionComponent<VisualizationProps> }>;
}
