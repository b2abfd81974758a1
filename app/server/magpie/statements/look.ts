/** `use`, `list` and `list files`. */
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ItemType } from '../catalogue/definitions.ts';
import { chainOf } from '../catalogue/permissions.ts';
import { holderOf, type Item } from '../catalogue/state.ts';
import { ExecutionError, MetadataError } from '../contract.ts';
import type { ListType, StatementOf } from '../language/statements.ts';
import type { Context } from './context.ts';
import { dataSourceOf } from './make-table.ts';
import { validatorsOf } from './parts.ts';
import { rootOf, within } from './sources.ts';
import { fieldsOf, tableOf } from './tables.ts';
import { need, needTarget } from './uses.ts';

/** Carries out `use`: where names are looked up from now on. */
export async function useObject(
  context: Context,
  { type, ref }: StatementOf<'use'>,
): Promise<void> {
  const { session, catalogue, emit } = context;
  const item = need(context, type, ref, 'Use');
  if (type === 'repository') session.place = session.placeOf(item);
  else {
    const repository = catalogue.holder(item, 'repository');
    if (repository && repository.id !== session.place.repositoryId)
      session.place = session.placeOf(repository);
    const member = {
      schema: 'schemaId',
      project: 'projectId',
      cluster: 'clusterId',
      'data source': 'dataSourceId',
    } as const;
    session.place = { ...session.place, [member[type]]: item.id };
  }
  emit.say(`Using ${type} ${catalogue.nameOf(item)}.`);
}

const singular: Readonly<Record<Exclude<ListType, 'users' | 'fields' | 'validators'>, ItemType>> = {
  organizations: 'organization',
  repositories: 'repository',
  'data sources': 'data source',
  schemas: 'schema',
  tables: 'table',
  streams: 'stream',
  sinks: 'sink',
  projects: 'project',
  jobs: 'job',
  tasks: 'task',
  schedules: 'schedule',
  subscriptions: 'subscription',
  clusters: 'cluster',
  roles: 'role',
  secrets: 'secret',
  'validation suites': 'validation suite',
};
const columns = ['name', 'description', 'state', 'parent'] as const;

/** Carries out `list`: what the session's user may see, by name. */
export async function list(context: Context, statement: StatementOf<'list'>): Promise<void> {
  const { type, parent, recursive } = statement;
  const { catalogue, session, who, emit } = context;
  if (type === 'users') return listUsers(context, statement);
  if (type === 'fields') {
    if (parent?.type !== 'table')
      throw new MetadataError('Fields are listed of a table: list fields in table NAME.');
    const table = await tableOf(context, parent.ref, 'Read');
    const fields = await fieldsOf(context.engine, table);
    return emit.table(
      ['name', 'description', 'type', 'parent'],
      fields.map(({ name, description, fieldType }) => [
        name,
        description,
        typeof fieldType === 'string' ? fieldType : JSON.stringify(fieldType),
        table.name,
      ]),
    );
  }
  if (type === 'validators') {
    if (parent?.type !== 'validation suite')
      throw new MetadataError('Validators are listed of a suite: list validators in suite NAME.');
    const suite = need(context, 'validation suite', parent.ref, 'Read');
    return emit.table(
      ['name', 'description', 'type', 'parent'],
      validatorsOf(suite).map(({ name, description, validatorType }) => [
        name,
        String(description ?? ''),
        validatorType,
        suite.name,
      ]),
    );
  }
  const kind = singular[type];
  const holder = parent ? needTarget(context, parent, 'Use') : defaultHolder(context, kind);
  const all = catalogue.state.items.filter(
    (item) =>
      item.type === kind && chainOf(catalogue.state, item).some(({ id }) => id === holder.id),
  );
  // In what holds them directly, unless all of what is below is asked for, or nothing of that kind stands directly in it.
  const direct = kind === 'organization' || holderOf[kind].includes(holder.type as ItemType);
  const shown = catalogue.visible(
    all.filter(
      ({ parentId, id }) => !direct || recursive || parentId === holder.id || id === holder.id,
    ),
    who,
  );
  const temporary =
    kind === 'table' &&
    (!parent || parent.type === 'schema') &&
    holder.id === session.place.schemaId
      ? [...session.temporary.values()]
      : [];
  const rows = [...shown]
    .sort((a, b) => catalogue.nameOf(a).localeCompare(catalogue.nameOf(b), 'en'))
    .map((item) => [
      item.name,
      String(item.definition['description'] ?? ''),
      stateOf(item),
      parentName(context, item),
    ]);
  emit.table(columns, [
    ...rows,
    ...temporary.sort().map((name) => [name, '', 'Temporary', 'session']),
  ]);
}

function parentName({ catalogue }: Context, item: Item): string {
  const parent = catalogue.byId(item.parentId);
  return parent ? catalogue.nameOf(parent) : '';
}

/** What a list has in its column of states. */
function stateOf(item: Item): string {
  if (item.type === 'cluster') return 'Running';
  if (item.definition['isCached'] === true) return 'Cached';
  return String(item.definition['state'] ?? '');
}

/** Where objects are listed when it is not said. */
function defaultHolder({ catalogue, session }: Context, kind: ItemType): Item {
  if (kind === 'organization') return catalogue.organization;
  if (kind === 'task' || kind === 'subscription')
    return catalogue.holderFor('job', [], session.place);
  if (kind === 'schedule')
    return catalogue.byId(session.place.projectId) ?? catalogue.holderFor(kind, [], session.place);
  return catalogue.holderFor(kind, [], session.place);
}

async function listUsers(context: Context, { parent }: StatementOf<'list'>): Promise<void> {
  const { people, catalogue, emit } = context;
  if (parent && parent.type !== 'organization' && parent.type !== 'role')
    throw new MetadataError('Users are listed in the organization or in a role.');
  const role = parent?.type === 'role' ? need(context, 'role', parent.ref, 'Use').name : undefined;
  if (parent?.type === 'organization') needTarget(context, parent, 'Use');
  const members =
    role === undefined
      ? undefined
      : catalogue.state.members
          .filter((member) => member.role.toLowerCase() === role.toLowerCase())
          .map(({ userName }) => userName);
  const all = (await people.all()).filter(
    ({ userName }) => members === undefined || members.includes(userName),
  );
  const describe = (userName: string) => {
    const { firstName, lastName, serviceAccount } = catalogue.state.profiles[userName] ?? {};
    return [
      [firstName, lastName].filter(Boolean).join(' '),
      serviceAccount ? 'service account' : '',
    ]
      .filter(Boolean)
      .join(', ');
  };
  emit.table(
    columns,
    all.map(({ userName, isDisabled }) => [
      userName,
      describe(userName),
      isDisabled ? 'Disabled' : 'Active',
      catalogue.organization.name,
    ]),
  );
}

/** Most files of a list. */
const MAX_FILES = 10_000;

/** Carries out `list files`. Links are not followed. */
export async function listFiles(
  context: Context,
  { dataSource, path, recursive }: StatementOf<'listFiles'>,
): Promise<void> {
  const source = dataSourceOf(context, dataSource);
  const root = rootOf(context, source);
  const folder = within(root, path ?? '');
  const rows: (readonly [string, string, string, string])[] = [];
  const visit = async (each: string): Promise<void> => {
    for (const entry of (await readdir(each, { withFileTypes: true })).sort((a, b) =>
      a.name.localeCompare(b.name, 'en'),
    )) {
      if (rows.length >= MAX_FILES) return;
      context.run.signal.throwIfAborted();
      const file = join(each, entry.name);
      const { size, mtime } = await lstat(file);
      if (entry.isDirectory()) {
        rows.push([`${relative(root, file)}${sep}`, '', mtime.toISOString(), source.name]);
        if (recursive) await visit(file);
      } else if (entry.isFile())
        rows.push([relative(root, file), String(size), mtime.toISOString(), source.name]);
    }
  };
  try {
    const [real, realRoot] = await Promise.all([realpath(folder), realpath(root)]);
    if (real !== realRoot && !real.startsWith(realRoot + sep))
      throw new MetadataError(`The path leads out of data source ${source.name}: ${path ?? ''}`);
    await visit(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new ExecutionError(`There is no folder ${path ?? ''} in data source ${source.name}.`);
  }
  context.emit.table(['name', 'sizeBytes', 'modified', 'parent'], rows);
}
