/** The remote the notes are synchronised with: `revision-control.json`, its access token encrypted, and the sync that is under way. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RevisionControl as Config } from 'tiding/protocol';
import type { Secrets } from '../auth/secrets.ts';
import { Refusal, storageFailure } from '../errors.ts';
import { readJson, writeDurably } from '../files.ts';
import type { Hub } from '../hub.ts';
import type { Logger } from '../log.ts';
import { checkRemote, explainFailure } from './remote.ts';
import { sync, type SyncOptions } from './sync.ts';

/** Stands for a token that is not shown; sent back it means the one that is there. */
export const MASK = '********';

interface Stored {
  remoteUrl: string;
  userName: string;
  /** Encrypted. */
  accessToken: string;
}

/** What this is made of. */
export interface RevisionControlOptions {
  data: string;
  secrets: Secrets;
  hub: Hub;
  log: Logger;
  /** Whether a remote may be in a private network. */
  allowPrivateRemotes: boolean;
  /** How long a sync may take, in ms. */
  syncTimeoutMs: number;
}

type Work = Omit<SyncOptions, 'remote' | 'allowPrivate' | 'signal'>;

/** See the head of this file. */
export class RevisionControl {
  readonly #options: RevisionControlOptions;
  readonly #file: string;
  #running: { abort: AbortController; end: Promise<void> } | undefined;
  /** Changes of the file, one after another. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: RevisionControlOptions) {
    this.#options = options;
    this.#file = join(options.data, 'revision-control.json');
  }

  async #stored(): Promise<Stored | undefined> {
    return (await readJson(this.#file)) as Stored | undefined;
  }

  /** The configuration, its token masked; `{}` where there is none. */
  async get(): Promise<Config> {
    const stored = await this.#stored();
    return stored ? { remoteUrl: stored.remoteUrl, userName: stored.userName, accessToken: MASK } : {};
  }

  /**
   * Saves a configuration in place of the one before and starts to synchronise with it; the end is told to every socket
   * of the person who saved. Refuses with 400 what will not do; then the one before stays.
   */
  set({ remoteUrl = '', userName = '', accessToken = '' }: Config, work: Work): Promise<void> {
    return this.#alone(async () => {
      const { secrets, allowPrivateRemotes } = this.#options;
      for (const [name, value] of Object.entries({ remoteUrl, userName, accessToken })) {
        if (value.trim() === '') throw new Refusal(400, `${name} is missing`);
        if (/\p{Cc}/u.test(value)) throw new Refusal(400, `${name} contains a control character`);
      }
      const url = checkRemote(remoteUrl.trim(), allowPrivateRemotes);
      let encrypted: string;
      if (accessToken === MASK) {
        const before = await this.#stored();
        if (!before) throw new Refusal(400, 'accessToken is missing');
        // Else whoever may save here could have the token sent to a host of his own.
        if (new URL(before.remoteUrl).origin !== url.origin) throw new Refusal(400, 'The remote is on another host: enter the access token again.');
        encrypted = before.accessToken;
      } else {
        encrypted = secrets.encrypt(accessToken);
      }
      await this.#write({ remoteUrl: url.href, userName: userName.trim(), accessToken: encrypted });
      const token = secrets.decrypt(encrypted);
      await this.#stop();
      this.#start({ ...work, remote: { url: url.href, userName: userName.trim(), accessToken: token } });
    });
  }

  /** Removes the configuration; a sync under way ends, and nobody is told. */
  remove(): Promise<void> {
    return this.#alone(async () => {
      await this.#write(undefined);
      await this.#stop();
    });
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #write(stored: Stored | undefined): Promise<void> {
    try {
      if (stored) await writeDurably(this.#file, `${JSON.stringify(stored, null, 2)}\n`);
      else await rm(this.#file, { force: true });
    } catch (error) {
      throw storageFailure(error);
    }
  }

  #start(work: Work & Pick<SyncOptions, 'remote'>): void {
    const { log, allowPrivateRemotes, syncTimeoutMs } = this.#options;
    const abort = new AbortController();
    const limit = setTimeout(() => abort.abort(new DOMException('the time is over', 'TimeoutError')), syncTimeoutMs);
    const outcome = sync({ ...work, allowPrivate: allowPrivateRemotes, signal: abort.signal })
      .then(() => undefined, (error: unknown) => explainFailure(error, syncTimeoutMs))
      .finally(() => clearTimeout(limit));
    const running = { abort, end: outcome.then(() => {}) };
    this.#running = running;
    void outcome.then((info) => this.#alone(async () => {
      // Whoever replaced it hears of his own.
      if (this.#running !== running) return;
      this.#running = undefined;
      const about = { principal: work.principal, host: new URL(work.remote.url).host };
      if (info === undefined) log.info({ event: 'revision-sync', ...about }, 'notes were synchronised');
      else {
        log.warn({ event: 'revision-sync-failed', ...about, error: info }, 'notes could not be synchronised');
        // Settings that do not work are not kept: clients of this family show none after an error.
        await this.#write(undefined);
      }
      if (info === undefined) this.#options.hub.tellUser(work.principal, 'REPO_SYNC_SUCCESS', {});
      else this.#options.hub.tellUser(work.principal, 'REPO_SYNC_ERROR', { info });
    })).catch((error: Error) => log.error({ error: error.message }, 'the end of a synchronisation failed'));
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.abort.abort(new Error('replaced'));
    await running?.end;
  }

  /** Ends a sync that is under way. */
  async close(): Promise<void> {
    await this.#last;
    await this.#stop();
  }
}
