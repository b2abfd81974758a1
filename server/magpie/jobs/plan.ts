/** Determines the order of a job's tasks. */

import { durationUnits, isoMs } from '../catalogue/definition-parts.ts';
import { isSameName } from '../catalogue/state.ts';
import { MetadataError } from '../contract.ts';
import {
  type JobDefinition,
  type JobReference,
  qualifiedJobName,
  type TaskDefinition,
} from './types.ts';

/**
 * Order of a run. `first` are the tasks that start the run, `finalizers` those that start its end,
 * and `after()` returns the successors of a task.
 */
export interface Plan {
  readonly first: readonly TaskDefinition[];
  readonly finalizers: readonly TaskDefinition[];
  after(task: TaskDefinition): readonly TaskDefinition[];
}

/** 24 days, the limit of setTimeout. */
const MAX_TIMEOUT = 2_073_600_000;

/**
 * Parses a timeout and returns it in ms: `30m`, `1h30m`, `90s`, `500ms`, `2d`, or an ISO 8601
 * duration such as `PT30M` or `P1DT2H`. Throws MetadataError for anything else.
 */
export function parseTimeout(text: string): number {
  const value = text.trim();
  const plain = [...value.toLowerCase().matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/gy)];
  const iso =
    /^P(?=\d|T\d)(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i.exec(value);
  let sum = iso ? isoMs(iso) : 0;
  if (!iso && value !== '' && plain.map(([part]) => part).join('').length === value.length)
    for (const [, amount, unit] of plain) sum += Number(amount) * durationUnits.get(unit!)!;
  if (!(sum >= 1 && sum <= MAX_TIMEOUT))
    throw new MetadataError(
      `'${text}' is not a valid timeout. Use a form such as 30m, 1h30m or PT30M, at most 24 days.`,
    );
  return Math.round(sum);
}

/**
 * Plans a run of all tasks, or of `fromTask` and its successors. Throws MetadataError if a
 * predecessor does not exist, if tasks form a cycle, if a regular task follows a finalizer, or if a
 * timeout is invalid.
 */
export function planOf(job: JobDefinition, fromTask?: string): Plan {
  const named = (name: string): TaskDefinition | undefined =>
    job.tasks.find((task) => isSameName(task.name, name));
  const before = (task: TaskDefinition): TaskDefinition | undefined =>
    task.predecessorName ? named(task.predecessorName) : undefined;
  for (const task of job.tasks) {
    const predecessor = before(task);
    if (task.predecessorName && !predecessor)
      throw new MetadataError(
        `Task '${task.name}' follows '${task.predecessorName}', which is not in the job.`,
      );
    if (predecessor?.isFinalizer && !task.isFinalizer)
      throw new MetadataError(
        `Task '${task.name}' follows the finalizer '${predecessor.name}', so it has to be a ` +
          'finalizer too.',
      );
    if (task.timeout) parseTimeout(task.timeout);
    const seen = new Set<TaskDefinition>([task]);
    for (let at = predecessor; at; at = before(at)) {
      if (at === task)
        throw new MetadataError(
          `Task '${task.name}' follows itself: ${[...seen].map(({ name }) => name).join(', ')}.`,
        );
      if (seen.has(at)) break;
      seen.add(at);
    }
  }
  const from = fromTask === undefined ? undefined : named(fromTask);
  if (fromTask !== undefined && !from)
    throw new MetadataError(`There is no task '${fromTask}' in the job.`);
  const after = (task: TaskDefinition): TaskDefinition[] =>
    job.tasks.filter(
      (other) => before(other) === task && Boolean(other.isFinalizer) === Boolean(task.isFinalizer),
    );
  return {
    first: from
      ? from.isFinalizer
        ? []
        : [from]
      : job.tasks.filter((task) => !task.isFinalizer && !task.predecessorName),
    finalizers: job.tasks.filter((task) => task.isFinalizer && !before(task)?.isFinalizer),
    after,
  };
}

/** Throws MetadataError if a job contains itself through nested jobs. */
export function refuseCycle(
  job: JobDefinition,
  jobOf: (projectName: string, jobName: string) => JobDefinition | undefined,
): void {
  const known = new Set<string>();
  const look = (
    reference: JobReference,
    tasks: readonly TaskDefinition[],
    path: readonly string[],
  ): void => {
    const name = qualifiedJobName(reference);
    if (path.includes(name))
      throw new MetadataError(
        `Job '${name}' contains itself: ${[...path.slice(path.indexOf(name)), name].join(', ')}.`,
      );
    if (known.has(name)) return;
    for (const { nestedJobReference: nested } of tasks) {
      // A missing nested job is reported when its task runs.
      const found = nested && jobOf(nested.projectName, nested.jobName);
      if (found)
        look({ projectName: found.projectName, jobName: found.name }, found.tasks, [...path, name]);
    }
    known.add(name);
  };
  look({ projectName: job.projectName, jobName: job.name }, job.tasks, []);
}
