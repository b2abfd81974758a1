/** Renders what a page with an embed token shows of a paragraph first, and keeps it. */
import { randomBytes } from 'node:crypto';
import { readArrowRows, type TypedRows } from '@tiding/client/model';
import { paragraphOnWire, type StoredParagraph } from '@tiding/client/notebook';
import type { Paragraph } from '@tiding/client/protocol';
import { type Embed, viewOf, visibleAnswer } from '../auth/embed-access.ts';
import { keepNewest } from '../base/keep-newest.ts';
import type { ResultStore } from './store.ts';

/** First views that are kept; each has about 30 kB. */
const MAX_KEPT = 500;
/** Steps of widths for which charts are drawn, in px: few, because pages choose them. */
const WIDTH_STEP = 40;
const MAX_WIDTH = 1_600;

const looks = ['default', 'simple', 'report', 'embed'] as const;
type Look = (typeof looks)[number];
/** Whether a layout has first views. */
export const isLook = (look: string | null): look is Look => looks.some((each) => each === look);

/** Markup as data and its style sheet; `{}` if the element has to load its code. */
export interface FirstViewAnswer {
  readonly revision?: string;
  readonly css?: string;
  readonly body?: unknown;
}

export interface FirstViewRequest {
  readonly noteId: string;
  readonly paragraph: StoredParagraph;
  readonly look: Look;
  /** Width of the element in px. */
  readonly width: number;
  /** The token of the page. */
  readonly embed: Embed;
  readonly results: ResultStore;
  /** The revision that the element shows; the answer then has no markup if it is the same. */
  readonly revision?: string | undefined;
}

/** Elements may show what the process before this one sent. */
const PROCESS = randomBytes(6).toString('base64url');
const numbers = new WeakMap<StoredParagraph, { fields: readonly unknown[]; number: number }>();
let lastNumber = 0;
/**
 * Returns a number that changes with a paragraph. Changes replace the values of its fields, so that
 * a poll costs a comparison of references and no digest of the outputs.
 */
function numberOf(paragraph: StoredParagraph): number {
  const fields = Object.values(paragraph);
  let known = numbers.get(paragraph);
  if (
    known?.fields.length !== fields.length ||
    fields.some((each, at) => each !== known?.fields[at])
  )
    numbers.set(paragraph, (known = { fields, number: (lastNumber += 1) }));
  return known.number;
}

/** Returns a text that changes with a paragraph, and with the process. */
export const revisionOf = (paragraph: StoredParagraph): string =>
  `${PROCESS}.${numberOf(paragraph)}`;

const kept = new Map<string, Promise<FirstViewAnswer>>();

/** Returns the first view of a paragraph. */
export async function firstViewOf(request: FirstViewRequest): Promise<FirstViewAnswer> {
  const { paragraph, look, embed } = request;
  const width =
    Math.ceil(Math.min(MAX_WIDTH, Math.max(240, request.width)) / WIDTH_STEP) * WIDTH_STEP;
  const revision = `${revisionOf(paragraph)}.${width}.${embed.scope}`;
  const key = `${revision} ${look} ${viewOf(embed)}`;
  const answer = await keepNewest(kept, MAX_KEPT, key, async (): Promise<FirstViewAnswer> => {
    const made = await render({ ...request, width });
    return made ? { revision, ...made } : {};
  });
  return answer.revision === request.revision ? { revision: answer.revision } : answer;
}

async function render({ noteId, results, embed, look, width, ...request }: FirstViewRequest) {
  // The code of charts and tables is loaded when the first page needs it.
  const { hasFirstView, renderFirstView } = await import('@tiding/elements/snapshot');
  const shown = visibleAnswer('getParagraph', paragraphOnWire(request.paragraph), embed);
  const paragraph = shown as Paragraph;
  if (!hasFirstView(paragraph, look)) return undefined;
  const tables = new Map<string, TypedRows>();
  for (const [index, message] of (paragraph.results?.msg ?? []).entries()) {
    if (message.type !== 'TABLE' || message.rows === undefined) continue;
    const table = results.find(noteId, paragraph.id, index, message);
    // Its text has the first rows only.
    if (!table) return undefined;
    const [schema, batches] = [await table.schema(), table.batches()];
    tables.set(`${paragraph.id}.${index}`, await readArrowRows({ schema, batches }, table.rows));
  }
  return renderFirstView(paragraph, { look, width, tables });
}
