/** Details of one task: facts and script. */

import { type JobNode, type Task, targetOf } from '@tiding/client/widgets';
import type { ReactNode } from 'react';
import { fill } from '../../text/fill.ts';
import { Code } from '../code.tsx';
import { kindText } from '../graph/node-types.ts';
import { Facts, StateBadge, TimeText } from '../parts.tsx';
import { dottedName } from '../sentences.ts';
import { runDurationText } from './runs.tsx';
import { jobsTexts as t } from './texts.ts';

/** State, duration and start of the latest run of a job or task. */
export function LastRun({ of }: { of: NonNullable<JobNode['lastRun']> }) {
  return (
    <>
      <StateBadge state={of.state} /> {runDurationText(of)}
      <br />
      <TimeText at={of.startTime} />
    </>
  );
}

interface TaskDetailProps {
  title?: ReactNode;
  task: Task;
  kind?: string | undefined;
  after?: readonly string[] | undefined;
  state?: string | undefined;
  lastRun?: JobNode['lastRun'];
  project?: string | undefined;
}

/** Details of a task, below its graph or on its own: its facts in the order of the design. */
export function TaskDetail({ title, task, kind, after, state, lastRun, project }: TaskDetailProps) {
  const { partitionOptions: parts, nestedJobReference: nested } = task;
  const target = targetOf(task);
  const nestedJob = nested?.jobName
    ? dottedName(nested.projectName || project, nested.jobName)
    : undefined;
  const runsAfter = after ?? (task.predecessor ? [task.predecessor] : []);
  const leadsTo = task.successors
    .map((each) => (typeof each === 'string' ? each : (each.name ?? '')))
    .filter(Boolean);
  const spec = task.targetTableSpec;
  return (
    <div className={task.script ? 'task-detail with-script' : 'task-detail'}>
      <div>
        {title}
        <Facts
          of={[
            [t.kind, kindText(kind ?? task.taskType ?? '')],
            [t.language, kind?.toLowerCase() === 'script' ? task.taskType : undefined],
            [t.description, task.description],
            [t.state, state && <StateBadge state={state} />],
            [t.ofNode, lastRun && <LastRun of={lastRun} />],
            [t.enabled, task.state && <StateBadge state={task.state} />],
            [t.target, target, 'table'],
            [
              t.target,
              target === undefined && (typeof spec === 'string' ? spec : JSON.stringify(spec)),
            ],
            [t.dataSource, task.dataSourceName, 'data-source'],
            [t.saveMode, task.saveMode],
            [
              t.partitions,
              parts &&
                [
                  parts.count === undefined ? '' : String(parts.count),
                  parts.partitionBy.length > 0
                    ? fill(t.partitionBy, { columns: parts.partitionBy.join(', ') })
                    : '',
                ]
                  .filter(Boolean)
                  .join(' '),
            ],
            [t.nestedJob, nestedJob, 'job'],
            [t.runsAfter, runsAfter.join(', ')],
            [t.leadsTo, after === undefined ? leadsTo.join(', ') : undefined],
            [t.failureMode, task.failureMode],
            [t.retries, task.maxRetries || undefined],
            [t.timeout, task.timeout],
            [t.finalizer, task.isFinalizer && t.finalizerRuns],
          ]}
        />
      </div>
      {task.script ? <Code text={task.script} language={task.taskType ?? kind} /> : null}
    </div>
  );
}
