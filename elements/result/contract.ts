import type { FunctionComponent, ReactNode } from 'react';
import type { Client, Note, Output, Paragraph } from 'tiding/client';
import type { Cell } from 'tiding/model';
import type { Graph, GraphPatch } from './graph.ts';

/** A file the user asked for. */
export interface DownloadFile {
  /** With its ending. */
  readonly name: string;
  /** Media type. */
  readonly type: string;
  /** The content. */
  readonly data: string | Uint8Array<ArrayBuffer>;
}

/** Where an output stands, for displays that do something there: bound values, runs, further rows. Absent for data alone. */
export interface ResultPlace {
  /** Of the server the note is on. */
  readonly client: Client;
  /** The note it stands in. */
  readonly note: Note;
  /** The paragraph that printed it. */
  readonly paragraph: Paragraph;
  /** Tells the reader what went wrong: a script in an output, a file that could not be made; until he dismisses it. Without it the output says so itself. */
  readonly tell?: (message: string) => void;
}

/** What a reader has chosen in an output: a bar, a slice, a point, a row, a node. */
export interface Selection {
  /** Column name → its value there. */
  readonly values: Readonly<Record<string, Cell | null>>;
  /** The chosen thing in words, where the view has some: a series, a node's label. */
  readonly label?: string;
}

/** The width of the paragraph an output stands in. */
export interface ResultWidth {
  /** Columns of twelve. */
  readonly columns: number;
  /** Makes it so many columns wide. */
  readonly onColumns: (columns: number) => void;
}

/** What a display is given to show one output. */
export interface DisplayProps {
  /** What is shown; its text by `outputText`. */
  readonly output: Output;
  /** Status text of the paragraph. */
  readonly status: string;
  /** More output may come. */
  readonly running: boolean;
  /** Settings of the output, every gap filled. */
  readonly graph: Graph;
  /** Changes the graph settings; whether that is stored or stays on this page is decided above, and it is stored `pause` ms after the last change (0). */
  readonly onGraph: (patch: GraphPatch, pause?: number) => void;
  /** Title of the paragraph, for names and alternative texts. */
  readonly title: string;
  /** End of the last run, as it travels. */
  readonly dateFinished: string | undefined;
  /** Address of the page for foreign HTML. */
  readonly frameUrl: string;
  /** Report look and embedding: the data without bars and handles. */
  readonly bare: boolean;
  /** Hands a file to the reader. */
  readonly download: (file: DownloadFile) => void;
  /** How wide the paragraph is, where that can be changed from here. */
  readonly width: ResultWidth | undefined;
  /** Number of the output in its paragraph, from 0. */
  readonly index: number;
  /** Where it stands; absent for data alone. */
  readonly place: ResultPlace | undefined;
  /** Tells the page around what was chosen; `null` when nothing is any more. */
  readonly onSelect: (selection: Selection | null) => void;
}

/** The same with what only displays of the package know. */
export interface OwnDisplayProps extends DisplayProps {
  /** Applications of the paragraph, with its last output: what stands in the bar, and what is shown in place of the result. */
  readonly applications?: { readonly bar: ReactNode; readonly shown: ReactNode | null } | undefined;
}

/** A way to show outputs of some types. */
export interface Display {
  /** Types as they travel: TEXT, TABLE… */
  readonly types: readonly string[];
  /** Lazy where it brings more than a few kilobytes along. */
  readonly View: FunctionComponent<DisplayProps>;
}
