/** Finds and starts an installed Firefox. */
import { existsSync } from 'node:fs';
import { type Browser, firefox } from 'playwright-core';

const PATHS = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Path of the installed Firefox, or `undefined`. */
export const firefoxPath = (exists: (path: string) => boolean = existsSync): string | undefined =>
  PATHS.find(exists);

/**
 * Starts Firefox, and drives it with WebDriver BiDi. Playwright stays at 1.60: 1.65 sends
 * `emulation.setMediaFeaturesOverride`, which Firefox ESR 153 refuses.
 */
export const launchFirefox = (executablePath: string): Promise<Browser> =>
  firefox.launch({ channel: 'moz-firefox', executablePath, headless: true });
