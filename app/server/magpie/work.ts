/** What the jobs of the catalogue are to a runner of jobs: their definitions, and how a task is done. */
import type { RunOutput } from '../interpreters/contract.ts';
import { quoteName } from '../interpreters/sql-script.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { may } from './catalogue/permissions.ts';
import { sameName, type Item } from './catalogue/state.ts';
import { ExecutionError, MetadataError } from './contract.ts';
import type { Magpie } from './index.ts';
import { quotedName } from './language/reader.ts';
import type { JobRunData, JobRunHandle, Jobs } from './statements/context.ts';

/** A task as the runner has it. */
export interface TaskWork {
  /** Who added it. */
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

/** A job as the runner has it. */
export interface JobWork {
  readonly projectName: string;
  readonly name: string;
  readonly jobId?: number;
  readonly state?: string;
  readonly failureMode?: string;
  readonly allowConcurrentRuns?: boolean;
  readonly tasks: readonly TaskWork[];
}

/** How a task is done: until when, for whom, and where its log goes. */
export interface WorkContext {
  readonly signal: AbortSignal;
  readonly run: {
    readonly jobRunId: string;
    readonly projectName: string;
    readonly jobName: string;
    readonly userName: string;
  };
  log(eventType: string, message: string): void;
}

/** A schedule, with what it is of. */
export interface ScheduleWork {
  /** The same after a restart. */
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

/** Runs a script of Python in a process of its own. */
export type RunPython = (task: {
  readonly script: string;
  readonly signal: AbortSignal;
  log(eventType: string, message: string): void;
}) => Promise<void>;

/** The job of a name. */
export function jobItem(
  catalogue: Catalogue,
  projectName: string,
  jobName: string,
): Item | undefined {
  const project = catalogue.state.items.find(
    ({ type, name }) => type === 'project' && sameName(name, projectName),
  );
  return project && catalogue.child(project.id, 'job', jobName);
}

/** The job of a name as it is defined now. */
export function jobWork(
  catalogue: Catalogue,
  projectName: string,
  jobName: string,
): JobWork | undefined {
  const job = jobItem(catalogue, projectName, jobName);
  if (!job) return undefined;
  const tasks = catalogue
    .children(job.id, 'task')
    .map(({ name, definition, createdBy }) => ({
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

/** The names that a job has now; undefined where it has been dropped. */
export function jobNames(
  catalogue: Catalogue,
  jobId: number,
): { readonly projectName: string; readonly jobName: string } | undefined {
  const job = catalogue.byId(jobId);
  const project = job?.type === 'job' ? catalogue.byId(job.parentId) : undefined;
  return job && project && { projectName: project.name, jobName: job.name };
}

/** All schedules as they are defined now. */
export function scheduleWork(catalogue: Catalogue): readonly ScheduleWork[] {
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

/** Longest line of output that a log takes as one entry, in characters. */
const LONGEST = 16_000;

/** Output of a script as lines of a task's log; tables and widgets are told by their kind. */
function logOutput(log: WorkContext['log']): RunOutput {
  let rest = '';
  const line = (text: string) => text !== '' && log('TaskOutput', text.slice(0, LONGEST));
  const flush = () => {
    line(rest);
    rest = '';
  };
  return {
    write(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const each of lines) line(each.replace(/^%(?:text|table) /, ''));
    },
    add(type, data) {
      flush();
      if (type === 'HTML') line(/"widget":"([\w-]+)"/.exec(data)?.[1] ?? 'page');
      else for (const each of data.split('\n')) line(each);
    },
    // How a nested widget goes on is in a log of its own.
    replace: () => {},
    whole: () => {},
    clear: () => {},
  };
}

/** A script as it stood between its marks: what indents it there is none of Python's. */
export function pythonText(script: string): string {
  const [first = '', ...rest] = script.split('\n');
  if (first.trim() !== '') return [first.trimStart(), ...rest].join('\n');
  const indents = rest.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)![0]);
  const shared = indents.reduce(
    (one, other) => (one.startsWith(other) ? other : other.startsWith(one) ? one : ''),
    indents[0] ?? '',
  );
  return rest
    .map((line) => (line.startsWith(shared) ? line.slice(shared.length) : line.trimStart()))
    .join('\n');
}

/** Rows of a query that a log shows. */
const LOG_ROWS = 20;

/**
 * Does a task, for the user of its run, with what he and who added it may now; nested jobs are the runner's. Rejects with the statement's error, with
 * {@link ExecutionError} where the language is not there, or with the signal's reason.
 */
export async function doTask(
  magpie: Magpie,
  task: TaskWork,
  { signal, run, log }: WorkContext,
  python: RunPython | undefined,
): Promise<void> {
  const { catalogue } = magpie;
  const job = jobItem(catalogue, run.projectName, run.jobName);
  if (!job) throw new MetadataError(`There is no job ${run.projectName}.${run.jobName}.`);
  const repository = catalogue.holder(job, 'repository')!;
  const who = await magpie.whoIs(run.userName);
  if (!may(catalogue.state, who, 'Execute', job))
    throw new MetadataError(`${run.userName} needs Execute on job ${catalogue.nameOf(job)}.`);
  const language = task.taskType.toLowerCase();
  if (language !== 'magpie' && language !== 'sqlmapper') {
    for (const each of [
      who,
      ...(task.createdBy === undefined || task.createdBy === run.userName
        ? []
        : [await magpie.whoIs(task.createdBy)]),
    ]) {
      if (!may(catalogue.state, each, 'Developer', repository))
        throw new MetadataError(
          `${each.userName} needs Developer on repository ${repository.name}.`,
        );
    }
    if (language !== 'python' || !python)
      throw new ExecutionError(`Tasks in ${task.taskType} are not available on this server.`);
    return python({ script: pythonText(task.script ?? ''), signal, log });
  }
  const session = magpie.session(run.userName);
  try {
    session.place = { ...session.placeOf(repository), projectId: job.parentId };
    const script =
      language === 'magpie' ? (task.script ?? '') : await mapperScript(catalogue, repository, task);
    await magpie.execute(script, session, logOutput(log), {
      noteId: '',
      jobRunId: run.jobRunId,
      ...(task.createdBy === undefined ? {} : { scriptBy: task.createdBy }),
      signal,
      limit: LOG_ROWS,
      keep: undefined,
      progress: () => {},
    });
  } finally {
    await magpie.end(session);
  }
}

/** The statement that an SQL mapper is. */
async function mapperScript(
  catalogue: Catalogue,
  repository: Item,
  task: TaskWork,
): Promise<string> {
  const spec: Exclude<TaskWork['targetTableSpec'], string | undefined> =
    typeof task.targetTableSpec === 'string'
      ? { name: task.targetTableSpec }
      : (task.targetTableSpec ?? {});
  const table = task.targetTableName ?? spec.name ?? spec.tableName;
  if (table === undefined) throw new MetadataError(`The task ${task.name} names no table.`);
  const schemaName =
    task.targetSchemaName ??
    spec.schemaName ??
    (typeof repository.definition['defaultSchemaName'] === 'string'
      ? repository.definition['defaultSchemaName']
      : undefined);
  if (schemaName === undefined)
    throw new MetadataError(
      `The task ${task.name} names no schema, and repository ${repository.name} has none by default.`,
    );
  const schema = catalogue.child(repository.id, 'schema', schemaName);
  const target = `${quotedName(schemaName)}.${quotedName(table)}`;
  const mode = (task.saveMode ?? task.createMode ?? 'Create').toLowerCase();
  const exists = schema !== undefined && catalogue.child(schema.id, 'table', table) !== undefined;
  if (
    mode === 'useexisting' &&
    exists &&
    (task.dataSourceName !== undefined || spec.file !== undefined)
  )
    throw new MetadataError(
      `Adding rows to files is not available on this server: the task ${task.name} writes ${target} anew with "saveMode": "Replace".`,
    );
  if (mode === 'useexisting' && exists)
    return `insert into ${quoteName(schemaName)}.${quoteName(table)} ${task.script ?? ''}`;
  const { dataSourceName, partitionOptions } = task;
  const storage = {
    ...(mode === 'replacewithdelete' ? { saveMode: 'ReplaceWithDelete' } : {}),
    ...(dataSourceName === undefined ? {} : { dataSourceName }),
    ...(partitionOptions === undefined ? {} : { partitionOptions }),
    ...(spec.file === undefined ? {} : { file: spec.file }),
  };
  return `create ${mode === 'create' || mode === 'useexisting' ? '' : 'or replace '}table ${target} from sql (${task.script ?? ''}\n) ${Object.keys(storage).length === 0 ? '' : JSON.stringify(storage)}`;
}

/** A runner as the statements use it. */
export interface Runner {
  start(
    job: JobWork,
    options: {
      readonly userName: string;
      readonly scheduleName?: string;
      readonly clusterName?: string;
      readonly fromTask?: string;
      readonly parentJobRunId?: string;
    },
  ): JobRunHandle;
  history(
    projectName: string,
    jobName: string,
    taskName?: string,
    since?: string,
  ): Promise<{ readonly history: readonly object[] }>;
  metrics(projectName: string, jobName: string, since?: string): Promise<object>;
  forget(projectName: string, jobName: string, jobId?: number): Promise<void>;
  find(jobRunId: string): Promise<JobRunData | undefined>;
  handle(jobRunId: string): JobRunHandle | undefined;
}

/** What statements need of a runner over the jobs of the catalogue. */
export function jobsOver(
  runner: Runner,
  catalogue: Catalogue,
  {
    missed = () => [],
    told = () => [],
    sendsLetters = false,
  }: Partial<Pick<Jobs, 'missed' | 'told' | 'sendsLetters'>> = {},
): Jobs {
  return {
    start(projectName, jobName, { onlyTask, ...by }) {
      const job = jobWork(catalogue, projectName, jobName);
      if (!job) throw new MetadataError(`There is no job ${projectName}.${jobName}.`);
      if (onlyTask === undefined) return runner.start(job, by);
      const tasks = job.tasks
        .filter(({ name }) => sameName(name, onlyTask))
        .map(({ predecessorName: _, ...task }) => task);
      return runner.start({ ...job, tasks }, by);
    },
    // A job of the same name may have been somebody else's.
    history: async (projectName, jobName, taskName) =>
      (
        await runner.history(
          projectName,
          jobName,
          taskName,
          jobItem(catalogue, projectName, jobName)?.createdAt,
        )
      ).history,
    metrics: (projectName, jobName) =>
      runner.metrics(projectName, jobName, jobItem(catalogue, projectName, jobName)?.createdAt),
    forget: (projectName, jobName, jobId) => runner.forget(projectName, jobName, jobId),
    missed,
    told,
    sendsLetters,
    async find(jobRunId) {
      const handle = runner.handle(jobRunId);
      if (handle) return handle;
      const run = await runner.find(jobRunId);
      return run && { run };
    },
  };
}

/** Starts what a schedule is of, as the account it runs as; throws where that may not, or is gone. */
export async function startSchedule(
  magpie: Magpie,
  runner: Runner,
  schedule: ScheduleWork,
): Promise<void> {
  const { catalogue } = magpie;
  const who = await magpie.whoIs(schedule.userName);
  if (schedule.job) {
    const { projectName, jobName } = schedule.job;
    const item = jobItem(catalogue, projectName, jobName);
    const job = jobWork(catalogue, projectName, jobName);
    if (!item || !job) throw new MetadataError(`There is no job ${projectName}.${jobName}.`);
    if (!may(catalogue.state, who, 'Execute', item))
      throw new MetadataError(
        `${schedule.userName} needs Execute on job ${catalogue.nameOf(item)}.`,
      );
    runner.start(job, { userName: schedule.userName, scheduleName: schedule.name });
    return;
  }
  const cluster = catalogue.child(catalogue.organization.id, 'cluster', schedule.clusterName ?? '');
  if (!cluster || !may(catalogue.state, who, 'Write', cluster))
    throw new MetadataError(
      `${schedule.userName} needs Write on cluster ${schedule.clusterName ?? ''}.`,
    );
  // The engine is a part of the server: it runs while that does, so it is neither started nor stopped.
  if (schedule.clusterAction === 'Stop')
    throw new MetadataError('Stopping the cluster local is not available on this server.');
  if (schedule.clusterAction === 'Restart') await magpie.restartEngine();
}
