/** What pages get of a paragraph whose result they draw with components of their own. */
import {
  isRunning,
  type RowsJson,
  readArrowRows,
  rowsToJson,
  type TypedRows,
  textRowsOf,
} from '@tiding/client/model';
import { paragraphOnWire, type StoredParagraph } from '@tiding/client/notebook';
import type { Paragraph, ResultMessage } from '@tiding/client/protocol';
import { type Embed, visibleAnswer } from '../auth/embed-access.ts';
import { DatabaseTable } from './database/database-table.ts';
import { revisionOf } from './first-view.ts';
import type { ResultStore } from './store.ts';

/** Rows of a table in the answer. */
const MAX_ROWS = 10_000;
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

interface DataRequest {
  readonly noteId: string;
  readonly paragraph: StoredParagraph;
  readonly embed: Embed | undefined;
  readonly results: ResultStore;
  /** The revision that the page has. */
  readonly revision?: string | undefined;
}

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
  const outputs = (shown.results?.msg ?? []).map((message, index) => {
    if (message.type !== 'TABLE') return { type: message.type, data: message.data };
    let table = kept.get(message);
    kept.delete(message);
    table ??= tableOf(message, () => results.find(noteId, paragraph.id, index, message));
    kept.set(message, table);
    table.catch(() => kept.delete(message));
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
    return table;
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
        batches: table.batches({ offset: 0, limit: MAX_ROWS }),
      })
    : textRowsOf({ chunks: [message.data], count: 1, columnTypes: message.columnTypes });
  const { rows: total = source.length } = table ?? {};
  return { rows: rowsToJson(source, MAX_ROWS), total, isQueried };
}
