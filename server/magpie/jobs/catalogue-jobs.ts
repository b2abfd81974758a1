/** Reads job and schedule definitions from the catalogue. */
import type { ObjectCatalogue } from '../catalogue/catalogue.ts';
import { definitionOf, type Item, isSameName } from '../catalogue/state.ts';
import type { ScheduleDefinition } from './schedules.ts';
import type { JobDefinition, JobReference } from './types.ts';

/** A schedule with what it starts: a job, or an action of a cluster. */
export interface ScheduleWork extends ScheduleDefinition {
  readonly name: string;
  readonly userName: string;
  readonly clusterName?: string;
  readonly clusterAction?: string;
  readonly job?: JobReference;
}

/** Finds a job by name. */
export function jobItem(
  catalogue: ObjectCatalogue,
  projectName: string,
  jobName: string,
): Item | undefined {
  const project = catalogue.state.items.find(
    ({ type, name }) => type === 'project' && isSameName(name, projectName),
  );
  return project && catalogue.child(project.id, 'job', jobName);
}

/** The current definition of a job. */
export function jobWork(
  catalogue: ObjectCatalogue,
  projectName: string,
  jobName: string,
): JobDefinition | undefined {
  const job = jobItem(catalogue, projectName, jobName);
  if (!job) return undefined;
  return {
    ...definitionOf(job, 'job'),
    projectName: catalogue.byId(job.parentId)!.name,
    name: job.name,
    jobId: job.id,
    createdAt: job.createdAt,
    tasks: catalogue.children(job.id, 'task').map((task) => ({
      ...definitionOf(task, 'task'),
      name: task.name,
      createdBy: task.createdBy,
    })),
  };
}

/** The current names of a job. Undefined if it has been dropped. */
export function jobNames(catalogue: ObjectCatalogue, jobId: number): JobReference | undefined {
  const job = catalogue.byId(jobId);
  const project = job?.type === 'job' ? catalogue.byId(job.parentId) : undefined;
  return job && project && { projectName: project.name, jobName: job.name };
}

/** The current definitions of all schedules. */
export function scheduleWork(catalogue: ObjectCatalogue): readonly ScheduleWork[] {
  return catalogue.state.items
    .filter(({ type }) => type === 'schedule')
    .map((item) => {
      const holder = catalogue.byId(item.parentId)!;
      const project = catalogue.holder(item, 'project');
      const definition = item.definition as Omit<ScheduleWork, 'id' | 'name'>;
      return {
        ...definition,
        id: `${item.id}`,
        name: item.name,
        ...(project
          ? { job: { projectName: project.name, jobName: holder.name } }
          : { clusterName: holder.name }),
      };
    });
}
