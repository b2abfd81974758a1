import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextCloneName, nextUntitledName } from './note-name.ts';

describe('nextUntitledName', () => {
  test.each([
    [[], '', 'Untitled Note 1'],
    [['Untitled Note 1', 'Untitled Note 7', 'other'], '', 'Untitled Note 8'],
    [['Untitled Note', 'Untitled Note x', 'dir/Untitled Note 9'], '', 'Untitled Note 1'],
    [['Untitled Note 3'], 'dir', 'dir/Untitled Note 4'],
    [['Untitled Note 3', 'dir/Untitled Note 5'], 'dir', 'dir/Untitled Note 6'],
  ])('%j in %j: %j [D30]', (paths, folder, expected) =>
    expect(nextUntitledName(paths, folder)).toBe(expected),
  );

  test('is never taken [D30]', () => {
    const name = fc.nat({ max: 30 }).map((n) => `Untitled Note ${n}`);
    const any = fc.array(
      fc.oneof(
        name,
        name.map((one) => `dir/${one}`),
      ),
    );
    fc.assert(
      fc.property(any, fc.constantFrom('', 'dir'), (paths, folder) => {
        expect(paths).not.toContain(nextUntitledName(paths, folder));
      }),
    );
  });
});

describe('nextCloneName', () => {
  test.each([
    ['report', ['report'], 'report 1'],
    ['report', ['report', 'report 1', 'report 4'], 'report 5'],
    ['report 1', ['report', 'report 1'], 'report 2'],
    ['report 1', ['report 1', 'report 12'], 'report 13'],
    ['report 2024', ['report 2024'], 'report 2024 1'],
    ['dir/report', ['dir/report', 'report 8'], 'dir/report 1'],
    ['a (b', ['a (b', 'a (b 2'], 'a (b 3'],
    ['report', [], 'report 1'],
    ['report 3', [], 'report 4'],
  ])('%j among %j: %j [D30]', (name, paths, expected) =>
    expect(nextCloneName(name, paths)).toBe(expected),
  );

  test('is never taken [D30]', () => {
    const names = fc.array(fc.stringMatching(/^[ab]( [0-9]{1,2})?$/), { minLength: 1 });
    fc.assert(
      fc.property(names, fc.nat(), (paths, at) => {
        expect(paths).not.toContain(nextCloneName(paths[at % paths.length]!, paths));
      }),
    );
  });
});
