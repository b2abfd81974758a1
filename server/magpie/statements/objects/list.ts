/** `use`, `list` and `list files`. */
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ItemType } from '../../catalogue/definitions.ts';
import { chainOf, rolesOf } from '../../catalogue/permissions.ts';
import { holderOf, type Item, isSameName } from '../../catalogue/state.ts';
import { ExecutionError, MetadataError, wrongName } from '../../contract.ts';
import { listTypes } from '../../language/statements.ts';
import type { RunStatement, StatementContext } from '../context.ts';
import { joinInside, rootOf } from '../files/sources.ts';
import { resolveObject, resolveTarget } from '../resolve-and-record.ts';
import { dataSourceOf } from '../tables/table-sources.ts';
import { readTableFields, resolveTable } from '../tables/tables.ts';
import { validatorsOf } from './validators.ts';

/**
 * Carries out `use`: changes the session's current repository, schema, project, cluster or data
 * source.
 */
export const useObject: RunStatement<'use'> = async (context, { type, ref }) => {
  const { session, catalogue, emit } = context;
  const item = resolveObject(context, type, ref, 'Use');
  if (type === 'repository') session.scope = session.scopeOf(item);
  else {
    const repository = catalogue.holder(item, 'repository');
    if (repository && repository.id !== session.scope.repositoryId)
      session.scope = session.scopeOf(repository);
    const member = {
      schema: 'schemaId',
      project: 'projectId',
      cluster: 'clusterId',
      'data source': 'dataSourceId',
    } as const;
    session.scope = { ...session.scope, [member[type]]: item.id };
  }
  emit.line(`Using ${type} ${catalogue.nameOf(item)}.`);
};

const columns = ['name', 'description', 'state', 'parent'] as const;

/** Carries out `list`: lists the objects that the user may see, by name. */
export const runList: RunStatement<'list'> = async (context, statement) => {
  const { type, parent, recursive } = statement;
  const { catalogue, session, who, emit } = context;
  if (type === 'users') return listUsers(context, statement);
  if (type === 'fields') {
    if (parent?.type !== 'table')
      throw new MetadataError('Fields can only be listed for a table: list fields in table NAME.');
    const table = await resolveTable(context, parent.ref, 'Read');
    const fields = await readTableFields(context.engine, table);
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
      throw new MetadataError(
        'Validators can only be listed for a suite: list validators in suite NAME.',
      );
    const suite = resolveObject(context, 'validation suite', parent.ref, 'Read');
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
  const kind = listTypes[type];
  const holder = parent ? resolveTarget(context, parent, 'Use') : defaultHolder(context, kind);
  const all = catalogue.state.items.filter(
    (item) =>
      item.type === kind && chainOf(catalogue.state, item).some(({ id }) => id === holder.id),
  );
  // List only direct children. Exceptions: `recursive` was given, or this type cannot be a direct
  // child of the parent.
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
    holder.id === session.scope.schemaId
      ? [...session.temporary.values()]
      : [];
  const rows = [...shown]
    .sort((a, b) => catalogue.nameOf(a).localeCompare(catalogue.nameOf(b), 'en'))
    .map((item) => {
      const above = catalogue.byId(item.parentId);
      const description = String(item.definition['description'] ?? '');
      return [item.name, description, stateOf(item), above ? catalogue.nameOf(above) : ''];
    });
  emit.table(columns, [
    ...rows,
    ...temporary.sort().map((name) => [name, '', 'Temporary', 'session']),
  ]);
};

/** Value of the `state` column. */
function stateOf(item: Item): string {
  if (item.type === 'cluster') return 'Running';
  if (item.definition['isCached'] === true) return 'Cached';
  return String(item.definition['state'] ?? '');
}

/** The parent whose objects are listed if the statement has no `in` clause. */
function defaultHolder({ catalogue, session }: StatementContext, kind: ItemType): Item {
  if (kind === 'organization') return catalogue.organization;
  if (kind === 'task' || kind === 'subscription') return catalogue.holderFor('job', session.scope);
  if (kind === 'schedule')
    return catalogue.byId(session.scope.projectId) ?? catalogue.holderFor(kind, session.scope);
  return catalogue.holderFor(kind, session.scope);
}

const listUsers: RunStatement<'list'> = async (context, { parent }) => {
  const { people, catalogue, emit } = context;
  if (parent && parent.type !== 'organization' && parent.type !== 'role')
    throw new MetadataError('Users can only be listed in the organization or in a role.');
  const role =
    parent?.type === 'role' ? resolveObject(context, 'role', parent.ref, 'Use').name : undefined;
  if (parent?.type === 'organization') resolveTarget(context, parent, 'Use');
  const all = (await people.all()).filter(
    ({ userName }) =>
      role === undefined ||
      rolesOf(catalogue.state, userName).some((each) => isSameName(each, role)),
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
};

/** Maximum number of files in a list. */
const MAX_FILES = 10_000;

/** Carries out `list files`. Does not follow links. */
export const listFiles: RunStatement<'listFiles'> = async (
  context,
  { dataSource, path, recursive },
) => {
  const source = dataSourceOf(context, dataSource);
  const root = rootOf(context, source);
  const folder = joinInside(root, path ?? '');
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
      throw new MetadataError(
        `The path is outside of data source ${source.name}: ${path ?? ''}`,
        wrongName('path', path ?? ''),
      );
    await visit(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new ExecutionError(
      `There is no folder ${path ?? ''} in data source ${source.name}.`,
      wrongName('path', path ?? ''),
    );
  }
  context.emit.table(['name', 'sizeBytes', 'modified', 'parent'], rows);
};
