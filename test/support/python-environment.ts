/** An environment of Python packages for tests. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from './sources.ts';

const manifest = readFileSync(join(root, 'clients/python/pyproject.toml'), 'utf8');
const python = process.env['TIDING_PYTHON'] || 'python3';
/** Packages that tests use beside those of the client. All share one environment. */
const packages = [
  ...['ipykernel', 'pandas', 'pyarrow', 'polars', 'openpyxl', 'duckdb'],
  ...['matplotlib', 'jinja2', 'nbformat', 'tqdm', 'rich', 'fastapi', 'flask', 'django'],
];
/** What an installer prints if it can't reach its registry. */
const OFFLINE =
  /NewConnectionError|NameResolutionError|ConnectTimeout|ProxyError|Network is unreachable/;

/** The end of a program, and what it printed. */
interface Ended {
  readonly code: number | string;
  readonly said: string;
}

export function run(
  program: string,
  args: readonly string[],
  env = {},
  cwd = root,
  input = '',
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 },
      (error, out, err) => resolve({ code: error ? (error.code ?? 1) : 0, said: out + err }),
    );
    child.stdin!.end(input);
  });
}
/** Runs a program and returns what it printed. Throws if it fails. */
export async function succeed(...call: Parameters<typeof run>): Promise<string> {
  const { code, said } = await run(...call);
  if (code !== 0) throw new Error(`${call[0]} ${call[1].join(' ')}: ${said}`);
  return said;
}

/**
 * Returns the Python of an environment with everything that the client depends on and that tests
 * use, made on first use; or why there is none.
 */
export async function pythonEnvironment(): Promise<
  { program: string; folder: string } | { missing: string }
> {
  const version = await run(python, ['-c', 'import sys, venv; print(sys.version, sys.prefix)']);
  const [, minor = '0'] = /^3\.(\d+)/.exec(version.said) ?? [];
  if (version.code !== 0 || Number(minor) < 10)
    return { missing: `${python} is not Python 3.10 or newer with venv` };
  const key = createHash('sha256')
    .update([manifest, version.said, ...packages].join(''))
    .digest('hex')
    .slice(0, 16);
  const cache = join(root, 'node_modules/.cache', `python-client-${key}`);
  const program = join(cache, 'bin/python');
  if (existsSync(program)) return { program, folder: cache };
  // Renamed when it is complete; only scripts, which are not used, contain their path.
  const made = `${cache}.${process.pid}`;
  await rm(made, { recursive: true, force: true });
  try {
    await succeed(python, ['-m', 'venv', made]);
    const requirements = [...manifest.matchAll(/"([\w-]+>=[^"]+)"/g)].map(([, text]) => text!);
    const maker = join(made, 'bin/python');
    const pip = '-m pip install --quiet --disable-pip-version-check --retries 1'.split(' ');
    // uv needs a tenth of the time, but does not read the settings of pip.
    const uv = ['-m', 'uv', 'pip', 'install', '--quiet', '--python', maker];
    await run(maker, [...pip, 'uv']);
    let installed = await run(maker, [...uv, ...requirements, ...packages]);
    if (installed.code !== 0) installed = await run(maker, [...pip, ...requirements, ...packages]);
    if (installed.code !== 0 && OFFLINE.test(installed.said))
      return { missing: 'the registry of Python packages could not be reached' };
    expect(installed.code, installed.said).toBe(0);
    await rename(made, cache).catch((error: Error) => {
      if (!existsSync(program)) throw error;
    });
    return { program, folder: cache };
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
