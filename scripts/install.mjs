/**
 * Installs the packages of the lock file if it has changed. Imports Node's modules only, because no
 * package may be installed yet.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');
const stamp = join(modules, '.tiding-lock');

/** Runs `npm ci` if the lock file differs from the installed one. Returns whether it did. */
export function install(say = () => {}) {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  // A symbolic link points to the packages of another clone, which `npm ci` would delete.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return false;
  say('Installing packages …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error('tiding: npm ci failed; see the output above.');
    process.exit(1);
  }
  writeFileSync(stamp, lock);
  return true;
}
