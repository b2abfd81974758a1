/** Starts a real Zeppelin, if a script that does so is beside this checkout. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/test/free-port.mjs';

const boot = join(import.meta.dirname, '../../../shared/zeppelin/boot');

/** Why no Zeppelin can be started; `undefined` if one can. */
export const zeppelinProblem = (starter = process.env.ZEPPELIN_BOOT ?? boot) =>
  existsSync(starter) ? undefined : `No script that starts a real Zeppelin: ${starter}`;

/** Starts a Zeppelin in a temporary folder; `cleanup` or `stop` ends it. */
export async function startZeppelin(cleanup, starter = process.env.ZEPPELIN_BOOT ?? boot) {
  const home = mkdtempSync(join(tmpdir(), 'zeppelin-'));
  const port = await freePort();
  const child = spawn(starter, ['--port', String(port), '--home', join(home, 'home'), '--fresh'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    const exit = once(child, 'exit');
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await exit;
    rmSync(home, { recursive: true, force: true });
  };
  cleanup.add(stop);
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      const found = /READY zeppelin \S+ (\S+).* pid=(\d+)/.exec((text += chunk));
      if (found) resolve({ url: found[1], pid: Number(found[2]), stop });
    });
    child.once('exit', (code) => reject(new Error(`Zeppelin exited with code ${code}`)));
  });
}
