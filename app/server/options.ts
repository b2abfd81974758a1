/** Options of the server, from flags, then the environment, then defaults. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SendMail } from './auth/password-resets.ts';

/** Options of {@link createServer}. */
export interface ServerOptions {
  /** Port; 0 = a free one. Default 8080. */
  port: number;
  /** Address to bind; default the loopback address. Another needs an administrator with a password. */
  host: string;
  /** Folder of everything the server keeps. */
  data: string;
  /** Origins of other pages that may embed the server's notes, for example `https://portal.example`. */
  allowOrigins: string[];
  /** Further host names under which the server is reached. */
  allowHosts: string[];
  /** Whether `%sh` and files outside the data folder may be used: undefined = only on loopback with one user. */
  shell: boolean | undefined;
  /** Password of the first administrator, set at the first start. */
  adminPassword: string | undefined;
  /** Bytes of the largest live message. */
  maxMessageBytes: number;
  /** Bytes of the largest REST body. */
  maxBodyBytes: number;
  /** Bytes of stored output a paragraph. */
  maxOutputBytes: number;
  /** Sockets a user may have open. */
  maxSockets: number;
  /** Whether notes may be synchronised with a remote in a private network: undefined = only where the server itself listens on loopback. */
  allowPrivateRemotes: boolean | undefined;
  /** How long a synchronisation with a remote may take, in ms. */
  syncTimeoutMs: number;
  /** Level of the log: silent, error, warn, info, debug. */
  logLevel: string;
  /** Folder of the built pages; undefined = the package's own. */
  web: string | undefined;
  /** Delivers links that set a new password; undefined = they go to the log. */
  sendMail: SendMail | undefined;
  /** Address of a Zeppelin to stand in front of, with its notes, interpreters and users; undefined = our own. */
  upstream: string | undefined;
  /** How long it may take until it begins to answer, in ms; calls that wait for a run have an hour. */
  upstreamTimeoutMs: number;
}

/** Whether an address is this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Where the server keeps its data when nothing is said. */
export function defaultDataFolder(): string {
  return process.env['TIDING_DATA'] ?? join(process.env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'tiding');
}

/** Fills in defaults. */
export function resolveOptions(given: Partial<ServerOptions> = {}): ServerOptions {
  return {
    port: given.port ?? 8080,
    host: given.host ?? '127.0.0.1',
    data: resolve(given.data ?? defaultDataFolder()),
    allowOrigins: (given.allowOrigins ?? []).map((origin) => new URL(origin).origin),
    allowHosts: given.allowHosts ?? [],
    shell: given.shell,
    adminPassword: given.adminPassword ?? (process.env['TIDING_ADMIN_PASSWORD'] || undefined),
    maxMessageBytes: given.maxMessageBytes ?? 10_240_000,
    maxBodyBytes: given.maxBodyBytes ?? 10_240_000,
    maxOutputBytes: given.maxOutputBytes ?? 2 * 2 ** 20,
    maxSockets: given.maxSockets ?? 100,
    allowPrivateRemotes: given.allowPrivateRemotes,
    syncTimeoutMs: given.syncTimeoutMs ?? 300_000,
    logLevel: given.logLevel ?? process.env['TIDING_LOG'] ?? 'warn',
    web: given.web,
    sendMail: given.sendMail,
    upstream: given.upstream,
    upstreamTimeoutMs: given.upstreamTimeoutMs ?? 300_000,
  };
}
