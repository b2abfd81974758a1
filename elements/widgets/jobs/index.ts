/** Widgets of jobs, and the tags for them. */
import { widgetElements } from '../widget-element.ts';

export const jobsElements = widgetElements({
  'tiding-job-graph': 'The tasks of a job and its nested jobs as a graph from left to right.',
  'tiding-project': 'A project: its jobs by name, runs and lineage.',
  'tiding-schedule': 'The schedule of a job as text, with its runs and subscriptions.',
  'tiding-job-metrics': 'Run durations of a job: figures, chart and runs.',
  'tiding-job-history': 'The runs of a job, newest first, each with its tasks and logs.',
  'tiding-job-run': 'One run of a job with its task runs and logs.',
  'tiding-lineage':
    'Lineage: who created an object, when and from what, with the graph of its data sets.',
  'tiding-job': 'A job with its tasks as a graph.',
  'tiding-task': 'A task: settings, dependencies and script.',
});
