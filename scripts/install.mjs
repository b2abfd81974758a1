/** Installs what is missing: the packages of the lock file, once. Uses nothing but Node, because there may be nothing else. */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');
const stamp = join(modules, '.tiding-lock');

/** Runs `npm ci` when the lock file is not the one that was installed. Says whether it did. */
export function install(say = () => {}) {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  // A link leads to the packages of another clone: `npm ci` would empty them under its feet.
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
    console.error('tiding: npm ci failed; the lines above say why.');
    process.exit(1);
  }
  writeFileSync(stamp, lock);
  return true;
}
