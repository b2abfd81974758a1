/** Finding objects for a statement, with its permission, and the log of it. */
import type { Wanted } from '../catalogue/catalogue.ts';
import type { UsageEvent } from '../catalogue/events.ts';
import type { ItemType } from '../catalogue/definitions.ts';
import { chainOf } from '../catalogue/permissions.ts';
import type { Item, Permission } from '../catalogue/state.ts';
import { MetadataError } from '../contract.ts';
import type { Ref, Target } from '../language/statements.ts';
import type { Context } from './context.ts';

/** The object that a statement names, which its user has `permission` on; what is used is logged. */
export function need(context: Context, type: ItemType, ref: Ref, permission: Permission): Item {
  const item = context.catalogue.resolve(
    { type, ref } satisfies Wanted,
    context.session.place,
    context.who,
    permission,
  );
  use(context, item, permission);
  return item;
}

/** The same for an object of the catalogue by kind and name; a user is none. */
export function needTarget(context: Context, { type, ref }: Target, permission: Permission): Item {
  if (type === 'user') throw new MetadataError('A user is no object of the catalogue.');
  return need(context, type, ref, permission);
}

/** Logs that an object was used. */
export function use(context: Context, item: Item, permission: Permission): void {
  context.uses.push({ item, permission, names: namesOf(context, item) });
}

/** Logs that an object was changed. */
export function changed(
  context: Context,
  item: Item,
  activity: string,
  description?: string,
  permission: Permission = 'Write',
): void {
  context.uses.push({
    item,
    permission,
    activity,
    names: namesOf(context, item),
    ...(description === undefined ? {} : { description }),
  });
}

const memberOf: Partial<Record<ItemType, string>> = {
  repository: 'repositoryName',
  'data source': 'dataSourceName',
  schema: 'schemaName',
  table: 'structureName',
  stream: 'structureName',
  sink: 'structureName',
  project: 'projectName',
  job: 'jobName',
};

function namesOf({ catalogue }: Context, item: Item): Record<string, string> {
  const names: Record<string, string> = { objectName: catalogue.nameOf(item) };
  for (const each of chainOf(catalogue.state, item)) {
    const member = memberOf[each.type];
    if (member !== undefined) names[member] = each.name;
  }
  return names;
}

/** `data source` as payloads write it: `DataSource`. */
export const typeName = (type: string): string =>
  type
    .split(' ')
    .map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`)
    .join('');

/** Writes what a statement used to the log. */
export function logUses(
  context: Context,
  isSuccess: boolean,
  now = new Date().toISOString(),
): void {
  for (const { item, permission, activity, description, names } of context.uses) {
    const event: UsageEvent = {
      eventTime: now,
      userName: context.who.userName,
      eventType: 'Metadata',
      objectType: typeName(item.type),
      permissionType: permission,
      ...(isSuccess ? { isSuccess: true } : { isSuccess: false }),
      ...names,
      ...(activity === undefined ? {} : { activityType: activity }),
      ...(description === undefined ? {} : { description }),
    };
    context.catalogue.events.add(event);
  }
}
