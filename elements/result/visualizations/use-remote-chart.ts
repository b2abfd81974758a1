import {
  MAX_SCATTER_ROWS,
  type PivotConfig,
  type PivotOptions,
  type TypedRows,
} from '@tiding/client/model';
import { useMemo } from 'react';
import { formatInteger } from '../parts/numbers.ts';
import { pivotOnServer, type RemotePivot, sampleOnServer } from '../rows/remote-groups.ts';
import type { RemoteTable, RowSource } from '../rows/row-source.ts';
import { useAnswer } from '../rows/use-answer.ts';
import { chartTexts } from './chart/texts.ts';
import type { ShownPivot } from './chart/use-pivot.ts';

/**
 * Computes a pivot from all rows of a table on the server; undefined for other tables. The notes
 * say what the chart shows.
 */
export function useRemotePivot(
  remote: RemoteTable | undefined,
  config: PivotConfig,
  options: PivotOptions,
):
  | {
      shown: ShownPivot | null;
      busy: boolean;
      notes: readonly string[];
      /** Names of keys whose points are periods or intervals. */
      grouped: readonly string[];
    }
  | undefined {
  const request = useMemo(
    () =>
      remote && {
        ask: async (signal: AbortSignal) => ({
          made: await pivotOnServer(remote, config, options, signal),
          config,
        }),
      },
    [remote, config, options],
  );
  const { shown, busy } = useAnswer(request);
  const pivot = useMemo(
    () => (shown ? { pivot: shown.made.pivot, config: shown.config } : null),
    [shown],
  );
  return (
    remote && {
      shown: pivot,
      busy,
      notes: shown ? notesOf(shown.made) : [],
      grouped: (shown?.made.groupings ?? []).flatMap(({ name, period, width }) =>
        (period ?? width) === undefined ? [] : [name],
      ),
    }
  );
}

function notesOf({ rows, groupings, omitted }: RemotePivot): string[] {
  const ways = groupings.flatMap(({ name, period, width }) =>
    period
      ? [chartTexts.byPeriod(name, period)]
      : width === undefined
        ? []
        : [
            chartTexts.byInterval(
              name,
              Number.isInteger(width) ? formatInteger(width) : `${width}`,
            ),
          ],
  );
  return [
    chartTexts.allRows(formatInteger(rows), ways.join(', ')),
    ...(omitted > 0 ? [chartTexts.omittedGroups(formatInteger(omitted))] : []),
  ];
}

/**
 * Reads a sample of a table on the server, with the given columns; other tables are returned as
 * they are. No rows are returned until the first sample arrives.
 */
export function useSampledRows(
  source: RowSource,
  columns: readonly number[],
): { rows: TypedRows | undefined; busy: boolean } {
  const { remote } = source;
  const key = columns.join();
  const request = useMemo(
    () =>
      remote && {
        ask: (signal: AbortSignal) =>
          sampleOnServer(
            remote,
            key === '' ? [] : [...new Set(key.split(',').map(Number))],
            MAX_SCATTER_ROWS,
            signal,
          ),
      },
    [remote, key],
  );
  const { shown, busy } = useAnswer(request);
  return { rows: remote ? shown : source, busy };
}
