/** Options of the server, from flags, then the environment, then defaults. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { frameSource } from './frame-policy.ts';
import { limitsOf, type Limits } from './limits.ts';
import type { SendMail } from './auth/password-resets.ts';
import {
  loginMode,
  oidcOptions,
  publicAddress,
  type LoginMode,
  type OidcOptions,
} from './auth/sso-options.ts';

/** Options of {@link createServer}. */
export interface ServerOptions extends Limits {
  /** Port; 0 = a free one. Default 8080. */
  port: number;
  /** Address to bind; default the loopback address. Another needs an administrator with a password. */
  host: string;
  /** Folder of everything the server keeps. */
  data: string;
  /** Origins of other pages that may embed the server's notes, for example `https://portal.example`. */
  allowOrigins: string[];
  /** Hosts (`https://cdn.plot.ly`) that outputs of HTML may load scripts, styles and pictures from; none by default: what is drawn in the frame stays there. */
  frameSources: string[];
  /** Further host names under which the server is reached. */
  allowHosts: string[];
  /** Whether `%sh` and files outside the data folder may be used: undefined = only on loopback with one user. */
  shell: boolean | undefined;
  /** Password of the first administrator, set at the first start. */
  adminPassword: string | undefined;
  /** Whether a proxy in front tells scheme and caller by `X-Forwarded-Proto` and `X-Forwarded-For`; else nobody is believed these. */
  trustProxy: boolean;
  /** Whether notes may be synchronised with a remote in a private network: undefined = only where the server itself listens on loopback. */
  allowPrivateRemotes: boolean | undefined;
  /** How long a synchronisation with a remote may take, in ms. */
  syncTimeoutMs: number;
  /** How long after a checkpoint the notes are synchronised with the remote, in ms; checkpoints that follow one another are taken together. */
  syncDelayMs: number;
  /** From one synchronisation to the next, in ms; 0: only after checkpoints. */
  syncIntervalMs: number;
  /** How long is waited after a synchronisation that failed, in ms; doubled with each further one, at most an hour. */
  syncRetryMs: number;
  /** Address of an npm registry that packages (views, spells, applications) are installed from; undefined = none. */
  heliumRegistry: string | undefined;
  /** Access token for it. */
  heliumToken: string | undefined;
  /** Level of the log: silent, error, warn, info, debug. */
  logLevel: string;
  /** Folder of the built pages; undefined = the package's own. */
  web: string | undefined;
  /** Delivers links that set a new password; undefined = they go to the log. */
  sendMail: SendMail | undefined;
  /** Address under which people reach the server, for links in letters and for single sign-on; undefined = where it listens. */
  publicUrl: string | undefined;
  /** How people sign in; undefined = with a password, and by single sign-on where there is a provider. */
  loginMode: LoginMode;
  /** The identity provider; what is left out comes from the environment. */
  oidc: OidcOptions | undefined;
  /** Server that takes letters, `smtp[s]://user:password@host:port`; undefined = the environment's. */
  smtpUrl: string | undefined;
  /** Sender of letters. */
  mailFrom: string | undefined;
  /** Id of the note that the home page shows in place of its welcome; undefined = none. */
  homeNote: string | undefined;
  /** Whether lists of notes leave the home note out. */
  hideHomeNote: boolean;
  /** Address of a Zeppelin to stand in front of, with its notes, interpreters and users; undefined = our own. */
  upstream: string | undefined;
  /** How long it may take until it begins to answer, in ms; calls that wait for a run have an hour. */
  upstreamTimeoutMs: number;
}

/** What {@link createServer} takes. */
export type GivenOptions = Partial<Omit<ServerOptions, 'oidc'>> & {
  oidc?: Partial<OidcOptions> | undefined;
};

/** Whether an address is this machine only. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/** Where the server keeps its data when nothing is said. */
export function defaultDataFolder(): string {
  return (
    process.env['TIDING_DATA'] ??
    join(process.env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'tiding')
  );
}

/** Fills in defaults. */
export function resolveOptions(given: GivenOptions = {}): ServerOptions {
  const oidc = oidcOptions(given.oidc, process.env);
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
    ...limitsOf(given),
    adminPassword: given.adminPassword ?? (process.env['TIDING_ADMIN_PASSWORD'] || undefined),
    trustProxy: given.trustProxy ?? false,
    allowPrivateRemotes: given.allowPrivateRemotes,
    syncTimeoutMs: given.syncTimeoutMs ?? 300_000,
    syncDelayMs: given.syncDelayMs ?? 5_000,
    syncIntervalMs: given.syncIntervalMs ?? 600_000,
    syncRetryMs: given.syncRetryMs ?? 30_000,
    heliumRegistry: given.heliumRegistry ?? (process.env['TIDING_HELIUM_REGISTRY'] || undefined),
    heliumToken: given.heliumToken ?? (process.env['TIDING_HELIUM_TOKEN'] || undefined),
    logLevel: given.logLevel ?? process.env['TIDING_LOG'] ?? 'warn',
    web: given.web,
    sendMail: given.sendMail,
    publicUrl,
    loginMode: loginMode(given.loginMode, oidc !== undefined, process.env),
    oidc,
    smtpUrl: given.smtpUrl ?? (process.env['TIDING_SMTP_URL'] || undefined),
    mailFrom: given.mailFrom ?? (process.env['TIDING_MAIL_FROM'] || undefined),
    homeNote: (given.homeNote ?? process.env['TIDING_HOME_NOTE'])?.trim() || undefined,
    hideHomeNote: given.hideHomeNote ?? process.env['TIDING_HIDE_HOME_NOTE'] === 'true',
    upstream: given.upstream,
    upstreamTimeoutMs: given.upstreamTimeoutMs ?? 300_000,
  };
}
