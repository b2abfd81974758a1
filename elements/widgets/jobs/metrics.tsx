/** Durations of a job: figures, a chart of its runs, and the runs. */

import { shortDuration } from '@tiding/client/model';
import {
  completeSummary,
  type MeasuredRun,
  runRows,
  stateBadge,
  trend,
  type WidgetData,
} from '@tiding/client/widgets';
import { useMemo } from 'react';
import { formatInteger } from '../../result/parts/numbers.ts';
import { fill } from '../../text/fill.ts';
import type { WidgetModule, WidgetProps } from '../contract.ts';
import { ObjectLink, RecordTable, timeText, WidgetHead, WidgetPart } from '../parts.tsx';
import { counted, dottedName } from '../sentences.ts';
import jobsSheet from './jobs.css';
import { jobsTexts as t } from './texts.ts';

type Data = WidgetData<'job-metrics'>;
/** Width of all bars if there are many, and the maximum width of one bar. */
const CHART_WIDTH = 600;
const MAX_BAR_STEP = 48;
const CHART_HEIGHT = 120;
/** Minimum bar height, so that a run of 0 ms is visible. */
const MIN_BAR_HEIGHT = 2;

const nameOf = ({ projectName, jobName }: Data): string => dottedName(projectName, jobName);

export const jobMetrics: WidgetModule<Data> = {
  View: MetricsView,
  sheets: [jobsSheet],
  describe: (data) => {
    const { runCount, succeededCount, averageDurationMs } = completeSummary(
      data.summary,
      data.runs,
    );
    return (
      fill(t.metricsSummary, {
        name: nameOf(data),
        runs: counted(runCount, t.counts.runs),
        good: succeededCount,
      }) +
      (averageDurationMs === undefined
        ? ''
        : ` ${fill(t.averageSummary, { time: shortDuration(averageDurationMs) })}`)
    );
  },
};

function MetricsView({ data }: WidgetProps<Data>) {
  const { runs } = data;
  const summary = useMemo(() => completeSummary(data.summary, runs), [data, runs]);
  const rows = useMemo(() => runRows(runs), [runs]);
  const name = nameOf(data);
  return (
    <>
      <WidgetHead widget="job-metrics" about={name && <ObjectLink widget="job" name={name} />} />
      <dl className="figures">
        <div>
          <dt>{t.runs}</dt>
          <dd>{formatInteger(summary.runCount)}</dd>
        </div>
        <div>
          <dt>{t.succeeded}</dt>
          <dd>
            {formatInteger(summary.succeededCount)}
            {summary.runCount > 0 ? (
              <span className="dim">
                {' '}
                {Math.round((100 * summary.succeededCount) / summary.runCount)} %
              </span>
            ) : null}
          </dd>
        </div>
        {summary.averageDurationMs === undefined ? null : (
          <div>
            <dt>{t.average}</dt>
            <dd>{shortDuration(summary.averageDurationMs)}</dd>
          </div>
        )}
      </dl>
      {runs.length > 1 ? (
        <WidgetPart title={t.trend}>
          <Trend runs={runs} average={summary.averageDurationMs} />
        </WidgetPart>
      ) : null}
      <WidgetPart title={t.history} count={runs.length}>
        <RecordTable
          label={t.runs}
          rows={rows}
          columns={[
            { label: t.run, value: ({ run }) => run.jobRunId ?? timeText(run.startTime) },
            { label: t.state, state: ({ run }) => run.state },
            { label: t.started, time: ({ run }) => run.startTime },
            {
              label: t.took,
              value: ({ run }) => run.durationMs,
              cell: ({ run }) =>
                run.durationMs === undefined ? null : shortDuration(run.durationMs),
            },
          ]}
          empty={t.noRuns}
        />
      </WidgetPart>
    </>
  );
}

/**
 * Durations of the latest runs as bars, newest on the right, with a dashed line at their average.
 */
function Trend({ runs, average }: { runs: readonly MeasuredRun[]; average: number | undefined }) {
  const { bars, longest } = useMemo(() => trend(runs), [runs]);
  const step = Math.min(CHART_WIDTH / bars.length, MAX_BAR_STEP);
  const width = bars.length * step;
  const share = `${(100 * width) / CHART_WIDTH}%`;
  const line =
    average !== undefined && longest > 0 && average <= longest
      ? CHART_HEIGHT * (1 - average / longest)
      : undefined;
  const label = fill(t.trendLabel, { n: bars.length, longest: shortDuration(longest) });
  return (
    <div className="trend">
      <svg
        style={{ inlineSize: share }}
        viewBox={`0 0 ${width} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {bars.map(({ run, share }, at) => {
          const height =
            run.durationMs === undefined ? 0 : Math.max(MIN_BAR_HEIGHT, share * CHART_HEIGHT);
          return (
            <rect
              key={at}
              className={`bar ${stateBadge(run.state)}`}
              x={at * step}
              y={CHART_HEIGHT - height}
              width={Math.max(1, step - 2)}
              height={height}
            >
              <title>
                {fill(t.barTitle, {
                  time: timeText(run.startTime),
                  took:
                    run.durationMs === undefined ? t.unknownTime : shortDuration(run.durationMs),
                  state: run.state ?? '',
                })}
              </title>
            </rect>
          );
        })}
        {line === undefined ? null : (
          <line className="average" x1={0} x2={width} y1={line} y2={line} />
        )}
      </svg>
      {/* The words at its ends belong to the first and the last bar. */}
      <div className="trend-foot" style={{ minInlineSize: share }}>
        <span>{timeText(bars[0]?.run.startTime)}</span>
        <span>{fill(t.longest, { time: shortDuration(longest) })}</span>
        <span>{timeText(bars.at(-1)?.run.startTime)}</span>
      </div>
    </div>
  );
}
