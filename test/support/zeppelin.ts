/** A real Zeppelin for the contract suite, where this machine has what it needs. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Starts one; elsewhere by `ZEPPELIN_BOOT`. */
const boot =
  process.env['ZEPPELIN_BOOT'] ?? join(import.meta.dirname, '../../../shared/zeppelin/boot');

/** A search finds a change by then, ms: its index takes changes one after another and syncs the disk after each, and is behind where that is busy. */
export const INDEX_MS = 150_000;

/** Addresses of Zeppelins that run already: where nobody signs in, and with the people of the starter (`admin`/`admin-pass`, role admin, and so on). */
const running = (accounts: boolean): string | undefined =>
  process.env[accounts ? 'ZEPPELIN_ACCOUNTS' : 'ZEPPELIN'];

/** Why there is no real Zeppelin here; `undefined`: there is one. `accounts`: one where people sign in. */
export function zeppelinMissing(accounts = false): string | undefined {
  if (process.env['TIDING_NO_ZEPPELIN']) return 'TIDING_NO_ZEPPELIN is set';
  if (running(accounts)) return undefined;
  if (running(!accounts)) return `${accounts ? 'ZEPPELIN_ACCOUNTS' : 'ZEPPELIN'} is not set`;
  if (!existsSync(boot)) return 'no starter of a real Zeppelin beside this checkout';
  if (spawnSync('java', ['-version'], { stdio: 'ignore' }).status !== 0)
    return 'no Java on this machine';
  if (spawnSync('mvn', ['-v'], { stdio: 'ignore' }).status !== 0) return 'no Maven on this machine';
  return undefined;
}

/** Starts it and waits until it is ready; one that runs already is taken as it is, and stays. */
export async function startZeppelin(
  flags: readonly string[],
  port: number,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const there = running(flags.includes('--auth'));
  if (there) return { url: there, stop: async () => {} };
  const child: ChildProcess = spawn(boot, ['--port', String(port), '--fresh', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk;
      const ready = /READY zeppelin \S+ (\S+)/.exec(text);
      if (ready?.[1]) resolve(ready[1]);
    });
    child.once('exit', (code) =>
      reject(new Error(`Zeppelin ended with ${code}: ${text.slice(-500)}`)),
    );
  });
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** Why what stands in front of a real Zeppelin is not tried: it takes minutes, and has a command of its own. */
export function inFrontMissing(accounts = false): string | undefined {
  return process.env['TIDING_UPSTREAM']
    ? zeppelinMissing(accounts)
    : 'TIDING_UPSTREAM is not set; npm run test:upstream does';
}
