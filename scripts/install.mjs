/** Installs what is missing: the packages of the lock file, once. Uses nothing but Node, because there may be nothing else. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'node_modules/.tiding-lock');

/** Runs `npm ci` when the lock file is not the one that was installed. Says whether it did. */
export function install(say = () => {}) {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return false;
  say('Installing packages …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' });
  if (status !== 0) {
    console.error('tiding: npm ci failed; the lines above say why.');
    process.exit(1);
  }
  writeFileSync(stamp, lock);
  return true;
}
