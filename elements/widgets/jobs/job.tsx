/** Widgets of a job with its tasks, and of a single task. */

import { tasksOf, type WidgetData, type WidgetId } from '@tiding/client/widgets';
import { useMemo } from 'react';
import { fill } from '../../text/fill.ts';
import type { WidgetModule, WidgetProps } from '../contract.ts';
import graphSheet from '../graph/graph.css';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { kindText } from '../graph/node-types.ts';
import { ColourBadge, Facts, ObjectLink, RecordTable, WidgetHead, WidgetPart } from '../parts.tsx';
import { dottedName, sentences } from '../sentences.ts';
import { widgetTexts } from '../texts.ts';
import jobsSheet from './jobs.css';
import { TaskDetail } from './task-detail.tsx';
import { jobsTexts as t } from './texts.ts';

type Data = WidgetData<'job'>;

export const jobWidget: WidgetModule<Data> = {
  View: JobView,
  sheets: [graphSheet, jobsSheet],
  describe: ({ job: of }) => {
    const count = of ? tasksOf(of.startTask, of.projectName, of.name).length : 0;
    return sentences(
      fill(count === 1 ? t.oneTaskSummary : t.jobSummary, {
        name: of ? dottedName(of.projectName, of.name) : '',
        n: count,
      }),
      of?.state && fill(t.isState, { state: of.state }),
      of &&
        of.schedules.length > 0 &&
        fill(t.scheduled, { names: of.schedules.map(nameIn).join(', ') }),
    );
  },
};

type Item = string | { readonly name?: string | undefined };
const nameIn = (item: Item): string => (typeof item === 'string' ? item : (item.name ?? ''));

/** Links to several objects, as a fact. */
const linksTo = (widget: WidgetId, label: string, of: readonly Item[]) =>
  [
    label,
    of.length > 0 && (
      <span className="chips">
        {of
          .map(nameIn)
          .filter(Boolean)
          .map((name, at) => (
            <span key={at}>
              {at > 0 ? ', ' : null}
              <ObjectLink widget={widget} name={name} />
            </span>
          ))}
      </span>
    ),
  ] as const;

function JobView({ data: { job: of, lineage } }: WidgetProps<Data>) {
  const tasks = useMemo(() => (of ? tasksOf(of.startTask, of.projectName, of.name) : []), [of]);
  return (
    <>
      <WidgetHead
        widget="job"
        of={of}
        title={dottedName(of?.projectName, of?.name)}
        state={of?.state}
      />
      {of ? (
        <Facts
          of={[
            [t.project, of.projectName, 'project'],
            [t.failureMode, of.failureMode],
            [
              t.concurrent,
              of.allowConcurrentRuns ? t.allowed : of.allowConcurrentRuns === false && t.refused,
            ],
            linksTo('job-schedule', t.schedules, of.schedules),
            linksTo('subscription', t.subscriptions, of.subscriptions),
            [t.id, of.jobId],
          ]}
        />
      ) : null}
      {tasks.length > 0 ? (
        <WidgetPart title={t.tasks} count={tasks.length}>
          <RecordTable
            label={t.tasks}
            rows={tasks}
            keepEmpty
            columns={[
              {
                label: t.task,
                link: 'task',
                value: ({ task: one }) => one?.name,
                to: ({ task: one }) => dottedName(of?.projectName, of?.name, one?.name),
              },
              {
                label: t.kind,
                value: ({ nodeType, task: one }) =>
                  one?.taskType ? kindText(one.taskType) : nodeType,
              },
              { label: t.runsAfter, value: ({ task: one }) => one?.predecessor },
              { label: t.state, state: ({ task: one }) => one?.state },
            ]}
          />
          <div>
            <ObjectLink widget="job-graph" name={dottedName(of?.projectName, of?.name)}>
              {widgetTexts.names['job-graph']}
            </ObjectLink>
          </div>
        </WidgetPart>
      ) : null}
      <LineagePanel lineage={lineage} />
    </>
  );
}

export const taskWidget: WidgetModule<WidgetData<'task'>> = {
  sheets: [graphSheet, jobsSheet],
  describe: ({ task: of }) =>
    sentences(
      fill(t.taskSummary, {
        name: of?.name ?? '',
        kind: kindText(of?.taskType || 'task'),
      }),
      of?.state && fill(t.isState, { state: of.state }),
      of?.predecessor && fill(t.afterTask, { name: of.predecessor }),
    ),
  View: ({ data: { task: of, lineage } }) => (
    <>
      <WidgetHead
        widget="task"
        of={of}
        badge={of?.taskType && <ColourBadge colour="default">{kindText(of.taskType)}</ColourBadge>}
        state={of?.state}
      />
      {of ? (
        <div className="task-alone">
          <TaskDetail task={{ ...of, description: undefined, state: undefined }} />
        </div>
      ) : null}
      <LineagePanel lineage={lineage} />
    </>
  ),
};
