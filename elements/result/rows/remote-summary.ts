import { type CellValue, readArrowRows } from '@tiding/client/model';
import type { ColumnAggregate } from './arrangement.ts';
import type { ColumnSummary } from './column-summary.ts';
import type { ReadAs, RemoteTable, RowSource } from './row-source.ts';
import { numberReader } from './sort-keys.ts';

/** Limits of a summary; the same as in the page. */
const DISTINCT_CAP = 50_000;
const TOP_COUNT = 5;
const BIN_COUNT = 24;

/** Summarizes a column of the rows that pass the filters, on the server. */
export async function summarizeOnServer(
  remote: RemoteTable,
  column: number,
  as: ReadAs,
  signal: AbortSignal,
): Promise<ColumnSummary> {
  const { value } = await statisticsOf(remote, { column, as, most: DISTINCT_CAP - 1 }, signal);
  const [distinct, low, high] = [Number(value('distinct')), value('low'), value('high')];
  const more = distinct >= DISTINCT_CAP;
  const top = more ? [] : await topValues(remote, column, signal);
  const mean = value('mean');
  return {
    count: Number(value('count')),
    nulls: Number(value('missing')),
    distinct,
    more,
    min: low,
    max: high,
    notFinite: Number(value('notFinite')),
    mean: mean === undefined ? undefined : Number(mean),
    top,
    histogram:
      as === 'string' ? undefined : await histogram(remote, { column, as, low, high }, signal),
  };
}

async function statisticsOf(
  remote: RemoteTable,
  question: { column: number; as: ReadAs; most?: number },
  signal: AbortSignal,
) {
  const { table } = await remote.ask({ kind: 'summary', ...question }, signal);
  const answer = await readArrowRows(table);
  const find = (name: string) => answer.columns.find((each) => each.name === name);
  return {
    column: find,
    value: (name: string): CellValue => {
      const found = find(name);
      return (found && answer.value(0, found.index)) ?? undefined;
    },
  };
}

/** Computes an aggregate of the rows that pass the filters, on the server. */
export async function aggregateOnServer(
  remote: RemoteTable,
  { column, as, how }: { column: number; as: ReadAs; how: ColumnAggregate },
  signal: AbortSignal,
): Promise<CellValue> {
  const question = { column, as: how === 'sum' || how === 'avg' ? 'number' : as } as const;
  const { value, column: find } = await statisticsOf(remote, question, signal);
  switch (how) {
    case 'count':
      return Number(value('count')) - Number(value('missing'));
    case 'avg':
      return value('mean');
    case 'min':
      return value('low');
    case 'max':
      return value('high');
    case 'sum': {
      const total = value('total');
      const { kind, scale = 0 } = find('total')!;
      // Sums of whole numbers are decimals without digits after the point.
      if (kind !== 'decimal' || typeof total !== 'bigint' || scale > 0) return total;
      return Number.isSafeInteger(Number(total)) ? Number(total) : total;
    }
  }
}

async function topValues(
  remote: RemoteTable,
  column: number,
  signal: AbortSignal,
): Promise<ColumnSummary['top']> {
  const { table } = await remote.ask(
    // Missing values may be among the most frequent ones.
    { kind: 'groups', keys: [{ column }], values: [], order: 'size', limit: TOP_COUNT + 1 },
    signal,
  );
  const source = await readArrowRows(table);
  return Array.from({ length: source.length }, (_, row) => ({
    value: source.value(row, 0),
    count: Number(source.value(row, 1)),
  }))
    .filter(({ value }) => value !== null)
    .slice(0, TOP_COUNT);
}

async function histogram(
  remote: RemoteTable,
  {
    column,
    as,
    low,
    high,
  }: { column: number; as: 'number' | 'date'; low: CellValue; high: CellValue },
  signal: AbortSignal,
): Promise<number[] | undefined> {
  const numeric = numberReader(remote.source() as RowSource, column, as);
  const [from, to] = [Number(numeric(low)), Number(numeric(high))];
  if (!Number.isFinite(from) || !Number.isFinite(to) || to <= from) return undefined;
  const { table } = await remote.ask(
    { kind: 'histogram', column, as, low: from, high: to, bins: BIN_COUNT },
    signal,
  );
  const bins = new Array<number>(BIN_COUNT).fill(0);
  for (const row of table.toArray()) bins[Number(row['bin'])] = Number(row['rows']);
  return bins;
}
