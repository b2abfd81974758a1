/**
 * Finds and starts the browser for tests. `TIDING_TEST_BROWSER` chooses it: `pinned` (the version
 * in the npm package), `system` (an installed browser) or a path. If it is not set, the path in
 * `CHROME` is used, then the pinned one if it runs on this machine, then an installed browser.
 *
 * The pinned one is a headless shell. It loads a page in a third of the processor time that an
 * installed Chromium takes, and is the same on every machine.
 */

import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

type Env = Readonly<Record<string, string | undefined>>;

/** Whether the browser in the npm package runs on a machine; it is built for one platform. */
export const pinnedRuns = (
  platform: string = process.platform,
  arch: string = process.arch,
): boolean => platform === 'linux' && arch === 'x64';

const SYSTEM_PATHS = ['/usr/bin/chromium', '/usr/bin/google-chrome'];

/**
 * Path of the browser that the environment chooses; `undefined` means the pinned one. Throws if the
 * chosen browser is missing. If the environment chooses none, `preferPinned` prefers the pinned one
 * to an installed one.
 */
export function chosenBrowser(
  env: Env = process.env,
  exists: (path: string) => boolean = existsSync,
  preferPinned = pinnedRuns(),
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
  if (chrome && exists(chrome)) return chrome;
  return preferPinned ? undefined : system;
}

/**
 * Unpacks the pinned browser once for each of its versions and returns its folder. The folder is
 * complete from the moment it has its name, because several processes ask for it at the same time.
 */
async function unpackedBrowser(): Promise<string> {
  const require = createRequire(import.meta.url);
  const main = require.resolve('@sparticuz/chromium');
  const { version } = require(join(dirname(main), '../../package.json')) as { version: string };
  const folder = join(tmpdir(), `tiding-chromium-${version}`);
  if (existsSync(folder)) return folder;
  const unfinished = await mkdtemp(`${folder}-`);
  // Vitest resolves the package to its ES module, whose class is the default export.
  const unpack = `const it = require(${JSON.stringify(main)}); (it.default ?? it).executablePath()`;
  // The package unpacks into the folder for temporary files, and its libraries only in this cloud.
  await promisify(execFile)(process.execPath, ['-e', unpack], {
    env: { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: 'nodejs20.x' },
  });
  await rename(unfinished, folder).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}

/** Path, arguments and environment to start the browser with. */
export async function chromiumLaunch(preferPinned = pinnedRuns()): Promise<{
  executablePath: string;
  args: string[];
  env?: Record<string, string>;
}> {
  const installed = chosenBrowser(process.env, existsSync, preferPinned);
  const common = ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'];
  if (installed) return { executablePath: installed, args: common };
  const folder = await unpackedBrowser();
  const executablePath = join(folder, 'chromium');
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
        LD_LIBRARY_PATH: [join(folder, 'al2023/lib'), process.env['LD_LIBRARY_PATH']]
          .filter(Boolean)
          .join(':'),
      }
    : undefined;
  // The package's default arguments disable the browser's security, which is half of what the tests
  // check.
  return { executablePath, args: common, ...(env ? { env } : {}) };
}

/** Starts the browser. Measurements prefer an installed one, which is what users have. */
export async function launchChromium(preferPinned?: boolean): Promise<Browser> {
  const { executablePath, args, env } = await chromiumLaunch(preferPinned);
  return chromium.launch({
    executablePath,
    args,
    headless: true,
    ...(env ? { env: { ...(process.env as Record<string, string>), ...env } } : {}),
  });
}
