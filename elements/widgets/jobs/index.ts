/** Widgets of jobs, and the tags for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import { widgetElement } from '../widget-element.ts';

export const jobsElements: readonly ElementSpec[] = [
  widgetElement(
    'job-graph',
    'The tasks of a job and its nested jobs as a graph from left to right.',
  ),
  widgetElement('project', 'A project: its jobs by name, runs and lineage.'),
  widgetElement(
    'job-schedule',
    'The schedule of a job as text, with its runs and subscriptions.',
    'tiding-schedule',
  ),
  widgetElement('job-metrics', 'Run durations of a job: figures, chart and runs.'),
  widgetElement('job-history', 'The runs of a job, newest first, each with its tasks and logs.'),
  widgetElement('job-run', 'One run of a job with its task runs and logs.'),
  widgetElement(
    'lineage',
    'Lineage: who created an object, when and from what, with the graph of its data sets.',
  ),
  widgetElement('job', 'A job with its tasks as a graph.'),
  widgetElement('task', 'A task: settings, dependencies and script.'),
];
