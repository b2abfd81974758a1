/** The format of Jupyter notebooks. */
import type { Paragraph } from '../../protocol/objects.ts';

/** Text in a Jupyter notebook: one string, or lines that keep their line breaks. */
export type NotebookText = string | readonly string[];

/** An output of a code cell. */
export type NotebookOutput =
  | {
      readonly output_type: 'stream';
      readonly name: 'stdout' | 'stderr';
      readonly text: NotebookText;
    }
  | {
      readonly output_type: 'display_data' | 'execute_result';
      readonly data: Readonly<Record<string, unknown>>;
      readonly metadata: Readonly<Record<string, unknown>>;
      readonly execution_count?: number | null;
    }
  | {
      readonly output_type: 'error';
      readonly ename: string;
      readonly evalue: string;
      readonly traceback: readonly string[];
    };

/**
 * A cell of a Jupyter notebook. `metadata.tiding` stores what the format has no field for: the
 * paragraph's complete text, its title and config.
 */
export interface NotebookCell {
  /** `code` has outputs; `markdown` and `raw` have none. */
  readonly cell_type: 'code' | 'markdown' | 'raw';
  /** Metadata that tools store with a cell. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Text of the cell, without a Tiding magic. */
  readonly source: NotebookText;
  /** Outputs of a code cell, in order. */
  readonly outputs?: readonly NotebookOutput[];
  /** Number of the run; `null` if the cell was not run. */
  readonly execution_count?: number | null;
  /** Id of the cell, since format 4.5. */
  readonly id?: string;
  /** Images of a Markdown cell, which it names as `attachment:NAME`: MIME bundles by name. */
  readonly attachments?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A Jupyter notebook. */
export interface Notebook {
  /** Major version of the format. Other versions are not supported. */
  readonly nbformat: 4;
  /** Minor version of the format. */
  readonly nbformat_minor: number;
  /** `kernelspec`, `language_info` and metadata that tools store with a notebook. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Cells in order. */
  readonly cells: readonly NotebookCell[];
}

/** A paragraph converted from a cell of a notebook. The server adds id and dates. */
export type ImportedParagraph = Pick<
  Paragraph,
  'title' | 'text' | 'config' | 'settings' | 'results' | 'status'
>;
