/** Commands that work on the data folder: `tiding user …` and `tiding key …`. */
import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { removeUser } from '../auth/accounts.ts';
import { EmbedKeys } from '../auth/embed-keys.ts';
import { PasswordResets } from '../auth/password-resets.ts';
import { rotateSecrets } from '../auth/rotate-secrets.ts';
import { Secrets } from '../auth/secrets.ts';
import { readSignIns } from '../auth/sessions.ts';
import { AccessTokenStore } from '../auth/tokens.ts';
import { Users } from '../auth/users.ts';
import { defaultDataFolder } from '../base/options.ts';
import { Audit } from '../logging/audit.ts';
import { privateFolder } from '../storage/files.ts';
import { lockFolder } from '../storage/lock.ts';
import { type CommandContext, seeHelp } from './command.ts';
import { CommandError, EXIT } from './exit.ts';
import { NO_PASSWORD, readPassword } from './secret.ts';
import type { CommandIo, Terminal } from './terminal.ts';

/** Collects the values of a repeatable option. */
export const list = (text: string, before: string[] = []): string[] => [...before, text];
export const dataOption = ({ cwd, env }: CommandIo): Option =>
  new Option('--data <folder>', 'folder for notes, users and files')
    .default(resolve(cwd, defaultDataFolder(env)))
    .argParser((folder) => resolve(cwd, folder));

/** Records a change of the data folder in the audit log. */
export async function recordChange(
  terminal: Terminal,
  folder: string,
  event: string,
  target: string,
): Promise<void> {
  const audit = new Audit(folder);
  audit.record(event, { principal: `command line, ${userInfo().username}`, target, outcome: 'ok' });
  await audit
    .flush()
    .catch((error: Error) =>
      terminal.status(`the audit log could not be written: ${error.message}`),
    );
}

/** Adds a command to a group such as `tiding user`. */
export const addTo = (
  group: Command,
  { io, terminal }: CommandContext,
  nameAndArguments: string,
): Command =>
  group
    .command(nameAndArguments)
    .showHelpAfterError(seeHelp(`${group.name()} ${nameAndArguments.split(' ')[0]}`))
    .addOption(dataOption(io))
    .option('-q, --quiet', 'print results and errors only')
    .hook('preAction', (called) => {
      terminal.quiet = called.opts<{ quiet?: boolean }>().quiet === true;
    });

/** Returns the data folder of a server. A typing error must not create another one. */
export async function existingFolder(folder: string): Promise<string> {
  if ((await stat(folder).catch(() => undefined))?.isDirectory()) return folder;
  throw new CommandError(
    EXIT.usage,
    `there is no data folder ${folder}`,
    'Pass the folder of the server with --data, or set TIDING_DATA.',
  );
}

export const noSuchUser = (name: string): Error => new Error(`there is no user '${name}'`);

export function defineUser(group: Command, context: CommandContext): void {
  const { terminal, io } = context;
  group.description('Manage users. A running server applies the changes at once.');
  addTo(group, context, 'add <name>')
    .summary('add or change a user')
    .description('Add or change a user. The password is read from standard input.')
    .option('--role <role>', 'role, for example magpie.AccessToken; repeatable', list)
    .action(async (name: string, flags: { role?: string[]; data: string }) => {
      const users = new Users(await privateFolder(flags.data));
      const password = await readPassword(io, 'Password: ');
      if (password === '') throw new Error(NO_PASSWORD);
      await users.set(name, { password, ...(flags.role ? { roles: flags.role } : {}) });
      await recordChange(terminal, flags.data, 'user-changed', name);
      terminal.status(`${name} can sign in.`);
    });
  addTo(group, context, 'invite <name>')
    .summary('add a user who sets their own password')
    .description(
      'Add a user without a password, and print a link that sets it. The link works once, within ' +
        'seven days. For a user who has no password yet, print a new link.',
    )
    .option('--role <role>', 'role, for example magpie.AccessToken; repeatable', list)
    .option(
      '--url <url>',
      'address of the server, as users open it',
      io.env['TIDING_PUBLIC_URL'] || 'http://127.0.0.1:8080',
    )
    .action(async (name: string, flags: { role?: string[]; url: string; data: string }) => {
      const folder = await privateFolder(flags.data);
      const users = new Users(folder);
      await users.refresh();
      if (users.get(name)?.password !== undefined || users.get(name)?.sso)
        throw new Error(`there is already a user '${name}' who can sign in`);
      await users.set(name, flags.role ? { roles: flags.role } : {});
      const resets = new PasswordResets({
        folder,
        users,
        url: () => flags.url.replace(/\/+$/, ''),
      });
      const { link } = await resets.create(name);
      await recordChange(terminal, flags.data, 'user-invited', name);
      await terminal.line(link!);
      terminal.status(`Send the link to ${name}. It works once, within seven days.`);
    });
  addTo(group, context, 'list')
    .summary('list the users')
    .description(
      'List the users, one per line: name, roles, last sign-in or -, and disabled for users who ' +
        'are, separated by tabs.',
    )
    .option('--json', 'print one JSON object per line: {"name", "roles", "disabled", "lastSignIn"}')
    .action(async (flags: { data: string; json?: boolean }) => {
      const users = new Users(flags.data);
      await users.refresh();
      const signIns = await readSignIns(flags.data);
      for (const name of users.names) {
        const { disabled = false, roles } = users.get(name)!;
        const time = signIns.get(name);
        const lastSignIn = time === undefined ? undefined : new Date(time).toISOString();
        await terminal.line(
          flags.json
            ? JSON.stringify({ name, roles, disabled, lastSignIn })
            : [name, roles.join(','), lastSignIn ?? '-', ...(disabled ? ['disabled'] : [])].join(
                '\t',
              ),
        );
      }
    });
  for (const verb of ['disable', 'enable'] as const)
    addTo(group, context, `${verb} <name>`)
      .summary(`${verb} a user`)
      .description(
        verb === 'disable'
          ? 'Disable a user: their sessions end, and their access tokens and schedules stop ' +
              'until the user is enabled.'
          : 'Let a disabled user sign in again.',
      )
      .action(async (name: string, flags: { data: string }) => {
        const users = new Users(flags.data);
        await users.refresh();
        if (!users.get(name)) throw noSuchUser(name);
        // A running server notices the change and ends the sessions.
        await users.set(name, { disabled: verb === 'disable' }, { keepAdministrator: true });
        if (verb === 'disable')
          await new PasswordResets({ folder: flags.data, users, url: () => '' }).forget(name);
        await recordChange(terminal, flags.data, 'user-changed', `${name} ${verb}d`);
        terminal.status(
          verb === 'disable' ? `${name} can no longer sign in.` : `${name} can sign in.`,
        );
      });
  addTo(group, context, 'remove <name>')
    .summary('remove a user')
    .description('Remove a user with their access tokens, sessions and permissions.')
    .action(async (name: string, flags: { data: string }) => {
      const { data } = flags;
      const stores = { users: new Users(data), tokens: new AccessTokenStore(data) };
      if (!(await removeUser(name, stores))) throw noSuchUser(name);
      await recordChange(terminal, flags.data, 'user-removed', name);
      terminal.status(`${name} can no longer sign in.`);
    });
}

export function defineKey(group: Command, context: CommandContext): void {
  const { terminal, io } = context;
  group.description('Manage the keys of embed tokens and secrets.');
  addTo(group, context, 'rotate')
    .summary('create a new key for embed tokens')
    .description('Create a new key for embed tokens. Existing tokens stay valid until they expire.')
    .action(async (flags: { data: string }) => {
      const folder = await existingFolder(flags.data);
      const secrets = await Secrets.open(folder, io.env);
      const kid = await new EmbedKeys(folder, secrets).rotate();
      await recordChange(terminal, folder, 'embed-key-rotated', kid);
      await terminal.line(kid);
    });
  addTo(group, context, 'rotate-encryption')
    .summary('encrypt secrets with a new key')
    .description(
      'Encrypt passwords and tokens of data sources and remotes with a new key. No ' +
        'server may run on the folder.',
    )
    .action(async (flags: { data: string }) => {
      const folder = await existingFolder(flags.data);
      const unlock = await lockFolder(folder);
      const made = await rotateSecrets(folder, io.env).finally(unlock);
      await recordChange(terminal, folder, 'encryption-key-rotated', made.key);
      await terminal.line(made.key);
      const kept =
        made.unreadable === 0
          ? ''
          : ` ${made.unreadable} could not be decrypted and were not changed, ` +
            'so the old keys are kept.';
      terminal.status(`${made.encrypted} secrets have the new key.${kept}`);
    });
}
