/** What pages get of a paragraph whose result they draw with components of their own. */
import {
  isRunning,
  type RowsJson,
  readArrowRows,
  rowsToJson,
  type TypedRows,
  textRowsOf,
} from '@tiding/client/model';
import { paragraphOnWire } from '@tiding/client/notebook';
import type { Paragraph, ResultMessage } from '@tiding/client/protocol';
import type { RecordBatch } from 'apache-arrow';
import { type Embed, visibleAnswer } from '../auth/embed-access.ts';
import { Refusal } from '../base/errors.ts';
import { keepNewest } from '../base/keep-newest.ts';
import { DatabaseTable } from './database/database-table.ts';
import { type FirstViewRequest, revisionOf } from './first-view.ts';
import type { ResultStore } from './store.ts';

/** Rows of a table in the answer, and about the bytes of its rows. */
const MAX_ROWS = 10_000;
const MAX_BYTES = 1_048_576;
/** Characters of the other outputs of a paragraph. */
const MAX_CHARACTERS = 4_194_304;
/** Paragraphs of one answer, which is made on the main thread. */
export const MAX_PARAGRAPHS = 8;
/** Tables of which the answer is kept; each may have some MB. */
const MAX_KEPT = 16;

/** The rows of a TABLE. */
interface TableJson {
  readonly rows: RowsJson;
  /** Number of rows in the whole table. */
  readonly total: number;
  /** Whether the server computes from all rows, because they are too many for a page. */
  readonly isQueried: boolean;
}

/** The outputs of a paragraph; `{}` if there is none that the page may read. */
export interface ParagraphData {
  readonly revision?: string;
  readonly status?: string;
  /** Absent during a run. */
  readonly outputs?: readonly (TableJson | Pick<ResultMessage, 'type' | 'data'>)[];
}

type DataRequest = Pick<FirstViewRequest, 'noteId' | 'paragraph' | 'results' | 'revision'> & {
  readonly embed: Embed | undefined;
};

const kept = new Map<ResultMessage, Promise<TableJson>>();

/** Returns the status and outputs of a paragraph, or its revision alone if the page has it. */
export async function paragraphDataOf(request: DataRequest): Promise<ParagraphData> {
  const { noteId, paragraph, embed, results } = request;
  const revision = revisionOf(paragraph);
  if (revision === request.revision) return { revision };
  const wire = paragraphOnWire(paragraph);
  const shown = embed ? (visibleAnswer('getParagraph', wire, embed) as Paragraph) : wire;
  const { status } = shown;
  if (isRunning(status)) return { revision, status };
  const messages = shown.results?.msg ?? [];
  const characters = messages.reduce(
    (sum, { type, data }) => sum + (type === 'TABLE' ? 0 : data.length),
    0,
  );
  if (characters > MAX_CHARACTERS)
    throw new Refusal(413, 'The output is too long to be read at once. Open the note instead.');
  const outputs = messages.map((message, index) => {
    if (message.type !== 'TABLE') return { type: message.type, data: message.data };
    return keepNewest(kept, MAX_KEPT, message, () =>
      tableOf(message, () => results.find(noteId, paragraph.id, index, message)),
    );
  });
  return { revision, status, outputs: await Promise.all(outputs) };
}

async function tableOf(
  message: ResultMessage,
  find: () => ReturnType<ResultStore['find']>,
): Promise<TableJson> {
  const table = message.rows === undefined ? undefined : find();
  const isQueried = table instanceof DatabaseTable;
  const source: TypedRows = table
    ? await readArrowRows({
        schema: await table.schema(),
        batches: firstOf(table.batches({ offset: 0, limit: MAX_ROWS })),
      })
    : textRowsOf({ chunks: [message.data], count: 1, columnTypes: message.columnTypes });
  const { rows: total = source.length } = table ?? {};
  return { rows: rowsToJson(source, MAX_ROWS), total, isQueried };
}

/** The first rows of batches, about as many as their bytes allow and at least one. */
async function* firstOf(batches: AsyncIterable<RecordBatch>): AsyncGenerator<RecordBatch> {
  let free = MAX_BYTES;
  for await (const batch of batches) {
    const { byteLength } = batch.data;
    if (byteLength > free)
      return void (yield batch.slice(0, Math.ceil((batch.numRows * free) / byteLength)));
    free -= byteLength;
    yield batch;
  }
}
