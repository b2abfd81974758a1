/**
 * Keeps the notes and a remote the same: when its settings are saved, after checkpoints, from time to time, and when
 * somebody asks. One sync at a time; who asks while one goes on hears of the next, which has what he did until then.
 */
import type { RevisionControl as Config } from 'tiding/protocol';
import type { Secrets } from '../auth/secrets.ts';
import { Refusal } from '../errors.ts';
import type { Hub } from '../hub.ts';
import type { Logger } from '../log.ts';
import { RemoteConfig } from './config.ts';
import { SyncPlan, type SyncDelays } from './plan.ts';
import { explainFailure } from './remote.ts';
import { Busy, sync, type SyncOptions } from './sync.ts';

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
  /** How long is waited after a checkpoint, in ms. */
  syncDelayMs: number;
  /** From one sync to the next, in ms; 0: only after checkpoints. */
  syncIntervalMs: number;
  /** How long is waited after a sync that failed, in ms; doubled with each further one. */
  syncRetryMs: number;
}

/** What a sync works on, in somebody's name. */
export type Work = Omit<SyncOptions, 'remote' | 'allowPrivate' | 'signal'>;
/** Makes it; `undefined` where that person may not set the remote (any more). */
export type WorkOf = (principal: string) => Promise<Work | undefined>;

interface Running {
  readonly abort: AbortController;
  readonly end: Promise<void>;
  /** The first one with these settings: they are gone where it fails. */
  readonly isTrial: boolean;
  /** Who hears of its end. */
  readonly asked: Set<string>;
}
type Outcome =
  | { readonly ok: true; readonly info: string | undefined }
  | { readonly ok: false; readonly info: string; readonly isBusy: boolean };

/** Longest time a timer of Node can be set to. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** See the head of this file. */
export class RevisionControl {
  readonly #options: RevisionControlOptions;
  readonly #config: RemoteConfig;
  readonly #plan: SyncPlan;
  #workOf: WorkOf = () => Promise.resolve(undefined);
  #running: Running | undefined;
  /** Who asked while one was going on. */
  #next = new Set<string>();
  #last: { ok: boolean; info?: string | undefined; time: Date } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  /** Changes of the settings, begins and ends, one after another. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: RevisionControlOptions) {
    this.#options = options;
    const delays: SyncDelays = {
      delayMs: options.syncDelayMs,
      intervalMs: options.syncIntervalMs,
      retryMs: options.syncRetryMs,
    };
    this.#plan = new SyncPlan(delays);
    this.#config = new RemoteConfig(options.data, options.secrets, options.allowPrivateRemotes);
  }

  /** Begins to synchronise by itself, where there is a remote. */
  start(workOf: WorkOf): Promise<void> {
    this.#workOf = workOf;
    return this.#alone(async () => {
      if (!(await this.#isSet())) return;
      this.#plan.begin(Date.now());
      this.#arm();
    });
  }

  /** The settings, their token masked, and how the last sync since the start ended; `{}` where there are none. */
  async get(): Promise<Config> {
    const config = await this.#config.shown();
    if (config.remoteUrl === undefined || (!this.#last && !this.#running)) return config;
    const { ok, info, time } = this.#last ?? {};
    return {
      ...config,
      sync: {
        running: this.#running !== undefined,
        ...(ok === undefined ? {} : { ok, time: time!.toISOString() }),
        ...(info === undefined ? {} : { info }),
      },
    };
  }

  /**
   * Saves settings in place of those before and starts to synchronise with them; the end is told to every socket of the
   * person who saved. Refuses with 400 what will not do; then those before stay.
   */
  set(config: Config, principal: string): Promise<void> {
    return this.#alone(async () => {
      await this.#config.save(config, principal);
      const asked = new Set([principal, ...(this.#running?.asked ?? []), ...this.#next]);
      await this.#stop();
      this.#last = undefined;
      this.#plan.begin(Date.now());
      await this.#begin(asked, true);
    });
  }

  /** Removes the settings; a sync under way ends, and nobody is told. */
  remove(): Promise<void> {
    return this.#alone(async () => {
      await this.#config.remove();
      this.#plan.end();
      this.#last = undefined;
      await this.#stop();
      this.#arm();
    });
  }

  /** Synchronises now, in the name of who set the remote; the end is told to every socket of the person who asks. Refuses with 409 where there is no remote. */
  ask(principal: string): Promise<void> {
    return this.#alone(async () => {
      if ((await this.#config.shown()).remoteUrl === undefined)
        throw new Refusal(409, 'There is no remote to synchronise with.');
      if (this.#running) this.#next.add(principal);
      else await this.#begin(new Set([principal]), false);
    });
  }

  /** There was a checkpoint. */
  async changed(): Promise<void> {
    if (!(await this.#isSet())) return;
    this.#plan.changed(Date.now());
    this.#arm();
  }

  /** Whether there is a remote. A file that cannot be read is told to the log, and ends neither a start nor a checkpoint. */
  async #isSet(): Promise<boolean> {
    try {
      return (await this.#config.shown()).remoteUrl !== undefined;
    } catch (error) {
      this.#options.log.error(
        { error: (error as Error).message },
        'the settings of the remote cannot be read',
      );
      return false;
    }
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Sets the timer for what is due next. */
  #arm(): void {
    clearTimeout(this.#timer);
    const { due } = this.#plan;
    if (due === undefined || this.#running || this.#isClosed) return;
    this.#timer = setTimeout(
      () => {
        void this.#alone(async () => {
          if (this.#running || this.#isClosed) return;
          if (this.#plan.due === undefined || this.#plan.due > Date.now()) this.#arm();
          else await this.#begin(new Set(), false);
        }).catch((error: Error) =>
          this.#options.log.error({ error: error.message }, 'a synchronisation could not begin'),
        );
      },
      Math.min(Math.max(due - Date.now(), 0), MAX_TIMER_MS),
    ).unref();
  }

  async #begin(asked: Set<string>, isTrial: boolean): Promise<void> {
    const { log, allowPrivateRemotes, syncTimeoutMs } = this.#options;
    const found = await this.#config.read();
    if (!found || this.#isClosed) return;
    const { remote, principal } = found;
    clearTimeout(this.#timer);
    this.#plan.started();
    const abort = new AbortController();
    const limit = setTimeout(
      () => abort.abort(new DOMException('the time is over', 'TimeoutError')),
      syncTimeoutMs,
    );
    const work = async (): Promise<Outcome> => {
      const parts = await this.#workOf(principal);
      if (!parts)
        throw new Refusal(
          403,
          `The remote was set by ${principal}, who may not do that any more. Save the settings again.`,
        );
      const kept = await sync({
        ...parts,
        remote,
        allowPrivate: allowPrivateRemotes,
        signal: abort.signal,
      });
      return { ok: true, info: kept.length === 0 ? undefined : kept.join('\n') };
    };
    const outcome = work()
      .catch(
        (error: unknown): Outcome => ({
          ok: false,
          info: explainFailure(error, syncTimeoutMs),
          isBusy: error instanceof Busy,
        }),
      )
      .finally(() => clearTimeout(limit));
    const running: Running = { abort, end: outcome.then(() => {}), isTrial, asked };
    this.#running = running;
    void outcome
      .then((how) =>
        this.#alone(async () => {
          // Whoever replaced it hears of his own.
          if (this.#running !== running) return;
          this.#running = undefined;
          await this.#ended(running, how, { principal, host: new URL(remote.url).host });
        }),
      )
      .catch((error: Error) =>
        log.error({ error: error.message }, 'the end of a synchronisation failed'),
      );
  }

  async #ended(
    { isTrial, asked }: Running,
    how: Outcome,
    about: { principal: string; host: string },
  ): Promise<void> {
    const { log } = this.#options;
    const failedBefore = this.#plan.failures > 0;
    const isBusy = !how.ok && how.isBusy;
    this.#plan.ended(Date.now(), how.ok ? 'ok' : isBusy ? 'busy' : 'failed');
    if (how.ok)
      log.info({ event: 'revision-sync', ...about, info: how.info }, 'notes were synchronised');
    else
      log.warn(
        { event: 'revision-sync-failed', ...about, error: how.info },
        'notes could not be synchronised',
      );
    this.#last = { ok: how.ok, info: how.info, time: new Date() };
    if (!how.ok && isTrial) {
      // Settings that never worked are not kept: clients of this family show none after an error.
      await this.#config.remove();
      this.#plan.end();
    }
    // What goes on by itself is told to who set it where something begins: failures, an end of them, two versions of a paragraph.
    const isNews = how.ok ? failedBefore || how.info !== undefined : !failedBefore && !isBusy;
    for (const principal of new Set([...asked, ...(isNews ? [about.principal] : [])]))
      await this.#tell(principal, how);
    const next = this.#next;
    this.#next = new Set();
    if (next.size > 0 && !(isTrial && !how.ok)) await this.#begin(next, false);
    else {
      for (const principal of next) await this.#tell(principal, how);
      this.#arm();
    }
  }

  /** What it says names notes and hosts: only for who may set the remote. */
  async #tell(principal: string, { ok, info }: Outcome): Promise<void> {
    if (!(await this.#workOf(principal))) return;
    if (ok)
      this.#options.hub.tellUser(
        principal,
        'REPO_SYNC_SUCCESS',
        info === undefined ? {} : { info },
      );
    else this.#options.hub.tellUser(principal, 'REPO_SYNC_ERROR', { info });
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#next = new Set();
    clearTimeout(this.#timer);
    running?.abort.abort(new Error('replaced'));
    await running?.end;
  }

  /** Ends a sync that is under way, and begins no other. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    await this.#stop();
  }
}
