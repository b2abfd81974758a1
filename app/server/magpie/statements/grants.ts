/** `grant`, `revoke`, and what shows permissions, usage and activity. */
import { addGrant, removeGrant, setMember } from '../catalogue/edits.ts';
import { permissionOf, sameName, type Grant, type Item } from '../catalogue/state.ts';
import { MetadataError } from '../contract.ts';
import type { Principal, StatementOf } from '../language/statements.ts';
import { serverRoles } from '../people.ts';
import type { Context } from './context.ts';
import { permissionsOfAll, permissionsOfRole, permissionsOfUser } from './permission-lists.ts';
import { changed, need, needTarget, typeName } from './uses.ts';
import { needUser } from './users.ts';

const targets: readonly Item['type'][] = [
  'organization',
  'repository',
  'data source',
  'secret',
  'cluster',
  'schema',
  'table',
  'project',
  'job',
];

/** Carries out `grant PERMISSION` and `revoke PERMISSION`. */
export async function grant(context: Context, statement: StatementOf<'grant'>): Promise<void> {
  const { kind, principal, repository } = statement;
  const { catalogue, who, people, emit } = context;
  const permission = permissionOf[statement.permission];
  const target =
    repository !== undefined && ['data source', 'schema', 'project'].includes(statement.target.type)
      ? { ...statement.target, ref: [repository, ...statement.target.ref] }
      : statement.target;
  if (target.type === 'user' || !targets.includes(target.type))
    throw new MetadataError(
      `Permissions are granted on ${targets.join(', ')}; not on a ${target.type}.`,
    );
  if (permission === 'AccessToken' && target.type !== 'organization')
    throw new MetadataError('AccessToken is granted on the organization.');
  const item = needTarget(context, target, 'Use');
  if (item.type === 'organization' || permission === 'Lineage')
    catalogue.demandAdmin(
      who,
      `${kind} ${permission === 'Lineage' ? 'Lineage' : 'permissions on the organization'}`,
    );
  catalogue.demand(item, who, 'Admin');
  const named = await nameOf(context, principal);
  const entry: Grant = {
    permission,
    itemId: item.id,
    principalType: named.type,
    principalName: named.name,
  };
  const serverRole =
    item.type === 'organization' && permission in serverRoles
      ? serverRoles[permission as keyof typeof serverRoles]
      : undefined;
  if (serverRole !== undefined && named.type !== 'User')
    throw new MetadataError(`${permission} on the organization is granted to users, one by one.`);
  if (kind === 'revoke' && serverRole === serverRoles.Admin && named.name === who.userName)
    throw new MetadataError(
      'You cannot take the administration of the organization from yourself.',
    );
  const edit = kind === 'grant' ? addGrant : removeGrant;
  const isNew = await catalogue.change((state) => edit(state, entry));
  // The accounts of the server have these, too.
  if (serverRole !== undefined) await people.setRole(named.name, serverRole, kind === 'grant');
  const text = `${permission} on ${item.type} ${catalogue.nameOf(item)}`;
  changed(
    context,
    item,
    kind === 'grant' ? 'Grant' : 'Revoke',
    `${permission} ${kind === 'grant' ? 'to' : 'from'} ${principal.type} ${named.name}`,
    'Admin',
  );
  if (kind === 'grant')
    emit.say(
      isNew || serverRole !== undefined
        ? `Granted ${text} to ${principal.type} ${named.name}.`
        : `${principal.type} ${named.name} had ${text} already.`,
    );
  else
    emit.say(
      isNew || serverRole !== undefined
        ? `Revoked ${text} from ${principal.type} ${named.name}.`
        : `${principal.type} ${named.name} did not have ${text}: nothing was revoked.`,
    );
}

/** Who is meant. Throws where there is no such. */
async function nameOf(
  context: Context,
  { type, name }: Principal,
): Promise<{ readonly type: Grant['principalType']; readonly name: string }> {
  if (type === 'user') return { type: 'User', name: (await needUser(context, name)).userName };
  const { catalogue } = context;
  const found = catalogue.find({ type, ref: [name] }, context.session.place);
  if (!found) throw new MetadataError(`There is no ${type} ${name}.`);
  return { type: type === 'role' ? 'Role' : 'Organization', name: found.name };
}

/** Carries out `grant role` and `revoke role`. */
export async function grantRole(
  context: Context,
  { kind, role, principal }: StatementOf<'grantRole'>,
): Promise<void> {
  const { catalogue, who, emit } = context;
  if (principal.type !== 'user') throw new MetadataError('A role is granted to users.');
  catalogue.demandAdmin(who, kind === 'grantRole' ? 'grant roles' : 'revoke roles');
  const item = need(context, 'role', [role], 'Use');
  const { userName } = await needUser(context, principal.name);
  const isNew = await catalogue.change((state) =>
    setMember(state, item.name, userName, kind === 'grantRole'),
  );
  changed(context, item, kind === 'grantRole' ? 'Grant' : 'Revoke', `user ${userName}`, 'Admin');
  if (kind === 'grantRole')
    emit.say(
      isNew
        ? `Granted role ${item.name} to user ${userName}.`
        : `User ${userName} had role ${item.name} already.`,
    );
  else
    emit.say(
      isNew
        ? `Revoked role ${item.name} from user ${userName}.`
        : `User ${userName} did not have role ${item.name}: nothing was revoked.`,
    );
}

/** Carries out `show permissions`: one's own, or those of somebody else for administrators. */
export async function showPermissions(
  context: Context,
  { principal }: StatementOf<'showPermissions'>,
): Promise<void> {
  const { catalogue, who, emit } = context;
  if (principal && !(principal.type === 'user' && principal.name === who.userName))
    catalogue.demandAdmin(who, 'see what others may do');
  const named = principal
    ? await nameOf(context, principal)
    : { type: 'User' as const, name: who.userName };
  const permissions =
    named.type === 'User'
      ? permissionsOfUser(context, named.name)
      : named.type === 'Role'
        ? permissionsOfRole(context, named.name)
        : permissionsOfAll(context);
  emit.widget('permissions', {
    permissions: permissions.map((each) => ({
      ...each,
      principalType: named.type,
      principalName: named.name,
    })),
  });
}

/** Events that are shown. */
const MAX_EVENTS = 1_000;

/** Carries out `show usage`: of an object for its administrators, one's own for everybody, all for administrators. */
export async function showUsage(
  context: Context,
  { target }: StatementOf<'showUsage'>,
): Promise<void> {
  const { catalogue, who, emit } = context;
  let events = catalogue.events.all();
  if (target?.type === 'user') {
    const userName = target.ref[0]!;
    if (userName !== who.userName) catalogue.demandAdmin(who, 'see what others used');
    events = events.filter((event) => event.userName === userName);
  } else if (target) {
    const item = needTarget(context, target, 'Use');
    catalogue.demand(item, who, 'Admin');
    events = events.filter(
      ({ objectType, objectName }) =>
        objectType === typeName(item.type) &&
        objectName !== undefined &&
        sameName(objectName, catalogue.nameOf(item)),
    );
  } else if (!who.isAdmin) events = events.filter(({ userName }) => userName === who.userName);
  emit.widget('usage-events', { events: events.slice(0, MAX_EVENTS) });
}

/** Carries out `show activity`: the changes made to an object, newest first. */
export async function showActivity(
  context: Context,
  { target }: StatementOf<'showActivity'>,
): Promise<void> {
  const { catalogue, who, emit } = context;
  let objectName: string;
  if (target.type === 'user') {
    catalogue.demandAdmin(who, 'see the changes made to users');
    objectName = target.ref[0]!;
  } else objectName = catalogue.nameOf(needTarget(context, target, 'Read'));
  const objectType = typeName(target.type);
  const activities = catalogue.events
    .all()
    .filter(
      (event) =>
        event.activityType !== undefined &&
        event.objectType === objectType &&
        event.objectName !== undefined &&
        sameName(event.objectName, objectName),
    );
  emit.widget('activity-history', {
    objectType,
    objectName,
    activities: activities
      .slice(0, MAX_EVENTS)
      .map(({ eventTime, activityType, userName, isSuccess, description }) => ({
        activityTime: eventTime,
        activityType,
        userName,
        state: isSuccess === false ? 'Failed' : 'Succeeded',
        ...(description === undefined ? {} : { description }),
      })),
  });
}
