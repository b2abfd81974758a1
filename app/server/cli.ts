/** The command line of the server: `tiding`, `tiding user …`, `tiding token …`. Data on standard output, talk on standard error. */
import { spawnSync } from 'node:child_process';
import { Command, InvalidArgumentError, Option } from 'commander';
import { Tokens } from './auth/tokens.ts';
import { Users } from './auth/users.ts';
import { privateFolder } from './files.ts';
import { createServer } from './index.ts';
import { defaultDataFolder } from './options.ts';
import { parseUpstream } from './upstream/address.ts';
import { SERVER_VERSION } from './version.ts';

const port = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65535) throw new InvalidArgumentError('a port is a number from 0 to 65535');
  return value;
};
const origin = (text: string, before: string[] = []): string[] => {
  try {
    const url = new URL(text);
    if (url.protocol === 'http:' || url.protocol === 'https:') return [...before, url.origin];
  } catch {
    // said below
  }
  throw new InvalidArgumentError('an origin looks like https://portal.example');
};
const upstream = (text: string): string => {
  try {
    return parseUpstream(text).href;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
};
const list = (text: string, before: string[] = []): string[] => [...before, text];
const dataOption = () => new Option('--data <folder>', 'where notes, users and files are kept').default(defaultDataFolder());

function fail(error: unknown): never {
  process.stderr.write(`tiding: ${(error as Error).message}\n`);
  process.exit(1);
}

interface ServeFlags {
  port: number;
  host: string;
  data: string;
  open: boolean;
  allowOrigin?: string[];
  allowHost?: string[];
  shell?: boolean;
  upstream?: string;
}

async function serve(flags: ServeFlags): Promise<void> {
  const server = await createServer({
    port: flags.port, host: flags.host, data: flags.data, allowOrigins: flags.allowOrigin ?? [], allowHosts: flags.allowHost ?? [],
    shell: flags.shell,
    upstream: flags.upstream,
  }).catch(fail);
  const stop = () => {
    const late = setTimeout(() => process.exit(1), 10_000);
    void server.close().then(() => {
      clearTimeout(late);
      process.exit(0);
    });
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  const python = spawnSync(process.env['TIDING_PYTHON'] ?? 'python3', ['--version'], { stdio: 'ignore' });
  if (flags.upstream === undefined && (python.error || python.status !== 0)) {
    process.stderr.write('tiding: Python 3 was not found; %python will not run. Install Python 3 with its venv module, or set TIDING_PYTHON.\n');
  }
  const link = server.hasPassword ? server.url : server.loginLink();
  process.stdout.write(`Tiding is running. Open ${link}\n`);
  if (server.notice !== undefined) process.stderr.write(`tiding: ${server.notice}\n`);
  if (flags.open && process.stdout.isTTY) {
    const { default: open } = await import('open');
    await open(link).catch(() => {});
  }
}

/** The password from standard input: one line; asked for where it is a terminal. */
async function readPassword(): Promise<string> {
  let text = '';
  // Silent before it asks: who pastes at once must not see it either.
  if (process.stdin.isTTY) {
    process.stdin.setRawMode(true);
    process.stderr.write('Password: ');
  }
  for await (const chunk of process.stdin) {
    for (const character of String(chunk)) {
      if (character === '\u0003') process.exit(130);
      if (character === '\r' || character === '\n') {
        if (process.stdin.isTTY) process.stdin.setRawMode(false);
        process.stdin.pause();
        return text;
      }
      text = character === '\u007f' ? text.slice(0, -1) : text + character;
    }
  }
  return text;
}

/** Runs the command line. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('tiding').description('Notebook and data-analytics workbench').version(SERVER_VERSION).showHelpAfterError()
    // 2 is wrong usage, as in the other commands.
    .exitOverride((end) => process.exit(end.exitCode === 0 ? 0 : 2));
  program
    .command('serve', { isDefault: true })
    .description('serve the workbench (the default)')
    .option('--port <number>', 'port; 0 for a free one', port, 8080)
    .option('--host <address>', 'address to listen on; another than loopback needs an administrator with a password', '127.0.0.1')
    .addOption(dataOption())
    .option('--no-open', 'do not open a browser')
    .option('--allow-origin <origin>', 'a page of this origin may embed notes; repeatable', origin)
    .option('--allow-host <name>', 'a further host name under which the server is reached; repeatable', list)
    .addOption(new Option('--shell', 'allow %sh and files outside the data folder although several people sign in'))
    .option('--upstream <address>', 'stand in front of a Zeppelin 0.9 to 0.12, with its notes, interpreters and users', upstream)
    .addOption(new Option('--no-shell', 'never allow %sh, nor files outside the data folder'))
    .action(async (flags: ServeFlags, command: Command) => {
      // Neither flag given: the server decides by who can sign in.
      const given = command.getOptionValueSource('shell') === 'cli';
      const { shell, ...rest } = flags;
      await serve(given && shell !== undefined ? { ...rest, shell } : rest);
    });

  const user = program.command('user').description('manage who may sign in');
  user
    .command('add <name>')
    .description('add a user, or change one; the password is read from standard input')
    .option('--role <role>', 'a role, for example magpie.AccessToken; repeatable', list)
    .addOption(dataOption())
    .action(async (name: string, flags: { role?: string[]; data: string }) => {
      const users = new Users(await privateFolder(flags.data));
      const password = await readPassword();
      if (password === '') fail(new Error('no password was given on standard input'));
      await users.set(name, { password, ...(flags.role ? { roles: flags.role } : {}) }).catch(fail);
      process.stderr.write(`tiding: ${name} can sign in.\n`);
    });
  user
    .command('list')
    .addOption(dataOption())
    .action(async (flags: { data: string }) => {
      const users = new Users(flags.data);
      await users.refresh();
      for (const name of users.names) process.stdout.write(`${name}\t${users.get(name)?.roles.join(',') ?? ''}\n`);
    });
  user
    .command('remove <name>')
    .addOption(dataOption())
    .action(async (name: string, flags: { data: string }) => {
      if (!(await new Users(flags.data).remove(name).catch(fail))) fail(new Error(`there is no user '${name}'`));
      // Another person of that name shall not find them.
      await new Tokens(flags.data).remove(name).catch(fail);
      process.stderr.write(`tiding: ${name} can no longer sign in.\n`);
    });

  const token = program.command('token').description('manage access tokens for scripts and embedding pages');
  token
    .command('create <user>')
    .description('make a token and print it, the only time it is shown')
    .option('--description <text>', 'what it is for', '')
    .option('--days <number>', 'days until it expires', Number, 90)
    .addOption(dataOption())
    .action(async (name: string, flags: { description: string; days: number; data: string }) => {
      const users = new Users(flags.data);
      await users.refresh();
      if (!users.get(name)) fail(new Error(`there is no user '${name}'`));
      const made = await new Tokens(flags.data).create(name, { description: flags.description, expiresInDays: flags.days }).catch(fail);
      process.stdout.write(`${made.token ?? ''}\n`);
    });

  await program.parseAsync([...argv], { from: 'user' }).catch(fail);
}
