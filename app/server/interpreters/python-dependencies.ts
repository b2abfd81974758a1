/** Packages that a setting of Python depends on: a virtual environment of its own on top of the one that Python runs in. */
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InstallPlace, PackageRepository } from './contract.ts';
import { preparePython, PythonProblem, runTool } from './python-environment.ts';

const venvOf = (folder: string): string => join(folder, 'venv');
const markerOf = (folder: string): string => join(venvOf(folder), 'tiding.json');
const programOf = (folder: string): string => join(venvOf(folder), 'bin', 'python');
const keyOf = (base: string, dependencies: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([base, dependencies]))
    .digest('hex');

/** The program that has the dependencies, made from `base`; `base` itself where there are none. Rejects where they are not installed. */
export async function programWith(
  base: string,
  folder: string,
  dependencies: readonly string[],
): Promise<string> {
  if (dependencies.length === 0) return base;
  if (!(await isInstalled(base, folder, dependencies)))
    throw new PythonProblem(
      'The packages of this interpreter are not installed: restart the interpreter.',
    );
  return programOf(folder);
}

async function isInstalled(
  base: string,
  folder: string,
  dependencies: readonly string[],
): Promise<boolean> {
  const marker = await readFile(markerOf(folder), 'utf8').catch(() => '');
  return (
    marker === keyOf(base, dependencies) &&
    access(programOf(folder)).then(
      () => true,
      () => false,
    )
  );
}

/**
 * Installs requirements with pip; what is there already stays. Takes seconds to minutes. The environment sees the
 * packages of the one below, so that only what is asked for is fetched. Rejects with {@link PythonProblem} or the signal's reason.
 */
export async function installPython({
  folder,
  dependencies,
  repositories,
  properties,
  signal,
}: InstallPlace): Promise<void> {
  // An option of pip is no requirement.
  const odd = dependencies.find((text) => text.startsWith('-') || /[\r\n\0]/.test(text));
  if (odd !== undefined) throw new PythonProblem(`'${odd}' is not a requirement`);
  const quiet = { onBuild: () => undefined, tell: () => undefined };
  const base = await preparePython({
    folder,
    signal,
    program: properties['python.path'] || undefined,
    ...quiet,
  });
  if (dependencies.length === 0 || (await isInstalled(base, folder, dependencies))) return;
  const options = { notes: folder, signal, tell: quiet.tell };
  const venv = venvOf(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rm(venv, { recursive: true, force: true });
  try {
    await runTool(base, ['-m', 'venv', '--without-pip', venv], options);
    const below = await packagesOf(base, options);
    const own = await packagesOf(programOf(folder), options);
    await writeFile(join(own[0] ?? venv, 'tiding-below.pth'), `${below.join('\n')}\n`);
    const { links, indexes } = placesOf(repositories);
    const extra = [process.env['PIP_EXTRA_INDEX_URL'], ...indexes].filter(Boolean).join(' ');
    await runTool(
      programOf(folder),
      [
        '-m',
        'pip',
        'install',
        '--progress-bar',
        'off',
        '--retries',
        '2',
        ...links,
        '--',
        ...dependencies,
      ],
      {
        // Not an argument: those can be seen by every account of the machine.
        ...options,
        env: extra ? { PIP_EXTRA_INDEX_URL: extra } : {},
      },
    );
    await writeFile(markerOf(folder), keyOf(base, dependencies));
  } catch (error) {
    await rm(venv, { recursive: true, force: true });
    // Of all that pip tells the last error says what is wrong.
    const said =
      error instanceof PythonProblem
        ? error.message
            .split('\n')
            .filter((line) => line.startsWith('ERROR: '))
            .at(-1)
        : undefined;
    throw said === undefined ? error : new PythonProblem(said.slice('ERROR: '.length));
  }
}

/** Folders that a Python reads its packages from. */
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

/** pip reads an index from http, and a folder of wheels. */
function placesOf(repositories: readonly PackageRepository[]): {
  links: string[];
  indexes: string[];
} {
  const links: string[] = [];
  const indexes: string[] = [];
  for (const { url, username, password } of repositories) {
    const place = new URL(url);
    if (place.protocol === 'file:') links.push('--find-links', fileURLToPath(place));
    else {
      if (username) place.username = encodeURIComponent(username);
      if (password) place.password = encodeURIComponent(password);
      indexes.push(place.href);
    }
  }
  return { links, indexes };
}
