/**
 * Resolves the objects that a statement names, checks permissions, and records each use for the
 * log.
 */
import type { ItemType } from '../catalogue/definitions.ts';
import type { LoggedUse } from '../catalogue/events.ts';
import { chainOf } from '../catalogue/permissions.ts';
import type { Item, Permission } from '../catalogue/state.ts';
import { MetadataError, wrongName } from '../contract.ts';
import type { Ref, Target } from '../language/statements.ts';
import type { StatementContext } from './context.ts';

/** Resolves an object, requires `permission` on it, and records the use. */
export function resolveObject(
  context: StatementContext,
  type: ItemType,
  ref: Ref,
  permission: Permission,
): Item {
  const { catalogue, session, who } = context;
  const item = catalogue.resolve({ type, ref }, session.scope, who, permission);
  recordUse(context, item, permission);
  return item;
}

/**
 * Like {@link resolveObject}, for a statement's target. Throws if the target is a user, because
 * users are not catalogue objects.
 */
export function resolveTarget(
  context: StatementContext,
  { type, ref }: Target,
  permission: Permission,
): Item {
  if (type === 'user') throw new MetadataError('Users are not objects of the catalogue.');
  return resolveObject(context, type, ref, permission);
}

/** Records that the statement used an object. */
export function recordUse(context: StatementContext, item: Item, permission: Permission): void {
  context.uses.push({ item, permission, names: namesOf(context, item) });
}

/** Records that the statement changed an object. Replaces the records of its use. */
export function recordChange(
  context: StatementContext,
  item: Item,
  activity: string,
  description?: string,
  permission: Permission = 'Write',
): void {
  const others = context.uses.filter(
    (use) => use.item.id !== item.id || use.activity !== undefined,
  );
  context.uses.splice(0, context.uses.length, ...others);
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

function namesOf({ catalogue }: StatementContext, item: Item): Record<string, string> {
  const names: Record<string, string> = { objectName: catalogue.nameOf(item) };
  for (const each of chainOf(catalogue.state, item)) {
    const member = memberOf[each.type];
    if (member !== undefined) names[member] = each.name;
  }
  return names;
}

/** Type name as used in payloads: `data source` becomes `DataSource`. */
export const typeName = (type: string): string =>
  type
    .split(' ')
    .map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`)
    .join('');

/** Writes the recorded uses of a statement to the usage log. */
export function logUses(context: StatementContext, isSuccess: boolean): void {
  const now = new Date().toISOString();
  for (const { item, permission, activity, description, names } of context.uses) {
    const event: LoggedUse = {
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

/** The job in the qualified name of a task. Throws without one; `words` begin the statement. */
export function jobPartOf(ref: Ref, words: string): Ref {
  if (ref.length > 1) return ref.slice(0, -1);
  throw new MetadataError(`Qualify the task with its job: ${words} JOB.TASK.`);
}

/** The task of a job that a name ends with. Throws if there is none. */
export function taskOf({ catalogue }: StatementContext, job: Item, ref: Ref): Item {
  const task = catalogue.child(job.id, 'task', ref.at(-1)!);
  if (task) return task;
  throw new MetadataError(
    `There is no task ${ref.at(-1)!} in job ${catalogue.nameOf(job)}.`,
    wrongName('task', ...ref),
  );
}
