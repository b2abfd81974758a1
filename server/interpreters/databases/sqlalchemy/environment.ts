/** Python environments of connections: SQLAlchemy and the packages of the connection. */
import { type PythonPackages, preparePackages, readyPackages } from '../../python/environment.ts';
import { PythonProblem } from '../../python/run-tool.ts';
import type { InstallProgress } from '../driver.ts';

const SQLALCHEMY = 'sqlalchemy>=2,<3';

/** Returns what an environment has. Its cached folder depends on this. */
export const environmentOf = (packages: readonly string[]): PythonPackages => ({
  requirements: [SQLALCHEMY, ...[...new Set(packages.map((name) => name.trim()))].sort()],
  check: 'import sqlalchemy',
  title: 'Installing the packages of the connection',
  usesUv: false,
});

const NAME = 'sqlalchemy';

/** Returns the Python program of the environment with the packages. Rejects if there is none. */
export async function installedPython(packages: readonly string[]): Promise<string> {
  const program = await readyPackages(NAME, environmentOf(packages));
  if (program === undefined)
    throw new PythonProblem('The packages of the connection are not installed.');
  return program;
}

/**
 * Creates the environment with the packages if necessary. Connections with equal packages share
 * one. Rejects with a {@link PythonProblem}, or the signal's reason.
 */
export const installPackages = (
  packages: readonly string[],
  signal: AbortSignal,
  tell: InstallProgress,
): Promise<void> => preparePackages(NAME, environmentOf(packages), { signal, tell });
