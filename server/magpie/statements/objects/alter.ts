/** `alter … set`, `enable` and `disable`. */
import { quoteName } from '../../../interpreters/sql/script.ts';
import { define, type ObjectDefinition } from '../../catalogue/definitions.ts';
import { changeItem, renameReferences } from '../../catalogue/edits.ts';
import type { Item } from '../../catalogue/state.ts';
import { isSameName } from '../../catalogue/state.ts';
import { MetadataError } from '../../contract.ts';
import type { Body } from '../../language/statements.ts';
import type { RunStatement, StatementContext } from '../context.ts';
import { scheduleOf } from '../jobs/schedules.ts';
import { unknownMembersNote } from '../notes.ts';
import { recordChange, resolveObject, resolveTarget } from '../resolve-and-record.ts';
import { alterUser, toggleUser } from '../security/users.ts';
import { dropPhysical, inOneTransaction } from '../tables/make-table.ts';
import { remakeView } from '../tables/table-sources.ts';
import { mappingOf } from '../tables/tables.ts';
import {
  checkProjectName,
  checkReferences,
  dataSourceWarnings,
  demandFolder,
  seal,
} from './create.ts';

/** Carries out `alter TYPE NAME set {…}`. Members that are not given stay unchanged. */
export const alterSet: RunStatement<'alterSet'> = async (context, { target, body }) => {
  if (target.type === 'user') return alterUser(context, target.ref[0]!, body);
  const { catalogue } = context;
  const item = resolveTarget(context, target, 'Write');
  if (target.type === 'organization') catalogue.requireAdmin(context.who, 'change it');
  if (target.type === 'table') return alterTable(context, item, body);
  const { sealed, open } = withoutSealed(item.definition);
  const { value, ignored } = define(target.type, { ...open, name: item.name, ...body } as Body);
  const { name, ...definition } = value;
  if (name !== item.name && (target.type === 'schema' || target.type === 'organization'))
    throw new MetadataError(
      `A ${target.type} cannot be renamed. Create another one and move its objects.`,
    );
  if (target.type === 'project') checkProjectName(context, item.parentId, name);
  checkReferences(context, target.type, catalogue.byId(item.parentId) ?? item, definition);
  const idle =
    target.type === 'cluster'
      ? Object.keys(body).filter((member) => member !== 'name' && member !== 'description')
      : [];
  if (idle.length > 0)
    throw new MetadataError(
      `Resizing a cluster is not available on this server: ${item.name} is the engine of a ` +
        `single machine, so ${idle.join(', ')} would have no effect.`,
    );
  if (target.type === 'data source') demandFolder(context, definition, item.definition);
  const next = seal(catalogue.secrets, target.type, { ...sealed, ...definition });
  const renamesRole = target.type === 'role' && !isSameName(name, item.name);
  const after = await catalogue.change((state) => {
    const changedItem = changeItem(state, item.id, { name, definition: next });
    const changedState = { ...changedItem, state: renameReferences(changedItem.state, item, name) };
    if (!renamesRole) return changedState;
    const members = state.members.map((member) =>
      isSameName(member.role, item.name) ? { ...member, role: name } : member,
    );
    const grants = changedState.state.grants.map((grant) =>
      grant.principalType === 'Role' && isSameName(grant.principalName, item.name)
        ? { ...grant, principalName: name }
        : grant,
    );
    return { ...changedState, state: { ...changedState.state, members, grants } };
  });
  recordChange(
    context,
    after,
    'Alter',
    Object.keys(body)
      .filter((key) => key !== 'value')
      .join(', '),
  );
  context.emit.line(
    `Altered ${target.type} ${catalogue.nameOf(after)}.${unknownMembersNote(ignored)}` +
      (target.type === 'data source' ? dataSourceWarnings(after) : ''),
  );
};

/**
 * Separates encrypted members. They are not validated again, and stay unchanged unless a new value
 * is given.
 */
function withoutSealed(definition: Readonly<Record<string, unknown>>): {
  readonly sealed: Record<string, unknown>;
  readonly open: Record<string, unknown>;
} {
  const isSealed = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    ('sealed' in value || Object.values(value).some(isSealed));
  const entries = Object.entries(definition);
  return {
    sealed: Object.fromEntries(entries.filter(([, value]) => isSealed(value))),
    open: Object.fromEntries(entries.filter(([, value]) => !isSealed(value))),
  };
}

async function alterTable(context: StatementContext, item: Item, body: Body): Promise<void> {
  const { catalogue } = context;
  const { isCached, ...open } = item.definition;
  if ('isTemporary' in body)
    throw new MetadataError('"isTemporary" cannot be changed after the table was created.');
  if ('fields' in body)
    throw new MetadataError(
      'Change the fields of a table one at a time, with "add field {…}" and "remove field NAME".',
    );
  const { value, ignored } = define('table', { ...open, name: item.name, ...body } as Body);
  const { name, ...definition } = value as ObjectDefinition<'table'>;
  const mapping = mappingOf(item);
  const schema = catalogue.byId(item.parentId)!;
  const full = `${quoteName(schema.name)}.${quoteName(item.name)}`;
  const remaps = 'persistenceMapping' in body;
  if (remaps && !mapping)
    throw new MetadataError(
      `The rows of ${schema.name}.${item.name} are stored in the engine. ` +
        'To read files or a query instead, create a new table.',
    );
  if (
    definition.persistenceMapping &&
    definition.persistenceMapping.mappingType !== 'Virtual' &&
    remaps
  )
    resolveObject(context, 'data source', [definition.persistenceMapping.sourceName], 'Read');
  const { view, sources } = remaps
    ? await remakeView(context, { ...item, name }, definition.persistenceMapping!)
    : {};
  const after = await inOneTransaction(
    context,
    async () => {
      if (view !== undefined) {
        await dropPhysical(context.engine, schema.name, item.name);
        await context.engine.query(view);
      } else if (name !== item.name)
        await context.engine.query(
          `ALTER ${mapping && !isCached ? 'VIEW' : 'TABLE'} ${full} RENAME TO ${quoteName(name)}`,
        );
    },
    (state) => {
      const next = changeItem(state, item.id, {
        name,
        definition: {
          ...definition,
          ...(isCached === true && view === undefined ? { isCached } : {}),
        },
        ...(sources ? { sources, definedBy: context.run.scriptBy ?? context.who.userName } : {}),
      });
      // Update the recorded sources of tables that were made from this one.
      const [before, now] = [`${schema.name}.${item.name}`, `${schema.name}.${name}`];
      const items = next.state.items.map((each) =>
        each.sources?.includes(before) &&
        catalogue.holder(each, 'repository')?.id === schema.parentId
          ? { ...each, sources: each.sources.map((source) => (source === before ? now : source)) }
          : each,
      );
      return { ...next, state: { ...next.state, items } };
    },
  );
  recordChange(context, after, 'Alter', Object.keys(body).join(', '));
  context.emit.line(`Altered table ${catalogue.nameOf(after)}.${unknownMembersNote(ignored)}`);
}

/** Carries out `enable` and `disable` of users and jobs. */
export const runToggle: RunStatement<'toggle'> = async (context, { enable, target }) => {
  if (target.type === 'user') return toggleUser(context, target.ref[0]!, enable);
  return setState(context, resolveObject(context, 'job', target.ref, 'Write'), enable, 'job');
};

/** Carries out `enable schedule` and `disable schedule`. */
export const toggleSchedule: RunStatement<'toggleSchedule'> = (context, { enable, name, of }) =>
  setState(context, scheduleOf(context, name, of, 'Write'), enable, 'schedule');

async function setState(
  context: StatementContext,
  item: Item,
  enable: boolean,
  what: string,
): Promise<void> {
  const after = await context.catalogue.change((state) =>
    changeItem(state, item.id, {
      definition: { ...item.definition, state: enable ? 'Enabled' : 'Disabled' },
    }),
  );
  recordChange(context, after, enable ? 'Enable' : 'Disable');
  context.emit.line(
    `${enable ? 'Enabled' : 'Disabled'} ${what} ${context.catalogue.nameOf(after)}.`,
  );
}
