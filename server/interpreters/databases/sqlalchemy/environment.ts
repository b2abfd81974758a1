/** Python environments of connections: SQLAlchemy and the packages of the connection. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PythonPackages, preparePackages } from '../../python/environment.ts';
import type { InstallProgress } from '../driver.ts';

const SQLALCHEMY = 'sqlalchemy>=2,<3';

/** Returns what an environment has. Its cached folder depends on this. */
export const environmentOf = (packages: readonly string[]): PythonPackages => ({
  requirements: [SQLALCHEMY, ...[...new Set(packages.map((name) => name.trim()))].sort()],
  check: 'import sqlalchemy',
  title: 'Installing the packages of the connection',
  usesUv: false,
});

/**
 * Returns the Python program of an environment with the packages, which is created if necessary.
 * Connections with equal packages share one. Rejects with a `PythonProblem`, or the signal's
 * reason.
 */
export async function preparedPython(
  packages: readonly string[],
  signal: AbortSignal,
  progress?: InstallProgress,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tiding-database-'));
  try {
    return await preparePackages('sqlalchemy', environmentOf(packages), {
      folder,
      signal,
      tell: (line, percent) => progress?.(line, percent),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
