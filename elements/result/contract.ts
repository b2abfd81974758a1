import type { ComponentType } from 'react';
import type { Output } from 'tiding/client';
import type { Graph, GraphPatch } from './graph.ts';

/** A file the user asked for. */
export interface DownloadFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** What a display is given to show one output. */
export interface DisplayProps {
  readonly output: Output;
  /** Status text of the paragraph. */
  readonly status: string;
  /** More output may come. */
  readonly running: boolean;
  readonly graph: Graph;
  /** Changes the graph settings; whether that is stored or stays on this page is decided above. */
  readonly onGraph: (patch: GraphPatch) => void;
  /** Title of the paragraph, for names and alternative texts. */
  readonly title: string;
  readonly dateFinished: string | undefined;
  readonly frameUrl: string;
  /** Report look and embedding: the data without bars and handles. */
  readonly bare: boolean;
  readonly download: (file: DownloadFile) => void;
}

/** A way to show outputs of some types. */
export interface Display {
  /** Types as they travel: TEXT, TABLE… */
  readonly types: readonly string[];
  /** Lazy where it brings more than a few kilobytes along. */
  readonly View: ComponentType<DisplayProps>;
}
