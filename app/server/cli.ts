/** The command line of the server: `tiding`, `tiding user …`, `tiding token …`. Data on standard output, talk on standard error. */
import { spawnSync } from 'node:child_process';
import { Command, InvalidArgumentError, Option } from 'commander';
import { userInfo } from 'node:os';
import { Audit } from './audit.ts';
import { EmbedKeys } from './auth/embed-keys.ts';
import { rotateSecrets } from './auth/rotate-secrets.ts';
import { Secrets } from './auth/secrets.ts';
import { roleMapping, type LoginMode, type OidcOptions } from './auth/sso-options.ts';
import { Tokens } from './auth/tokens.ts';
import { Users } from './auth/users.ts';
import { privateFolder } from './files.ts';
import { registryAddress } from './helium/npm-registry.ts';
import { frameSource } from './frame-policy.ts';
import { flagOf, LIMITS, readLimit, type LimitName, type Limits } from './limits.ts';
import { lockFolder } from './lock.ts';
import { defaultDataFolder } from './options.ts';
import { parseUpstream } from './upstream/address.ts';
import { SERVER_VERSION } from './version.ts';

const port = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65535)
    throw new InvalidArgumentError('a port is a number from 0 to 65535');
  return value;
};
const atLeastOne = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('a number from 1');
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
const source = (text: string, before: string[] = []): string[] => {
  try {
    return [...before, frameSource(text)];
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
};
const upstream = (text: string): string => {
  try {
    return parseUpstream(text).href;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
};
const limit = (text: string, before: Partial<Limits> = {}): Partial<Limits> => {
  try {
    return { ...before, ...readLimit(text) };
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
};
const registry = (text: string): string => {
  try {
    return registryAddress(text).href;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
};
const minutes = (text: string): number => {
  const value = Number(text);
  if (!(value >= 0 && value <= 10_080)) throw new InvalidArgumentError('minutes from 0 to 10080');
  return value;
};
const list = (text: string, before: string[] = []): string[] => [...before, text];
const dataOption = () =>
  new Option('--data <folder>', 'where notes, users and files are kept').default(
    defaultDataFolder(),
  );

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
  frameSource?: string[];
  shell?: boolean;
  trustProxy?: boolean;
  maxSockets?: number;
  limit?: Partial<Limits>;
  heliumRegistry?: string;
  syncInterval?: number;
  publicUrl?: string;
  loginMode?: LoginMode;
  oidcIssuer?: string;
  oidcDomain?: string[];
  oidcRoleClaim?: string;
  oidcRole?: string[];
  upstream?: string;
  homeNote?: string;
  hideHomeNote?: boolean;
}

/** What the command line says of the identity provider; what it does not say comes from the environment. */
function providerOf({
  oidcIssuer,
  oidcDomain,
  oidcRoleClaim,
  oidcRole,
}: ServeFlags): Partial<OidcOptions> {
  return {
    ...(oidcIssuer ? { issuer: oidcIssuer } : {}),
    ...(oidcDomain ? { domains: oidcDomain } : {}),
    ...(oidcRoleClaim ? { roleClaim: oidcRoleClaim } : {}),
    ...(oidcRole ? { roles: roleMapping(oidcRole) } : {}),
  };
}

async function serve(flags: ServeFlags): Promise<void> {
  const oidc = await Promise.resolve(flags).then(providerOf).catch(fail);
  // Users, tokens and keys are kept without loading a server.
  const { createServer } = await import('./index.ts');
  const server = await createServer({
    port: flags.port,
    host: flags.host,
    data: flags.data,
    allowOrigins: flags.allowOrigin ?? [],
    allowHosts: flags.allowHost ?? [],
    frameSources: flags.frameSource ?? [],
    shell: flags.shell,
    trustProxy: flags.trustProxy ?? false,
    ...flags.limit,
    ...(flags.maxSockets === undefined ? {} : { maxSockets: flags.maxSockets }),
    heliumRegistry: flags.heliumRegistry,
    ...(flags.syncInterval === undefined ? {} : { syncIntervalMs: flags.syncInterval * 60_000 }),
    publicUrl: flags.publicUrl,
    ...(flags.loginMode ? { loginMode: flags.loginMode } : {}),
    oidc,
    upstream: flags.upstream,
    homeNote: flags.homeNote,
    ...(flags.hideHomeNote ? { hideHomeNote: true } : {}),
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
  const python = spawnSync(process.env['TIDING_PYTHON'] ?? 'python3', ['--version'], {
    stdio: 'ignore',
  });
  if (flags.upstream === undefined && (python.error || python.status !== 0)) {
    process.stderr.write(
      'tiding: Python 3 was not found; %python will not run. Install Python 3 with its venv module, or set TIDING_PYTHON.\n',
    );
  }
  const link = server.hasPassword ? server.url : server.loginLink();
  process.stdout.write(`Tiding is running. Open ${link}\n`);
  if (server.notice !== undefined) process.stderr.write(`tiding: ${server.notice}\n`);
  if (flags.open && process.stdout.isTTY) {
    const { default: open } = await import('open');
    await open(link).catch(() => {});
  }
}

/** Writes down what was done beside the server. */
async function written(folder: string, event: string, target: string): Promise<void> {
  const audit = new Audit(folder);
  audit.record(event, { principal: `command line, ${userInfo().username}`, target, outcome: 'ok' });
  await audit
    .flush()
    .catch((error: Error) =>
      process.stderr.write(`tiding: the audit log could not be written: ${error.message}\n`),
    );
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
  const program = new Command('tiding')
    .description('Notebook and data-analytics workbench')
    .version(SERVER_VERSION)
    .showHelpAfterError()
    // 2 is wrong usage, as in the other commands.
    .exitOverride((end) => process.exit(end.exitCode === 0 ? 0 : 2));
  program
    .command('serve', { isDefault: true })
    .description('serve the workbench (the default)')
    .option('--port <number>', 'port; 0 for a free one', port, 8080)
    .option(
      '--host <address>',
      'address to listen on; another than loopback needs an administrator with a password',
      '127.0.0.1',
    )
    .addOption(dataOption())
    .option('--no-open', 'do not open a browser')
    .option('--allow-origin <origin>', 'a page of this origin may embed notes; repeatable', origin)
    .option(
      '--allow-host <name>',
      'a further host name under which the server is reached; repeatable',
      list,
    )
    .option(
      '--frame-source <host>',
      'a host that HTML outputs may load scripts, styles and pictures from, for example https://cdn.plot.ly; repeatable; without it they load nothing',
      source,
    )
    .option(
      '--trust-proxy',
      'believe X-Forwarded-Proto and X-Forwarded-For: only where nobody reaches the server but through a proxy that sets them',
    )
    .option('--max-sockets <number>', 'sockets a user may have open (20)', atLeastOne)
    .option(
      '--limit <name=number>',
      `another upper bound than the default; repeatable: ${(Object.keys(LIMITS) as LimitName[]).map((name) => `${flagOf(name)} (${LIMITS[name].default})`).join(', ')}`,
      limit,
    )
    .option(
      '--helium-registry <address>',
      'npm registry that packages (views, spells, applications) are installed from, for example https://registry.npmjs.org; without it there is what the data folder has',
      registry,
    )
    .option(
      '--sync-interval <minutes>',
      'how often notes are synchronised with their git remote (10); 0: only after checkpoints',
      minutes,
    )
    .option(
      '--public-url <address>',
      'address under which people reach the server, behind a proxy: for links in letters and single sign-on',
    )
    .addOption(
      new Option('--login-mode <mode>', 'how people sign in; SsoOnly takes no passwords').choices([
        'Password',
        'Sso',
        'SsoOnly',
      ]),
    )
    .option(
      '--oidc-issuer <address>',
      'identity provider of single sign-on; its client is TIDING_OIDC_CLIENT_ID, TIDING_OIDC_CLIENT_SECRET',
    )
    .option(
      '--oidc-domain <domain>',
      'addresses of this domain may sign in there; repeatable; without it all may',
      list,
    )
    .option('--oidc-role-claim <name>', 'claim of the provider whose values become roles')
    .option('--oidc-role <value=role>', 'a value of that claim gives this role; repeatable', list)
    .addOption(
      new Option(
        '--shell',
        'allow %sh and files outside the data folder although several people sign in',
      ),
    )
    .option('--home-note <id>', 'note that the home page shows (TIDING_HOME_NOTE)')
    .option('--hide-home-note', 'leave the home note out of the lists (TIDING_HIDE_HOME_NOTE=true)')
    .option(
      '--upstream <address>',
      'stand in front of a Zeppelin 0.9 to 0.12, with its notes, interpreters and users',
      upstream,
    )
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
      await written(flags.data, 'user-changed', name);
      process.stderr.write(`tiding: ${name} can sign in.\n`);
    });
  user
    .command('list')
    .addOption(dataOption())
    .action(async (flags: { data: string }) => {
      const users = new Users(flags.data);
      await users.refresh();
      for (const name of users.names)
        process.stdout.write(`${name}\t${users.get(name)?.roles.join(',') ?? ''}\n`);
    });
  user
    .command('remove <name>')
    .addOption(dataOption())
    .action(async (name: string, flags: { data: string }) => {
      if (!(await new Users(flags.data).remove(name).catch(fail)))
        fail(new Error(`there is no user '${name}'`));
      // Another person of that name shall not find them.
      await new Tokens(flags.data).remove(name).catch(fail);
      await written(flags.data, 'user-removed', name);
      process.stderr.write(`tiding: ${name} can no longer sign in.\n`);
    });

  const token = program
    .command('token')
    .description('manage access tokens for scripts and embedding pages');
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
      const made = await new Tokens(flags.data)
        .create(name, { description: flags.description, expiresInDays: flags.days })
        .catch(fail);
      await written(flags.data, 'token-created', `${name} ${made.tokenId}`);
      process.stdout.write(`${made.token ?? ''}\n`);
    });

  const key = program.command('key').description('manage the keys of embed tokens and of secrets');
  key
    .command('rotate')
    .description('make a new key; tokens of the one before are good until they end')
    .addOption(dataOption())
    .action(async (flags: { data: string }) => {
      const folder = await privateFolder(flags.data);
      const kid = await Secrets.open(folder)
        .then((secrets) => new EmbedKeys(folder, secrets).rotate())
        .catch(fail);
      await written(folder, 'embed-key-rotated', kid);
      process.stdout.write(`${kid}\n`);
    });

  key
    .command('rotate-encryption')
    .description(
      'encrypt passwords and tokens of data sources and remotes with a new key; no server may run on the folder',
    )
    .addOption(dataOption())
    .action(async (flags: { data: string }) => {
      const folder = await privateFolder(flags.data);
      const unlock = await lockFolder(folder).catch(fail);
      const made = await rotateSecrets(folder).finally(unlock).catch(fail);
      await written(folder, 'encryption-key-rotated', made.key);
      process.stdout.write(`${made.key}\n`);
      process.stderr.write(
        `tiding: ${made.encrypted} secrets have the new key.${made.unreadable === 0 ? '' : ` ${made.unreadable} could not be read and are as they were; the keys before are kept.`}\n`,
      );
    });

  await program.parseAsync([...argv], { from: 'user' }).catch(fail);
}
