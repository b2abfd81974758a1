/** Shows the rows of a statement and stores them. */
import type { KeptTable, RunOutput, TableKeeper } from '../contract.ts';
import {
  countRows,
  defaultRowLimit,
  line,
  nameList,
  type TableWriter,
  textNotice,
} from '../table-text.ts';
import type { StatementResult } from './driver.ts';
import { ArrowColumns, type TextColumn, type TextRow } from './text-columns.ts';

/** Rows of the first batch, which is shown at once. */
const FIRST_ROWS = 200;
/** Size of the following batches: cells, and characters in the batch before. */
const BATCH_CELLS = 50_000;
const BATCH_CHARACTERS = 4_000_000;
const MAX_BATCH_ROWS = 10_000;
/** Maximum size of a shown value, in characters. */
const MAX_CELL = 100_000;
/** Interval at which the number of stored rows is reported, in ms. */
const STORING_MS = 250;

/** What a table needs from its run. */
interface TableRun {
  readonly writer: TableWriter;
  readonly output: RunOutput;
  /** Absent: only the shown rows exist. */
  readonly keep: TableKeeper | undefined;
  readonly signal: AbortSignal;
  /** Maximum number of rows that are read. */
  readonly limit: number;
  /** Says how to get more rows than the limit. */
  readonly limitAdvice: string;
}

/** Reads the rows in batches: the first of them are shown, and all are stored. */
export async function showTable(
  result: StatementResult,
  columns: readonly TextColumn[],
  run: TableRun,
): Promise<void> {
  try {
    await showRows(result, columns, run);
  } catch (error) {
    // Otherwise the next statement would wait for the end of this one.
    await result.close().catch(() => undefined);
    throw error;
  }
}

async function showRows(
  result: StatementResult,
  columns: readonly TextColumn[],
  run: TableRun,
): Promise<void> {
  const { keep, limit, output, signal, writer } = run;
  const names = columns.map(({ name }) => name);
  // One more row than the limit tells whether there are others.
  let asked = Math.min(FIRST_ROWS, limit + 1);
  let rows = await result.read(asked);
  const arrow = keep && new ArrowColumns(columns, rows);
  const table = arrow && keep.begin(arrow.schema);
  writer.begin(names, table);
  let isCut = false;
  const cell = (text: string | null, column: number): string => {
    if (text === null) return 'null';
    if (columns[column]!.kind === 'boolean') return booleanText(text);
    if (text.length <= MAX_CELL) return text;
    isCut = true;
    return `${text.slice(0, MAX_CELL)}…`;
  };
  let isStored = table !== undefined;
  let seen = 0;
  let shown = 0;
  let reported = performance.now();
  let hasMore = false;
  for (;;) {
    signal.throwIfAborted();
    hasMore = rows.length > limit - seen;
    const part = hasMore ? rows.slice(0, limit - seen) : rows;
    const visible = part.slice(0, defaultRowLimit - shown);
    writer.rows(visible.map((row) => line(row.map(cell))));
    seen += part.length;
    shown += visible.length;
    const isLast = hasMore || rows.length < asked;
    asked = Math.min(nextRows(rows, columns.length), limit - seen + 1);
    // The database reads on while these rows are stored.
    const next = isLast || !isStored ? undefined : result.read(asked);
    next?.catch(() => undefined);
    if (isStored) isStored = await table!.write(arrow!.batch(part));
    if (isLast) break;
    if (!isStored && shown >= defaultRowLimit) {
      hasMore = true;
      await next;
      break;
    }
    if (isStored && seen > shown && performance.now() - reported >= STORING_MS) {
      output.storing(table!, seen);
      reported = performance.now();
    }
    rows = await (next ?? result.read(asked));
  }
  await result.close();
  table?.end();
  const stored = table?.stopped === 'failure' ? undefined : table;
  const notice = hasMore ? cutNotice(seen, shown, stored, run) : wholeNotice(seen, shown, stored);
  if (notice === undefined) writer.end();
  else writer.text(notice);
  if (isCut) writer.text(CUT_NOTICE);
  if (stored && arrow && arrow.texts.length > 0) writer.text(textNotice(arrow.texts));
  if (stored && arrow && arrow.lost.length > 0) writer.text(lostNotice(arrow.lost));
}

function nextRows(before: readonly TextRow[], columns: number): number {
  let characters = 0;
  for (const row of before) for (const text of row) characters += text?.length ?? 0;
  const each = Math.max(1, characters / Math.max(1, before.length));
  return Math.max(
    1,
    Math.min(
      MAX_BATCH_ROWS,
      Math.floor(BATCH_CELLS / Math.max(1, columns)),
      Math.floor(BATCH_CHARACTERS / each),
    ),
  );
}

/** Text of a boolean, which PostgreSQL shortens to a letter. */
export const booleanText = (text: string): string =>
  text === 't' ? 'true' : text === 'f' ? 'false' : text;

const grouped = (count: number): string => count.toLocaleString('en-US');
const CUT_NOTICE = `Values are shown up to ${grouped(MAX_CELL)} characters.`;

/** Notice for a result whose rows were all read. */
function wholeNotice(
  seen: number,
  shown: number,
  stored: KeptTable | undefined,
): string | undefined {
  if (seen === shown) return undefined;
  return stored?.length === seen
    ? `The note has the first ${grouped(shown)} of ${countRows(seen)}; ` +
        'the table view, downloads and scripts have all of them.'
    : storedNotice(shown, stored);
}

/** Notice for a result that was not read to its end. */
function cutNotice(
  seen: number,
  shown: number,
  stored: KeptTable | undefined,
  { limit, limitAdvice }: TableRun,
): string {
  if (seen < limit) return storedNotice(shown, stored);
  const rest =
    seen === shown
      ? ''
      : ` The note shows ${grouped(shown)} of them; the table view, downloads and scripts ` +
        `have ${stored?.length === seen ? 'all' : grouped(stored?.length ?? shown)}.`;
  return `Only the first ${countRows(seen)} were read; there are more. ${limitAdvice}${rest}`;
}

const storedNotice = (shown: number, stored: KeptTable | undefined): string =>
  stored && stored.length > shown
    ? `The note has the first ${countRows(shown)}; the table view, downloads and scripts have ` +
      `the first ${grouped(stored.length)}, and there are more.`
    : `Showing the first ${countRows(shown)}; there are more. Select fewer rows or columns.`;

/** Notice for values that a column of the stored table can't have. */
const lostNotice = (columns: readonly string[]): string =>
  `Some values of ${nameList(columns)} don't fit the type that the column has in the table view ` +
  'and in downloads; they are rounded or missing there. To choose the type, cast the column, for ' +
  `example CAST(${nameList(columns.slice(0, 1))} AS text).`;
