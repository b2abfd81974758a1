import { expect, it } from 'vitest';
import { choose, isRange, newestFirst, satisfies } from './semver.ts';

it.each([
  ['1.2.3', '1.2.3', true],
  ['1.2.4', '1.2.3', false],
  ['1.2.3', '=1.2.3', true],
  ['1.9.0', '^1.2.3', true],
  ['2.0.0', '^1.2.3', false],
  ['1.2.2', '^1.2.3', false],
  ['0.2.9', '^0.2.3', true],
  ['0.3.0', '^0.2.3', false],
  ['0.0.3', '^0.0.3', true],
  ['0.0.4', '^0.0.3', false],
  ['0.0.9', '^0.0', true],
  ['0.9.0', '^0.x', true],
  ['0.1.0', '^0.0', false],
  ['1.2.9', '~1.2.3', true],
  ['1.3.0', '~1.2.3', false],
  ['1.9.9', '~1', true],
  ['3.9.4', '~3.9.3', true],
  ['1.2.0', '~> 1.2', true],
  ['1.4.0', '1.x', true],
  ['2.0.0', '1.x', false],
  ['1.4.7', '1.4.*', true],
  ['9.9.9', '*', true],
  ['9.9.9', '', true],
  ['5.0.0', 'x', true],
  ['1.5.0', '>=1.2 <2', true],
  ['2.0.0', '>=1.2 <2', false],
  ['1.5.0', '>1.5', false],
  ['1.6.0', '>1.5', true],
  ['1.5.9', '<=1.5', true],
  ['1.6.0', '<=1.5', false],
  ['1.4.9', '<1.5', true],
  ['2.5.0', '1.0.0 - 2.9.9', true],
  ['3.0.0', '1.0.0 - 2', false],
  ['2.9.0', '1.0.0 - 2', true],
  ['3.0.0', '^1 || ^3', true],
  ['2.0.0', '^1 || ^3', false],
  ['1.2.3', '>= 1.2.3', true],
  ['1.2.3-beta.2', '^1.2.3-beta.1', true],
  ['1.2.4-beta.2', '^1.2.3-beta.1', false],
  ['1.2.3-beta.2', '^1.2.0', false],
  ['2.0.0-rc.1', '^1.2.3', false],
  ['0.7.3-SNAPSHOT', '*', false],
  ['1.0.0', 'latest', false],
  ['1.0.0', 'git+https://example.org/x', false],
  ['nonsense', '*', false],
])('%s in %j: %s', (version, range, is) => {
  expect(satisfies(version, range)).toBe(is);
});

it('orders versions, pre-releases before their release', () => {
  expect(
    newestFirst([
      '1.0.0-alpha',
      '1.0.0',
      '1.0.0-alpha.1',
      '1.0.0-beta.11',
      '1.0.0-beta.2',
      '0.9.9',
      '10.0.0',
      '2.0.0',
      'junk',
    ]),
  ).toEqual([
    '10.0.0',
    '2.0.0',
    '1.0.0',
    '1.0.0-beta.11',
    '1.0.0-beta.2',
    '1.0.0-alpha.1',
    '1.0.0-alpha',
    '0.9.9',
  ]);
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
  ]).toEqual([false, false, true, false]);
});
