/** Widgets of jobs, and the tags for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import { widgetElement } from '../widget-element.ts';

export const jobsElements: readonly ElementSpec[] = [
  widgetElement(
    'tiding-job-graph',
    'job-graph',
    'The tasks of a job and its nested jobs as a graph from left to right.',
  ),
  widgetElement('tiding-project', 'project', 'A project: its jobs by name, runs and lineage.'),
  widgetElement(
    'tiding-schedule',
    'job-schedule',
    'The schedule of a job as text, with its runs and subscriptions.',
  ),
  widgetElement(
    'tiding-job-metrics',
    'job-metrics',
    'Run durations of a job: figures, chart and runs.',
  ),
  widgetElement(
    'tiding-job-history',
    'job-history',
    'The runs of a job, newest first, each with its tasks and logs.',
  ),
  widgetElement('tiding-job-run', 'job-run', 'One run of a job with its task runs and logs.'),
  widgetElement(
    'tiding-lineage',
    'lineage',
    'Lineage: who created an object, when and from what, with the graph of its data sets.',
  ),
  widgetElement('tiding-job', 'job', 'A job with its tasks as a graph.'),
  widgetElement('tiding-task', 'task', 'A task: settings, dependencies and script.'),
];
