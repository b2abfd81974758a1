/** Starts a real Zeppelin for the contract suite, if this machine can run one. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Program that starts a Zeppelin; `ZEPPELIN_BOOT` overrides it. */
const boot =
  process.env['ZEPPELIN_BOOT'] ?? join(import.meta.dirname, '../../../shared/zeppelin/boot');

/**
 * Maximum time until a search finds a change, in ms: the index applies changes one by one and syncs
 * the disk after each, so it lags behind on a busy machine.
 */
export const INDEX_MS = 150_000;

/**
 * Addresses of running Zeppelins: one without accounts, and one with the accounts of the start
 * program (`admin`/`admin-pass`, role admin, and so on).
 */
const running = (accounts: boolean): string | undefined =>
  process.env[accounts ? 'ZEPPELIN_ACCOUNTS' : 'ZEPPELIN'];

/**
 * Why tests don't use a real Zeppelin; `undefined` if they do. `accounts`: one with user
 * accounts.
 */
export function zeppelinMissing(accounts = false): string | undefined {
  if (!process.env['TIDING_UPSTREAM']) return 'npm run test:upstream runs it';
  if (running(accounts)) return undefined;
  if (running(!accounts)) return `${accounts ? 'ZEPPELIN_ACCOUNTS' : 'ZEPPELIN'} is not set`;
  if (!existsSync(boot)) return 'no starter of a real Zeppelin beside this checkout';
  if (spawnSync('java', ['-version'], { stdio: 'ignore' }).status !== 0)
    return 'no Java on this machine';
  if (spawnSync('mvn', ['-v'], { stdio: 'ignore' }).status !== 0) return 'no Maven on this machine';
  return undefined;
}

/**
 * Starts a Zeppelin and waits until it is ready. A running one is used unchanged and keeps running.
 */
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
