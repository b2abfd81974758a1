/** The runs of a job's tasks as bars over time. */
import { shortDuration } from '@tiding/client/model';
import { durationOf, type JobRun, stateBadge, timeOf } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { jobsTexts as t } from './texts.ts';

/** Most bars to draw. The list of task runs has all of them. */
const MAX_BARS = 100;

/** A task run that has started, in ms since the run of the job began. */
interface Bar {
  readonly name: string;
  readonly state: string | undefined;
  readonly from: number;
  readonly to: number;
}

/** The bars of a run, by start, and the time that they span. A bar without end reaches its end. */
function timelineOf({ startTime, endTime, taskRuns }: JobRun, now: number) {
  const starts = taskRuns.flatMap(({ startTime: at }) => timeOf(at) ?? []);
  const begin = timeOf(startTime) ?? Math.min(...starts);
  const ends = taskRuns.flatMap(({ endTime: at }) => timeOf(at) ?? []);
  const end = Math.max(timeOf(endTime) ?? now, begin, ...ends);
  const bars = taskRuns.flatMap((run): Bar[] => {
    const at = timeOf(run.startTime);
    if (at === undefined) return [];
    const took = durationOf(run);
    return [
      {
        name: run.taskName ?? run.taskRunId ?? '',
        state: run.state,
        from: Math.max(0, at - begin),
        to: took === undefined ? end - begin : Math.max(0, at + took - begin),
      },
    ];
  });
  return { bars: bars.sort((a, b) => a.from - b.from), span: end - begin };
}

/** Bars of the task runs of a run. Renders nothing for fewer than two. */
export function Timeline({ run }: { run: JobRun }) {
  const { bars, span } = timelineOf(run, Date.now());
  if (bars.length < 2 || !(span > 0)) return null;
  const shown = bars.slice(0, MAX_BARS);
  const percent = (ms: number): string => `${(100 * Math.min(ms, span)) / span}%`;
  return (
    <div
      className="timeline"
      role="img"
      aria-label={fill(t.timelineLabel, { n: bars.length, time: shortDuration(span) })}
    >
      {shown.map(({ name, state, from, to }, at) => {
        const words = fill(t.timelineBar, {
          name,
          state: state ?? '',
          from: shortDuration(from),
          took: shortDuration(to - from),
        });
        return [
          <span key={`${at} name`} className="name" dir="auto" title={name}>
            {name}
          </span>,
          <span key={`${at} bar`} className="track" title={words}>
            <span
              className={`bar ${stateBadge(state)}`}
              style={{ left: percent(from), width: percent(to - from) }}
            />
          </span>,
        ];
      })}
      <span className="axis">
        <span>0 s</span>
        {shown.length < bars.length ? (
          <span>{fill(t.timelineMore, { n: bars.length - shown.length })}</span>
        ) : null}
        <span>{shortDuration(span)}</span>
      </span>
    </div>
  );
}
