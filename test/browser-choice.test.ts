/** The choice of the browser for tests. */
import { expect, it } from 'vitest';
import { chosenBrowser, pinnedRuns } from './support/chromium.ts';
import { firefoxPath } from './support/firefox.ts';

const machine =
  (...paths: string[]) =>
  (path: string) =>
    paths.includes(path);
const installed = '/usr/bin/chromium';

it.each([
  ['the pinned one by default', {}, [installed], undefined],
  [
    'the pinned one on demand',
    { TIDING_TEST_BROWSER: 'pinned', CHROME: '/opt/chrome' },
    [installed, '/opt/chrome'],
    undefined,
  ],
  [
    'the installed one on demand',
    { TIDING_TEST_BROWSER: 'system', CHROME: '/opt/chrome' },
    ['/usr/bin/google-chrome', '/opt/chrome'],
    '/usr/bin/google-chrome',
  ],
  ['a path', { TIDING_TEST_BROWSER: '/opt/chrome' }, [installed, '/opt/chrome'], '/opt/chrome'],
  ['the path in CHROME', { CHROME: '/opt/chrome' }, [installed, '/opt/chrome'], '/opt/chrome'],
  ['the pinned one if CHROME does not exist', { CHROME: '/opt/chrome' }, [installed], undefined],
])('is %s', (_what, env, paths, expected) => {
  expect(chosenBrowser(env, machine(...paths), true)).toBe(expected);
});

it('is an installed one by default where the pinned one does not run', () => {
  expect([pinnedRuns('linux', 'x64'), pinnedRuns('linux', 'arm64')]).toEqual([true, false]);
  expect(pinnedRuns('darwin', 'x64')).toBe(false);
  expect(chosenBrowser({}, machine(installed), false)).toBe(installed);
  expect(chosenBrowser({}, machine(), false)).toBe(undefined);
});

it('is rejected if it does not exist', () => {
  expect(() => chosenBrowser({ TIDING_TEST_BROWSER: 'system' }, machine())).toThrow("'system'");
  expect(() => chosenBrowser({ TIDING_TEST_BROWSER: '/opt/none' }, machine(installed))).toThrow(
    "'/opt/none', which does not exist",
  );
});

it('of Firefox is an installed one, or the path in TIDING_TEST_FIREFOX', () => {
  const esr = '/usr/bin/firefox-esr';
  expect(firefoxPath('', machine(esr))).toBe(esr);
  expect(firefoxPath('', machine())).toBe(undefined);
  expect(firefoxPath('/opt/firefox', machine('/opt/firefox', esr))).toBe('/opt/firefox');
  expect(() => firefoxPath('/opt/none', machine(esr))).toThrow("'/opt/none', which does not exist");
});
