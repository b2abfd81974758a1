/**
 * Synchronizes the notes with a git remote: when its settings are saved, after checkpoints, at
 * intervals, and on request. Only one synchronization runs at a time. A request made meanwhile is
 * answered by the next one, which includes the requester's latest changes.
 */
import type { RevisionControl as Config } from '@tiding/client/protocol';
import type { Secrets } from '../auth/secrets.ts';
import { Refusal } from '../base/errors.ts';
import type { Hub } from '../hub/hub.ts';
import type { Logger } from '../logging/log.ts';
import { RemoteConfig } from './config.ts';
import { type SyncDelays, SyncPlan } from './plan.ts';
import { explainFailure } from './remote.ts';
import { NoteBusy, type SyncOptions, sync } from './sync.ts';

/** Dependencies of {@link RemoteSynchronizer}. */
interface RevisionControlOptions extends SyncDelays {
  data: string;
  secrets: Secrets;
  hub: Hub;
  log: Logger;
  /** Whether the remote may be in a private network. */
  allowPrivateRemotes: boolean;
  /** Time limit of a synchronization, in ms. */
  syncTimeoutMs: number;
}

/** Data and services for a synchronization in a user's name. */
export type SyncWork = Omit<SyncOptions, 'remote' | 'allowPrivate' | 'signal'>;
/** Creates it; `undefined` if the user may not, or may no longer, configure the remote. */
type SyncWorkFactory = (principal: string) => Promise<SyncWork | undefined>;

interface Running {
  readonly abort: AbortController;
  readonly end: Promise<void>;
  /** The first synchronization with these settings; they are removed if it fails. */
  readonly isTrial: boolean;
  /** Users to notify of the result. */
  readonly asked: Set<string>;
}
type Outcome =
  | { readonly ok: true; readonly info: string | undefined }
  | { readonly ok: false; readonly info: string; readonly isBusy: boolean };

/** Maximum delay of a Node.js timer, in ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Schedules and runs synchronizations with the remote. */
export class RemoteSynchronizer {
  readonly #options: RevisionControlOptions;
  readonly #config: RemoteConfig;
  readonly #plan: SyncPlan;
  #workOf: SyncWorkFactory = () => Promise.resolve(undefined);
  #running: Running | undefined;
  /** Users who asked while a synchronization was running. */
  #next = new Set<string>();
  #last: { ok: boolean; info?: string | undefined; time: Date } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  /** Serializes settings changes and the start and end of synchronizations. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: RevisionControlOptions) {
    this.#options = options;
    this.#plan = new SyncPlan(options);
    this.#config = new RemoteConfig(options.data, options.secrets, options.allowPrivateRemotes);
  }

  /** Starts automatic synchronization if there is a remote. */
  start(workOf: SyncWorkFactory): Promise<void> {
    this.#workOf = workOf;
    return this.#alone(async () => {
      if (!(await this.#isSet())) return;
      this.#plan.begin(performance.now());
      this.#arm();
    });
  }

  /**
   * Returns the settings with a masked token, and the result of the last synchronization since the
   * start; `{}` if there are none.
   */
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
   * Replaces the settings and starts a synchronization; the result is sent to all sockets of the
   * user who saved. Throws a 400 refusal for invalid settings and keeps the previous ones.
   */
  set(config: Config, principal: string): Promise<void> {
    return this.#alone(async () => {
      await this.#config.save(config, principal);
      const asked = new Set([principal, ...(this.#running?.asked ?? []), ...this.#next]);
      await this.#stop();
      this.#last = undefined;
      this.#plan.begin(performance.now());
      await this.#begin(asked, true);
    });
  }

  /** Removes the settings. A running synchronization is aborted and nobody is notified. */
  remove(): Promise<void> {
    return this.#alone(async () => {
      await this.#config.remove();
      this.#plan.end();
      this.#last = undefined;
      await this.#stop();
      this.#arm();
    });
  }

  /**
   * Synchronizes now, in the name of the user who set the remote; the result is sent to all sockets
   * of the user who asks. Throws a 409 refusal if there is no remote.
   */
  request(principal: string): Promise<void> {
    return this.#alone(async () => {
      if ((await this.#config.shown()).remoteUrl === undefined)
        throw new Refusal(409, 'No remote is configured. Save the settings of a remote first.');
      if (this.#running) this.#next.add(principal);
      else await this.#begin(new Set([principal]), false);
    });
  }

  /** Called after a checkpoint. */
  async changed(): Promise<void> {
    if (!(await this.#isSet())) return;
    this.#plan.changed(performance.now());
    this.#arm();
  }

  /**
   * Returns whether there is a remote. An unreadable file is logged, and prevents neither a start
   * nor a checkpoint.
   */
  async #isSet(): Promise<boolean> {
    try {
      return (await this.#config.shown()).remoteUrl !== undefined;
    } catch (error) {
      const { message } = error as Error;
      this.#options.log.error({ error: message }, 'the settings of the remote cannot be read');
      return false;
    }
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Sets the timer for the next synchronization. */
  #arm(): void {
    clearTimeout(this.#timer);
    const { due } = this.#plan;
    if (due === undefined || this.#running || this.#isClosed) return;
    this.#timer = setTimeout(
      () => {
        void this.#alone(async () => {
          if (this.#running || this.#isClosed) return;
          if (this.#plan.due === undefined || this.#plan.due > performance.now()) this.#arm();
          else await this.#begin(new Set(), false);
        }).catch(({ message }: Error) =>
          this.#options.log.error({ error: message }, 'a synchronization could not be started'),
        );
      },
      Math.min(Math.max(due - performance.now(), 0), MAX_TIMER_MS),
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
      () => abort.abort(new DOMException('the time limit was exceeded', 'TimeoutError')),
      syncTimeoutMs,
    );
    const work = async (): Promise<Outcome> => {
      const parts = await this.#workOf(principal);
      if (!parts)
        throw new Refusal(
          403,
          `The remote was configured by ${principal}, who no longer has permission. ` +
            'Save the settings again.',
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
          isBusy: error instanceof NoteBusy,
        }),
      )
      .finally(() => clearTimeout(limit));
    const running: Running = { abort, end: outcome.then(() => {}), isTrial, asked };
    this.#running = running;
    void outcome
      .then((how) =>
        this.#alone(async () => {
          // The caller that replaced it gets a result of its own.
          if (this.#running !== running) return;
          this.#running = undefined;
          await this.#ended(running, how, { principal, host: new URL(remote.url).host });
        }),
      )
      .catch((error: Error) =>
        log.error({ error: error.message }, 'finishing a synchronization failed'),
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
    this.#plan.ended(performance.now(), how.ok ? 'ok' : isBusy ? 'busy' : 'failed');
    if (how.ok)
      log.info({ event: 'revision-sync', ...about, info: how.info }, 'notes synchronized');
    else
      log.warn(
        { event: 'revision-sync-failed', ...about, error: how.info },
        'notes could not be synchronized',
      );
    this.#last = { ok: how.ok, info: how.info, time: new Date() };
    if (!how.ok && isTrial) {
      // Settings that never worked are not kept: Zeppelin clients show no settings after an error.
      await this.#config.remove();
      this.#plan.end();
    }
    // Automatic synchronizations notify the user who set the remote only of news: the first
    // failure, the first success after it, and duplicated paragraphs.
    const isNews = how.ok ? failedBefore || how.info !== undefined : !failedBefore && !isBusy;
    for (const principal of new Set([...asked, ...(isNews ? [about.principal] : [])]))
      await this.#notify(principal, how);
    const next = this.#next;
    this.#next = new Set();
    if (next.size > 0 && !(isTrial && !how.ok)) await this.#begin(next, false);
    else {
      for (const principal of next) await this.#notify(principal, how);
      this.#arm();
    }
  }

  /**
   * The message contains names of notes and hosts, so it is sent only to users who may configure
   * the remote.
   */
  async #notify(principal: string, { ok, info }: Outcome): Promise<void> {
    if (!(await this.#workOf(principal))) return;
    const { hub } = this.#options;
    if (ok) hub.sendToUser(principal, 'REPO_SYNC_SUCCESS', info === undefined ? {} : { info });
    else hub.sendToUser(principal, 'REPO_SYNC_ERROR', { info });
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#next = new Set();
    clearTimeout(this.#timer);
    running?.abort.abort(new Error('replaced'));
    await running?.end;
  }

  /** Aborts the running synchronization and starts no other. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    await this.#stop();
  }
}
