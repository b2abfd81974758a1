/** `alter … set`, `enable` and `disable`. */
import { quoteName } from '../../interpreters/sql-script.ts';
import { define, type Definition } from '../catalogue/definitions.ts';
import { changeItem, renameReferences } from '../catalogue/edits.ts';
import type { Item } from '../catalogue/state.ts';
import { sameName } from '../catalogue/state.ts';
import { MetadataError } from '../contract.ts';
import type { Body, StatementOf } from '../language/statements.ts';
import type { Context } from './context.ts';
import { checkProjectName, checkReferences, demandFolder, seal, sourceWords } from './create.ts';
import { dropPhysical, left, remakeView, together } from './make-table.ts';
import { scheduleOf } from './parts.ts';
import { mappingOf } from './tables.ts';
import { changed, need, needTarget } from './uses.ts';
import { alterUser, toggleUser } from './users.ts';

/** Carries out `alter TYPE NAME set {…}`: members that are absent stay. */
export async function alterSet(
  context: Context,
  { target, body }: StatementOf<'alterSet'>,
): Promise<void> {
  if (target.type === 'user') return alterUser(context, target.ref[0]!, body);
  const { catalogue } = context;
  const item = needTarget(context, target, 'Write');
  if (target.type === 'organization') catalogue.demandAdmin(context.who, 'change it');
  if (target.type === 'table') return alterTable(context, item, body);
  const { sealed, open } = withoutSealed(item.definition);
  const { value, ignored } = define(target.type, { ...open, name: item.name, ...body } as Body);
  const { name, ...definition } = value;
  if (name !== item.name && (target.type === 'schema' || target.type === 'organization'))
    throw new MetadataError(
      `A ${target.type} keeps its name here: make another one, and move what it holds.`,
    );
  if (target.type === 'project') checkProjectName(context, item.parentId, name);
  checkReferences(context, target.type, catalogue.byId(item.parentId) ?? item, definition);
  const idle =
    target.type === 'cluster'
      ? Object.keys(body).filter((member) => member !== 'name' && member !== 'description')
      : [];
  if (idle.length > 0)
    throw new MetadataError(
      `The size of a cluster is not available on this server: ${item.name} is the engine of this one machine, and ${idle.join(', ')} would change nothing.`,
    );
  if (target.type === 'data source') demandFolder(context, definition, item.definition);
  const next = seal(catalogue.secrets, target.type, { ...sealed, ...definition });
  const renamesRole = target.type === 'role' && !sameName(name, item.name);
  const after = await catalogue.change((state) => {
    const changedItem = changeItem(state, item.id, { name, definition: next });
    const changedState = { ...changedItem, state: renameReferences(changedItem.state, item, name) };
    if (!renamesRole) return changedState;
    const members = state.members.map((member) =>
      sameName(member.role, item.name) ? { ...member, role: name } : member,
    );
    const grants = changedState.state.grants.map((grant) =>
      grant.principalType === 'Role' && sameName(grant.principalName, item.name)
        ? { ...grant, principalName: name }
        : grant,
    );
    return { ...changedState, state: { ...changedState.state, members, grants } };
  });
  changed(
    context,
    after,
    'Alter',
    Object.keys(body)
      .filter((key) => key !== 'value')
      .join(', '),
  );
  context.emit.say(
    `Altered ${target.type} ${catalogue.nameOf(after)}.${left(ignored)}${target.type === 'data source' ? sourceWords(after) : ''}`,
  );
}

/** What is encrypted does not go through the checks, and stays where it is not given anew. */
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

async function alterTable(context: Context, item: Item, body: Body): Promise<void> {
  const { catalogue } = context;
  const { isCached, ...open } = item.definition;
  if ('isTemporary' in body)
    throw new MetadataError('A table is made temporary or not, and stays so.');
  if ('fields' in body)
    throw new MetadataError(
      'Fields of a table are changed one by one: "add field {…}" and "remove field NAME".',
    );
  const { value, ignored } = define('table', { ...open, name: item.name, ...body } as Body);
  const { name, ...definition } = value as Definition<'table'>;
  const mapping = mappingOf(item);
  const schema = catalogue.byId(item.parentId)!;
  const full = `${quoteName(schema.name)}.${quoteName(item.name)}`;
  const remaps = 'persistenceMapping' in body;
  if (remaps && !mapping)
    throw new MetadataError(
      `The rows of ${schema.name}.${item.name} are in the engine: a table over files or a query is made anew.`,
    );
  if (
    definition.persistenceMapping &&
    definition.persistenceMapping.mappingType !== 'Virtual' &&
    remaps
  )
    need(context, 'data source', [definition.persistenceMapping.sourceName], 'Read');
  const { view, sources } = remaps
    ? await remakeView(context, { ...item, name }, definition.persistenceMapping!)
    : {};
  const after = await together(
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
      // What was made of it names it by its new name.
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
  changed(context, after, 'Alter', Object.keys(body).join(', '));
  context.emit.say(`Altered table ${catalogue.nameOf(after)}.${left(ignored)}`);
}

/** Carries out `enable` and `disable` of users and jobs. */
export async function toggle(
  context: Context,
  { enable, target }: StatementOf<'toggle'>,
): Promise<void> {
  if (target.type === 'user') return toggleUser(context, target.ref[0]!, enable);
  return setState(context, need(context, 'job', target.ref, 'Write'), enable, 'job');
}

/** Carries out `enable schedule` and `disable schedule`. */
export async function toggleSchedule(
  context: Context,
  { enable, name, of }: StatementOf<'toggleSchedule'>,
): Promise<void> {
  return setState(context, scheduleOf(context, name, of, 'Write'), enable, 'schedule');
}

async function setState(
  context: Context,
  item: Item,
  enable: boolean,
  what: string,
): Promise<void> {
  const after = await context.catalogue.change((state) =>
    changeItem(state, item.id, {
      definition: { ...item.definition, state: enable ? 'Enabled' : 'Disabled' },
    }),
  );
  changed(context, after, enable ? 'Enable' : 'Disable');
  context.emit.say(
    `${enable ? 'Enabled' : 'Disabled'} ${what} ${context.catalogue.nameOf(after)}.`,
  );
}
