/** How the widgets of this family are loaded. */
import type { WidgetViews } from '../contract.ts';

export const jobsWidgets = {
  'job-graph': () => import('./job-graph.tsx').then(({ jobGraph }) => jobGraph),
  project: () => import('./project.tsx').then(({ project }) => project),
  'job-schedule': () => import('./schedules.tsx').then(({ jobSchedule }) => jobSchedule),
  schedules: () => import('./schedules.tsx').then(({ schedules }) => schedules),
  subscription: () =>
    import('./schedules.tsx').then(({ subscriptionWidget: subscription }) => subscription),
  subscriptions: () => import('./schedules.tsx').then(({ subscriptions }) => subscriptions),
  'job-metrics': () => import('./metrics.tsx').then(({ jobMetrics }) => jobMetrics),
  'job-history': () => import('./histories.tsx').then(({ jobHistory }) => jobHistory),
  'task-history': () => import('./histories.tsx').then(({ taskHistory }) => taskHistory),
  'job-run': () => import('./histories.tsx').then(({ jobRunWidget: jobRun }) => jobRun),
  'task-run': () => import('./histories.tsx').then(({ taskRunWidget: taskRun }) => taskRun),
  job: () => import('./job.tsx').then(({ jobWidget: job }) => job),
  task: () => import('./job.tsx').then(({ taskWidget: task }) => task),
  lineage: () => import('./lineage.tsx').then(({ lineageWidget: lineage }) => lineage),
} satisfies Partial<WidgetViews>;
