/** Renders what a page with an embed token shows of a paragraph first, and keeps it. */
import { createHash } from 'node:crypto';
import { readArrowRows, type TypedRows } from '@tiding/client/model';
import type { Paragraph } from '@tiding/client/protocol';
import { SERVER_VERSION } from '../base/version.ts';
import type { ResultStore } from './store.ts';

/** First views that are kept; each has about 30 kB. */
const MAX_KEPT = 500;
/** Steps of widths for which charts are drawn, in px: few, because pages choose them. */
const WIDTH_STEP = 40;
const MAX_WIDTH = 1_600;

/** Markup as data and its style sheet; `{}` if the element has to load its code. */
interface Answer {
  readonly revision?: string;
  readonly css?: string;
  readonly body?: unknown;
}

interface FirstViewRequest {
  readonly noteId: string;
  /** The paragraph, reduced to what the page may read. */
  readonly paragraph: Paragraph;
  readonly look: 'report' | 'embed';
  /** Width of the element in px. */
  readonly width: number;
  readonly results: ResultStore;
}

const kept = new Map<string, Promise<Answer>>();

export async function firstViewOf(request: FirstViewRequest): Promise<Answer> {
  // The code of charts and tables is loaded when the first page needs it.
  const { hasFirstView } = await import('@tiding/elements/snapshot');
  const { noteId, paragraph, look } = request;
  if (!hasFirstView(paragraph)) return {};
  const given = Number.isFinite(request.width) ? request.width : 0;
  const width = Math.ceil(Math.min(MAX_WIDTH, Math.max(240, given)) / WIDTH_STEP) * WIDTH_STEP;
  const revision = createHash('sha256')
    .update(JSON.stringify([SERVER_VERSION, noteId, look, width, paragraph]))
    .digest('base64url');
  let view = kept.get(revision);
  kept.delete(revision);
  view ??= render({ ...request, width }).then((made) => (made ? { revision, ...made } : {}));
  kept.set(revision, view);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  return view.catch((error: unknown) => {
    kept.delete(revision);
    throw error;
  });
}

async function render({ noteId, paragraph, results, ...options }: FirstViewRequest) {
  const tables = new Map<string, TypedRows>();
  for (const [index, message] of (paragraph.results?.msg ?? []).entries()) {
    if (message.type !== 'TABLE' || message.rows === undefined) continue;
    const table = results.find(noteId, paragraph.id, index, message);
    // Its text has the first rows only.
    if (!table) return undefined;
    const [schema, batches] = [await table.schema(), table.batches()];
    tables.set(`${paragraph.id}.${index}`, await readArrowRows({ schema, batches }, table.rows));
  }
  const { renderFirstView } = await import('@tiding/elements/snapshot');
  return renderFirstView(paragraph, { ...options, tables });
}
