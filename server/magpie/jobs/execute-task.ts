/**
 * Executes the tasks of jobs: scripts of the command language, Python scripts and SQL mappers.
 * Starts what schedules refer to.
 */
import type { RunOutput } from '../../interpreters/contract.ts';
import { quoteName } from '../../interpreters/sql/script.ts';
import type { ObjectCatalogue } from '../catalogue/catalogue.ts';
import { may } from '../catalogue/permissions.ts';
import { definitionOf, type Item } from '../catalogue/state.ts';
import { ExecutionError, MetadataError } from '../contract.ts';
import { quotedName } from '../language/reader.ts';
import type { Magpie } from '../magpie.ts';
import { jobItem, jobWork, type ScheduleWork } from './catalogue-jobs.ts';
import type { PythonTasks } from './python-task.ts';
import type { JobRunner } from './runner.ts';
import type { TaskContext } from './running-job.ts';
import type { TaskDefinition } from './types.ts';

/** Maximum length of an output line in a log entry, in characters. */
const MAX_LINE_LENGTH = 16_000;

/** Writes a script's output to the task log. A widget is logged by its id. */
function logOutput(log: TaskContext['log']): RunOutput {
  let rest = '';
  const line = (text: string) => text !== '' && log('TaskOutput', text.slice(0, MAX_LINE_LENGTH));
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
    // A nested job has its own log.
    replace: () => {},
    whole: () => {},
    storing: () => {},
    clear: () => {},
  };
}

/** Removes the indentation that a script has only because of the surrounding statement. */
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

/** Maximum number of result rows to log. */
const LOG_ROWS = 20;

/**
 * Executes a task with the rights that both the run's user and the task's author have now. Nested
 * jobs are executed by the runner instead. Rejects with the statement's error, with {@link
 * ExecutionError} if the language is not available, or with the signal's reason.
 */
export async function runTask(
  magpie: Magpie,
  task: TaskDefinition,
  { signal, run, log }: Pick<TaskContext, 'signal' | 'run' | 'log'>,
  python: Pick<PythonTasks, 'run'>,
): Promise<void> {
  const { catalogue } = magpie;
  const job = jobItem(catalogue, run.projectName, run.jobName);
  if (!job) throw new MetadataError(`There is no job ${run.projectName}.${run.jobName}.`);
  const repository = catalogue.holder(job, 'repository')!;
  const who = await magpie.requesterOf(run.userName);
  if (!may(catalogue.state, who, 'Execute', job))
    throw new MetadataError(`${run.userName} needs Execute on job ${catalogue.nameOf(job)}.`);
  const language = task.taskType.toLowerCase();
  if (language !== 'magpie' && language !== 'sqlmapper') {
    for (const each of [
      who,
      ...(task.createdBy === undefined || task.createdBy === run.userName
        ? []
        : [await magpie.requesterOf(task.createdBy)]),
    ]) {
      if (!may(catalogue.state, each, 'Developer', repository))
        throw new MetadataError(
          `${each.userName} needs Developer on repository ${repository.name}.`,
        );
    }
    if (language !== 'python')
      throw new ExecutionError(`Tasks in ${task.taskType} are not available on this server.`);
    return python.run({ script: pythonText(task.script ?? ''), signal, log });
  }
  const session = magpie.session(run.userName);
  try {
    session.scope = { ...session.scopeOf(repository), projectId: job.parentId };
    const script =
      language === 'magpie' ? (task.script ?? '') : await mapperScript(catalogue, repository, task);
    await magpie.execute(script, session, logOutput(log), {
      noteId: '',
      jobRunId: run.jobRunId,
      ...(task.createdBy === undefined ? {} : { scriptBy: task.createdBy }),
      signal,
      limit: LOG_ROWS,
    });
  } finally {
    await magpie.end(session);
  }
}

/** The statement that a SQL mapper task runs. */
async function mapperScript(
  catalogue: ObjectCatalogue,
  repository: Item,
  task: TaskDefinition,
): Promise<string> {
  const spec: Exclude<TaskDefinition['targetTableSpec'], string | undefined> =
    typeof task.targetTableSpec === 'string'
      ? { name: task.targetTableSpec }
      : (task.targetTableSpec ?? {});
  const table = task.targetTableName ?? spec.name ?? spec.tableName;
  if (table === undefined) throw new MetadataError(`Task ${task.name} has no target table.`);
  const schemaName =
    task.targetSchemaName ??
    spec.schemaName ??
    definitionOf(repository, 'repository').defaultSchemaName;
  if (schemaName === undefined)
    throw new MetadataError(
      `Task ${task.name} has no target schema, and repository ${repository.name} has no ` +
        'default schema.',
    );
  const schema = catalogue.child(repository.id, 'schema', schemaName);
  const target = `${quotedName(schemaName)}.${quotedName(table)}`;
  const mode = (task.saveMode ?? task.createMode ?? 'Create').toLowerCase();
  const exists = schema !== undefined && catalogue.child(schema.id, 'table', table) !== undefined;
  if (mode === 'useexisting' && exists) {
    if (task.dataSourceName !== undefined || spec.file !== undefined)
      throw new MetadataError(
        'Appending rows to files is not available on this server. ' +
          `Use "saveMode": "Replace" in task ${task.name} to rewrite ${target}.`,
      );
    return `insert into ${quoteName(schemaName)}.${quoteName(table)} ${task.script ?? ''}`;
  }
  const { dataSourceName, partitionOptions } = task;
  const storage = JSON.stringify({
    saveMode: mode === 'replacewithdelete' ? 'ReplaceWithDelete' : undefined,
    dataSourceName,
    partitionOptions,
    file: spec.file,
  });
  return (
    `create ${mode === 'create' || mode === 'useexisting' ? '' : 'or replace '}table ${target} ` +
    `from sql (${task.script ?? ''}\n) ` +
    (storage === '{}' ? '' : storage)
  );
}

/**
 * Starts what a schedule refers to, as the schedule's user. Throws if that user lacks the
 * permission, or the job no longer exists.
 */
export async function startSchedule(
  magpie: Magpie,
  runner: JobRunner,
  schedule: ScheduleWork,
): Promise<void> {
  const { catalogue } = magpie;
  const who = await magpie.requesterOf(schedule.userName);
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
  // The engine runs in the server's process, so it cannot be started or stopped separately.
  if (schedule.clusterAction === 'Stop')
    throw new MetadataError('Stopping the cluster local is not available on this server.');
  if (schedule.clusterAction === 'Restart') await magpie.restartEngine();
}
