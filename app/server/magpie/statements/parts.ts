/** `alter … add` and `alter … remove`: tasks, schedules and subscriptions of jobs, fields of tables, validators of suites. */
import { isAddress } from '../../auth/mail.ts';
import { quoteName } from '../../interpreters/sql-script.ts';
import {
  define,
  type Definition,
  defineField,
  defineValidator,
  type ItemType,
  type ValidatorDefinition,
} from '../catalogue/definitions.ts';
import { addItem, changeItem, dropItem } from '../catalogue/edits.ts';
import { engineType } from '../catalogue/field-types.ts';
import { sameName, type Item, type Permission } from '../catalogue/state.ts';
import { MetadataError } from '../contract.ts';
import { subscribable } from '../jobs/subscriptions.ts';
import type { Addition, Body, Ref, StatementOf, Target } from '../language/statements.ts';
import type { Context } from './context.ts';
import { left, together } from './make-table.ts';
import { fieldsOf, mappingOf, tableOfItem } from './tables.ts';
import { needUser } from './users.ts';
import { changed, need, needTarget } from './uses.ts';

const holders: Readonly<Record<Addition['what'], readonly Target['type'][]>> = {
  task: ['job'],
  schedule: ['job', 'cluster'],
  subscription: ['job', 'cluster'],
  field: ['table'],
  validator: ['validation suite'],
};

function holderOfPart(context: Context, target: Target, what: Addition['what']): Item {
  if (!holders[what].includes(target.type))
    throw new MetadataError(
      `A ${target.type} has no ${what}s; a ${holders[what].join(' or ')} has.`,
    );
  return needTarget(context, target, 'Write');
}

/** Carries out `alter … add`. */
export async function alterAdd(
  context: Context,
  { target, addition }: StatementOf<'alterAdd'>,
): Promise<void> {
  const holder = holderOfPart(context, target, addition.what);
  if (addition.what === 'field') return addField(context, holder, addition.body);
  if (addition.what === 'validator') return addValidator(context, holder, addition.body);
  // It would be his who runs this, and not his who wrote it.
  if (context.who.both && (addition.what === 'task' || addition.what === 'schedule'))
    throw new MetadataError(
      `A task of ${context.run.scriptBy!} in a run of ${context.who.userName} adds no ${addition.what}s.`,
    );
  if (addition.what === 'task') return addTask(context, holder, addition);
  const { value, ignored } = define(addition.what, addition.body);
  const { name, ...definition } = value;
  if (addition.what === 'schedule')
    await checkSchedule(context, holder, definition as Omit<Definition<'schedule'>, 'name'>);
  const words =
    addition.what === 'subscription'
      ? await subscriptionWords(
          context,
          holder,
          definition as Omit<Definition<'subscription'>, 'name'>,
        )
      : '';
  const stored =
    addition.what === 'schedule'
      ? {
          ...definition,
          userName: (definition as { userName?: string }).userName ?? context.who.userName,
        }
      : definition;
  await addPart(context, holder, addition.what, name, stored, ignored, words);
}

async function addPart(
  context: Context,
  holder: Item,
  type: ItemType,
  name: string,
  definition: Readonly<Record<string, unknown>>,
  ignored: readonly string[],
  words = '',
): Promise<void> {
  await context.catalogue.change((state) =>
    addItem(state, { type, name, parentId: holder.id, definition }, context.who.userName),
  );
  changed(context, holder, 'Alter', `add ${type} ${name}`);
  context.emit.say(
    `Added ${type} ${name} to ${holder.type} ${context.catalogue.nameOf(holder)}.${left(ignored)}${words}`,
  );
}

/** What is to be said of a new subscription. Throws where it could tell nobody of anything. */
async function subscriptionWords(
  context: Context,
  holder: Item,
  { eventTypes, recipients }: Omit<Definition<'subscription'>, 'name'>,
): Promise<string> {
  if (holder.type === 'cluster')
    throw new MetadataError(
      'Letters about clusters are not available on this server: its one engine neither starts nor stops while it runs.',
    );
  const unknown = eventTypes.find((type) => !subscribable.some((known) => sameName(known, type)));
  if (unknown !== undefined)
    throw new MetadataError(
      `Letters about ${unknown} are not available on this server: "eventTypes" are of ${subscribable.join(', ')}.`,
    );
  if (recipients.length > 50) throw new MetadataError('A subscription has at most 50 recipients.');
  const people = await Promise.all(
    recipients.map(async (name) => ({ name, person: await context.people.find(name) })),
  );
  const nobody = people.find(({ name, person }) => !person && !isAddress(name));
  if (nobody) throw new MetadataError(`There is no user ${nobody.name}, and it is no address.`);
  const silent = people.filter(({ name }) => !isAddress(name)).map(({ name }) => name);
  return [
    ...(eventTypes.length === 0 ? ['It names no "eventTypes": nobody is told of anything.'] : []),
    ...(recipients.length === 0 ? ['It names no "recipients": nobody is told.'] : []),
    ...(silent.length > 0
      ? [`No letter reaches ${silent.join(', ')}: the name of the user is no address.`]
      : []),
    ...(context.jobs?.sendsLetters === true
      ? []
      : [
          'This server has no mail server (TIDING_SMTP_URL): no letters are sent, and "show subscriptions" shows what they would have told.',
        ]),
  ]
    .map((sentence) => ` ${sentence}`)
    .join('');
}

async function checkSchedule(
  context: Context,
  holder: Item,
  {
    expression,
    clusterAction,
    clusterName,
    userName,
    startTime,
    endTime,
  }: Omit<Definition<'schedule'>, 'name'>,
): Promise<void> {
  if (
    clusterName !== undefined &&
    !(
      holder.type === 'job' &&
      context.catalogue.child(context.catalogue.organization.id, 'cluster', clusterName)
    )
  ) {
    throw new MetadataError(
      holder.type === 'job'
        ? `The cluster ${clusterName} is not available on this server: it has the one engine, cluster local.`
        : '"clusterName" is for the schedule of a job; that of a cluster is of the cluster.',
    );
  }
  if (clusterAction === 'Stop')
    throw new MetadataError(
      'Stopping is not available on this server: the engine of cluster local is a part of it and is there as long as it. "Restart" ends all sessions with it.',
    );
  if (startTime !== undefined && endTime !== undefined && startTime >= endTime)
    throw new MetadataError('"endTime" of the schedule is before its "startTime".');
  if (userName !== undefined && userName !== context.who.userName) {
    context.catalogue.demandAdmin(context.who, 'make schedules that run as somebody else');
    await needUser(context, userName);
  }
  if (holder.type === 'job') {
    if (clusterAction !== undefined)
      throw new MetadataError(
        '"clusterAction" is for the schedule of a cluster; a job is started.',
      );
    context.catalogue.demand(holder, context.who, 'Execute');
    return;
  }
  if (clusterAction === undefined)
    throw new MetadataError(
      'The schedule of a cluster needs "clusterAction": Start, Stop or Restart.',
    );
  const [second = '', minute = '', hour = ''] = expression.trim().split(/\s+/);
  if (![second, minute, hour].every((part) => /^[0-5]?\d$/.test(part)))
    throw new MetadataError(
      'Minutes and hours of the schedule of a cluster are plain whole numbers: it never acts more often than hourly.',
    );
}

/** A schedule of a job or cluster. */
export function scheduleOf(context: Context, name: string, of: Ref, permission: Permission): Item {
  const { catalogue, session } = context;
  const asJob = catalogue.find({ type: 'job', ref: of }, session.place);
  const holder = need(context, asJob ? 'job' : 'cluster', of, permission);
  const found = catalogue.child(holder.id, 'schedule', name);
  if (!found)
    throw new MetadataError(
      `There is no schedule ${name} of ${holder.type} ${catalogue.nameOf(holder)}.`,
    );
  return found;
}

async function addField(context: Context, table: Item, body: Body): Promise<void> {
  const { value, ignored } = defineField(body);
  if (mappingOf(table))
    throw new MetadataError(
      `The fields of ${context.catalogue.nameOf(table)} are those of what it reads: change its mapping.`,
    );
  const { from, name } = tableOfItem(context, table);
  const fields = await fieldsOf(context.engine, { from, item: table });
  if (fields.some((field) => sameName(field.name, value.name)))
    throw new MetadataError(`The table ${name} has a field ${value.name} already.`);
  await together(
    context,
    () =>
      context.engine.query(
        `ALTER TABLE ${from} ADD COLUMN ${quoteName(value.name)} ${engineType(value.fieldType) ?? 'VARCHAR'}`,
      ),
    (state) =>
      changeItem(state, table.id, {
        definition: { ...table.definition, fields: [...fields, value] },
      }),
  );
  changed(context, table, 'Alter', `add field ${value.name}`);
  context.emit.say(`Added field ${value.name} to table ${name}.${left(ignored)}`);
}

/** The validators of a suite. */
export const validatorsOf = (suite: Item): readonly ValidatorDefinition[] =>
  (suite.definition['validators'] as readonly ValidatorDefinition[] | undefined) ?? [];

async function addValidator(context: Context, suite: Item, body: Body): Promise<void> {
  const { value, ignored } = defineValidator(body);
  const before = validatorsOf(suite);
  if (before.some(({ name }) => sameName(name, value.name)))
    throw new MetadataError(`The suite ${suite.name} has a validator ${value.name} already.`);
  for (const named of (value['validators'] as readonly string[] | undefined) ?? []) {
    if (!before.some(({ name }) => sameName(name, named)))
      throw new MetadataError(
        `The validator ${value.name} names ${named}, which the suite does not have: add that one first.`,
      );
  }
  await context.catalogue.change((state) =>
    changeItem(state, suite.id, {
      definition: { ...suite.definition, validators: [...before, value] },
    }),
  );
  changed(context, suite, 'Alter', `add validator ${value.name}`);
  context.emit.say(
    `Added validator ${value.name} to validation suite ${suite.name}.${left(ignored)}`,
  );
}

const taskTypes = { magpie: 'Magpie', scala: 'Scala', python: 'Python', r: 'R' } as const;

async function addTask(
  context: Context,
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
      : tasks.find((task) => sameName(task.name, predecessorName));
  if (predecessorName !== undefined && !predecessor)
    throw new MetadataError(
      `The job has no task ${predecessorName} to come before ${name}: add that one first.`,
    );
  const base = { ...rest, ...(predecessor ? { predecessorName: predecessor.name } : {}) };
  const idle = addition.task === 'sql' ? '' : idleMembers(rest);
  if (addition.task === 'script') {
    if (addition.language !== 'magpie')
      catalogue.demand(catalogue.holder(job, 'repository')!, who, 'Developer');
    return addPart(
      context,
      job,
      'task',
      name,
      { ...base, taskType: taskTypes[addition.language], script: addition.script },
      ignored,
      idle,
    );
  }
  if (addition.task === 'sql') {
    if (addition.script === '') throw new MetadataError(`The query of task ${name} is empty.`);
    if (value.targetTableName === undefined && value.targetTableSpec === undefined)
      throw new MetadataError('The task needs "targetTableName".');
    checkMapper(context, job, value);
    return addPart(
      context,
      job,
      'task',
      name,
      { ...base, taskType: 'SqlMapper', script: addition.script },
      ignored,
    );
  }
  const nested = need(context, 'job', addition.job, 'Execute');
  if (reaches(context, nested, job.id))
    throw new MetadataError(
      `The job ${catalogue.nameOf(nested)} runs ${catalogue.nameOf(job)} itself: it cannot be a part of it.`,
    );
  return addPart(
    context,
    job,
    'task',
    name,
    {
      ...base,
      taskType: 'NestedJob',
      nestedJobReference: {
        projectName: catalogue.byId(nested.parentId)!.name,
        jobName: nested.name,
      },
    },
    ignored,
    idle,
  );
}

const mapperMembers = [
  'targetTableName',
  'targetTableSpec',
  'targetSchemaName',
  'dataSourceName',
  'partitionOptions',
  'saveMode',
  'createMode',
  'writeMode',
] as const;

/** What of a task says how a query is kept, where the task is none. */
function idleMembers(task: Omit<Definition<'task'>, 'name'>): string {
  const idle = mapperMembers.filter((member) => task[member] !== undefined);
  return idle.length === 0
    ? ''
    : ` Without effect on tasks that are not of SQL: ${idle.join(', ')}.`;
}

/** Throws where a task of SQL says what contradicts itself, or what this server cannot do. */
function checkMapper(
  { catalogue }: Context,
  job: Item,
  {
    targetTableName,
    targetTableSpec,
    targetSchemaName,
    dataSourceName,
    partitionOptions,
    saveMode,
    createMode,
    writeMode,
  }: Definition<'task'>,
): void {
  const spec = typeof targetTableSpec === 'object' ? targetTableSpec : { name: targetTableSpec };
  const differ = (what: string, ...names: readonly (string | undefined)[]) => {
    if (
      new Set(names.filter((name) => name !== undefined).map((name) => name.toLowerCase())).size > 1
    )
      throw new MetadataError(
        `The task names its ${what} twice: ${names.filter(Boolean).join(' and ')}.`,
      );
  };
  differ('table', targetTableName, spec.name, 'tableName' in spec ? spec.tableName : undefined);
  differ('schema', targetSchemaName, 'schemaName' in spec ? spec.schemaName : undefined);
  differ('mode', saveMode, createMode);
  if (writeMode !== undefined && (saveMode ?? createMode) !== 'UseExisting')
    throw new MetadataError(
      '"writeMode" goes with "createMode": "UseExisting": the rows are added to those of the table.',
    );
  if (dataSourceName === undefined) {
    if (partitionOptions !== undefined || ('file' in spec && spec.file !== undefined))
      throw new MetadataError(
        `The rows of a table without "dataSourceName" are in the engine: ${partitionOptions === undefined ? '"file"' : '"partitionOptions"'} of those is not available on this server.`,
      );
    return;
  }
  const repository = catalogue.holder(job, 'repository')!;
  const source = catalogue.child(repository.id, 'data source', dataSourceName);
  if (!source)
    throw new MetadataError(
      `There is no data source ${dataSourceName} in repository ${repository.name}.`,
    );
  if (source.definition['sourceType'] !== 'file')
    throw new MetadataError(
      `Tables that are written to data sources of type ${String(source.definition['sourceType'])} are not available on this server: those of type file are.`,
    );
}

/** Whether a job runs another one, by itself or by jobs in it. */
function reaches(
  { catalogue }: Context,
  job: Item,
  other: number,
  seen = new Set<number>(),
): boolean {
  if (job.id === other) return true;
  if (seen.has(job.id)) return false;
  seen.add(job.id);
  const repository = catalogue.holder(job, 'repository')!;
  return catalogue.children(job.id, 'task').some(({ definition }) => {
    const reference = definition['nestedJobReference'] as
      | { projectName: string; jobName: string }
      | undefined;
    const project = reference && catalogue.child(repository.id, 'project', reference.projectName);
    const nested = project && catalogue.child(project.id, 'job', reference.jobName);
    return nested !== undefined && reaches({ catalogue } as Context, nested, other, seen);
  });
}

/** Carries out `alter … remove`. */
export async function alterRemove(
  context: Context,
  { target, what, name }: StatementOf<'alterRemove'>,
): Promise<void> {
  const holder = holderOfPart(context, target, what);
  const { catalogue, engine, emit } = context;
  const missing = () =>
    new MetadataError(`There is no ${what} ${name} of ${holder.type} ${catalogue.nameOf(holder)}.`);
  if (what === 'field') {
    if (mappingOf(holder))
      throw new MetadataError(
        `The fields of ${catalogue.nameOf(holder)} are those of what it reads: change its mapping.`,
      );
    const { from } = tableOfItem(context, holder);
    const fields = await fieldsOf(engine, { from, item: holder });
    const found = fields.find((field) => sameName(field.name, name));
    if (!found) throw missing();
    if (fields.length === 1) throw new MetadataError('The last field of a table stays.');
    await together(
      context,
      () => engine.query(`ALTER TABLE ${from} DROP COLUMN ${quoteName(found.name)}`),
      (state) =>
        changeItem(state, holder.id, {
          definition: { ...holder.definition, fields: fields.filter((field) => field !== found) },
        }),
    );
  } else if (what === 'validator') {
    const before = validatorsOf(holder);
    const found = before.find((validator) => sameName(validator.name, name));
    if (!found) throw missing();
    const user = before.find((validator) =>
      (validator['validators'] as readonly string[] | undefined)?.some((named) =>
        sameName(named, name),
      ),
    );
    if (user)
      throw new MetadataError(
        `The validator ${user.name} names ${found.name}: remove that one first.`,
      );
    await catalogue.change((state) =>
      changeItem(state, holder.id, {
        definition: {
          ...holder.definition,
          validators: before.filter((validator) => validator !== found),
        },
      }),
    );
  } else {
    const found = catalogue.child(holder.id, what, name);
    if (!found) throw missing();
    const next =
      what === 'task'
        ? catalogue
            .children(holder.id, 'task')
            .find(({ definition }) =>
              sameName(String(definition['predecessorName'] ?? ''), found.name),
            )
        : undefined;
    if (next)
      throw new MetadataError(
        `The task ${next.name} comes after ${found.name}: remove that one first.`,
      );
    await catalogue.change((state) => dropItem(state, found.id));
  }
  changed(context, holder, 'Alter', `remove ${what} ${name}`);
  emit.say(`Removed ${what} ${name} from ${holder.type} ${catalogue.nameOf(holder)}.`);
}
