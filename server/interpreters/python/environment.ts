/** The virtual environment for Python: found, or created on first use. */

import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  access,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { jsonObjectOf } from '@tiding/client/model';
import { aborted } from '../../base/aborted.ts';
import { succeeds } from '../../base/succeeds.ts';
import { childEnvironment } from '../processes/child-environment.ts';
import { PythonProblem, pipInstall, runTool } from './run-tool.ts';
import { versionOf } from './version.ts';

const requirements = [
  'ipykernel>=6.29,<8',
  'pandas>=2,<4',
  'matplotlib>=3.8,<4',
  'pyarrow>=15',
  // For the displays of Plotly and of styled frames, which import them when they are used.
  'nbformat>=5,<6',
  'jinja2>=3.1,<4',
];
const marker = 'tiding.json';
const cleanUpLimit = 1_000;

/** Input of the preparation of an environment. */
interface Preparation {
  /** Folder for records of running installers; see `startGroup`. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** A user-provided Python with ipykernel, used unchanged. */
  readonly program?: string | undefined;
  /** Called once if something must be installed. */
  onBuild?(): void;
  /** Reports a line of progress, and the percentage. */
  tell?(line: string, percent: number): void;
}

/** What an environment has. */
export interface PythonPackages {
  readonly requirements: readonly string[];
  /** Python code that fails if a package can't be used. */
  readonly check: string;
  /** Says what is set up, for the progress. */
  readonly title: string;
  /** Whether uv saves more time than its own installation takes. */
  readonly usesUv: boolean;
}

const kernelPackages: PythonPackages = {
  requirements,
  check: 'import ipykernel, pandas, pyarrow, matplotlib.pyplot, nbformat, jinja2',
  title: 'Setting up Python for the first time',
  usesUv: true,
};

/** Path of the environment and whether it is ready. */
interface Place {
  readonly packages: PythonPackages;
  readonly folder: string;
  /** The Python that creates the environment. Absent if `folder` is a user-provided environment. */
  readonly base?: string;
  readonly key?: string;
  readonly ready: boolean;
}

/** The Python that creates environments. */
export const basePython = (): string => process.env['TIDING_PYTHON'] || 'python3';
const programOf = (folder: string): string => join(folder, 'bin', 'python');
const run = promisify(execFile);

/** Returns variables with which code finds the other programs of Python's environment. */
export function pathsOf(program: string): Record<string, string> {
  const binaries = dirname(program);
  return {
    PATH: [binaries, process.env['PATH'] ?? ''].join(delimiter),
    ...(existsSync(join(dirname(binaries), 'pyvenv.cfg'))
      ? { VIRTUAL_ENV: dirname(binaries) }
      : {}),
  };
}

/**
 * Returns the Python program of a ready environment, which is created if necessary.
 *
 * Folder: `TIDING_PYTHON_ENV`, else `${XDG_CACHE_HOME:-~/.cache}/tiding/python-<key>`. The key is a
 * hash of the requirements and the Python version. The environment is built beside that folder and
 * then renamed, so that several servers can start at the same time. Within a server, callers share
 * one build, which continues until the last of them aborts.
 *
 * Rejects with {@link PythonProblem}, or with the signal's reason.
 */
export async function preparePython(preparation: Preparation): Promise<string> {
  preparation.signal.throwIfAborted();
  if (preparation.program) return ownPython(preparation.program);
  const place = await find();
  if (place.ready) return programOf(place.folder);
  preparation.onBuild?.();
  await joinBuild(place, preparation);
  return programOf(place.folder);
}

/**
 * Creates an environment with these packages in the cache if necessary. Equal packages share one.
 * Rejects as {@link preparePython} does.
 * @param name start of the folder's name
 */
export async function preparePackages(
  name: string,
  packages: PythonPackages,
  preparation: Omit<Preparation, 'folder'>,
): Promise<void> {
  preparation.signal.throwIfAborted();
  const place = await cached(name, packages);
  if (place.ready) return;
  const folder = await mkdtemp(join(tmpdir(), `tiding-${name}-`));
  try {
    await joinBuild(place, { ...preparation, folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the Python program of {@link preparePackages} if it is ready, else undefined. */
export async function readyPackages(
  name: string,
  packages: PythonPackages,
): Promise<string | undefined> {
  const place = await cached(name, packages);
  return place.ready ? programOf(place.folder) : undefined;
}

/** Returns the Python program if nothing must be installed, else undefined. Never rejects. */
export async function readyPython(program?: string): Promise<string | undefined> {
  try {
    if (program) return await ownPython(program);
    const place = await find();
    return place.ready ? programOf(place.folder) : undefined;
  } catch {
    return undefined;
  }
}

async function ownPython(program: string): Promise<string> {
  try {
    await run(program, ['-c', 'import ipykernel'], { env: childEnvironment(), timeout: 60_000 });
  } catch (error) {
    const absent = ['ENOENT', 'EACCES'].includes(String((error as NodeJS.ErrnoException).code));
    throw new PythonProblem(
      absent
        ? `There is no Python at ${program} (python.path).`
        : `The Python at ${program} (python.path) lacks ipykernel: ${installHint(program)}.`,
    );
  }
  return program;
}

const installHint = (program: string): string =>
  `run ${program} -m pip install ipykernel pandas matplotlib pyarrow nbformat jinja2`;

async function find(): Promise<Place> {
  const given = process.env['TIDING_PYTHON_ENV'];
  if (given && (await exists(programOf(given))) && !(await exists(join(given, marker)))) {
    const folder = resolve(given);
    try {
      await run(programOf(folder), ['-c', 'import ipykernel'], { env: childEnvironment() });
    } catch {
      throw new PythonProblem(
        `The environment ${folder} (TIDING_PYTHON_ENV) lacks ipykernel: ` +
          `${installHint(programOf(folder))}.`,
      );
    }
    return { folder, ready: true, packages: kernelPackages };
  }
  return cached('python', kernelPackages, given && resolve(given));
}

/** Returns the environment of packages for the Python version, in the cache or in `given`. */
async function cached(name: string, packages: PythonPackages, given?: string): Promise<Place> {
  const base = basePython();
  const version = await versionOf(base);
  const key = createHash('sha256')
    .update(JSON.stringify([packages.requirements, version]))
    .digest('hex')
    .slice(0, 16);
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = given || join(cache, 'tiding', `${name}-${key}`);
  return {
    packages,
    folder,
    base,
    key,
    ready: (await keyOf(folder)) === key && (await exists(programOf(folder))),
  };
}

async function keyOf(folder: string): Promise<string | undefined> {
  try {
    const { key } = jsonObjectOf(JSON.parse(await readFile(join(folder, marker), 'utf8')));
    return typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}

interface Build {
  readonly done: Promise<void>;
  readonly stop: AbortController;
  readonly listeners: Set<Preparation>;
}
const builds = new Map<string, Build>();

async function joinBuild(place: Place, preparation: Preparation): Promise<void> {
  let build = builds.get(place.folder);
  if (!build) {
    const listeners = new Set<Preparation>();
    const stop = new AbortController();
    const tell = (line: string, percent: number): void =>
      listeners.forEach((listener) => listener.tell?.(line, percent));
    const done = makeEnvironment(place, preparation.folder, stop.signal, tell);
    const made = (build = { done, stop, listeners });
    const forget = (): void =>
      void (builds.get(place.folder) === made && builds.delete(place.folder));
    stop.signal.addEventListener('abort', forget, { once: true });
    done.then(forget, forget);
    builds.set(place.folder, build);
  }
  const { done, stop, listeners } = build;
  listeners.add(preparation);
  try {
    const left = aborted(preparation.signal).then(() => 'left');
    if ((await Promise.race([done, left])) !== 'left') return;
    listeners.delete(preparation);
    if (listeners.size === 0) {
      stop.abort();
      // The installer ends immediately. Deleting its files may take longer than a cancelled run
      // may take.
      await Promise.race([
        done.catch(() => undefined),
        wait(cleanUpLimit, undefined, { ref: false }),
      ]);
    }
    preparation.signal.throwIfAborted();
  } finally {
    listeners.delete(preparation);
  }
}

async function makeEnvironment(
  place: Place,
  notes: string,
  signal: AbortSignal,
  tell: NonNullable<Preparation['tell']>,
): Promise<void> {
  const { folder, base, key } = place;
  const { check, requirements, title, usesUv } = place.packages;
  if (!base || !key) throw new PythonProblem(`The environment ${folder} cannot be created.`);
  await mkdir(dirname(folder), { recursive: true });
  await removeOldBuilds(folder);
  const build = `${folder}.build-${process.pid}-${randomBytes(4).toString('hex')}`;
  const tool = (program: string, args: string[], percent: number): Promise<void> =>
    runTool(program, args, { notes, signal, tell: (text) => tell(text, percent) });
  try {
    tell(`${title}: creating a virtual environment`, 5);
    try {
      await tool(base, ['-m', 'venv', build], 5);
    } catch (error) {
      if (
        !(error instanceof PythonProblem) ||
        !/ensurepip|No module named '?venv/.test(error.message)
      )
        throw error;
      throw new PythonProblem(
        'Python lacks the module venv: install it (for example: apt install python3-venv).\n' +
          error.message,
      );
    }
    const python = programOf(build);
    tell(`Installing ${requirements.map((text) => text.split(/[<>=~!;[ ]/)[0]).join(', ')}`, 20);
    const installer = [...pipInstall, '--', ...requirements];
    try {
      if (usesUv) await tool(python, ['-m', 'pip', 'install', '--quiet', 'uv'], 20);
      const uv = ['-m', 'uv', 'pip', 'install', '--python', python, '--', ...requirements];
      await tool(python, usesUv ? uv : installer, 40);
    } catch (error) {
      if (!usesUv || signal.aborted || !(error instanceof PythonProblem)) throw error;
      tell('uv failed. Installing with pip', 40);
      await tool(python, installer, 40);
    }
    tell('Checking the packages', 90);
    await tool(python, ['-c', check], 90);
    await retargetScripts(build, folder);
    await writeFile(join(build, marker), JSON.stringify({ key, requirements }));
    await moveInto(build, folder, key);
    tell('Python is ready', 100);
  } finally {
    await rm(build, { recursive: true, force: true });
  }
}

/** Moves the build to its final folder. If another server was faster, its environment stays. */
async function moveInto(build: string, folder: string, key: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await rename(build, folder);
    } catch (error) {
      if ((await keyOf(folder)) === key && (await exists(programOf(folder)))) return;
      if (attempt > 0) throw error;
      // The existing environment has other requirements, or its Python is gone.
      const old = `${folder}.build-old-${randomBytes(4).toString('hex')}`;
      await rename(folder, old).catch(() => undefined);
      await rm(old, { recursive: true, force: true });
    }
  }
}

/** Updates scripts such as `pip`, which contain the full path of their interpreter. */
async function retargetScripts(build: string, folder: string): Promise<void> {
  const bin = join(build, 'bin');
  for (const entry of await readdir(bin, { withFileTypes: true })) {
    const file = join(bin, entry.name);
    if (!entry.isFile() || (await stat(file)).size > 100_000) continue;
    const text = await readFile(file, 'utf8');
    if (text.includes(build)) await writeFile(file, text.replaceAll(build, folder));
  }
}

/** Deletes builds of servers that were killed. No build takes longer than a day. */
async function removeOldBuilds(folder: string): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${basename(folder)}.build-`)) continue;
    const { mtimeMs } = await stat(join(parent, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > 86_400_000)
      await rm(join(parent, name), { recursive: true, force: true });
  }
}

async function exists(file: string): Promise<boolean> {
  return (await succeeds(access(file, constants.X_OK))) || succeeds(access(file, constants.R_OK));
}
