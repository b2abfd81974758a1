/** Pivots of tables that the page has as Arrow data, or in part. They need the code of Arrow. */
import type { ArrowTable } from '@tiding/client';
import { type Pivot, pivot, readArrowRows, type TypedRows } from '@tiding/client/model';
import { tableFromIPC } from 'apache-arrow';
import { pivotOnServer } from '../result/rows/remote-groups.ts';
import { runGenerator } from '../result/rows/run-generator.ts';
import { type PivotDescription, pivotConfig } from './pivot-description.ts';
import { originOf, type ResultRows } from './result-rows.ts';

/** Computes a pivot from all rows, where they are. */
export async function farPivot(
  table: ResultRows | ArrowTable,
  description: PivotDescription,
  signal: AbortSignal,
): Promise<Pivot> {
  const origin = originOf(table);
  const ask = async (question?: object): Promise<ArrowTable> =>
    tableFromIPC(new Uint8Array(await origin!.read(question, signal)));
  if (origin?.isQueried) {
    const { source } = origin;
    const config = pivotConfig(source.columns, description);
    const remote = {
      source: () => source,
      async ask(question: object) {
        const found = await ask(question);
        return { table: found, total: Number(found.schema.metadata.get('total')) };
      },
    };
    const { pivot: made, omitted } = await pivotOnServer(remote, config, description, signal);
    const { series, points } = made.omitted;
    return { ...made, omitted: { series, points: points + omitted } };
  }
  const rows = await readArrowRows(origin ? await ask() : (table as ArrowTable));
  return computed(rows, description, signal);
}

/** Computes between frames, until the signal is aborted. */
const computed = (
  rows: TypedRows,
  description: PivotDescription,
  signal: AbortSignal,
): Promise<Pivot> =>
  new Promise((resolve, reject) => {
    const work = pivot(rows, pivotConfig(rows.columns, description), description);
    const stop = runGenerator(work, resolve, reject);
    signal.addEventListener('abort', stop);
  });
