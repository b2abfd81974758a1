/** The forms of data that `<tiding-output>` and `<tiding-chart>` accept, and how they are read. */
import type { Output } from '@tiding/client';
import {
  isJsonObject,
  type Notebook,
  type NotebookCell,
  type NotebookOutput,
} from '@tiding/client/model';
import type { RowSource } from '../result/rows/row-source.ts';
import { described, refused, rowsOfColumns, rowsOfObjects } from './plain-rows.ts';
import { outputTexts } from './texts.ts';

/** Rows as objects, columns by name, or the bytes of an Arrow IPC stream or file. */
export type RowData =
  | readonly object[]
  | Readonly<Record<string, ArrayLike<unknown> & object>>
  | Uint8Array
  | ArrayBuffer;

/** An output as Zeppelin stores it. */
export interface ZeppelinOutput {
  /** TEXT, TABLE, HTML, IMG, … */
  readonly type: string;
  /** Content of the output. */
  readonly data: string;
}

/** What `<tiding-output>` shows. */
export type OutputData =
  | RowData
  /** A MIME bundle of Jupyter: one output in several types. */
  | Readonly<Record<`${string}/${string}`, unknown>>
  | NotebookOutput
  | NotebookCell
  | Notebook
  | ZeppelinOutput
  /** The `results` of a paragraph of Zeppelin. */
  | { readonly code?: string; readonly msg: readonly ZeppelinOutput[] };

/** Outputs that were made together: those of a cell, a paragraph or a Markdown cell. */
export interface OutputBlock {
  readonly outputs: readonly Output[];
  /** Status of the run. */
  readonly status: string;
}

/** Data that was read: rows, or outputs of other kinds. */
export type OutputContent =
  | { readonly rows: RowSource }
  | { readonly blocks: readonly OutputBlock[] };

type StoredOutput = ZeppelinOutput & Pick<Output, 'columnTypes'>;

/** Returns an output; `rows` is the number of rows that a server stores for it. */
export const outputOf = ({ type, data, columnTypes }: StoredOutput, rows?: number): Output => ({
  type,
  chunks: [data],
  count: data === '' ? 0 : 1,
  rows,
  columnTypes,
});

/** Returns outputs of Zeppelin as one block. */
export const blockOf = (messages: readonly StoredOutput[], status = 'FINISHED'): OutputBlock => ({
  status,
  outputs: messages.map((message) => outputOf(message)),
});

/** Returns the number of outputs before each block. */
export function outputsBefore(blocks: readonly OutputBlock[]): number[] {
  let count = 0;
  return blocks.map(({ outputs }) => {
    const before = count;
    count += outputs.length;
    return before;
  });
}

const MIME_TYPE = /^(?:application|audio|image|model|text|video)\/[\w.+-]+$/;
const isMessage = (value: unknown): value is ZeppelinOutput =>
  isJsonObject(value) && typeof value['type'] === 'string' && typeof value['data'] === 'string';
const isColumn = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
const isCell = (value: unknown): boolean =>
  isJsonObject(value) && typeof value['cell_type'] === 'string';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refused(outputTexts.notJson(`${(error as Error).message}.`));
  }
}

/** Reads data of any accepted form. Rejects with what to do if it has none of them. */
export async function readData(data: unknown): Promise<OutputContent> {
  if (typeof data === 'string') return readData(parsed(data));
  if (data instanceof Uint8Array || data instanceof ArrayBuffer)
    return { rows: await (await import('./arrow.ts')).readArrow(data) };
  if (Array.isArray(data)) return { rows: rowsOfObjects(data) };
  if (!isJsonObject(data)) throw refused(outputTexts.unknown(described(data)));
  const { cells, msg } = data;
  if (
    'nbformat' in data ||
    isCell(data) ||
    typeof data['output_type'] === 'string' ||
    (Array.isArray(cells) && cells.length > 0 && cells.every(isCell))
  )
    return (await import('./jupyter.ts')).readJupyter(data);
  if (Array.isArray(msg) && msg.every(isMessage))
    return { blocks: [blockOf(msg, data['code'] === 'ERROR' ? 'ERROR' : 'FINISHED')] };
  if (isMessage(data)) return { blocks: [blockOf([data])] };
  const entries = Object.entries(data);
  if (entries.length > 0 && entries.every(([key]) => MIME_TYPE.test(key)))
    return (await import('./jupyter.ts')).readJupyter({
      output_type: 'display_data',
      data,
      metadata: {},
    });
  if (entries.length > 0 && entries.every(([, value]) => isColumn(value)))
    return { rows: rowsOfColumns(data as Readonly<Record<string, ArrayLike<unknown>>>) };
  const keys = entries.slice(0, 8).map(([key]) => key);
  throw refused(
    outputTexts.unknown(keys.length === 0 ? 'an empty object' : outputTexts.keys(keys.join(', '))),
  );
}
