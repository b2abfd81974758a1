import { expect, it } from 'vitest';
import { choose, isRange, newestFirst } from './semver.ts';

it('orders versions, pre-releases before their release', () => {
  const versions =
    '1.0.0-alpha 1.0.0 1.0.0-alpha.1 1.0.0-beta.11 1.0.0-beta.2 0.9.9 10.0.0 2.0.0 junk';
  expect(newestFirst(versions.split(' '))).toEqual(
    '10.0.0 2.0.0 1.0.0 1.0.0-beta.11 1.0.0-beta.2 1.0.0-alpha.1 1.0.0-alpha 0.9.9'.split(' '),
  );
});

it('chooses as npm does', () => {
  const versions = ['1.0.0', '1.5.0', '2.0.0', '2.1.0-rc.1'];
  expect(choose(versions, { latest: '1.5.0', next: '2.1.0-rc.1' }, '*')).toBe('1.5.0');
  expect(choose(versions, { latest: '1.5.0' }, '>=1')).toBe('1.5.0');
  expect(choose(versions, { latest: '1.5.0' }, '^2')).toBe('2.0.0');
  expect(choose(versions, { latest: '1.5.0', next: '2.1.0-rc.1' }, 'next')).toBe('2.1.0-rc.1');
  expect(choose(['0.7.3-SNAPSHOT'], { latest: '0.7.3-SNAPSHOT' }, '*')).toBe('0.7.3-SNAPSHOT');
  expect(choose(versions, {}, '^3')).toBeUndefined();
  expect([
    isRange('git://x'),
    isRange('file:../x'),
    isRange('^1 || 2.x'),
    isRange('latest'),
    isRange(`1${' || 1'.repeat(100)}`),
  ]).toEqual([false, false, true, false, false]);
});
