/** Reads job and schedule definitions from the catalogue. */
import type { ObjectCatalogue } from '../catalogue/catalogue.ts';
import { type Item, isSameName } from '../catalogue/state.ts';

export interface TaskWork {
  readonly createdBy?: string;
  readonly name: string;
  readonly taskType: string;
  readonly state?: string;
  readonly predecessorName?: string;
  readonly failureMode?: string;
  readonly maxRetries?: number;
  readonly timeout?: string;
  readonly isFinalizer?: boolean;
  readonly nestedJobReference?: { readonly projectName: string; readonly jobName: string };
  readonly script?: string;
  readonly targetTableName?: string;
  readonly targetTableSpec?:
    | string
    | {
        readonly name?: string;
        readonly tableName?: string;
        readonly schemaName?: string;
        readonly file?: object;
      };
  readonly targetSchemaName?: string;
  readonly dataSourceName?: string;
  readonly partitionOptions?: object;
  readonly saveMode?: string;
  readonly createMode?: string;
  readonly description?: string;
}

interface JobWork {
  readonly projectName: string;
  readonly name: string;
  readonly jobId?: number;
  readonly state?: string;
  readonly failureMode?: string;
  readonly allowConcurrentRuns?: boolean;
  readonly tasks: readonly TaskWork[];
}

export interface ScheduleWork {
  /** Stays the same after a restart. */
  readonly id: string;
  readonly expression: string;
  readonly timeZone?: string;
  readonly startTime?: string;
  readonly endTime?: string;
  readonly state?: string;
  readonly name: string;
  readonly userName: string;
  readonly clusterName?: string;
  readonly clusterAction?: string;
  readonly job?: { readonly projectName: string; readonly jobName: string };
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
): JobWork | undefined {
  const job = jobItem(catalogue, projectName, jobName);
  if (!job) return undefined;
  const tasks = catalogue.children(job.id, 'task').map(({ name, definition, createdBy }) => ({
    ...(definition as Omit<TaskWork, 'name'>),
    name,
    createdBy,
  }));
  return {
    ...(job.definition as Partial<JobWork>),
    projectName: catalogue.byId(job.parentId)!.name,
    name: job.name,
    jobId: job.id,
    tasks,
  };
}

/** The current names of a job. Undefined if it has been dropped. */
export function jobNames(
  catalogue: ObjectCatalogue,
  jobId: number,
): { readonly projectName: string; readonly jobName: string } | undefined {
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
