/** Finds and starts an installed Firefox, or the one whose path is in `TIDING_TEST_FIREFOX`. */
import { existsSync } from 'node:fs';
import { type Browser, firefox } from 'playwright-core';

const PATHS = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Path of Firefox, or `undefined` if there is none. Throws if the chosen one is missing. */
export function firefoxPath(
  chosen = process.env['TIDING_TEST_FIREFOX'] ?? '',
  exists: (path: string) => boolean = existsSync,
): string | undefined {
  if (chosen === '') return PATHS.find(exists);
  if (exists(chosen)) return chosen;
  throw new Error(
    `TIDING_TEST_FIREFOX is '${chosen}', which does not exist: set it to the path of a Firefox.`,
  );
}

/**
 * Starts Firefox, and drives it with WebDriver BiDi. Playwright stays at 1.60: 1.65 sends
 * `emulation.setMediaFeaturesOverride`, which Firefox ESR 153 refuses.
 */
export const launchFirefox = (executablePath: string): Promise<Browser> =>
  firefox.launch({ channel: 'moz-firefox', executablePath, headless: true });
