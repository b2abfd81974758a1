/**
 * Installs the dependencies of interpreter settings when a setting changes. Installations of the
 * same setting run one after another.
 */
import { join } from 'node:path';
import type { Secrets } from '../auth/secrets.ts';
import type { PackageRepository } from '../interpreters/contract.ts';
import type { Logger } from '../logging/log.ts';
import { settingValues } from '../settings/setting.ts';
import type { InterpreterSettings } from '../settings/settings.ts';
import { privateFolder } from '../storage/files.ts';

/** State of a setting or an instance. */
export type DependencyStatus = 'READY' | 'DOWNLOADING_DEPENDENCIES' | 'ERROR';

interface Installation {
  status: DependencyStatus;
  reason: string | undefined;
  /** Resolves when the installation ends. Never rejects. */
  done: Promise<void>;
  stop: AbortController;
}

/** Dependencies of {@link Dependencies}. */
export interface DependenciesOptions {
  data: string;
  settings: InterpreterSettings;
  secrets: Secrets;
  log: Logger;
  /** Additional repositories that installers search. */
  repositories(): readonly PackageRepository[];
}

const nothing = (): Installation => ({
  status: 'READY',
  reason: undefined,
  done: Promise.resolve(),
  stop: new AbortController(),
});

/** Installs and tracks the dependencies of interpreter settings. */
export class Dependencies {
  readonly #options: DependenciesOptions;
  readonly #all = new Map<string, Installation>();

  constructor(options: DependenciesOptions) {
    this.#options = options;
  }

  /** Returns the state of a setting's installation. */
  of(id: string): Readonly<Installation> {
    return this.#all.get(id) ?? nothing();
  }

  /**
   * Installs a setting's current dependencies and cancels the previous installation. Waits for
   * `after` first.
   */
  install(id: string, after: Promise<unknown>): void {
    const { settings, secrets, repositories, data, log } = this.#options;
    const before = this.of(id);
    before.stop.abort();
    const setting = settings.get(id);
    const spec = setting && settings.spec(setting.group);
    const names =
      setting?.dependencies.map(({ groupArtifactVersion }) => groupArtifactVersion) ?? [];
    const installation = { ...nothing(), done: before.done };
    this.#all.set(id, installation);
    if (!setting || !spec || names.length === 0) return;
    const fail = (reason: string) =>
      void Object.assign(installation, {
        status: 'ERROR',
        reason: `Cannot fetch dependencies for ${names.join(', ')}: ${reason}`,
      });
    if (!spec.install)
      return fail(`interpreters of the group ${setting.group} do not support dependencies.`);
    const { signal } = installation.stop;
    installation.status = 'DOWNLOADING_DEPENDENCIES';
    installation.done = (async () => {
      await before.done;
      await after;
      try {
        signal.throwIfAborted();
        const folder = await privateFolder(join(data, 'interpreters', id));
        await spec.install!({
          folder,
          dependencies: names,
          repositories: repositories(),
          properties: settingValues(setting, spec, secrets),
          signal,
        });
        installation.status = 'READY';
      } catch (error) {
        // Ignored: the installation that replaced this one reports its own state.
        if (signal.aborted) return fail('it was stopped.');
        log.warn(
          { interpreter: id, error: (error as Error).message },
          'dependencies could not be installed',
        );
        fail((error as Error).message);
      }
    })();
  }

  /** Stops all installations. */
  async close(): Promise<void> {
    for (const { stop } of this.#all.values()) stop.abort();
    await Promise.all([...this.#all.values()].map(({ done }) => done));
  }
}
