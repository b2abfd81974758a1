/** How the widgets of this family are loaded. */
import type { WidgetViews } from '../contract.ts';

export const jobsWidgets = {
  'job-graph': async () => (await import('./job-graph.tsx')).jobGraph,
  project: async () => (await import('./project.tsx')).project,
  'job-schedule': async () => (await import('./schedules.tsx')).jobSchedule,
  schedules: async () => (await import('./schedules.tsx')).schedules,
  subscription: async () => (await import('./schedules.tsx')).subscriptionWidget,
  subscriptions: async () => (await import('./schedules.tsx')).subscriptions,
  'job-metrics': async () => (await import('./metrics.tsx')).jobMetrics,
  'job-history': async () => (await import('./histories.tsx')).jobHistory,
  'task-history': async () => (await import('./histories.tsx')).taskHistory,
  'job-run': async () => (await import('./histories.tsx')).jobRunWidget,
  'task-run': async () => (await import('./histories.tsx')).taskRunWidget,
  job: async () => (await import('./job.tsx')).jobWidget,
  task: async () => (await import('./job.tsx')).taskWidget,
  lineage: async () => (await import('./lineage.tsx')).lineageWidget,
} satisfies Partial<WidgetViews>;
