/** `tiding token …`: access tokens of the users of a data folder. */
import type { Command } from 'commander';
import { AccessTokenStore } from '../auth/tokens.ts';
import { Users } from '../auth/users.ts';
import type { CommandContext } from './command.ts';
import { addTo, existingFolder, noSuchUser, recordChange } from './data-folder.ts';
import { CommandError, EXIT } from './exit.ts';

const DAY_MS = 86_400_000;
const JSON_FIELDS = '{"tokenId", "user", "description", "createdAt", "expiresAt", "disabled"}';

/** A token as it is stored, without its owner. */
type AccessToken = Awaited<ReturnType<AccessTokenStore['create']>>;

type OwnedToken = Pick<AccessToken, 'description' | 'createdAt' | 'expiresAt' | 'disabled'> & {
  readonly tokenId: string;
  readonly user: string;
};

async function tokensOf(data: string, only: string | undefined): Promise<OwnedToken[]> {
  const users = new Users(await existingFolder(data));
  await users.refresh();
  if (only !== undefined && !users.get(only)) throw noSuchUser(only);
  const store = new AccessTokenStore(data);
  const found: OwnedToken[] = [];
  for (const user of only === undefined ? users.names : [only])
    for (const { tokenId = '', description, createdAt, expiresAt, disabled } of await store.list(
      user,
    ))
      found.push({ tokenId, user, description, createdAt, expiresAt, disabled });
  return found;
}

async function tokenById(data: string, tokenId: string): Promise<OwnedToken> {
  const found = (await tokensOf(data, undefined)).find((token) => token.tokenId === tokenId);
  if (found) return found;
  throw new CommandError(
    EXIT.failed,
    `there is no token '${tokenId}'`,
    "Run 'tiding token list' to list the tokens.",
  );
}

/** Days between the creation of a token and its expiry; `null` if it never expires. */
function lifetimeOf({ createdAt, expiresAt }: OwnedToken): number | null {
  if (expiresAt == null) return null;
  const days = Math.round((Date.parse(expiresAt) - Date.parse(createdAt ?? '')) / DAY_MS);
  return Number.isFinite(days) ? Math.min(3650, Math.max(1, days)) : 90;
}

/** Adds the commands of `tiding token`. */
export function defineToken(group: Command, context: CommandContext): void {
  const { terminal } = context;
  group.description('Manage access tokens for scripts and embedding pages.');
  const printNew = (user: string, { token = '', tokenId, expiresAt }: AccessToken, json = false) =>
    terminal.line(json ? JSON.stringify({ tokenId, user, token, expiresAt }) : (token ?? ''));
  addTo(group, context, 'create <user>')
    .summary('create a token and print it')
    .description('Create a token and print it. It is shown only once.')
    .option('--description <text>', 'description of the token', '')
    .option('--days <number>', 'days until it expires', Number, 90)
    .option('--json', 'print one JSON object: {"tokenId", "user", "token", "expiresAt"}')
    .action(
      async (
        name: string,
        flags: { description: string; days: number; data: string; json?: boolean },
      ) => {
        const users = new Users(flags.data);
        await users.refresh();
        if (!users.get(name)) throw noSuchUser(name);
        const made = await new AccessTokenStore(flags.data).create(name, {
          description: flags.description,
          expiresInDays: flags.days,
        });
        await recordChange(terminal, flags.data, 'token-created', `${name} ${made.tokenId}`);
        await printNew(name, made, flags.json);
      },
    );
  addTo(group, context, 'list [user]')
    .summary('list the tokens of a user, or of all')
    .description(
      'List tokens without their secrets, one per line: id, user, expiry, state and ' +
        'description, separated by tabs.',
    )
    .option('--json', `print one JSON object per line: ${JSON_FIELDS}`)
    .action(async (user: string | undefined, flags: { data: string; json?: boolean }) => {
      for (const token of await tokensOf(flags.data, user)) {
        const { tokenId, expiresAt, disabled, description } = token;
        const isExpired = expiresAt != null && Date.parse(expiresAt) <= Date.now();
        const state = disabled ? 'disabled' : isExpired ? 'expired' : 'enabled';
        const fields = [tokenId, token.user, expiresAt ?? 'never', state, description ?? ''];
        await terminal.line(flags.json ? JSON.stringify(token) : fields.join('\t'));
      }
    });
  addTo(group, context, 'revoke <id>')
    .summary('revoke a token')
    .description('Revoke a token. A running server ends its sessions at once.')
    .option('--json', 'print one JSON object: {"tokenId", "user"}')
    .action(async (id: string, flags: { data: string; json?: boolean }) => {
      const { tokenId, user } = await tokenById(flags.data, id);
      await new AccessTokenStore(flags.data).remove(user, tokenId);
      await recordChange(terminal, flags.data, 'token-revoked', `${user} ${tokenId}`);
      if (flags.json) await terminal.line(JSON.stringify({ tokenId, user }));
      else terminal.status(`the token ${tokenId} of ${user} is revoked`);
    });
  addTo(group, context, 'rotate <id>')
    .summary('replace a token by a new one and print it')
    .description(
      'Create a token with the same user, description and lifetime, print it, and revoke the ' +
        'old one. The new token is shown only once.',
    )
    .option('--json', 'print one JSON object: {"tokenId", "user", "token", "expiresAt"}')
    .action(async (id: string, flags: { data: string; json?: boolean }) => {
      const old = await tokenById(flags.data, id);
      const store = new AccessTokenStore(flags.data);
      const made = await store.create(old.user, {
        description: old.description ?? '',
        expiresInDays: lifetimeOf(old),
      });
      await printNew(old.user, made, flags.json);
      await store.remove(old.user, old.tokenId);
      await recordChange(
        terminal,
        flags.data,
        'token-rotated',
        `${old.user} ${old.tokenId} ${made.tokenId}`,
      );
    });
}
