/**
 * Statements about users. Accounts belong to the server; the catalogue stores additional profile
 * fields.
 */
import { define } from '../../catalogue/definitions.ts';
import { forgetUser } from '../../catalogue/edits.ts';
import type { Profile } from '../../catalogue/state.ts';
import { MetadataError, wrongName } from '../../contract.ts';
import type { Body } from '../../language/statements.ts';
import type { UserAccount } from '../../people.ts';
import type { RunStatement, StatementContext } from '../context.ts';
import { unknownMembersNote } from '../notes.ts';

/** Returns a user. Throws {@link MetadataError} if there is none of this name. */
export async function needUser(
  { people }: StatementContext,
  userName: string,
): Promise<UserAccount> {
  const found = await people.find(userName);
  if (!found) throw new MetadataError(`There is no user ${userName}.`, wrongName('user', userName));
  return found;
}

function record(context: StatementContext, userName: string, activity: string): void {
  context.uses.push({
    item: { type: 'organization', name: userName },
    permission: 'Admin',
    activity,
    names: { objectName: userName, objectType: 'User' },
  });
}

const setProfile = (
  { catalogue }: StatementContext,
  userName: string,
  { firstName, lastName, serviceAccount }: Profile,
): Promise<undefined> =>
  catalogue.change((state) => {
    const profile = { firstName, lastName, serviceAccount };
    return {
      state: { ...state, profiles: { ...state.profiles, [userName]: profile } },
      value: undefined,
    };
  });

/** `create user {…}`. */
export async function createUser(context: StatementContext, body: Body): Promise<void> {
  const { catalogue, people, who, emit } = context;
  catalogue.requireAdmin(who, 'create users');
  const { value, ignored } = define('user', body);
  const { userName, userStatus } = value;
  await people.create(userName);
  try {
    if (userStatus === 'Disabled') await people.setDisabled(userName, true);
    await setProfile(context, userName, value);
  } catch (error) {
    await people.remove(userName);
    throw error;
  }
  record(context, userName, 'Create');
  const signIn = value.serviceAccount
    ? 'A service account has no password: an administrator creates its tokens.'
    : `Set the first password with "alter user ${userName} reset password".`;
  emit.line(`Created user ${userName}. ${signIn}${unknownMembersNote(ignored)}`);
}

/** `alter user U set {…}`. */
export async function alterUser(
  context: StatementContext,
  userName: string,
  body: Body,
): Promise<void> {
  const { catalogue, who, emit } = context;
  const isOwn =
    userName === who.userName &&
    Object.keys(body).every((key) => key === 'firstName' || key === 'lastName');
  if (!isOwn) catalogue.requireAdmin(who, 'change users');
  const person = await needUser(context, userName);
  if ('userName' in body && body['userName'] !== userName)
    throw new MetadataError("User names can't be changed.");
  const before = catalogue.state.profiles[userName] ?? {};
  const { value, ignored } = define('user', {
    ...defined(before),
    userStatus: person.isDisabled ? 'Disabled' : 'Active',
    ...body,
    userName,
  });
  const disabled = value.userStatus === 'Disabled';
  if (disabled !== person.isDisabled) await setDisabled(context, userName, disabled);
  await setProfile(context, userName, value);
  record(context, userName, 'Alter');
  emit.line(`Altered user ${userName}.${unknownMembersNote(ignored)}`);
}

const defined = (profile: Profile): Body => JSON.parse(JSON.stringify(profile)) as Body;

async function setDisabled(
  { people, who }: StatementContext,
  userName: string,
  disabled: boolean,
): Promise<void> {
  if (disabled && userName === who.userName)
    throw new MetadataError('You cannot disable yourself.');
  await people.setDisabled(userName, disabled);
}

/** `enable user U` and `disable user U`. */
export async function toggleUser(
  context: StatementContext,
  userName: string,
  enable: boolean,
): Promise<void> {
  context.catalogue.requireAdmin(context.who, `${enable ? 'enable' : 'disable'} users`);
  await needUser(context, userName);
  await setDisabled(context, userName, !enable);
  record(context, userName, enable ? 'Enable' : 'Disable');
  context.emit.line(`${enable ? 'Enabled' : 'Disabled'} user ${userName}.`);
}

/** `drop user U`. */
export const dropUser: RunStatement<'drop'> = async (context, { target, ifExists }) => {
  const { catalogue, people, who, emit } = context;
  const userName = target.ref[0]!;
  catalogue.requireAdmin(who, 'drop users');
  if (ifExists && !(await people.find(userName)))
    return emit.line(`There is no user ${userName}: nothing was dropped.`);
  await needUser(context, userName);
  if (userName === who.userName) throw new MetadataError('You cannot drop yourself.');
  await people.remove(userName);
  await catalogue.change((state) => forgetUser(state, userName));
  record(context, userName, 'Drop');
  emit.line(`Dropped user ${userName}.`);
};

/**
 * `alter user U reset password`. Administrators can reset any password; users can reset their own.
 */
export const resetPassword: RunStatement<'resetPassword'> = async (context, { userName }) => {
  const { catalogue, people, who, emit } = context;
  if (userName !== who.userName) catalogue.requireAdmin(who, 'reset the passwords of others');
  await needUser(context, userName);
  if (catalogue.state.profiles[userName]?.serviceAccount)
    throw new MetadataError(`${userName} is a service account, which has no password.`);
  people.resetPassword(userName);
  record(context, userName, 'ResetPassword');
  emit.line(
    `Sent a link for setting a new password to ${userName}: by mail if this server has a ` +
      "mail server, otherwise to the server's log.",
  );
};
