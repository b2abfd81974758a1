/** Server options, taken from flags, then the environment, then defaults. */
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { normalizePath } from '@tiding/client/model';
import { type AssistantOptions, assistantOptions } from './assistant-options.ts';
import { frameSource } from './frame-policy.ts';
import { type Limits, limitsOf } from './limits.ts';
import {
  type LoginMode,
  loginMode,
  type OidcOptions,
  oidcOptions,
  publicAddress,
} from './sso-options.ts';
import { PROTOCOL_VERSION } from './version.ts';

/** A running server. */
export interface TidingServer {
  /** Base URL of its pages, without a trailing slash. */
  readonly url: string;
  /** The port it listens on; with `port: 0` the free port that was chosen. */
  readonly port: number;
  /**
   * Creates a one-time link that signs the first administrator in. Each call invalidates the
   * previous link.
   */
  loginLink(): string;
  /** Whether the first administrator signs in with a password rather than a link. */
  readonly hasPassword: boolean;
  /** A sentence that whoever starts the server should see. */
  readonly notice?: string | undefined;
  /** Stops the server within 10 s: rejects new work, ends runs as ABORT and stores everything. */
  close(): Promise<void>;
}

/** An e-mail with a password-reset link. `to` is the user name, which may be an e-mail address. */
export interface ResetMail {
  /** Name of the user who requested the reset. */
  to: string;
  /**
   * URL of the page that sets the new password, including its one-time token. Treat it as a secret.
   */
  link: string;
  /** ISO 8601 UTC. */
  expiresAt: string;
  /** The link is for a new user, who has no password yet. */
  invitation?: boolean;
}

/**
 * Delivers the e-mail; resolves with `false` if the user has no address. A link that is not
 * delivered is written to the server's log, for the administrator to pass on.
 */
export type SendMail = (mail: ResetMail) => Promise<boolean | void>;

/** Options of {@link createServer}. */
export interface ServerOptions extends Limits {
  /** Port; 0 picks a free one. Default 8080. */
  port: number;
  /**
   * Address to bind; default is the loopback address. Any other needs an administrator with a
   * password.
   */
  host: string;
  /** Folder for everything the server stores. */
  data: string;
  /** Origins of third-party pages that may embed notes, for example `https://portal.example`. */
  allowOrigins: string[];
  /**
   * Hosts (such as `https://cdn.plot.ly`) that HTML outputs may load scripts, styles and images
   * from. None by default, so that an output can't send anything out of its frame.
   */
  frameSources: string[];
  /** Additional host names under which the server is reached. */
  allowHosts: string[];
  /**
   * Whether `%sh` and files outside the data folder may be used. `undefined`: only on loopback with
   * a single user.
   */
  shell: boolean | undefined;
  /**
   * Whether the Jupyter kernels of this machine are interpreters; a list names further data folders
   * of Jupyter, such as `/opt/julia/share/jupyter`, that come before Jupyter's own.
   */
  kernels: boolean | readonly string[];
  /**
   * Whether one Python kernel is started ahead of its use, after another one was started, so that
   * the first `%python` run of the next note is fast.
   */
  spareKernel: boolean;
  /**
   * Folders with interpreters of Zeppelin, such as `/opt/zeppelin/interpreter`, which become
   * interpreters of this server.
   */
  zeppelinInterpreters: readonly string[];
  /**
   * Whether nobody signs in and everybody is `anonymous`, with administrators' rights. Only on
   * loopback and without a proxy, unless it is `remote`.
   */
  anonymous: boolean | 'remote';
  /** Password of the first administrator, set at the first start. */
  adminPassword: string | undefined;
  /**
   * Whether to trust `X-Forwarded-Proto` and `X-Forwarded-For` of a reverse proxy. Otherwise both
   * headers are ignored.
   */
  trustProxy: boolean;
  /**
   * Whether notes may be synchronized with a remote in a private network. `undefined`: only if the
   * server itself listens on loopback.
   */
  allowPrivateRemotes: boolean | undefined;
  /**
   * Whether `%magpie` statements and imports of notes may fetch files from this machine and from
   * private networks. Off by default: every user could read services that only this machine can
   * reach.
   */
  allowPrivateFetch: boolean;
  /** Time limit of a synchronization with the remote, in ms. */
  syncTimeoutMs: number;
  /**
   * Delay between a checkpoint and the synchronization with the remote, in ms. Checkpoints made in
   * quick succession are synchronized together.
   */
  syncDelayMs: number;
  /** Interval between two synchronizations, in ms; 0: only after checkpoints. */
  syncIntervalMs: number;
  /**
   * Delay after a failed synchronization, in ms; doubles with each further failure, up to an hour.
   */
  syncRetryMs: number;
  /**
   * URL of an npm registry to install packages (visualizations, spells, applications) from;
   * `undefined`: none.
   */
  heliumRegistry: string | undefined;
  /** Access token for the registry. */
  heliumToken: string | undefined;
  /** Log level: silent, error, warn, info or debug. */
  logLevel: string;
  /** Folder of the built pages; `undefined`: the ones in this package. */
  web: string | undefined;
  /** Folder of the built documentation; `undefined`: `docs` beside the built pages. */
  docs: string | undefined;
  /** Delivers password-reset links; `undefined`: they are written to the log. */
  sendMail: SendMail | undefined;
  /**
   * URL under which users reach the server, used in e-mails and for single sign-on; `undefined`:
   * the address it listens on.
   */
  publicUrl: string | undefined;
  /** Page that *Send to Map* opens with the address of a result; `undefined`: there is none. */
  mapUrl: string | undefined;
  /**
   * How users sign in; `undefined`: with a password, and also by single sign-on if an identity
   * provider is configured.
   */
  loginMode: LoginMode;
  /** The identity provider; missing fields are taken from the environment. */
  oidc: OidcOptions | undefined;
  /**
   * The model that answers questions of users; missing fields are taken from the environment.
   * `undefined`: there is none.
   */
  assistant: AssistantOptions | undefined;
  /**
   * SMTP server for outgoing e-mail, `smtp[s]://user:password@host:port`; `undefined`: taken from
   * the environment.
   */
  smtpUrl: string | undefined;
  /** Sender address of e-mails. */
  mailFrom: string | undefined;
  /** Who may use a new note: only its creator (`private`, the default) or everybody (`shared`). */
  newNotes: NewNotes;
  /**
   * Who may use a new note in a folder and in the folders below it, by the path of the folder; the
   * longest path counts.
   */
  newNotesIn: Readonly<Record<string, NewNotes>>;
  /** Version of Zeppelin that the server reports, for tools that expect another. */
  zeppelinVersion: string;
  /** Id of the note that the home page shows instead of its welcome; `undefined`: none. */
  homeNote: string | undefined;
  /** Whether note lists omit the home note. */
  hideHomeNote: boolean;
  /**
   * URL of a Zeppelin to serve as a front end for, with its notes, interpreters and users;
   * `undefined`: the server uses its own.
   */
  upstream: string | undefined;
  /**
   * How long Zeppelin may take to begin its response, in ms. Calls that wait for a run may take an
   * hour.
   */
  upstreamTimeoutMs: number;
}

/** Values of the option `newNotes`. */
export const NEW_NOTES = ['private', 'shared'] as const;
/** Who may use a new note. */
export type NewNotes = (typeof NEW_NOTES)[number];

function newNotesOf(given: string): NewNotes {
  const found = NEW_NOTES.find((each) => each === given);
  if (!found) throw new Error(`New notes can be ${NEW_NOTES.join(' or ')}, not '${given}'.`);
  return found;
}

function newNotesInOf(given: Readonly<Record<string, string>>): Record<string, NewNotes> {
  return Object.fromEntries(
    Object.entries(given).map(([folder, access]) => [normalizePath(folder), newNotesOf(access)]),
  );
}

/** Checks a version of Zeppelin. Throws if it has another form. */
export function zeppelinVersion(given: string): string {
  if (/^0\.\d+\.\d+(-[\w.]+)?$/.test(given)) return given;
  throw new Error(`A version of Zeppelin looks like ${PROTOCOL_VERSION}, not like '${given}'.`);
}

/** Reads the rule of a folder: `folder=private` or `folder=shared`. Throws on anything else. */
export function folderRule(rule: string): Record<string, NewNotes> {
  const at = rule.lastIndexOf('=');
  if (at < 1) throw new Error('Use the form Team=shared or Team=private.');
  return newNotesInOf({ [rule.slice(0, at)]: rule.slice(at + 1) });
}

/** Arguments of {@link createServer}. */
export type ServerOptionsInput = Partial<Omit<ServerOptions, 'oidc' | 'assistant'>> & {
  assistant?: Partial<AssistantOptions> | undefined;
  oidc?: Partial<OidcOptions> | undefined;
};

/** Returns whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/** Default data folder. */
export function defaultDataFolder(env: NodeJS.ProcessEnv = process.env): string {
  return (
    env['TIDING_DATA'] ?? join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'tiding')
  );
}

/** Checks the address of the map page. Throws an error with a user-readable message. */
function mapAddress(given: string | undefined): string | undefined {
  if (given === undefined || given === '') return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.hash)
    throw new Error(
      `'${given}' is not the address of a map page. Use the form https://maps.example.org/show, ` +
        'without a fragment.',
    );
  return url.href;
}

const foldersIn = (text: string | undefined): string[] =>
  (text ?? '').split(delimiter).filter(Boolean);

/** Fills in defaults. */
export function resolveOptions(given: ServerOptionsInput = {}): ServerOptions {
  const oidc = oidcOptions(given.oidc, process.env);
  const kernels = process.env['TIDING_KERNELS'];
  const publicUrl = publicAddress(given.publicUrl ?? process.env['TIDING_PUBLIC_URL']);
  return {
    port: given.port ?? 8080,
    host: given.host ?? '127.0.0.1',
    data: resolve(given.data ?? defaultDataFolder()),
    allowOrigins: (given.allowOrigins ?? []).map((origin) => new URL(origin).origin),
    allowHosts: [
      ...(given.allowHosts ?? []),
      ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
    ],
    frameSources: (given.frameSources ?? []).map(frameSource),
    shell: given.shell,
    kernels: given.kernels ?? (kernels === 'none' ? false : foldersIn(kernels)),
    spareKernel: given.spareKernel ?? true,
    zeppelinInterpreters:
      given.zeppelinInterpreters ?? foldersIn(process.env['TIDING_ZEPPELIN_INTERPRETERS']),
    ...limitsOf(given),
    anonymous: given.anonymous ?? false,
    adminPassword: given.adminPassword ?? (process.env['TIDING_ADMIN_PASSWORD'] || undefined),
    trustProxy: given.trustProxy ?? false,
    allowPrivateRemotes: given.allowPrivateRemotes,
    allowPrivateFetch: given.allowPrivateFetch ?? false,
    syncTimeoutMs: given.syncTimeoutMs ?? 300_000,
    syncDelayMs: given.syncDelayMs ?? 5_000,
    syncIntervalMs: given.syncIntervalMs ?? 600_000,
    syncRetryMs: given.syncRetryMs ?? 30_000,
    heliumRegistry: given.heliumRegistry ?? (process.env['TIDING_HELIUM_REGISTRY'] || undefined),
    heliumToken: given.heliumToken ?? (process.env['TIDING_HELIUM_TOKEN'] || undefined),
    logLevel: given.logLevel ?? process.env['TIDING_LOG'] ?? 'warn',
    web: given.web,
    docs: given.docs,
    sendMail: given.sendMail,
    publicUrl,
    mapUrl: mapAddress(given.mapUrl ?? process.env['TIDING_MAP_URL']),
    loginMode: loginMode(given.loginMode, oidc !== undefined, process.env),
    oidc,
    assistant: assistantOptions(given.assistant),
    smtpUrl: given.smtpUrl ?? (process.env['TIDING_SMTP_URL'] || undefined),
    mailFrom: given.mailFrom ?? (process.env['TIDING_MAIL_FROM'] || undefined),
    newNotes: newNotesOf(given.newNotes ?? (process.env['TIDING_NEW_NOTES'] || 'private')),
    newNotesIn: newNotesInOf(given.newNotesIn ?? {}),
    zeppelinVersion: zeppelinVersion(given.zeppelinVersion ?? PROTOCOL_VERSION),
    homeNote: (given.homeNote ?? process.env['TIDING_HOME_NOTE'])?.trim() || undefined,
    hideHomeNote: given.hideHomeNote ?? process.env['TIDING_HIDE_HOME_NOTE'] === 'true',
    upstream: given.upstream,
    upstreamTimeoutMs: given.upstreamTimeoutMs ?? 300_000,
  };
}

/** Rejects options that contradict a server without sign-in, or would open it to other machines. */
export function checkAnonymous(options: ServerOptions): void {
  const { anonymous, host, trustProxy, publicUrl, loginMode, upstream } = options;
  if (!anonymous) return;
  if (upstream !== undefined)
    throw new Error('In front of a Zeppelin, its configuration decides whether users sign in.');
  if (loginMode !== 'Password')
    throw new Error('Nobody signs in on an anonymous server. Remove the identity provider.');
  const isPublic =
    !isLoopback(host) ||
    trustProxy ||
    (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname));
  if (isPublic && anonymous !== 'remote')
    throw new Error(
      'Refusing to serve other machines without sign-in: everybody who reaches the server could ' +
        'run code as its account. Listen on loopback, or use --anonymous-remote.',
    );
}
