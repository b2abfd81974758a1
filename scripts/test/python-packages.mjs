/** Python environments with packages from PyPI for tests. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const INSTALL_MS = 900_000;

function must(program, args) {
  const { status, error, signal } = spawnSync(program, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: INSTALL_MS,
    killSignal: 'SIGKILL',
  });
  if (status === 0) return;
  const reason = error?.message ?? signal ?? status;
  throw new Error(`${program} ${args.join(' ')} failed (${reason}).`);
}

/**
 * Returns a Python that has packages, and its version. They are installed into an environment in
 * the cache folder unless they are there. Throws if that fails.
 * @param probe code that fails without the packages
 */
export function pythonWith(name, requirements, probe) {
  const base = process.env.TIDING_PYTHON ?? 'python3';
  const version = spawnSync(base, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], {
    encoding: 'utf8',
  }).stdout?.trim();
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tiding');
  const environment = join(cache, `${name}-python-${version}`);
  const python = join(environment, 'bin/python');
  if (spawnSync(python, ['-c', probe]).status !== 0) {
    console.log(`Installing ${requirements.join(', ')} into ${environment} …`);
    const began = performance.now();
    mkdirSync(cache, { recursive: true });
    rmSync(environment, { recursive: true, force: true });
    must(base, ['-m', 'venv', environment]);
    must(python, ['-m', 'pip', 'install', '--quiet', 'uv']);
    must(python, ['-m', 'uv', 'pip', 'install', '--quiet', '--python', python, ...requirements]);
    console.log(`Installed in ${Math.round((performance.now() - began) / 1_000)} s`);
  }
  return { python, version };
}
