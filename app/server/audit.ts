/**
 * Who did what: one JSON line an entry in `audit.log` of the data folder, only ever added to, for the account alone. No
 * secrets, no texts of notes, no values of forms. A full file becomes `audit.log.1`, and so on.
 */
import { appendFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndpointName, SentOp } from 'tiding/protocol';
import { RateLimit } from './auth/rate-limit.ts';
import type { Logger } from './log.ts';

/** What is told of an event; texts are cut and hold no control characters. */
export interface AuditEntry {
  /** Who; `embed:NAME` for a page with a token that NAME made. */
  principal?: string | undefined;
  address?: string | undefined;
  /** Operation or call. */
  command?: string | undefined;
  note?: string | undefined;
  paragraph?: string | undefined;
  interpreter?: string | undefined;
  /** What else is meant: a token's id, a setting, a user. */
  target?: string | undefined;
  /** `ok`, the status of a refusal, or how a run ended. */
  outcome?: string | undefined;
  /** SHA-256 of the code of a run. */
  code?: string | undefined;
}

/** Calls that are written down, and as what. */
export const auditedCalls: Partial<Record<EndpointName, string>> = {
  login: 'sign-in',
  loginOnce: 'sign-in',
  logout: 'sign-out',
  requestPasswordReset: 'password-reset-asked',
  resetPassword: 'password-set',
  createToken: 'token-created',
  setTokenStatus: 'token-changed',
  describeToken: 'token-changed',
  deleteToken: 'token-revoked',
  createEmbedToken: 'embed-token-created',
  revokeEmbedToken: 'embed-token-revoked',
  revokeEmbedTokens: 'embed-token-revoked',
  setPermissions: 'permissions-changed',
  setCron: 'schedule-changed',
  deleteCron: 'schedule-changed',
  deleteNote: 'note-deleted',
  createSetting: 'setting-changed',
  updateSetting: 'setting-changed',
  deleteSetting: 'setting-changed',
  restartSetting: 'interpreter-restarted',
  setBindings: 'setting-changed',
  installInterpreter: 'setting-changed',
  setCluster: 'setting-changed',
  updateStorage: 'setting-changed',
  createSession: 'interpreter-started',
  deleteSession: 'interpreter-stopped',
  addRepository: 'setting-changed',
  deleteRepository: 'setting-changed',
  setRevisionControl: 'setting-changed',
  setLogLevel: 'setting-changed',
  setLogger: 'setting-changed',
  enablePackage: 'setting-changed',
  disablePackage: 'setting-changed',
  setPackageConfig: 'setting-changed',
  setPackageOrder: 'setting-changed',
  putCredential: 'credential-changed',
  deleteCredential: 'credential-changed',
  deleteCredentials: 'credential-changed',
  startCluster: 'cluster-started',
  stopCluster: 'cluster-stopped',
  setTrust: 'note-trusted',
  exportNote: 'export',
  getResult: 'export',
  getFile: 'export',
  putFile: 'file-put',
};
/** Operations that are written down, and as what. */
export const auditedOperations: Partial<Record<SentOp, string>> = {
  DEL_NOTE: 'note-deleted',
  REMOVE_FOLDER: 'note-deleted',
  EMPTY_TRASH: 'note-deleted',
  CONVERT_NOTE_NBFORMAT: 'export',
  SAVE_INTERPRETER_BINDINGS: 'setting-changed',
};

const MAX_BYTES = 10 * 2 ** 20;
const KEPT = 5;
const MAX_TEXT = 256;
/** Refusals of people who are not known, of one address within ten minutes. */
const STRANGERS = 100;
const STRANGERS_MS = 600_000;
const clean = (text: string) => text.slice(0, MAX_TEXT).replace(/[\p{Cc}\u2028\u2029]/gu, ' ');

/** The audit log of a data folder. */
export class Audit {
  readonly #file: string;
  readonly #log: Pick<Logger, 'error'> | undefined;
  readonly #maxBytes: number;
  readonly #strangers = new RateLimit(STRANGERS, STRANGERS_MS);
  #waiting: string[] = [];
  #writing: Promise<void> = Promise.resolve();

  /** `log`: told when an entry cannot be written; without one {@link flush} rejects. */
  constructor(folder: string, log?: Pick<Logger, 'error'>, maxBytes = MAX_BYTES) {
    this.#file = join(folder, 'audit.log');
    this.#log = log;
    this.#maxBytes = maxBytes;
  }

  /** Adds an entry. What it is about is not held up by it. */
  record(event: string, entry: AuditEntry): void {
    const fields = Object.entries(entry)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([key, value]) => [key, clean(String(value))]);
    this.#waiting.push(
      `${JSON.stringify({ time: new Date().toISOString(), event, ...Object.fromEntries(fields) })}\n`,
    );
    if (this.#waiting.length > 1) return;
    this.#writing = this.#writing.then(() => this.#write());
    if (this.#log)
      this.#writing = this.#writing.catch((error: Error) =>
        this.#log!.error({ error: error.message }, 'the audit log could not be written'),
      );
    else this.#writing.catch(() => {});
  }

  /** Adds a refusal of somebody who is not known: at most so many of an address, so that nobody fills the log from outside. */
  refusedStranger(entry: AuditEntry & { address: string }): void {
    if (this.#strangers.take(entry.address)) this.record('refused', entry);
  }

  async #write(): Promise<void> {
    const text = this.#waiting.join('');
    this.#waiting = [];
    const { size } = await stat(this.#file).catch(() => ({ size: 0 }));
    if (size > 0 && size + Buffer.byteLength(text) > this.#maxBytes) {
      for (let n = KEPT - 1; n >= 0; n -= 1) {
        await rename(n === 0 ? this.#file : `${this.#file}.${n}`, `${this.#file}.${n + 1}`).catch(
          (error: NodeJS.ErrnoException) => {
            if (error.code !== 'ENOENT') throw error;
          },
        );
      }
    }
    await appendFile(this.#file, text, { mode: 0o600 });
  }

  /** Resolves when everything so far is written. */
  flush(): Promise<void> {
    return this.#writing;
  }
}
