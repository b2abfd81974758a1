/** A real Zeppelin for the contract suite, where this machine has what it needs. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Starts one; elsewhere by `ZEPPELIN_BOOT`. */
const boot = process.env['ZEPPELIN_BOOT'] ?? join(import.meta.dirname, '../../../shared/zeppelin/boot');

/** Why there is no real Zeppelin here; `undefined`: there is one. */
export function zeppelinMissing(): string | undefined {
  if (process.env['TIDING_NO_ZEPPELIN']) return 'TIDING_NO_ZEPPELIN is set';
  if (!existsSync(boot)) return 'no starter of a real Zeppelin beside this checkout';
  if (spawnSync('java', ['-version'], { stdio: 'ignore' }).status !== 0) return 'no Java on this machine';
  if (spawnSync('mvn', ['-v'], { stdio: 'ignore' }).status !== 0) return 'no Maven on this machine';
  return undefined;
}

/** Starts it and waits until it is ready. */
export async function startZeppelin(flags: readonly string[], port: number): Promise<{ url: string; stop: () => Promise<void> }> {
  const child: ChildProcess = spawn(boot, ['--port', String(port), '--fresh', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk;
      const ready = /READY zeppelin \S+ (\S+)/.exec(text);
      if (ready?.[1]) resolve(ready[1]);
    });
    child.once('exit', (code) => reject(new Error(`Zeppelin ended with ${code}: ${text.slice(-500)}`)));
  });
  return {
    url,
    stop: () => new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    }),
  };
}

/** Why what stands in front of a real Zeppelin is not tried: it takes minutes, and has a command of its own. */
export function inFrontMissing(): string | undefined {
  return process.env['TIDING_UPSTREAM'] ? zeppelinMissing() : 'TIDING_UPSTREAM is not set; npm run test:upstream does';
}
