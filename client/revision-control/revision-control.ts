import { type CallOptions, deferred } from '../core/abort.ts';
import { TidingError } from '../core/errors.ts';
import { SYNC_TIMEOUT_MS } from '../protocol/constants.ts';
import type { RevisionControl as Configuration } from '../protocol/index.ts';
import { ClientArea } from '../session/client-area.ts';

/**
 * Configures and synchronizes the Git remote of the notes. Tiding and Magpie servers only; requires
 * an administrator role.
 */
export class RevisionControlApi extends ClientArea {
  /**
   * Returns the configuration, or `undefined` if there is none. `accessToken` is always masked by
   * eight asterisks.
   */
  async get(options: CallOptions = {}): Promise<Configuration | undefined> {
    const configuration = await this.context.call('getRevisionControl', options);
    return configuration.remoteUrl === undefined ? undefined : configuration;
  }

  /**
   * Saves the configuration and waits for the synchronization that follows. Pass eight asterisks as
   * `accessToken` to keep the current token. Resolves with a message of the server, usually
   * `undefined`; if both sides changed the same note, it says that both versions were kept. Rejects
   * with `server` if the synchronization failed, and with `timeout` after 300 s (specification),
   * although it may still be running.
   */
  save(
    configuration: { remoteUrl: string; userName: string; accessToken: string },
    options: CallOptions = {},
  ): Promise<string | undefined> {
    return this.#synced(
      'setRevisionControl',
      () => this.context.call('setRevisionControl', { ...options, body: configuration }),
      options,
    );
  }

  /**
   * Synchronizes now and waits for the result, like {@link save}. If it fails, the configuration
   * stays. Tiding servers only.
   */
  sync(options: CallOptions = {}): Promise<string | undefined> {
    return this.#synced(
      'syncRevisions',
      () => this.context.call('syncRevisions', options),
      options,
    );
  }

  async #synced(
    operation: string,
    call: () => Promise<unknown>,
    options: CallOptions,
  ): Promise<string | undefined> {
    // Subscribe before the call: a quick synchronization may be over when the call returns.
    await (await this.context.lobby()).ready({ timeout: this.context.timeout, ...options });
    const done = deferred<string | undefined>(operation, { timeout: SYNC_TIMEOUT_MS, ...options });
    const unsubscribes = [
      this.context.on('REPO_SYNC_SUCCESS', ({ data }) => done.resolve(data.info ?? undefined)),
      this.context.on('REPO_SYNC_ERROR', ({ data }) =>
        done.reject(
          new TidingError('server', data.info ?? 'The remote could not be synchronized.', {
            operation,
          }),
        ),
      ),
    ];
    try {
      await Promise.race([call(), done.promise]);
      return await done.promise;
    } finally {
      unsubscribes.forEach((unsubscribe) => unsubscribe());
    }
  }

  /** Removes the configuration. */
  async remove(options: CallOptions = {}): Promise<void> {
    await this.context.call('setRevisionControl', { ...options, body: {} });
  }
}
