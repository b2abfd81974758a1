/** Users: the people of the server, with what the catalogue knows of them beside. */
import { define } from '../catalogue/definitions.ts';
import { forgetUser } from '../catalogue/edits.ts';
import type { Profile } from '../catalogue/state.ts';
import { MetadataError } from '../contract.ts';
import type { Body, StatementOf } from '../language/statements.ts';
import type { Person } from '../people.ts';
import type { Context } from './context.ts';
import { left } from './make-table.ts';

/** A user. Throws {@link MetadataError} where there is none. */
export async function needUser({ people }: Context, userName: string): Promise<Person> {
  const found = await people.find(userName);
  if (!found) throw new MetadataError(`There is no user ${userName}.`);
  return found;
}

function record(context: Context, userName: string, activity: string): void {
  context.uses.push({
    item: { type: 'organization', name: userName },
    permission: 'Admin',
    activity,
    names: { objectName: userName, objectType: 'User' },
  });
}

const profileOf = ({ firstName, lastName, serviceAccount }: Profile): Profile => ({
  firstName,
  lastName,
  serviceAccount,
});

/** `create user {…}`. */
export async function createUser(context: Context, body: Body): Promise<void> {
  const { catalogue, people, who, emit } = context;
  catalogue.demandAdmin(who, 'make users');
  const { value, ignored } = define('user', body);
  const { userName, userStatus } = value;
  await people.create(userName);
  try {
    if (userStatus === 'Disabled') await people.setDisabled(userName, true);
    await catalogue.change((state) => ({
      state: { ...state, profiles: { ...state.profiles, [userName]: profileOf(value) } },
      value: undefined,
    }));
  } catch (error) {
    await people.remove(userName);
    throw error;
  }
  record(context, userName, 'Create');
  emit.say(
    `Created user ${userName}.${value.serviceAccount ? ' A service account has no password: an administrator makes its tokens.' : ` The first password comes by "alter user ${userName} reset password".`}${left(ignored)}`,
  );
}

/** `alter user U set {…}`. */
export async function alterUser(context: Context, userName: string, body: Body): Promise<void> {
  const { catalogue, people, who, emit } = context;
  const isOwn =
    userName === who.userName &&
    Object.keys(body).every((key) => key === 'firstName' || key === 'lastName');
  if (!isOwn) catalogue.demandAdmin(who, 'change users');
  const person = await needUser(context, userName);
  if ('userName' in body && body['userName'] !== userName)
    throw new MetadataError('A user keeps the name.');
  const before = catalogue.state.profiles[userName] ?? {};
  const { value, ignored } = define('user', {
    ...defined(before),
    userStatus: person.isDisabled ? 'Disabled' : 'Active',
    ...body,
    userName,
  });
  const disabled = value.userStatus === 'Disabled';
  if (disabled !== person.isDisabled) await setDisabled(context, userName, disabled);
  await catalogue.change((state) => ({
    state: { ...state, profiles: { ...state.profiles, [userName]: profileOf(value) } },
    value: undefined,
  }));
  record(context, userName, 'Alter');
  emit.say(`Altered user ${userName}.${left(ignored)}`);
}

const defined = (profile: Profile): Body => JSON.parse(JSON.stringify(profile)) as Body;

async function setDisabled(
  { people, who }: Context,
  userName: string,
  disabled: boolean,
): Promise<void> {
  if (disabled && userName === who.userName)
    throw new MetadataError('You cannot disable yourself.');
  await people.setDisabled(userName, disabled);
}

/** `enable user U` and `disable user U`. */
export async function toggleUser(
  context: Context,
  userName: string,
  enable: boolean,
): Promise<void> {
  context.catalogue.demandAdmin(context.who, `${enable ? 'enable' : 'disable'} users`);
  await needUser(context, userName);
  await setDisabled(context, userName, !enable);
  record(context, userName, enable ? 'Enable' : 'Disable');
  context.emit.say(`${enable ? 'Enabled' : 'Disabled'} user ${userName}.`);
}

/** `drop user U`. */
export async function dropUser(
  context: Context,
  { target, ifExists }: StatementOf<'drop'>,
): Promise<void> {
  const { catalogue, people, who, emit } = context;
  const userName = target.ref[0]!;
  catalogue.demandAdmin(who, 'drop users');
  if (ifExists && !(await people.find(userName)))
    return emit.say(`There is no user ${userName}: nothing was dropped.`);
  await needUser(context, userName);
  if (userName === who.userName) throw new MetadataError('You cannot drop yourself.');
  await people.remove(userName);
  await catalogue.change((state) => forgetUser(state, userName));
  record(context, userName, 'Drop');
  emit.say(`Dropped user ${userName}.`);
}

/** `alter user U reset password`: for anyone by administrators, for oneself by everybody. */
export async function resetPassword(
  context: Context,
  { userName }: StatementOf<'resetPassword'>,
): Promise<void> {
  const { catalogue, people, who, emit } = context;
  if (userName !== who.userName) catalogue.demandAdmin(who, 'reset the passwords of others');
  await needUser(context, userName);
  if (catalogue.state.profiles[userName]?.serviceAccount)
    throw new MetadataError(`${userName} is a service account, which has no password.`);
  people.resetPassword(userName);
  record(context, userName, 'ResetPassword');
  emit.say(
    `A link that sets a new password is on its way to ${userName}: by mail where this server has a mail server, else in its log.`,
  );
}
