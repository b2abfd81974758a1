/** Starts Python kernels: one for a note, or a spare one that is handed over to a note later. */

import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { InterpreterHost } from '../contract.ts';
import { JupyterKernel } from '../kernels/jupyter-kernel.ts';
import { textOf } from '../kernels/jupyter-messages.ts';
import { type SpareRecipe, spareFolderOf } from '../kernels/spare-kernel.ts';
import { handOverCode, pythonBootstrap, spareBootstrap } from './bootstrap.ts';
import { PythonProblem } from './run-tool.ts';

/** Time for a spare kernel to change to a note before another one is started, in ms. */
const HAND_OVER_MS = 15_000;

/** How to start a Python kernel. */
interface PythonStart {
  readonly program: string;
  /** Environment variables, without those that depend on the note. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder for its connection file and the record of its process. */
  readonly folder: string;
  readonly cwd: string;
  /** Folder of IPython's profile. */
  readonly ipython: string;
  readonly signal: AbortSignal;
}

/** Starts a kernel that has `z`. On failure, ends the process and rejects. */
export async function startPython(start: PythonStart): Promise<JupyterKernel> {
  const { program, env, folder, cwd, ipython, signal } = start;
  const kernel = await JupyterKernel.start({
    command: [
      program,
      '-m',
      'ipykernel_launcher',
      '-f',
      '{connection_file}',
      '--HistoryManager.enabled=False',
    ],
    cwd,
    env: { ...env, IPYTHONDIR: ipython },
    folder,
    isIpykernel: true,
    signal,
  });
  await execute(kernel, pythonBootstrap, signal);
  return kernel;
}

/** Executes code of the server before code of users. On failure, ends the kernel and rejects. */
async function execute(kernel: JupyterKernel, code: string, signal: AbortSignal): Promise<void> {
  try {
    const handlers = { onMessage: () => undefined, onInput: async () => '' };
    const reply = await kernel.execute(code, handlers, true);
    if (reply['status'] !== 'ok')
      throw new PythonProblem(
        `Python cannot be used: ${textOf(reply['ename'])}: ${textOf(reply['evalue'])}`,
      );
    signal.throwIfAborted();
  } catch (error) {
    await kernel.kill();
    throw error;
  }
}

/** Describes the start of a spare kernel, which no note uses yet. */
export function spareRecipe({
  settingFolder,
  ...start
}: Pick<PythonStart, 'program' | 'env'> & { key: string; settingFolder: string }): SpareRecipe {
  const { key, program, env } = start;
  const folder = join(spareFolderOf(settingFolder), randomUUID());
  return {
    key,
    settingFolder,
    folder,
    async start(signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const kernel = await startPython({
        program,
        env,
        // Where it stays when a note takes the kernel, so that the next server finds the record.
        folder: settingFolder,
        cwd: folder,
        ipython: join(folder, 'ipython'),
        signal,
      });
      await execute(kernel, spareBootstrap, signal);
      return kernel;
    },
  };
}

/**
 * Makes a spare kernel one of a note. Resolves to undefined if that fails; the kernel has ended
 * then. Rejects with the signal's reason.
 */
export async function handOver(
  { kernel, recipe }: { kernel: JupyterKernel; recipe: SpareRecipe },
  { files, ipython, signal }: { files: string; ipython: string; signal: AbortSignal },
  log: InterpreterHost['log'],
): Promise<JupyterKernel | undefined> {
  try {
    const late = wait(HAND_OVER_MS, undefined, { ref: false }).then(() => {
      throw new Error('It did not answer in time.');
    });
    late.catch(() => undefined);
    await Promise.race([execute(kernel, handOverCode(files, ipython), signal), late]);
    return kernel;
  } catch (error) {
    await kernel.kill();
    signal.throwIfAborted();
    log('a spare kernel could not be used', { error: (error as Error).message });
    return undefined;
  } finally {
    await rm(recipe.folder, { recursive: true, force: true });
  }
}
