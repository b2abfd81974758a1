/**
 * The audit log: one JSON line per event in `audit.log` of the data folder, append-only and
 * readable by the server's account alone. It holds no secrets, no note texts and no form values. A
 * full file becomes `audit.log.1`, and so on.
 */
import { appendFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RateLimit } from '../base/rate-limit.ts';
import type { Logger } from './log.ts';

/** Details of an event. Texts are truncated and stripped of control characters. */
interface AuditEntry {
  /** The user; `embed:NAME` for a page with a token that NAME created. */
  principal?: string | undefined;
  address?: string | undefined;
  /** Name of the operation or REST call. */
  command?: string | undefined;
  note?: string | undefined;
  paragraph?: string | undefined;
  interpreter?: string | undefined;
  /** Anything else it concerns: a token id, a setting, a user. */
  target?: string | undefined;
  /** Roles that a user got. */
  roles?: string | undefined;
  /** `ok`, the status of a refusal, or how a run ended. */
  outcome?: string | undefined;
  /** SHA-256 of the code that ran. */
  code?: string | undefined;
}

const MAX_BYTES = 10 * 2 ** 20;
const OLD_FILES = 5;
const MAX_TEXT = 256;
/** Refusals of unknown users that are recorded per address within ten minutes. */
const MAX_UNKNOWN_USER_REFUSALS = 100;
const UNKNOWN_USER_WINDOW_MS = 600_000;
const clean = (text: string) => text.slice(0, MAX_TEXT).replace(/[\p{Cc}\u2028\u2029]/gu, ' ');

/** The audit log of a data folder. */
export class Audit {
  readonly #file: string;
  readonly #log: Pick<Logger, 'error'> | undefined;
  readonly #maxBytes: number;
  readonly #strangers = new RateLimit(MAX_UNKNOWN_USER_REFUSALS, UNKNOWN_USER_WINDOW_MS);
  #waiting: string[] = [];
  #writing: Promise<void> = Promise.resolve();

  /** Opens the log. `log` receives write errors; without it, {@link flush} rejects. */
  constructor(folder: string, log?: Pick<Logger, 'error'>, maxBytes = MAX_BYTES) {
    this.#file = join(folder, 'audit.log');
    this.#log = log;
    this.#maxBytes = maxBytes;
  }

  /** Records an event without waiting for the disk. */
  record(event: string, entry: AuditEntry): void {
    const fields = Object.entries(entry)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([key, value]) => [key, clean(String(value))]);
    const line = { time: new Date().toISOString(), event, ...Object.fromEntries(fields) };
    this.#waiting.push(`${JSON.stringify(line)}\n`);
    if (this.#waiting.length > 1) return;
    this.#writing = this.#writing.then(() => this.#write());
    if (this.#log)
      this.#writing = this.#writing.catch((error: Error) =>
        this.#log!.error({ error: error.message }, 'the audit log could not be written'),
      );
    else this.#writing.catch(() => {});
  }

  /**
   * Records the refusal of an unknown user. The number per address is limited, so that nobody can
   * fill the log from outside.
   */
  refusedStranger(entry: AuditEntry & { address: string }): void {
    if (this.#strangers.take(entry.address)) this.record('refused', entry);
  }

  async #write(): Promise<void> {
    const text = this.#waiting.join('');
    this.#waiting = [];
    const { size } = await stat(this.#file).catch(() => ({ size: 0 }));
    if (size > 0 && size + Buffer.byteLength(text) > this.#maxBytes) {
      for (let n = OLD_FILES - 1; n >= 0; n -= 1) {
        await rename(n === 0 ? this.#file : `${this.#file}.${n}`, `${this.#file}.${n + 1}`).catch(
          (error: NodeJS.ErrnoException) => {
            if (error.code !== 'ENOENT') throw error;
          },
        );
      }
    }
    await appendFile(this.#file, text, { mode: 0o600 });
  }

  /** Resolves when every event so far is written. */
  flush(): Promise<void> {
    return this.#writing;
  }
}
