/** `describe`: an object with all there is to know of it, as the widget of its kind. */
import type { Item } from '../catalogue/state.ts';
import { sameName } from '../catalogue/state.ts';
import { MetadataError } from '../contract.ts';
import type { StatementOf } from '../language/statements.ts';
import type { Context } from './context.ts';
import { describeJob, describeTaskItem, scheduleData, scheduleHistory } from './job-views.ts';
import { lineageOf } from './lineage.ts';
import { scheduleOf, validatorsOf } from './parts.ts';
import { permissionsOfUser, permissionsOn, permissionsOfRole } from './permission-lists.ts';
import { fieldsOf, tableOf } from './tables.ts';
import { need, needTarget } from './uses.ts';
import { needUser } from './users.ts';

/** Carries out `describe TYPE NAME`. */
export async function describe(
  context: Context,
  { target }: StatementOf<'describe'>,
): Promise<void> {
  const { type, ref } = target;
  if (type === 'user') return describeUser(context, ref[0]!);
  if (type === 'table') return describeTable(context, ref);
  const item = needTarget(
    context,
    target,
    type === 'organization' || type === 'role' || type === 'secret' ? 'Use' : 'Read',
  );
  const { emit, catalogue } = context;
  const lineage = lineageOf(context, item);
  const base = baseOf(item);
  switch (type) {
    case 'organization': {
      const repository = catalogue
        .children(item.id, 'repository')
        .find(({ name }) => sameName(name, String(item.definition['defaultRepositoryName'] ?? '')));
      return emit.widget('organization', {
        organization: { organizationId: item.id, ...base },
        ...(repository
          ? { defaultRepository: { repositoryId: repository.id, name: repository.name } }
          : {}),
        permissions: context.who.isAdmin
          ? permissionsOn(context, item)
          : permissionsOfUser(context, context.who.userName),
      });
    }
    case 'repository': {
      const part = (kind: 'data source' | 'project' | 'schema', key: string) =>
        catalogue
          .visible(catalogue.children(item.id, kind), context.who)
          .map(({ id, name }) => ({ [key]: id, name }));
      const idOf = (kind: 'data source' | 'project' | 'schema', member: string) =>
        catalogue.child(item.id, kind, String(item.definition[member] ?? ''))?.id;
      return emit.widget('repository', {
        repository: {
          repositoryId: item.id,
          ...base,
          defaultDataSourceId: idOf('data source', 'defaultDataSourceName'),
          defaultProjectId: idOf('project', 'defaultProjectName'),
          defaultSchemaId: idOf('schema', 'defaultSchemaName'),
          dataSources: part('data source', 'dataSourceId'),
          projects: part('project', 'projectId'),
          schemas: part('schema', 'schemaId'),
        },
        lineage,
      });
    }
    case 'schema': {
      const names = (kind: 'table' | 'stream' | 'sink') =>
        catalogue
          .visible(catalogue.children(item.id, kind), context.who)
          .map(({ name, definition }) => ({
            name,
            ...(definition['description'] ? { description: definition['description'] } : {}),
          }));
      return emit.widget('schema', {
        schema: {
          schemaId: item.id,
          ...base,
          repositoryName: catalogue.byId(item.parentId)!.name,
          tables: names('table'),
          streams: names('stream'),
          sinks: names('sink'),
        },
        lineage,
      });
    }
    case 'data source':
      return emit.widget('data-source', {
        dataSource: { dataSourceId: item.id, ...withoutSecrets(base) },
        lineage,
      });
    case 'stream':
      return emit.widget('stream', {
        stream: { streamId: item.id, ...base, schemaName: catalogue.byId(item.parentId)!.name },
        lineage,
      });
    case 'sink':
      return emit.widget('sink', {
        sink: { sinkId: item.id, ...base, schemaName: catalogue.byId(item.parentId)!.name },
        lineage,
      });
    case 'project': {
      const jobs = catalogue.visible(catalogue.children(item.id, 'job'), context.who);
      const histories = await Promise.all(
        jobs
          .filter((job) => catalogue.may(job, context.who, 'Read'))
          .map(({ name }) => context.jobs?.history(item.name, name) ?? []),
      );
      const history = (histories.flat() as readonly { startTime?: string }[]).toSorted((a, b) =>
        String(b.startTime).localeCompare(String(a.startTime)),
      );
      return emit.widget('project', {
        project: {
          projectId: item.id,
          ...base,
          repositoryName: catalogue.byId(item.parentId)!.name,
        },
        lineage,
        jobs: jobs.map(({ name, definition }) => ({
          name,
          description: definition['description'],
          state: definition['state'],
        })),
        history,
      });
    }
    case 'job':
      return describeJob(context, item);
    case 'cluster':
      return describeCluster(context, item);
    case 'role': {
      const users = catalogue.state.members
        .filter(({ role }) => sameName(role, item.name))
        .map(({ userName }) => ({ userName }));
      return emit.widget('role', {
        role: base,
        users,
        permissions: permissionsOfRole(context, item.name),
      });
    }
    case 'secret':
      return emit.widget('secret', {
        secret: {
          name: item.name,
          description: item.definition['description'],
          createdAt: item.createdAt,
          updatedAt: item.updatedAt,
        },
        lineage,
      });
    case 'validation suite':
      return emit.widget('validation-suite', {
        validationSuite: { name: item.name, description: item.definition['description'] },
        validators: validatorsOf(item),
        lineage,
      });
  }
}

const baseOf = (item: Item): Record<string, unknown> => ({ name: item.name, ...item.definition });

/** Credentials are told by their kind alone. */
function withoutSecrets({
  credentials,
  ...rest
}: Record<string, unknown>): Record<string, unknown> {
  const type = (credentials as { credentialType?: string } | undefined)?.credentialType;
  return type === undefined ? rest : { ...rest, credentialType: type };
}

async function describeTable(context: Context, ref: readonly string[]): Promise<void> {
  const table = await tableOf(context, ref, 'Read');
  const fields = await fieldsOf(context.engine, table);
  const { item } = table;
  if (!item)
    return context.emit.widget('table', {
      table: { name: table.tableName, isTemporary: true, fields },
    });
  const { persistenceMapping, isCached, description } = item.definition;
  context.emit.widget('table', {
    table: {
      tableId: item.id,
      name: item.name,
      schemaName: table.schemaName,
      description,
      fields,
      persistenceMapping,
      isTemporary: false,
      isCached: isCached === true,
    },
    lineage: lineageOf(context, item),
  });
}

async function describeUser(context: Context, userName: string): Promise<void> {
  if (userName !== context.who.userName)
    context.catalogue.demandAdmin(context.who, 'see what others may do');
  const { isDisabled } = await needUser(context, userName);
  const { catalogue } = context;
  const { firstName, lastName, serviceAccount } = catalogue.state.profiles[userName] ?? {};
  const roles = catalogue.state.members
    .filter((member) => member.userName === userName)
    .map(({ role }) => ({ name: role }));
  context.emit.widget('user', {
    user: {
      userName,
      firstName,
      lastName,
      userStatus: isDisabled ? 'Disabled' : 'Active',
      serviceAccount: serviceAccount === true,
      roles,
      permissions: permissionsOfUser(context, userName),
    },
  });
}

async function describeCluster(context: Context, item: Item): Promise<void> {
  const { catalogue, emit } = context;
  const schedules = catalogue
    .children(item.id, 'schedule')
    .map((schedule) => scheduleData(context, schedule));
  const subscriptions = catalogue.children(item.id, 'subscription').map(({ name }) => ({ name }));
  const { description } = item.definition;
  // One engine in this process: no instances, no address of anything.
  emit.widget('cluster', {
    cluster: {
      clusterId: item.id,
      name: item.name,
      description,
      driverType: { name: 'this server' },
      workerCount: 0,
      lastStarted: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    },
    state: 'Running',
    health: { driver: 'Healthy' },
    schedules,
    subscriptions,
    history: [],
    lineage: lineageOf(context, item),
  });
}

/** Carries out `describe task`. */
export async function describeTask(
  context: Context,
  { ref }: StatementOf<'describeTask'>,
): Promise<void> {
  if (ref.length < 2)
    throw new MetadataError('A task is named with its job: describe task JOB.TASK.');
  const job = need(context, 'job', ref.slice(0, -1), 'Read');
  const task = context.catalogue.child(job.id, 'task', ref.at(-1)!);
  if (!task)
    throw new MetadataError(
      `There is no task ${ref.at(-1)!} of job ${context.catalogue.nameOf(job)}.`,
    );
  describeTaskItem(context, task);
}

/** Carries out `describe schedule`. */
export async function describeSchedule(
  context: Context,
  { name, of }: StatementOf<'describeSchedule'>,
): Promise<void> {
  const schedule = scheduleOf(context, name, of, 'Read');
  const userName = String(schedule.definition['userName'] ?? '');
  const subscriptions = context.catalogue
    .children(schedule.parentId!, 'subscription')
    .map((each) => ({ name: each.name }));
  const serviceAccount = context.catalogue.state.profiles[userName]?.serviceAccount === true;
  context.emit.widget('job-schedule', {
    schedule: scheduleData(context, schedule),
    user: { userName, serviceAccount },
    history: await scheduleHistory(context, schedule),
    subscriptions,
  });
}
