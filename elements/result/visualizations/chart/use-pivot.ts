import {
  type Pivot,
  type PivotConfig,
  type PivotOptions,
  pivot,
  type TypedRows,
} from '@tiding/client/model';
import { useMemo } from 'react';
import { formatInteger } from '../../parts/numbers.ts';
import { pivotOnServer, type RemotePivot } from '../../rows/remote-groups.ts';
import type { RowSource } from '../../rows/row-source.ts';
import { useAnswer } from '../../rows/use-answer.ts';
import { chartTexts } from './texts.ts';
import { useChartComputation } from './use-chart-computation.ts';

interface ShownPivot {
  readonly pivot: Pivot;
  /** The column selection it was computed from. */
  readonly config: PivotConfig;
  /** The answer of the server, if it computed the pivot. */
  readonly answer?: RemotePivot;
}

/**
 * Computes the pivot of a table, or of all rows of a table on the server. The notes say which rows
 * the server grouped, and how.
 *
 * @param config must be a new object whenever it changes
 * @param options must be a new object whenever they change
 */
export function usePivot(
  source: TypedRows & Pick<RowSource, 'remote'>,
  config: PivotConfig,
  options: PivotOptions,
): {
  shown: ShownPivot | null;
  busy: boolean;
  notes: readonly string[];
  /** Names of keys whose points are periods or intervals; undefined if the page grouped them. */
  grouped: readonly string[] | undefined;
} {
  const { remote } = source;
  const work = useMemo(
    () =>
      function* (rows: TypedRows): Generator<void, ShownPivot> {
        return { pivot: yield* pivot(rows, config, options), config };
      },
    [config, options],
  );
  const request = useMemo(
    () =>
      remote && {
        async ask(signal: AbortSignal): Promise<ShownPivot> {
          const answer = await pivotOnServer(remote, config, options, signal);
          return { pivot: answer.pivot, config, answer };
        },
      },
    [remote, config, options],
  );
  const local = useChartComputation(remote ? undefined : source, work);
  const onServer = useAnswer(request);
  const answer = remote && onServer.shown?.answer;
  return {
    shown: (remote ? onServer.shown : local.shown?.value) ?? null,
    busy: remote ? onServer.busy : local.busy,
    notes: answer ? notesOf(answer) : [],
    grouped:
      remote &&
      (answer?.groupings ?? []).flatMap(({ name, period, width }) =>
        (period ?? width) === undefined ? [] : [name],
      ),
  };
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
