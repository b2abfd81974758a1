/** The remote that notes are pushed to and pulled from. */
import { deferred, type CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import { TidingError } from '../errors.ts';
import type { RevisionControl as Configuration } from '../protocol/index.ts';

/** How long a sync may take, in ms (specification). */
export const SYNC_TIMEOUT_MS = 300_000;

/** The configuration of revision control. On ours and on the fork; needs an administrator's role. */
export class RevisionControl {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** The configuration; `undefined` when there is none. `accessToken` is always eight stars. */
  async get(options: CallOptions = {}): Promise<Configuration | undefined> {
    const configuration = await this.#context.call('getRevisionControl', options);
    return configuration.remoteUrl === undefined ? undefined : configuration;
  }

  /**
   * Saves the configuration and waits for the sync that follows. Eight stars as `accessToken` keep the one that is there.
   * Answers what the server says of it: where both sides changed the same, that both versions are kept; mostly nothing.
   * Rejects with `server` when the sync failed, and with `timeout` after 300 s (specification): it may still go on.
   */
  save(
    configuration: { remoteUrl: string; userName: string; accessToken: string },
    options: CallOptions = {},
  ): Promise<string | undefined> {
    return this.#synced(
      'setRevisionControl',
      () => this.#context.call('setRevisionControl', { ...options, body: configuration }),
      options,
    );
  }

  /** Synchronises now and waits for the end, as {@link save} does; the configuration stays also where it fails. On ours alone. */
  sync(options: CallOptions = {}): Promise<string | undefined> {
    return this.#synced(
      'syncRevisions',
      () => this.#context.call('syncRevisions', options),
      options,
    );
  }

  async #synced(
    operation: string,
    call: () => Promise<unknown>,
    options: CallOptions,
  ): Promise<string | undefined> {
    // Before the call: a quick sync may be over when its answer comes.
    await (await this.#context.lobby()).ready({ timeout: this.#context.timeout, ...options });
    const done = deferred<string | undefined>(operation, { timeout: SYNC_TIMEOUT_MS, ...options });
    const offs = [
      this.#context.on('REPO_SYNC_SUCCESS', ({ data }) => done.resolve(data.info ?? undefined)),
      this.#context.on('REPO_SYNC_ERROR', ({ data }) =>
        done.reject(
          new TidingError('server', data.info ?? 'the remote could not be synchronised', {
            operation,
          }),
        ),
      ),
    ];
    try {
      await Promise.race([call(), done.promise]);
      return await done.promise;
    } finally {
      offs.forEach((off) => off());
    }
  }

  /** Removes the configuration. */
  async remove(options: CallOptions = {}): Promise<void> {
    await this.#context.call('setRevisionControl', { ...options, body: {} });
  }
}
