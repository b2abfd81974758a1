/** Starts the built server as a process with little memory, for tests that attack it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { flagOf, type LimitName, type Limits, SERVER_LIMITS } from '../../server/base/limits.ts';
import type { ServerOptions } from '../../server/index.ts';
import { ADMIN_PASSWORD } from './embedded.ts';
import { memoryOf, startProcess } from './process.ts';
import { temporaryFolder } from './until-end.ts';

/** Most memory that a server may need in an attack, in bytes. */
const MAX_MEMORY = 1.5 * 2 ** 30;

/** Options of {@link startLimited}. */
export type LimitedOptions = Partial<
  Limits & Pick<ServerOptions, 'data' | 'logLevel' | 'trustProxy'>
>;

/**
 * Starts a server that a test attacks: a process with little memory, on a folder without sample
 * notes unless `data` is set. `close` fails if the process has ended, or has ever had more than 1.5
 * GB.
 */
export async function startLimited(options: LimitedOptions = {}, env: NodeJS.ProcessEnv = {}) {
  const { data = temporaryFolder(), logLevel = 'error', trustProxy } = options;
  if (!options.data) await writeFile(join(data, 'samples.json'), '{}');
  const limits = Object.entries(options).filter(([name]) => Object.hasOwn(SERVER_LIMITS, name));
  const started = await startProcess(
    [
      ...['--port', '0', '--data', data, '--new-notes', 'shared', '--no-spare-kernel'],
      ...(trustProxy ? ['--trust-proxy'] : []),
      ...limits.map(([name, value]) => `--limit=${flagOf(name as LimitName)}=${value}`),
    ],
    {
      TIDING_ADMIN_PASSWORD: ADMIN_PASSWORD,
      TIDING_LOG: logLevel,
      TIDING_KERNELS: 'none',
      NODE_OPTIONS: '--max-old-space-size=1024',
      ...env,
    },
  );
  let closed: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    const { peak } = await memoryOf(started.child.pid!);
    await started.kill('SIGTERM');
    expect(peak).toBeLessThan(MAX_MEMORY);
  };
  const close = () => (closed ??= end());
  return { server: { ...started, close }, data, stop: close };
}
