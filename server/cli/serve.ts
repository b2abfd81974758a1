/** `tiding serve`: starts the server and ends with it. */
import { spawnSync } from 'node:child_process';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { frameSource } from '../base/frame-policy.ts';
import { flagOf, type LimitName, type Limits, readLimit, SERVER_LIMITS } from '../base/limits.ts';
import {
  folderRule,
  NEW_NOTES,
  type NewNotes,
  type ServerOptionsInput,
  zeppelinVersion,
} from '../base/options.ts';
import { roleMapping } from '../base/sso-options.ts';
import { PROTOCOL_VERSION } from '../base/version.ts';
import { registryAddress } from '../helium/npm-registry.ts';
import { parseUpstream } from '../upstream/address.ts';
import type { CommandContext } from './command.ts';
import { dataOption, defineKey, defineUser, list } from './data-folder.ts';
import { EXIT } from './exit.ts';
import type { CommandIo } from './terminal.ts';
import { defineToken } from './token.ts';

/** Makes a reader's errors those of an argument. */
const argument =
  <Before extends unknown[], Value>(read: (text: string, ...before: Before) => Value) =>
  (...given: [text: string, ...before: Before]): Value => {
    try {
      return read(...given);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };
const wholeNumber = (least: number, most: number, problem: string) => (text: string) => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new InvalidArgumentError(problem);
  return value;
};
const port = wholeNumber(0, 65_535, 'must be a port from 0 to 65535');
const atLeastOne = wholeNumber(1, Infinity, 'must be a whole number of at least 1');
const origin = (text: string, before: string[] = []): string[] => {
  if (/^https?:/i.test(text) && URL.canParse(text)) return [...before, new URL(text).origin];
  throw new InvalidArgumentError('use the form https://portal.example');
};
const source = argument((text, before: string[] = []) => [...before, frameSource(text)]);
const upstream = argument((text) => parseUpstream(text).href);
const version = argument((text) => zeppelinVersion(text));
const limit = argument((text, before: Partial<Limits> = {}) => ({ ...before, ...readLimit(text) }));
const newNotesIn = argument((text, before: Record<string, NewNotes> = {}) => ({
  ...before,
  ...folderRule(text),
}));
const registry = argument((text) => registryAddress(text).href);

/** Names and defaults of all limits, for the help text. */
const defaultLimits = (Object.keys(SERVER_LIMITS) as LimitName[]).map(
  (name) => `${flagOf(name)} (${SERVER_LIMITS[name].default})`,
);
const minutes = (text: string): number => {
  const value = Number(text);
  if (!(value >= 0 && value <= 10_080))
    throw new InvalidArgumentError('must be a number of minutes from 0 to 10080');
  return value;
};
/** How long the server may take to stop, in ms. */
const STOP_MS = 10_000;

/** A flag with the name of an option of the server sets that option. */
interface ServeFlags extends Omit<ServerOptionsInput, 'anonymous' | 'oidc'> {
  open: boolean;
  allowOrigin?: string[];
  allowHost?: string[];
  frameSource?: string[];
  anonymous?: boolean;
  anonymousRemote?: boolean;
  limit?: Partial<Limits>;
  syncInterval?: number;
  oidcIssuer?: string;
  oidcDomain?: string[];
  oidcRoleClaim?: string;
  oidcRole?: string[];
}

/** Resolves at SIGINT or SIGTERM. Another signal ends the process. */
async function stopSignal({ signals }: CommandIo): Promise<void> {
  let stop = () => {};
  await new Promise<void>((resolve) => {
    stop = resolve;
    signals.on('SIGTERM', stop).on('SIGINT', stop);
  });
  signals.off('SIGTERM', stop).off('SIGINT', stop);
}

/** Runs the server until a signal stops it. Returns the exit code. */
async function serve(flags: ServeFlags, { terminal, io }: CommandContext): Promise<number> {
  const {
    open: opens,
    allowOrigin = [],
    allowHost = [],
    frameSource: frameSources = [],
    anonymous = false,
    anonymousRemote,
    limit: limits,
    syncInterval,
    oidcIssuer,
    oidcDomain,
    oidcRoleClaim,
    oidcRole,
    ...same
  } = flags;
  // Managing users, tokens and keys does not load the server.
  const { createServer } = await import('../index.ts');
  const server = await createServer({
    ...limits,
    ...same,
    allowOrigins: allowOrigin,
    allowHosts: allowHost,
    frameSources,
    anonymous: anonymousRemote ? 'remote' : anonymous,
    syncIntervalMs: syncInterval === undefined ? undefined : syncInterval * 60_000,
    // The rest comes from the environment.
    oidc: {
      issuer: oidcIssuer || undefined,
      domains: oidcDomain,
      roleClaim: oidcRoleClaim || undefined,
      roles: oidcRole && roleMapping(oidcRole),
    },
  });
  const stopped = stopSignal(io);
  const python = spawnSync(io.env['TIDING_PYTHON'] ?? 'python3', ['--version'], {
    cwd: io.cwd,
    env: io.env,
    stdio: 'ignore',
  });
  if (flags.upstream === undefined && (python.error || python.status !== 0)) {
    terminal.status(
      'Python 3 was not found; %python will not run. Install Python 3 with its venv ' +
        'module, or set TIDING_PYTHON.',
    );
  }
  const link = server.hasPassword ? server.url : server.loginLink();
  await terminal.line(`Tiding is running. Open ${link}`);
  if (server.notice !== undefined) terminal.status(server.notice);
  if (opens && terminal.isPerson) {
    const { default: open } = await import('open');
    await open(link).catch(() => {});
  }
  await stopped;
  let late: ReturnType<typeof setTimeout> | undefined;
  const given = new Promise<number>((resolve) => {
    late = setTimeout(() => resolve(EXIT.failed), STOP_MS);
  });
  return Promise.race([server.close().then(() => EXIT.done), given]).finally(() =>
    clearTimeout(late),
  );
}

function defineServe(target: Command, context: CommandContext): void {
  target
    .description('Start the server. It prints the address to open, and stops at Ctrl-C.')
    .option('--port <number>', 'port; 0 for a free one', port, 8080)
    .option(
      '--host <address>',
      'address to listen on; any other than loopback needs an administrator with a password',
      '127.0.0.1',
    )
    .addOption(dataOption(context.io))
    .option('--no-open', 'do not open a browser')
    .option(
      '--anonymous',
      "nobody signs in, and everybody has administrators' rights; on loopback only",
    )
    .option('--anonymous-remote', 'like --anonymous, also for other machines')
    .option(
      '--allow-origin <origin>',
      'allow pages of this origin to embed notes; repeatable',
      origin,
    )
    .option('--allow-host <name>', 'additional host name of the server; repeatable', list)
    .option(
      '--frame-source <host>',
      'host that HTML outputs may load scripts, styles and images from, for example ' +
        'https://cdn.plot.ly; repeatable; default: none',
      source,
    )
    .option(
      '--trust-proxy',
      'trust X-Forwarded-Proto and X-Forwarded-For; use it only if the server can be ' +
        'reached solely through a proxy that sets them',
    )
    .option(
      '--allow-private-fetch',
      'let %magpie statements and imports of notes fetch files from this machine and from ' +
        'private networks',
    )
    .option(
      '--max-sockets <number>',
      'maximum number of open sockets per user (default: 100)',
      atLeastOne,
    )
    .option(
      '--limit <name=number>',
      `change an upper bound; repeatable; defaults: ${defaultLimits.join(', ')}`,
      limit,
    )
    .option(
      '--helium-registry <address>',
      'npm registry to install packages (visualizations, spells, applications) from, ' +
        'for example https://registry.npmjs.org; default: only packages in the data ' +
        'folder',
      registry,
    )
    .option(
      '--sync-interval <minutes>',
      'how often notes are synchronized with their git remote (default: 10); 0: only ' +
        'after checkpoints',
      minutes,
    )
    .option(
      '--public-url <address>',
      'URL under which users reach the server, for example behind a proxy; may have a path; ' +
        'used in e-mails and for single sign-on',
    )
    .option(
      '--map-url <address>',
      'page that Send to Map opens, with the address of the result in its fragment',
    )
    .addOption(
      new Option('--login-mode <mode>', 'how users sign in; SsoOnly disables passwords').choices([
        'Password',
        'Sso',
        'SsoOnly',
      ]),
    )
    .option(
      '--oidc-issuer <address>',
      'identity provider for single sign-on; set the client with TIDING_OIDC_CLIENT_ID ' +
        'and TIDING_OIDC_CLIENT_SECRET',
    )
    .option(
      '--oidc-domain <domain>',
      'e-mail domain that may sign in; repeatable; default: all',
      list,
    )
    .option('--oidc-role-claim <name>', 'claim whose values become roles')
    .option('--oidc-role <value=role>', 'map a value of the role claim to a role; repeatable', list)
    .addOption(
      new Option('--shell', 'allow %sh and files outside the data folder even with several users'),
    )
    .addOption(
      new Option(
        '--new-notes <access>',
        'who may use a new note: only its creator (private) or everybody (shared); ' +
          'default: TIDING_NEW_NOTES, otherwise private',
      ).choices(NEW_NOTES),
    )
    .option(
      '--new-notes-in <folder=access>',
      'who may use a new note in this folder and below it: private or shared; repeatable',
      newNotesIn,
    )
    .option('--home-note <id>', 'note to show on the home page (default: TIDING_HOME_NOTE)')
    .option(
      '--hide-home-note',
      'omit the home note from lists (same as TIDING_HIDE_HOME_NOTE=true)',
    )
    .option(
      '--upstream <address>',
      'serve as the front end of a Zeppelin 0.9 to 0.12, with its notes, interpreters and users',
      upstream,
    )
    .option(
      '--zeppelin-version <version>',
      `version of Zeppelin to report, for tools that expect another than ${PROTOCOL_VERSION}`,
      version,
    )
    .option('--no-spare-kernel', 'start no Python kernel before a note needs it')
    .addOption(new Option('--no-shell', 'never allow %sh or files outside the data folder'))
    .action(async (flags: ServeFlags, command: Command) => {
      // If neither flag is given, the server decides by who can sign in.
      const isGiven = command.getOptionValueSource('shell') === 'cli';
      context.exit(await serve({ ...flags, shell: isGiven ? flags.shell : undefined }, context));
    });
}

const definitions: Readonly<Record<string, (target: Command, context: CommandContext) => void>> = {
  serve: defineServe,
  user: defineUser,
  token: defineToken,
  key: defineKey,
};

/** Completes a server command of the program, by its name. */
export function defineServerCommand(target: Command, context: CommandContext): void {
  definitions[target.name()]!(target, context);
}
