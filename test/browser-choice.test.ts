/** The choice of the browser for tests. */
import { expect, it } from 'vitest';
import { chosenBrowser } from './support/chromium.ts';

const machine =
  (...paths: string[]) =>
  (path: string) =>
    paths.includes(path);
const installed = '/usr/bin/chromium';

it.each([
  ['an installed browser by default', {}, [installed], installed],
  ['the pinned one if none is installed', {}, [], undefined],
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
  [
    'an installed browser if CHROME does not exist',
    { CHROME: '/opt/chrome' },
    [installed],
    installed,
  ],
])('is %s', (_what, env, paths, expected) => {
  expect(chosenBrowser(env, machine(...paths))).toBe(expected);
});

it('is rejected if it does not exist', () => {
  expect(() => chosenBrowser({ TIDING_TEST_BROWSER: 'system' }, machine())).toThrow("'system'");
  expect(() => chosenBrowser({ TIDING_TEST_BROWSER: '/opt/none' }, machine(installed))).toThrow(
    "'/opt/none', which does not exist",
  );
});
