/**
 * Finds and starts the browser for tests. `TIDING_TEST_BROWSER` chooses it: `pinned` (the version
 * in the npm package), `system` (an installed browser) or a path. If it is not set, the path in
 * `CHROME` is used, then an installed browser, then the pinned one.
 */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

type Env = Readonly<Record<string, string | undefined>>;

const SYSTEM_PATHS = ['/usr/bin/chromium', '/usr/bin/google-chrome'];

/**
 * Path of the browser that the environment chooses; `undefined` means the pinned one. Throws if the
 * chosen browser is missing.
 */
export function chosenBrowser(
  env: Env = process.env,
  exists: (path: string) => boolean = existsSync,
): string | undefined {
  const choice = env['TIDING_TEST_BROWSER'] ?? '';
  const system = SYSTEM_PATHS.find(exists);
  if (choice === 'pinned') return undefined;
  if (choice === 'system') {
    if (system === undefined)
      throw new Error(
        `TIDING_TEST_BROWSER is 'system', but none of ${SYSTEM_PATHS.join(', ')} exists: ` +
          `install Chromium, or set it to 'pinned' or a path.`,
      );
    return system;
  }
  if (choice !== '') {
    if (!exists(choice))
      throw new Error(
        `TIDING_TEST_BROWSER is '${choice}', which does not exist: set it to 'pinned', ` +
          `'system' or the path of a browser.`,
      );
    return choice;
  }
  const chrome = env['CHROME'];
  return chrome && exists(chrome) ? chrome : system;
}

/** Path, arguments and environment to start the browser with. */
export async function chromiumLaunch(): Promise<{
  executablePath: string;
  args: string[];
  env?: Record<string, string>;
}> {
  const installed = chosenBrowser();
  const common = ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'];
  if (installed) return { executablePath: installed, args: common };
  const { default: packaged } = await import('@sparticuz/chromium');
  const executablePath = await packaged.executablePath();
  // Its libraries are unpacked beside it and used if the machine lacks some of them.
  const missing = (() => {
    try {
      return execFileSync('ldd', [executablePath], { encoding: 'utf8' }).includes('not found');
    } catch {
      return true;
    }
  })();
  const env = missing
    ? {
        LD_LIBRARY_PATH: ['/tmp/al2023/lib', process.env['LD_LIBRARY_PATH']]
          .filter(Boolean)
          .join(':'),
      }
    : undefined;
  // The package's default arguments disable the browser's security, which is half of what the tests
  // check.
  return { executablePath, args: common, ...(env ? { env } : {}) };
}

export async function launchChromium(): Promise<Browser> {
  const { executablePath, args, env } = await chromiumLaunch();
  return chromium.launch({
    executablePath,
    args,
    headless: true,
    ...(env ? { env: { ...(process.env as Record<string, string>), ...env } } : {}),
  });
}
