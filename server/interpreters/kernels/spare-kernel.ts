/** Starts a kernel before a note needs it, so that its first run does not wait for a process. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { JupyterKernel } from './jupyter-kernel.ts';

/** Time without a run after which the spare kernel starts, in ms: it must not slow down code. */
const QUIET_MS = 1_000;
/** Maximum time that a spare kernel waits for a note, in ms. */
const MAX_WAIT_MS = 600_000;

/** Folder in the folder of a setting for the files of spare kernels. */
export const spareFolderOf = (settingFolder: string): string =>
  join(settingFolder, 'spare-kernels');

/** How to start a spare kernel. */
export interface SpareRecipe {
  /** What its process starts with. Kernels with equal keys can replace each other. */
  readonly key: string;
  readonly settingFolder: string;
  /** Folder for its own files, which is deleted with it. */
  readonly folder: string;
  start(signal: AbortSignal): Promise<JupyterKernel>;
}

interface Spare {
  readonly recipe: SpareRecipe;
  readonly stop: AbortController;
  /** Resolves when it has started or failed. Never rejects. */
  readonly started: Promise<void>;
  kernel?: JupyterKernel;
  /** Ends it if no note takes it. */
  unused?: NodeJS.Timeout;
}

/** Dependencies of {@link SpareKernel}. */
interface SpareKernelOptions {
  /** Time without use after which a process ends, in ms. */
  readonly maxIdleMs: number;
  readonly log: { warn(fields: object, message: string): void };
}

/**
 * The spare kernel of a server: at most one, which has run no code of a user. It starts after
 * another kernel with the same key did, once no code has run for a second.
 */
export class SpareKernel {
  readonly #options: SpareKernelOptions;
  readonly #hasRoom: () => boolean;
  /** The kernel to start next. */
  #wanted: SpareRecipe | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #spare: Spare | undefined;
  /** Settles when the spare kernels that were told to end are gone. */
  #ending: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param hasRoom whether the limit of processes leaves room for one that no note uses */
  constructor(options: SpareKernelOptions, hasRoom: () => boolean) {
    this.#options = options;
    this.#hasRoom = hasRoom;
  }

  /** Process id of the spare kernel; undefined unless it is ready. */
  get pid(): number | undefined {
    return this.#spare?.kernel?.pid;
  }

  /** Returns the spare kernel if it is ready and has this key. The caller must end it. */
  take(key: string): { kernel: JupyterKernel; recipe: SpareRecipe } | undefined {
    const { kernel, recipe, unused } = this.#spare ?? {};
    if (!kernel || !recipe || recipe.key !== key || kernel.isDead) return undefined;
    clearTimeout(unused);
    this.#spare = undefined;
    return { kernel, recipe };
  }

  /** Starts one for the next note after {@link resume}. A spare kernel with another key ends. */
  replenish(recipe: SpareRecipe): void {
    if (this.#isClosed) return;
    if (this.#spare && this.#spare.recipe.key !== recipe.key) void this.end();
    this.#wanted = recipe;
  }

  /** Delays the start, because code runs or a kernel starts. */
  pause(): void {
    clearTimeout(this.#quiet);
  }

  /** Starts the wanted kernel a second from now, unless it is paused until then. */
  resume(): void {
    clearTimeout(this.#quiet);
    if (this.#wanted) this.#quiet = setTimeout(() => this.#start(), QUIET_MS).unref();
  }

  #start(): void {
    const recipe = this.#wanted;
    this.#wanted = undefined;
    if (!recipe || this.#spare || this.#isClosed || !this.#hasRoom()) return;
    const stop = new AbortController();
    const spare: Spare = {
      recipe,
      stop,
      started: recipe.start(stop.signal).then(
        (kernel) => {
          spare.kernel = kernel;
          if (stop.signal.aborted) return;
          const waits = Math.min(this.#options.maxIdleMs, MAX_WAIT_MS);
          spare.unused = setTimeout(() => this.#endThis(spare), waits).unref();
          void kernel.died.then(() => this.#endThis(spare));
        },
        (error: Error) => {
          if (!stop.signal.aborted)
            this.#options.log.warn({ error: error.message }, 'a spare kernel did not start');
          this.#endThis(spare);
        },
      ),
    };
    this.#spare = spare;
  }

  /** Ends a spare kernel that no note has taken. */
  #endThis(spare: Spare): void {
    if (this.#spare === spare) void this.end();
  }

  /**
   * Ends the spare kernel, and starts none until another kernel has started. With a folder, only
   * if it belongs to that setting. Resolves when it is gone.
   */
  async end(settingFolder?: string): Promise<void> {
    const isMeant = (recipe: SpareRecipe | undefined): boolean =>
      settingFolder === undefined || recipe?.settingFolder === settingFolder;
    if (isMeant(this.#wanted)) this.#wanted = undefined;
    const spare = this.#spare;
    if (spare && isMeant(spare.recipe)) {
      this.#spare = undefined;
      clearTimeout(spare.unused);
      spare.stop.abort();
      const gone = spare.started
        .then(() => spare.kernel?.kill())
        .then(() => rm(spare.recipe.folder, { recursive: true, force: true }))
        .catch((error: Error) =>
          this.#options.log.warn({ error: error.message }, 'a spare kernel could not be ended'),
        );
      this.#ending = Promise.all([this.#ending, gone]);
    }
    await this.#ending;
  }

  /** Ends the spare kernel. No other one starts. */
  close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#quiet);
    return this.end();
  }
}
