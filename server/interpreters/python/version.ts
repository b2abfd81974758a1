/** Versions of Python programs. A program is asked once, unless its file changes. */

import { execFile } from 'node:child_process';
import { access, constants, open } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { promisify } from 'node:util';
import { succeeds } from '../../base/succeeds.ts';
import { childEnvironment } from '../processes/child-environment.ts';
import { PythonProblem } from './run-tool.ts';

const oldestMinor = 9;
const run = promisify(execFile);

/** Texts of {@link versionOf} by the identity of the program. */
const versions = new Map<string, string>();

/**
 * Identifies the file of a program, which changes with an upgrade. Resolves to undefined for
 * scripts, because they may start any program.
 */
async function identityOf(program: string): Promise<string | undefined> {
  const folders = program.includes('/') ? ['.'] : (process.env['PATH'] ?? '').split(delimiter);
  for (const folder of folders) {
    const path = resolve(folder, program);
    if (!(await isExecutable(path))) continue;
    const file = await open(path);
    try {
      const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
      const { dev, ino, size, mtimeMs } = await file.stat();
      const isScript = buffer.toString('latin1') === '#!';
      return isScript ? undefined : JSON.stringify([path, dev, ino, size, mtimeMs]);
    } finally {
      await file.close();
    }
  }
  return undefined;
}

/** Identifies the version of a Python program. Rejects if Python is missing or too old. */
export async function versionOf(base: string): Promise<string> {
  const identity = await identityOf(base).catch(() => undefined);
  const known = versions.get(identity ?? '');
  if (known !== undefined) return known;
  const version = await askVersion(base);
  if (identity !== undefined) versions.set(identity, version);
  return version;
}

async function askVersion(base: string): Promise<string> {
  const how =
    `install Python 3.${oldestMinor} or newer ` +
    '(for example: apt install python3 python3-venv), or set TIDING_PYTHON to its path';
  let text: string;
  try {
    const script =
      'import sys; print(sys.version_info[0], sys.version_info[1], sys.base_prefix, sys.version)';
    text = (await run(base, ['-c', script], { env: childEnvironment(), timeout: 20_000 })).stdout;
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new PythonProblem(
      absent
        ? `Python was not found (${base}): ${how}.`
        : `Python cannot be started (${base}): ${how}.`,
    );
  }
  const [major, minor] = text.split(' ').map(Number);
  if (major !== 3 || (minor ?? 0) < oldestMinor)
    throw new PythonProblem(`Python ${major}.${minor} is too old: ${how}.`);
  return text;
}

const isExecutable = (file: string): Promise<boolean> => succeeds(access(file, constants.X_OK));
