/** How long a job takes: figures, the trend of its runs, and the runs. */
import { useMemo } from 'react';
import { shortDuration } from 'tiding/model';
import {
  runRows,
  stateBadge,
  summaryOf,
  trend,
  type MeasuredRun,
  type WidgetData,
} from 'tiding/widgets';
import { formatInteger } from '../../result/numbers.ts';
import { fill, text } from '../../text/en.ts';
import type { WidgetModule, WidgetProps } from '../contract.ts';
import {
  ObjectLink,
  RecordTable,
  StateBadge,
  timeText,
  When,
  WidgetHead,
  WidgetPart,
} from '../parts.tsx';
import jobsSheet from './jobs.css';
import { filledColumns } from './runs.tsx';

const t = text.widgets.jobs;
type Data = WidgetData<'job-metrics'>;
const WIDTH = 600;
const HEIGHT = 120;
/** A run that took no time is still there to be seen. */
const LEAST = 2;

const nameOf = ({ projectName, jobName }: Data): string =>
  [projectName, jobName].filter(Boolean).join('.');

/** `<tiding-job-metrics>` */
export const jobMetrics: WidgetModule<Data> = {
  View: MetricsView,
  sheets: [jobsSheet],
  describe: (data) => {
    const { runCount, succeededCount, averageDurationMs } = summaryOf(data.summary, data.runs);
    return (
      fill(t.metricsSummary, { name: nameOf(data), n: runCount, good: succeededCount }) +
      (averageDurationMs === undefined
        ? ''
        : ` ${fill(t.averageSummary, { time: shortDuration(averageDurationMs) })}`)
    );
  },
};

function MetricsView({ data }: WidgetProps<Data>) {
  const { runs } = data;
  const summary = useMemo(() => summaryOf(data.summary, runs), [data, runs]);
  const rows = useMemo(() => runRows(runs), [runs]);
  const columns = useMemo(
    () =>
      filledColumns<(typeof rows)[number]>(rows, [
        { id: 'id', label: t.run, value: ({ run }) => run.jobRunId ?? timeText(run.startTime) },
        {
          id: 'state',
          label: t.state,
          value: ({ run }) => run.state,
          cell: ({ run }) => <StateBadge state={run.state} />,
        },
        {
          id: 'start',
          label: t.started,
          value: ({ at }) => at,
          cell: ({ run }) => (run.startTime === undefined ? null : <When at={run.startTime} />),
        },
        {
          id: 'took',
          label: t.took,
          value: ({ run }) => run.durationMs,
          cell: ({ run }) => (run.durationMs === undefined ? null : shortDuration(run.durationMs)),
        },
      ]),
    [rows],
  );
  const name = nameOf(data);
  return (
    <>
      <WidgetHead
        title={text.widgets.names['job-metrics']}
        about={name ? <ObjectLink widget="job" name={name} /> : undefined}
      />
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
        <RecordTable label={t.runs} rows={rows} columns={columns} empty={t.noRuns} />
      </WidgetPart>
    </>
  );
}

/** Durations of the newest runs as bars, the newest on the right; a dashed line at their average. */
function Trend({ runs, average }: { runs: readonly MeasuredRun[]; average: number | undefined }) {
  const { bars, longest } = useMemo(() => trend(runs), [runs]);
  const step = Math.min(WIDTH / bars.length, 48);
  const line =
    average !== undefined && longest > 0 && average <= longest
      ? HEIGHT * (1 - average / longest)
      : undefined;
  const label = fill(t.trendLabel, { n: bars.length, longest: shortDuration(longest) });
  return (
    <div className="trend">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {bars.map(({ run, share }, at) => {
          const height = run.durationMs === undefined ? 0 : Math.max(LEAST, share * HEIGHT);
          return (
            <rect
              key={at}
              className={`bar ${stateBadge(run.state)}`}
              x={at * step}
              y={HEIGHT - height}
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
          <line className="average" x1={0} x2={bars.length * step} y1={line} y2={line} />
        )}
      </svg>
      <div className="trend-foot">
        <span>{timeText(bars[0]?.run.startTime)}</span>
        <span>{fill(t.longest, { time: shortDuration(longest) })}</span>
        <span>{timeText(bars.at(-1)?.run.startTime)}</span>
      </div>
    </div>
  );
}
