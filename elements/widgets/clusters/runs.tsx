import { shortDuration } from '@tiding/client/model';
import { type ClusterRun, durationOf, timeOf } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { Logs } from '../logs.tsx';
import {
  isUnderway,
  type RecordColumn,
  RecordTable,
  type TimedRun,
  TimeText,
  timeText,
} from '../parts.tsx';
import { clustersTexts as t } from './texts.ts';

/** Columns for start, end and duration. */
function timedColumns<Row>(of: (row: Row) => TimedRun | undefined): RecordColumn<Row>[] {
  const took = (row: Row) => durationOf(of(row) ?? {});
  return [
    { label: t.started, time: (row) => of(row)?.startTime },
    {
      label: t.ended,
      value: (row) =>
        timeOf(of(row)?.endTime) ??
        of(row)?.endTime ??
        (isUnderway(of(row) ?? {}) ? Number.MAX_SAFE_INTEGER : undefined),
      cell: (row) =>
        of(row)?.endTime !== undefined ? (
          <TimeText at={of(row)?.endTime} />
        ) : isUnderway(of(row) ?? {}) ? (
          <span className="dim">{t.goesOn}</span>
        ) : null,
    },
    {
      label: t.took,
      value: took,
      cell: (row) =>
        took(row) === undefined ? null : <span className="took">{shortDuration(took(row)!)}</span>,
    },
  ];
}

/** Name of a run: by its start time if it has one. */
const nameOf = ({ run }: ClusterRun): string | undefined =>
  run?.startTime === undefined
    ? run?.clusterRunId
    : fill(t.runOf, { time: timeText(run.startTime) });

/** Runs of a cluster, newest first; each expands to its stages and log. */
export function Runs({ history }: { history: readonly ClusterRun[] }) {
  return (
    <RecordTable
      label={t.history}
      rows={history}
      newest={({ run }) => run?.startTime}
      columns={[
        ...timedColumns<ClusterRun>(({ run }) => run),
        { label: t.state, state: ({ run }) => run?.state },
        { label: t.user, link: 'user', value: ({ run }) => run?.userName },
        { label: t.run, value: ({ run }) => run?.clusterRunId },
      ]}
      named={nameOf}
      expand={(run) => <RunDetail of={run} />}
    />
  );
}

function RunDetail({ of }: { of: ClusterRun }) {
  const { stages, logs } = of;
  // Several runs can be expanded, so each region needs its own name.
  const named = (what: string) => (nameOf(of) ? fill(t.ofRun, { what, run: nameOf(of)! }) : what);
  if (stages.length + logs.length === 0) return <p className="dim">{t.noStages}</p>;
  return (
    <div className="run-detail">
      {stages.length > 0 ? (
        <section>
          <h4>{t.stages}</h4>
          <RecordTable
            label={named(t.stages)}
            rows={stages}
            columns={[
              { label: t.stage, value: ({ name }) => name },
              { label: t.state, state: ({ state }) => state },
              ...timedColumns<ClusterRun['stages'][number]>((stage) => stage),
            ]}
          />
        </section>
      ) : null}
      {logs.length > 0 ? (
        <section>
          <h4>{t.log}</h4>
          <Logs logs={logs} label={named(t.log)} />
        </section>
      ) : null}
    </div>
  );
}
