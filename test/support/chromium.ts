/** A browser from the machine or from the npm registry alone: `CHROME`, an installed Chromium, else the one in a package. */
import { existsSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { chromium, type Browser } from 'playwright-core';

/** Where the browser is, and how it wants to be started. */
export async function chromiumLaunch(): Promise<{
  executablePath: string;
  args: string[];
  env?: Record<string, string>;
}> {
  const installed = [process.env['CHROME'], '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
    (path) => path && existsSync(path),
  );
  const common = ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'];
  if (installed) return { executablePath: installed, args: common };
  const { default: packaged } = await import('@sparticuz/chromium');
  const executablePath = await packaged.executablePath();
  // Its libraries are unpacked beside it and used where the machine has none of its own.
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
  // The package's own arguments turn the browser's security off, which is half of what the tests are about.
  return { executablePath, args: common, ...(env ? { env } : {}) };
}

/** Starts the browser. */
export async function launchChromium(): Promise<Browser> {
  const { executablePath, args, env } = await chromiumLaunch();
  return chromium.launch({
    executablePath,
    args,
    headless: true,
    ...(env ? { env: { ...(process.env as Record<string, string>), ...env } } : {}),
  });
}
