/** What settings depend on: installed when a setting changes, one installation of a setting after another. */
import { join } from 'node:path';
import type { Secrets } from '../auth/secrets.ts';
import { privateFolder } from '../files.ts';
import type { PackageRepository } from '../interpreters/contract.ts';
import type { Logger } from '../log.ts';
import { valuesOf } from '../settings/setting.ts';
import type { InterpreterSettings } from '../settings/settings.ts';

/** How far a setting or an instance is. */
export type Status = 'READY' | 'DOWNLOADING_DEPENDENCIES' | 'ERROR';

interface Installation {
  status: Status;
  reason: string | undefined;
  /** Settles, never rejects. */
  done: Promise<void>;
  stop: AbortController;
}

/** What installing takes. */
export interface DependenciesOptions {
  data: string;
  settings: InterpreterSettings;
  secrets: Secrets;
  log: Logger;
  /** Where installers look beside their own places. */
  repositories(): readonly PackageRepository[];
}

const nothing = (): Installation => ({
  status: 'READY',
  reason: undefined,
  done: Promise.resolve(),
  stop: new AbortController(),
});

/** See the head of this file. */
export class Dependencies {
  readonly #options: DependenciesOptions;
  readonly #all = new Map<string, Installation>();

  constructor(options: DependenciesOptions) {
    this.#options = options;
  }

  /** How far a setting is, and the end of what is going on. */
  of(id: string): Readonly<Installation> {
    return this.#all.get(id) ?? nothing();
  }

  /** Installs what a setting depends on now, in place of what was asked before; `after` settles first. */
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
      return fail(`interpreters of the group ${setting.group} take none on this server.`);
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
          properties: valuesOf(setting, spec, secrets),
          signal,
        });
        installation.status = 'READY';
      } catch (error) {
        // What was asked in its place tells how that went.
        if (signal.aborted) return fail('it was stopped.');
        log.warn(
          { interpreter: id, error: (error as Error).message },
          'dependencies could not be installed',
        );
        fail((error as Error).message);
      }
    })();
  }

  /** Stops all. */
  async close(): Promise<void> {
    for (const { stop } of this.#all.values()) stop.abort();
    await Promise.all([...this.#all.values()].map(({ done }) => done));
  }
}
