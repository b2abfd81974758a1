/** `grant`, `revoke`, and the statements that show permissions, usage and activity. */
import { addGrant, removeGrant, setMember } from '../../catalogue/edits.ts';
import type { LoggedUse } from '../../catalogue/events.ts';
import { type Grant, type Item, isSameName } from '../../catalogue/state.ts';
import { MetadataError, wrongName } from '../../contract.ts';
import { type Principal, permissionOf } from '../../language/statements.ts';
import { serverRoles } from '../../people.ts';
import type { RunStatement, StatementContext } from '../context.ts';
import { recordChange, resolveObject, resolveTarget, typeName } from '../resolve-and-record.ts';
import { type NamedPrincipal, permissionsOf } from './permissions.ts';
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
export const runGrant: RunStatement<'grant' | 'revoke'> = async (context, statement) => {
  const { kind, principal, repository } = statement;
  const { catalogue, who, people, emit } = context;
  const permission = permissionOf[statement.permission];
  const target =
    repository !== undefined && ['data source', 'schema', 'project'].includes(statement.target.type)
      ? { ...statement.target, ref: [repository, ...statement.target.ref] }
      : statement.target;
  if (target.type === 'user' || !targets.includes(target.type))
    throw new MetadataError(
      `Permissions can't be granted on a ${target.type}, only on: ${targets.join(', ')}.`,
      wrongName(target.type, ...target.ref),
    );
  if (permission === 'AccessToken' && target.type !== 'organization')
    throw new MetadataError(
      'AccessToken can only be granted on the organization.',
      wrongName(target.type, ...target.ref),
    );
  const item = resolveTarget(context, target, 'Use');
  if (item.type === 'organization' || permission === 'Lineage')
    catalogue.requireAdmin(
      who,
      `${kind} ${permission === 'Lineage' ? 'Lineage' : 'permissions on the organization'}`,
    );
  catalogue.requirePermission(item, who, 'Admin');
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
    throw new MetadataError(
      `${permission} on the organization can only be granted to individual users.`,
      wrongName(principal.type, principal.name),
    );
  if (kind === 'revoke' && serverRole === serverRoles.Admin && named.name === who.userName)
    throw new MetadataError('You cannot revoke your own Admin on the organization.');
  const edit = kind === 'grant' ? addGrant : removeGrant;
  const isNew = await catalogue.change((state) => edit(state, entry));
  // These permissions are also roles of the server account, so the account has to change too.
  if (serverRole !== undefined) await people.setRole(named.name, serverRole, kind === 'grant');
  const text = `${permission} on ${item.type} ${catalogue.nameOf(item)}`;
  recordChange(
    context,
    item,
    kind === 'grant' ? 'Grant' : 'Revoke',
    `${permission} ${kind === 'grant' ? 'to' : 'from'} ${principal.type} ${named.name}`,
    'Admin',
  );
  const whom = `${principal.type} ${named.name}`;
  if (isNew || serverRole !== undefined)
    emit.line(kind === 'grant' ? `Granted ${text} to ${whom}.` : `Revoked ${text} from ${whom}.`);
  else if (kind === 'grant') emit.line(`${whom} already has ${text}.`);
  else emit.line(`${whom} does not have ${text}: nothing was revoked.`);
};

/** Resolves a user, role or organization. Throws if there is none of this name. */
async function nameOf(
  context: StatementContext,
  { type, name }: Principal,
): Promise<NamedPrincipal> {
  if (type === 'user') return { type: 'User', name: (await needUser(context, name)).userName };
  const { catalogue } = context;
  const found = catalogue.find({ type, ref: [name] }, context.session.scope);
  if (!found) throw new MetadataError(`There is no ${type} ${name}.`, wrongName(type, name));
  return { type: type === 'role' ? 'Role' : 'Organization', name: found.name };
}

/** Carries out `grant role` and `revoke role`. */
export const grantRole: RunStatement<'grantRole' | 'revokeRole'> = async (
  context,
  { kind, role, principal },
) => {
  const { catalogue, who, emit } = context;
  if (principal.type !== 'user')
    throw new MetadataError(
      'Roles can only be granted to users.',
      wrongName(principal.type, principal.name),
    );
  const grants = kind === 'grantRole';
  catalogue.requireAdmin(who, grants ? 'grant roles' : 'revoke roles');
  const item = resolveObject(context, 'role', [role], 'Use');
  const { userName } = await needUser(context, principal.name);
  const isNew = await catalogue.change((state) => setMember(state, item.name, userName, grants));
  recordChange(context, item, grants ? 'Grant' : 'Revoke', `user ${userName}`, 'Admin');
  const [done, to] = grants ? ['Granted', 'to'] : ['Revoked', 'from'];
  if (isNew) emit.line(`${done} role ${item.name} ${to} user ${userName}.`);
  else if (grants) emit.line(`User ${userName} already has role ${item.name}.`);
  else emit.line(`User ${userName} does not have role ${item.name}: nothing was revoked.`);
};

/**
 * Carries out `show permissions`. Users see their own permissions; administrators can see those of
 * others.
 */
export const showPermissions: RunStatement<'showPermissions'> = async (context, { principal }) => {
  const { catalogue, who, emit } = context;
  if (principal && !(principal.type === 'user' && principal.name === who.userName))
    catalogue.requireAdmin(who, 'see the permissions of others');
  const named = principal
    ? await nameOf(context, principal)
    : { type: 'User' as const, name: who.userName };
  emit.widget('permissions', {
    permissions: permissionsOf(context, named).map((each) => ({
      ...each,
      principalType: named.type,
      principalName: named.name,
    })),
  });
};

/** Returns whether events are about the object with a type and a name. */
const isAbout =
  (type: string, name: string) =>
  ({ objectType, objectName }: LoggedUse): boolean =>
    objectType === type && isSameName(objectName, name);

/** Maximum number of events to show. */
const MAX_EVENTS = 1_000;

/**
 * Carries out `show usage`. Users see their own usage, administrators of an object see its usage,
 * and administrators of the organization see everything.
 */
export const showUsage: RunStatement<'showUsage'> = async (context, { target }) => {
  const { catalogue, who, emit } = context;
  let events = catalogue.events.all();
  if (target?.type === 'user') {
    const userName = target.ref[0]!;
    if (userName !== who.userName) catalogue.requireAdmin(who, 'see the usage of others');
    events = events.filter((event) => event.userName === userName);
  } else if (target) {
    const item = resolveTarget(context, target, 'Use');
    catalogue.requirePermission(item, who, 'Admin');
    events = events.filter(isAbout(typeName(item.type), catalogue.nameOf(item)));
  } else if (!who.isAdmin) events = events.filter(({ userName }) => userName === who.userName);
  emit.widget('usage-events', { events: events.slice(0, MAX_EVENTS) });
};

/** Carries out `show activity`: the changes made to an object, newest first. */
export const showActivity: RunStatement<'showActivity'> = async (context, { target }) => {
  const { catalogue, who, emit } = context;
  let objectName: string;
  if (target.type === 'user') {
    catalogue.requireAdmin(who, 'see the changes made to users');
    objectName = target.ref[0]!;
  } else objectName = catalogue.nameOf(resolveTarget(context, target, 'Read'));
  const objectType = typeName(target.type);
  const activities = catalogue.events
    .all()
    .filter(isAbout(objectType, objectName))
    .filter(({ activityType }) => activityType !== undefined);
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
};
