/** `describe`: shows an object in the widget of its type. */
import { rolesOf } from '../../catalogue/permissions.ts';
import type { Item } from '../../catalogue/state.ts';
import { definitionOf, isSameName, type StoredDefinition } from '../../catalogue/state.ts';
import type { RunStatement, StatementContext } from '../context.ts';
import { describeJob, describeTaskItem, scheduleData, scheduleHistory } from '../jobs/job-views.ts';
import { scheduleOf } from '../jobs/schedules.ts';
import { jobPartOf, resolveObject, resolveTarget, taskOf } from '../resolve-and-record.ts';
import { permissionsOf, permissionsOn } from '../security/permissions.ts';
import { needUser } from '../security/users.ts';
import { readTableFields, resolveTable } from '../tables/tables.ts';
import { lineageOf } from './lineage.ts';
import { validatorsOf } from './validators.ts';

/** Carries out `describe TYPE NAME`. */
export const runDescribe: RunStatement<'describe'> = async (context, { target }) => {
  const { type, ref } = target;
  if (type === 'user') return describeUser(context, ref[0]!);
  if (type === 'table') return describeTable(context, ref);
  const item = resolveTarget(
    context,
    target,
    type === 'organization' || type === 'role' || type === 'secret' ? 'Use' : 'Read',
  );
  const { emit, catalogue } = context;
  const lineage = lineageOf(context, item);
  const named = { name: item.name };
  const above = catalogue.byId(item.parentId)?.name ?? '';
  switch (type) {
    case 'organization': {
      const definition = definitionOf(item, 'organization');
      const repository = catalogue
        .children(item.id, 'repository')
        .find(({ name }) => isSameName(name, definition.defaultRepositoryName ?? ''));
      return emit.widget('organization', {
        organization: { organizationId: item.id, ...named, ...definition },
        ...(repository
          ? { defaultRepository: { repositoryId: repository.id, name: repository.name } }
          : {}),
        permissions: context.who.isAdmin
          ? permissionsOn(context, item)
          : permissionsOf(context, { type: 'User', name: context.who.userName }),
      });
    }
    case 'repository': {
      const definition = definitionOf(item, 'repository');
      const parts = (type: 'data source' | 'project' | 'schema') =>
        catalogue.visible(catalogue.children(item.id, type), context.who);
      const idOf = (type: 'data source' | 'project' | 'schema', name = '') =>
        catalogue.child(item.id, type, name)?.id;
      return emit.widget('repository', {
        repository: {
          repositoryId: item.id,
          ...named,
          ...definition,
          defaultDataSourceId: idOf('data source', definition.defaultDataSourceName),
          defaultProjectId: idOf('project', definition.defaultProjectName),
          defaultSchemaId: idOf('schema', definition.defaultSchemaName),
          dataSources: parts('data source').map(({ id, name }) => ({ dataSourceId: id, name })),
          projects: parts('project').map(({ id, name }) => ({ projectId: id, name })),
          schemas: parts('schema').map(({ id, name }) => ({ schemaId: id, name })),
        },
        lineage,
      });
    }
    case 'schema': {
      const names = (kind: 'table' | 'stream' | 'sink') =>
        catalogue.visible(catalogue.children(item.id, kind), context.who).map((child) => {
          const { description } = definitionOf(child, kind);
          return { name: child.name, ...(description ? { description } : {}) };
        });
      return emit.widget('schema', {
        schema: {
          schemaId: item.id,
          ...named,
          ...definitionOf(item, 'schema'),
          repositoryName: above,
          tables: names('table'),
          streams: names('stream'),
          sinks: names('sink'),
        },
        lineage,
      });
    }
    case 'data source': {
      const definition = withoutSecrets(definitionOf(item, 'data source'));
      const dataSource = { dataSourceId: item.id, ...named, ...definition };
      return emit.widget('data-source', { dataSource, lineage });
    }
    case 'stream': {
      const definition = { ...definitionOf(item, 'stream'), schemaName: above };
      return emit.widget('stream', {
        stream: { streamId: item.id, ...named, ...definition },
        lineage,
      });
    }
    case 'sink': {
      const definition = { ...definitionOf(item, 'sink'), schemaName: above };
      return emit.widget('sink', { sink: { sinkId: item.id, ...named, ...definition }, lineage });
    }
    case 'project': {
      const jobs = catalogue.visible(catalogue.children(item.id, 'job'), context.who);
      const histories = await Promise.all(
        jobs
          .filter((job) => catalogue.may(job, context.who, 'Read'))
          .map(async ({ name }) => (await context.jobs.history(item.name, name)).history),
      );
      const history = histories.flat().sort((a, b) => b.startTime.localeCompare(a.startTime));
      return emit.widget('project', {
        project: {
          projectId: item.id,
          ...named,
          ...definitionOf(item, 'project'),
          repositoryName: above,
        },
        lineage,
        jobs: jobs.map((job) => {
          const { description, state } = definitionOf(job, 'job');
          return { name: job.name, description, state };
        }),
        history,
      });
    }
    case 'job':
      return describeJob(context, item);
    case 'cluster':
      return describeCluster(context, item);
    case 'role': {
      const users = catalogue.state.members
        .filter(({ role }) => isSameName(role, item.name))
        .map(({ userName }) => ({ userName }));
      return emit.widget('role', {
        role: { ...named, ...definitionOf(item, 'role') },
        users,
        permissions: permissionsOf(context, { type: 'Role', name: item.name }),
      });
    }
    case 'secret':
      return emit.widget('secret', {
        secret: {
          ...named,
          description: definitionOf(item, 'secret').description,
          createdAt: item.createdAt,
          updatedAt: item.updatedAt,
        },
        lineage,
      });
    case 'validation suite': {
      const { description } = definitionOf(item, 'validation suite');
      const validationSuite = { ...named, description };
      const validators = validatorsOf(item);
      return emit.widget('validation-suite', { validationSuite, validators, lineage });
    }
  }
};

/** Reduces credentials to their type. */
function withoutSecrets({ credentials, ...rest }: StoredDefinition<'data source'>) {
  return credentials ? { ...rest, credentialType: credentials.credentialType } : rest;
}

async function describeTable(context: StatementContext, ref: readonly string[]): Promise<void> {
  const table = await resolveTable(context, ref, 'Read');
  const fields = await readTableFields(context.engine, table);
  const { item } = table;
  if (!item)
    return context.emit.widget('table', {
      table: { name: table.tableName, isTemporary: true, fields },
    });
  const { persistenceMapping, isCached, description } = definitionOf(item, 'table');
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

async function describeUser(context: StatementContext, userName: string): Promise<void> {
  if (userName !== context.who.userName)
    context.catalogue.requireAdmin(context.who, 'see the permissions of others');
  const { isDisabled } = await needUser(context, userName);
  const { catalogue } = context;
  const { firstName, lastName, serviceAccount } = catalogue.state.profiles[userName] ?? {};
  const roles = rolesOf(catalogue.state, userName).map((name) => ({ name }));
  context.emit.widget('user', {
    user: {
      userName,
      firstName,
      lastName,
      userStatus: isDisabled ? 'Disabled' : 'Active',
      serviceAccount: serviceAccount === true,
      roles,
      permissions: permissionsOf(context, { type: 'User', name: userName }),
    },
  });
}

async function describeCluster(context: StatementContext, item: Item): Promise<void> {
  const { catalogue, emit } = context;
  const schedules = catalogue
    .children(item.id, 'schedule')
    .map((schedule) => scheduleData(context, schedule));
  const subscriptions = catalogue.children(item.id, 'subscription').map(({ name }) => ({ name }));
  const { description } = definitionOf(item, 'cluster');
  // The engine is part of this process: there are no instances and no addresses to show.
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

export const describeTask: RunStatement<'describeTask'> = async (context, { ref }) => {
  const job = resolveObject(context, 'job', jobPartOf(ref, 'describe task'), 'Read');
  describeTaskItem(context, taskOf(context, job, ref));
};

export const describeSchedule: RunStatement<'describeSchedule'> = async (context, { name, of }) => {
  const schedule = scheduleOf(context, name, of, 'Read');
  const userName = definitionOf(schedule, 'schedule').userName ?? '';
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
};
