/**
 * Installs the packages of a Python setting into a virtual environment on top of the one that
 * Python runs in.
 */
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { succeeds } from '../../base/succeeds.ts';
import type { InstallRequest, PackageRepository } from '../contract.ts';
import { preparePython } from './environment.ts';
import { lastPipError, PythonProblem, pipInstall, runTool } from './run-tool.ts';

const venvOf = (folder: string): string => join(folder, 'venv');
const markerOf = (folder: string): string => join(venvOf(folder), 'tiding.json');
const programOf = (folder: string): string => join(venvOf(folder), 'bin', 'python');
const keyOf = (base: string, dependencies: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([base, dependencies]))
    .digest('hex');

/**
 * Returns the Python program that has the dependencies; `base` itself if there are none. Rejects if
 * they are not installed.
 */
export async function pythonWithDependencies(
  base: string,
  folder: string,
  dependencies: readonly string[],
): Promise<string> {
  if (dependencies.length === 0) return base;
  if (!(await isInstalled(base, folder, dependencies)))
    throw new PythonProblem(
      'The packages of this interpreter are not installed. Restart the interpreter.',
    );
  return programOf(folder);
}

async function isInstalled(
  base: string,
  folder: string,
  dependencies: readonly string[],
): Promise<boolean> {
  const marker = await readFile(markerOf(folder), 'utf8').catch(() => '');
  return marker === keyOf(base, dependencies) && succeeds(access(programOf(folder)));
}

/**
 * Installs requirements with pip. Does nothing if they are already installed. Takes seconds to
 * minutes. The environment includes the packages of its base, so pip downloads only what is
 * missing. Rejects with {@link PythonProblem} or the signal's reason.
 */
export async function installPython({
  folder,
  dependencies,
  repositories,
  properties,
  signal,
}: InstallRequest): Promise<void> {
  // A requirement must not be interpreted as an option of pip.
  const odd = dependencies.find((text) => text.startsWith('-') || /[\r\n\0]/.test(text));
  if (odd !== undefined) throw new PythonProblem(`'${odd}' is not a valid requirement`);
  const program = properties['python.path'] || undefined;
  const base = await preparePython({ folder, signal, program });
  if (dependencies.length === 0 || (await isInstalled(base, folder, dependencies))) return;
  const options = { notes: folder, signal };
  const venv = venvOf(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rm(venv, { recursive: true, force: true });
  try {
    await runTool(base, ['-m', 'venv', '--without-pip', venv], options);
    const below = await packagesOf(base, options);
    const own = await packagesOf(programOf(folder), options);
    await writeFile(join(own[0] ?? venv, 'tiding-below.pth'), `${below.join('\n')}\n`);
    const { links, indexes } = sourcesOf(repositories);
    const extra = [process.env['PIP_EXTRA_INDEX_URL'], ...indexes].filter(Boolean).join(' ');
    await runTool(
      programOf(folder),
      [...pipInstall, '--retries', '2', ...links, '--', ...dependencies],
      {
        // Not an argument, because every account of the machine can read arguments.
        ...options,
        env: extra ? { PIP_EXTRA_INDEX_URL: extra } : {},
      },
    );
    await writeFile(markerOf(folder), keyOf(base, dependencies));
  } catch (error) {
    await rm(venv, { recursive: true, force: true });
    const cause = error instanceof PythonProblem ? lastPipError(error.message) : undefined;
    throw cause === undefined ? error : new PythonProblem(cause);
  }
}

async function packagesOf(
  program: string,
  options: Parameters<typeof runTool>[2],
): Promise<string[]> {
  const lines: string[] = [];
  const script =
    'import sysconfig; print(sysconfig.get_path("purelib")); print(sysconfig.get_path("platlib"))';
  await runTool(program, ['-c', script], { ...options, tell: (line) => void lines.push(line) });
  return [...new Set(lines)];
}

/** Returns pip's sources: index URLs, and `--find-links` options for folders of wheels. */
function sourcesOf(repositories: readonly PackageRepository[]): {
  links: string[];
  indexes: string[];
} {
  const links: string[] = [];
  const indexes: string[] = [];
  for (const { url, username, password } of repositories) {
    const source = new URL(url);
    if (source.protocol === 'file:') links.push('--find-links', fileURLToPath(source));
    else {
      if (username) source.username = encodeURIComponent(username);
      if (password) source.password = encodeURIComponent(password);
      indexes.push(source.href);
    }
  }
  return { links, indexes };
}
