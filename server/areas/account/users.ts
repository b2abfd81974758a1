/** Users of this server, for its administrators. */
import type { PasswordLinkInfo, ServerUser } from '@tiding/client/protocol';
import { removeUser, setUserDisabled } from '../../auth/accounts.ts';
import { isServerAdministrator, type User } from '../../auth/users.ts';
import { Refusal } from '../../base/errors.ts';
import type { RestHandlers, ServerContext } from '../context.ts';

/** Roles that a user may have. */
const MAX_ROLES = 100;
const rolePattern = /^[\p{L}\p{N}][\p{L}\p{N}._@:+-]{0,127}$/u;
const SIGNED_OUT = 'An administrator has ended your sessions. Sign in again.';

function refuseWithoutUsers({ options }: ServerContext): void {
  if (options.anonymous)
    throw new Refusal(
      409,
      'This server has no users: everybody is anonymous. Start it without --anonymous to ' +
        'invite people.',
    );
}

/** Returns the user that a path names. */
async function userOf(
  { params }: { readonly params: Readonly<Record<string, string>> },
  context: ServerContext,
): Promise<User> {
  refuseWithoutUsers(context);
  await context.users.refresh();
  const user = context.users.get(params['userName'] ?? '');
  if (!user) throw new Refusal(404, `There is no user ${params['userName'] ?? ''}.`);
  return user;
}

function refuseSelf(name: string, principal: string, what: string): void {
  if (name === principal)
    throw new Refusal(409, `You can't ${what} yourself. Ask another administrator.`);
}

/** Returns the roles without repetitions. Roles that the user has already are not checked. */
function checkedRoles(roles: readonly string[], before: readonly string[] = []): string[] {
  const all = [...new Set(roles)];
  if (all.length > MAX_ROLES) throw new Refusal(400, `A user may have at most ${MAX_ROLES} roles.`);
  const bad = all.find((role) => !rolePattern.test(role) && !before.includes(role));
  if (bad !== undefined)
    throw new Refusal(
      400,
      `'${bad.slice(0, 100)}' is not a valid role. Use letters, digits and . _ @ : + -`,
    );
  return all;
}

const isService = (name: string, { magpie }: ServerContext): boolean =>
  magpie.profileOf(name)?.serviceAccount === true;

async function linkFor(user: User, context: ServerContext): Promise<PasswordLinkInfo> {
  const { name } = user;
  if (user.disabled) throw new Refusal(409, `${name} is disabled. Enable the user first.`);
  if (isService(name, context))
    throw new Refusal(409, `${name} is a service account, which has no password.`);
  refuseWithoutPasswords(context);
  if (user.sso && user.password === undefined)
    throw new Refusal(409, `${name} signs in with single sign-on and has no password.`);
  return { name, ...(await context.passwordResets.create(name)) };
}

function refuseWithoutPasswords({ options }: ServerContext): void {
  if (options.loginMode === 'SsoOnly')
    throw new Refusal(
      409,
      'This server has no passwords. Users are created when they sign in with single sign-on.',
    );
}

function describe(
  user: User,
  pending: ReadonlyMap<string, string>,
  context: ServerContext,
): ServerUser {
  const { disabled = false, name, password, roles, sso } = user;
  const { firstName, lastName } = context.magpie.profileOf(name) ?? {};
  const displayName = [firstName, lastName].filter(Boolean).join(' ');
  const linkExpiresAt = pending.get(name);
  const signIn = context.sessions.lastSignIn(name);
  const service = isService(name, context);
  return {
    name,
    ...(displayName === '' ? {} : { displayName }),
    roles,
    disabled,
    invited: password === undefined && !sso && !service && signIn === undefined,
    hasPassword: password !== undefined,
    ...(linkExpiresAt === undefined ? {} : { linkExpiresAt }),
    sso: sso !== undefined,
    service,
    ...(signIn === undefined ? {} : { lastSignIn: new Date(signIn).toISOString() }),
    sessions: context.sessions.ofUser(name).length,
  };
}

/** Describes a user after a change. */
const changed = async (user: User, context: ServerContext): Promise<ServerUser> =>
  describe(user, await context.passwordResets.pending(), context);

export const usersRest = {
  listUsers: async (_, context) => {
    refuseWithoutUsers(context);
    const { passwordResets, users } = context;
    await users.refresh();
    const pending = await passwordResets.pending();
    return users.names.map((name) => describe(users.get(name)!, pending, context));
  },
  inviteUser: async ({ body, setStatus }, context) => {
    refuseWithoutUsers(context);
    refuseWithoutPasswords(context);
    const name = body.name.trim();
    const roles = checkedRoles(body.roles ?? []);
    let user: User;
    try {
      user = await context.users.set(name, { roles }, { isNew: true });
    } catch (error) {
      if (error instanceof Refusal || 'code' in (error as object)) throw error;
      throw new Refusal(400, (error as Error).message);
    }
    setStatus(201);
    return linkFor(user, context);
  },
  setUserRoles: async ({ body, person, ...request }, context) => {
    const { name, roles: before } = await userOf(request, context);
    const roles = checkedRoles(body.roles, before);
    if (isServerAdministrator({ roles: before }) && !isServerAdministrator({ roles }))
      refuseSelf(name, person.principal, 'remove the role of an administrator from');
    return changed(await context.users.set(name, { roles }, { keepAdministrator: true }), context);
  },
  setUserStatus: async ({ person, ...request }, context) => {
    const { name } = await userOf(request, context);
    const { status } = request.params;
    if (status !== 'enabled' && status !== 'disabled')
      throw new Refusal(400, "status must be 'enabled' or 'disabled'.");
    if (status === 'disabled') refuseSelf(name, person.principal, 'disable');
    await setUserDisabled(name, status === 'disabled', context);
    return changed(await userOf(request, context), context);
  },
  listUserSessions: async ({ session, ...request }, context) => {
    const { name } = await userOf(request, context);
    const { hub, sessions } = context;
    return sessions.ofUser(name).map(({ key, created, seen }) => ({
      startedAt: new Date(created).toISOString(),
      lastUsedAt: new Date(seen).toISOString(),
      open: [...hub.connections].some(({ sessionKey }) => sessionKey === key),
      current: key === session?.key,
    }));
  },
  endUserSessions: async ({ session, ...request }, context) => {
    const { name } = await userOf(request, context);
    for (const { key } of context.sessions.ofUser(name))
      if (key !== session?.key) await context.sessions.end(key, SIGNED_OUT);
  },
  createPasswordLink: async (request, context) => {
    const user = await userOf(request, context);
    request.setStatus(201);
    return linkFor(user, context);
  },
  removeUser: async ({ person, ...request }, context) => {
    const { name } = await userOf(request, context);
    refuseSelf(name, person.principal, 'remove');
    await removeUser(name, context, { keepAdministrator: true });
  },
} satisfies Partial<RestHandlers>;
