/** Adds tasks to jobs. */
import { define, type ObjectDefinition } from '../../catalogue/definitions.ts';
import { definitionOf, type Item, isSameName } from '../../catalogue/state.ts';
import { MetadataError } from '../../contract.ts';
import { mapperMembers } from '../../jobs/types.ts';
import type { Addition } from '../../language/statements.ts';
import type { StatementContext } from '../context.ts';
import { refuseFiles } from '../files/write-files.ts';
import { addPart } from '../objects/add-part.ts';
import { resolveObject } from '../resolve-and-record.ts';

const taskTypes = { magpie: 'Magpie', scala: 'Scala', python: 'Python', r: 'R' } as const;

export async function addTask(
  context: StatementContext,
  job: Item,
  addition: Extract<Addition, { what: 'task' }>,
): Promise<void> {
  const { catalogue, who } = context;
  const { value, ignored } = define('task', addition.body);
  const { name, predecessorName, ...rest } = value;
  const tasks = catalogue.children(job.id, 'task');
  const predecessor =
    predecessorName === undefined
      ? undefined
      : tasks.find((task) => isSameName(task.name, predecessorName));
  if (predecessorName !== undefined && !predecessor)
    throw new MetadataError(
      `The predecessor ${predecessorName} of task ${name} does not exist. Add that task first.`,
      { member: ['predecessorName'] },
    );
  const base = { ...rest, ...(predecessor ? { predecessorName: predecessor.name } : {}) };
  const add = (definition: object, words = idleMembers(rest)) =>
    addPart(context, job, 'task', name, { ...base, ...definition }, ignored, words);
  if (addition.task === 'script') {
    if (addition.language !== 'magpie')
      catalogue.requirePermission(catalogue.holder(job, 'repository')!, who, 'Developer');
    return add({ taskType: taskTypes[addition.language], script: addition.script });
  }
  if (addition.task === 'sql') {
    if (addition.script === '') throw new MetadataError(`The query of task ${name} is empty.`);
    if (value.targetTableName === undefined && value.targetTableSpec === undefined)
      throw new MetadataError('The task needs "targetTableName".');
    checkMapper(context, job, value);
    return add({ taskType: 'SqlMapper', script: addition.script }, '');
  }
  const nested = resolveObject(context, 'job', addition.job, 'Execute');
  if (reaches(context, nested, job.id))
    throw new MetadataError(
      `Job ${catalogue.nameOf(nested)} runs ${catalogue.nameOf(job)}, ` +
        'so it cannot be a task of it.',
    );
  const projectName = catalogue.byId(nested.parentId)!.name;
  return add({ taskType: 'NestedJob', nestedJobReference: { projectName, jobName: nested.name } });
}

/** Warns about members of a task that only apply to SQL tasks. */
function idleMembers(task: Omit<ObjectDefinition<'task'>, 'name'>): string {
  const idle = mapperMembers.filter((member) => task[member] !== undefined);
  return idle.length === 0 ? '' : ` These members only apply to SQL tasks: ${idle.join(', ')}.`;
}

/** Throws if a SQL task contradicts itself or asks for something this server cannot do. */
function checkMapper(
  { catalogue }: StatementContext,
  job: Item,
  task: ObjectDefinition<'task'>,
): void {
  const { targetTableSpec: given, dataSourceName, saveMode, createMode } = task;
  const spec = typeof given === 'object' ? given : { name: given };
  const differ = (what: string, ...names: readonly (string | undefined)[]) => {
    if (
      new Set(names.filter((name) => name !== undefined).map((name) => name.toLowerCase())).size > 1
    )
      throw new MetadataError(
        `The task has more than one ${what}: ${names.filter(Boolean).join(' and ')}.`,
      );
  };
  const tableName = 'tableName' in spec ? spec.tableName : undefined;
  differ('table', task.targetTableName, spec.name, tableName);
  differ('schema', task.targetSchemaName, 'schemaName' in spec ? spec.schemaName : undefined);
  differ('mode', saveMode, createMode);
  if (task.writeMode !== undefined && (saveMode ?? createMode) !== 'UseExisting')
    throw new MetadataError(
      '"writeMode" needs "createMode": "UseExisting", which appends the rows to an existing table.',
    );
  if (dataSourceName === undefined) {
    const file = 'file' in spec ? spec.file : undefined;
    return refuseFiles({ partitionOptions: task.partitionOptions, file });
  }
  const repository = catalogue.holder(job, 'repository')!;
  const source = catalogue.child(repository.id, 'data source', dataSourceName);
  if (!source)
    throw new MetadataError(
      `There is no data source ${dataSourceName} in repository ${repository.name}.`,
      { member: ['dataSourceName'] },
    );
  if (source.definition['sourceType'] !== 'file')
    throw new MetadataError(
      `Writing tables to data sources of type ${String(source.definition['sourceType'])} is ` +
        'not available on this server. Use a data source of type file.',
    );
}

/** Whether a job runs another one, directly or through nested jobs. */
function reaches(
  { catalogue }: StatementContext,
  job: Item,
  other: number,
  seen = new Set<number>(),
): boolean {
  if (job.id === other) return true;
  if (seen.has(job.id)) return false;
  seen.add(job.id);
  const repository = catalogue.holder(job, 'repository')!;
  return catalogue.children(job.id, 'task').some((task) => {
    const { nestedJobReference: reference } = definitionOf(task, 'task');
    const project = reference && catalogue.child(repository.id, 'project', reference.projectName);
    const nested = project && catalogue.child(project.id, 'job', reference.jobName);
    return nested !== undefined && reaches({ catalogue } as StatementContext, nested, other, seen);
  });
}
