/** Widgets of this family, and the tags that people place for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import type { WidgetViews } from '../contract.ts';
import { widgetElement } from '../widget-element.ts';

export const jobsWidgets = {
  'job-graph': () => import('./job-graph.tsx').then(({ jobGraph }) => jobGraph),
  project: () => import('./project.tsx').then(({ project }) => project),
  'job-schedule': () => import('./schedules.tsx').then(({ jobSchedule }) => jobSchedule),
  schedules: () => import('./schedules.tsx').then(({ schedules }) => schedules),
  subscription: () => import('./schedules.tsx').then(({ subscription }) => subscription),
  subscriptions: () => import('./schedules.tsx').then(({ subscriptions }) => subscriptions),
  'job-metrics': () => import('./metrics.tsx').then(({ jobMetrics }) => jobMetrics),
  'job-history': () => import('./histories.tsx').then(({ jobHistory }) => jobHistory),
  'task-history': () => import('./histories.tsx').then(({ taskHistory }) => taskHistory),
  'job-run': () => import('./histories.tsx').then(({ jobRun }) => jobRun),
  'task-run': () => import('./histories.tsx').then(({ taskRun }) => taskRun),
  job: () => import('./job.tsx').then(({ job }) => job),
  task: () => import('./job.tsx').then(({ task }) => task),
  lineage: () => import('./lineage.tsx').then(({ lineage }) => lineage),
} satisfies Partial<WidgetViews>;

export const jobsElements: readonly ElementSpec[] = [
  widgetElement(
    'tiding-job-graph',
    'job-graph',
    'The tasks of a job as a graph from left to right, and the jobs inside it.',
  ),
  widgetElement(
    'tiding-project',
    'project',
    'A project with its jobs by name, its runs and its lineage.',
  ),
  widgetElement(
    'tiding-schedule',
    'job-schedule',
    'When a job runs, in words, with its runs and who is told of them.',
  ),
  widgetElement(
    'tiding-job-metrics',
    'job-metrics',
    'How long the runs of a job take: figures, trend and runs.',
  ),
  widgetElement(
    'tiding-job-history',
    'job-history',
    'The runs of a job, the newest first, each with its tasks and logs.',
  ),
  widgetElement(
    'tiding-job-run',
    'job-run',
    'One run of a job with the runs of its tasks and their logs.',
  ),
  widgetElement(
    'tiding-lineage',
    'lineage',
    'Who made an object, when and from what, with the graph of its data sets.',
  ),
  widgetElement('tiding-job', 'job', 'A job with its tasks as a graph.'),
  widgetElement('tiding-task', 'task', 'A task: what it does, when, and its script.'),
];
