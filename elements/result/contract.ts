import type { Client, Note, Output, Paragraph } from '@tiding/client';
import type { Cell } from '@tiding/client/model';
import type { FunctionComponent, ReactNode } from 'react';
import type { Graph, GraphPatch } from './view-settings.ts';

/** A file the user asked to download. */
export interface DownloadFile {
  /** File name with extension. */
  readonly name: string;
  /** Media type. */
  readonly type: string;
  /** Content of the file. */
  readonly data: string | Uint8Array<ArrayBuffer>;
}

/**
 * The note and paragraph an output belongs to, for displays that do more than show data: read
 * shared values, run paragraphs or fetch more rows. Absent if only data is shown.
 */
export interface ResultContext {
  /** Client of the server that has the note. */
  readonly client: Client;
  /** The note that contains the output. */
  readonly note: Note;
  /** The paragraph that produced the output. */
  readonly paragraph: Paragraph;
  /**
   * Shows a problem to the user until they dismiss it, for example a failed script in an output or
   * a failed download. Without it, the output shows the message itself.
   */
  readonly showError?: (message: string) => void;
  /** Why the user may not run the paragraph, nor answer its code; absent if they may. */
  readonly mayNotRun?: string | undefined;
  /** Why the user may not type into a terminal; absent if they may. */
  readonly mayNotType?: string | undefined;
  /** Opens the dialog that cleans a column of the table; absent if the code can't be changed. */
  readonly onClean?: ((column: string) => void) | undefined;
  /** Explains the error of the last run; absent if the server has no assistant. */
  readonly onExplain?: (() => void) | undefined;
  /** Proposes code without the error; absent if the code can't be changed. */
  readonly onFix?: (() => void) | undefined;
  /** Describes a chart, given its title and values as text. */
  readonly onDescribe?: ((chart: string) => void) | undefined;
}

/** What the user selected in an output: a bar, slice, point, row or node. */
export interface Selection {
  /** Value of the selected item in each column, by column name. */
  readonly values: Readonly<Record<string, Cell | null>>;
  /** Description of the selected item, such as a series name or a node's label. */
  readonly label?: string;
}

/** Width of the paragraph that contains an output. */
export interface ResultWidth {
  /** Current width in columns of a 12-column grid. */
  readonly columns: number;
  /** Changes the width to a number of columns. */
  readonly onColumns: (columns: number) => void;
}

/** Props of a display component, which shows one output. */
export interface DisplayProps {
  /** The output to show; get its text with `outputText`. */
  readonly output: Output;
  /** Status of the paragraph, for example `RUNNING`. */
  readonly status: string;
  /** Whether more output may arrive. */
  readonly running: boolean;
  /** View settings of the output, complete with defaults. */
  readonly graph: Graph;
  /**
   * Changes the view settings. The result view decides whether they are stored or only kept on this
   * page. They are stored `pause` ms after the last change; default 0.
   */
  readonly onGraph: (patch: GraphPatch, pause?: number) => void;
  /** Title of the paragraph, for file names and accessible names. */
  readonly title: string;
  /** End time of the last run, as the server sent it. */
  readonly dateFinished: string | undefined;
  /** URL of the sandboxed page for untrusted HTML. */
  readonly frameUrl: string;
  /**
   * Whether to show only the data, without toolbars and handles, as in reports and embedded notes.
   */
  readonly bare: boolean;
  /** Offers a file to the user as a download. */
  readonly download: (file: DownloadFile) => void;
  /** Width of the paragraph if it can be changed here. */
  readonly width: ResultWidth | undefined;
  /** Index of the output in its paragraph, starting at 0. */
  readonly index: number;
  /** Note and paragraph of the output; undefined if only data is shown. */
  readonly context: ResultContext | undefined;
  /** Notifies the host page of a selection; `null` clears it. */
  readonly onSelect: (selection: Selection | null) => void;
}

export interface BuiltInDisplayProps extends DisplayProps {
  /**
   * Applications of the paragraph, for its last output: their entries in the toolbar, and the
   * active application, which replaces the result.
   */
  readonly applications?: { readonly bar: ReactNode; readonly shown: ReactNode | null } | undefined;
}

/** A component that shows outputs of certain types. */
export interface Display {
  /** Output types as sent by the server, such as `TEXT` or `TABLE`. */
  readonly types: readonly string[];
  /** The component. Use `lazy` if it loads more than a few kilobytes. */
  readonly View: FunctionComponent<DisplayProps>;
}
