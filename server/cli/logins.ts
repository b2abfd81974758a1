/** Logins that `tiding login` stores: an access token for each server. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { privateFolder, writeDurably } from '../storage/files.ts';
import { CommandError, EXIT } from './exit.ts';
import type { CommandIo } from './terminal.ts';

export interface StoredLogin {
  readonly user: string;
  readonly token: string;
  /** Id of the token if the login created it, so that a logout can remove it. */
  readonly tokenId?: string | undefined;
}

/** The stored logins by server address. The last login names the default server. */
interface Logins {
  readonly current?: string | undefined;
  readonly servers: Readonly<Record<string, StoredLogin>>;
}

const folderOf = ({ env }: CommandIo) =>
  join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'tiding');
export const loginsFile = (io: CommandIo): string => join(folderOf(io), 'logins.json');

export async function readLogins(io: CommandIo): Promise<Logins> {
  const file = loginsFile(io);
  try {
    const { current, servers = {} } = JSON.parse(await readFile(file, 'utf8')) as Partial<Logins>;
    return { current, servers };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { servers: {} };
    throw new CommandError(
      EXIT.failed,
      `${file} cannot be read: ${(error as Error).message}`,
      "Remove the file and run 'tiding login' again.",
    );
  }
}

/** Stores the login of a server, which becomes the default one; `undefined` removes it. */
export async function storeLogin(
  io: CommandIo,
  server: string,
  login: StoredLogin | undefined,
): Promise<void> {
  const { current, servers } = await readLogins(io);
  const { [server]: _replaced, ...others } = servers;
  const next: Logins = login
    ? { current: server, servers: { ...others, [server]: login } }
    : { current: current === server ? Object.keys(others)[0] : current, servers: others };
  await privateFolder(folderOf(io));
  await writeDurably(loginsFile(io), `${JSON.stringify(next, null, 2)}\n`, 0o600);
}
