import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nullHandling, runShares, selectedFields, validatorKind } from './validators.ts';

describe('a field selector', () => {
  const of = (selector: object) => selectedFields({ fieldNames: [], ...selector });

  it('selects one field, several, or those that match [O58]', () => {
    expect(of({ fieldSelectorType: 'Single', fieldName: 'a' })).toEqual({
      kind: 'single',
      names: ['a'],
      pattern: '',
    });
    expect(of({ fieldSelectorType: 'LIST', fieldNames: ['a', 'b'] })).toEqual({
      kind: 'list',
      names: ['a', 'b'],
      pattern: '',
    });
    expect(of({ fieldSelectorType: 'list', fieldNames: ['a'] })).toEqual({
      kind: 'single',
      names: ['a'],
      pattern: '',
    });
    expect(of({ fieldSelectorType: 'Regex', pattern: '^a' })).toEqual({
      kind: 'regex',
      names: [],
      pattern: '^a',
    });
    expect(of({ fieldSelectorType: 'Regex', fieldName: '^a' })).toEqual({
      kind: 'regex',
      names: [],
      pattern: '^a',
    });
  });

  it('without a type is interpreted by its members; an empty one selects nothing', () => {
    expect(of({ fieldName: 'a' })?.kind).toBe('single');
    expect(of({ fieldNames: ['a', 'b'] })?.kind).toBe('list');
    expect(of({ pattern: '.' })?.kind).toBe('regex');
    expect([
      of({}),
      of({ fieldSelectorType: 'Single' }),
      of({ fieldSelectorType: 'Regex' }),
      selectedFields(undefined),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('a validator', () => {
  it('has a kind in any case, and null handling', () => {
    expect(['NumericalRange', 'inlist', 'SQL', 'or', 'sum', undefined].map(validatorKind)).toEqual([
      'numericalRange',
      'inList',
      'sql',
      'or',
      undefined,
      undefined,
    ]);
    expect([undefined, '', 'NULL', 'Pass', 'fail', 'skip'].map(nullHandling)).toEqual([
      'null',
      'null',
      'null',
      'pass',
      'fail',
      undefined,
    ]);
  });
});

describe('the shares of a run', () => {
  const of = (passed?: number, failed?: number, nulls?: number) =>
    runShares({
      passedValidationRowCount: passed,
      failedValidationRowCount: failed,
      nullValidationRowCount: nulls,
    });

  it('are shares of the sum of the three counts, and 0 if that is 0 [O60]', () => {
    expect(of(480, 6, 14)).toEqual({
      passed: { count: 480, share: 0.96 },
      failed: { count: 6, share: expect.closeTo(0.012, 12) as number },
      nulls: { count: 14, share: expect.closeTo(0.028, 12) as number },
    });
    expect(of()).toEqual({
      passed: { count: 0, share: 0 },
      failed: { count: 0, share: 0 },
      nulls: { count: 0, share: 0 },
    });
    expect(of(-5, 5)).toMatchObject({
      passed: { count: 0, share: 0 },
      failed: { count: 5, share: 1 },
    });
  });

  it('add up to 1, for any number of rows [O60]', () => {
    // biome-ignore lint/nursery/noFloatingPromises: only asynchronous properties return a promise
    fc.assert(
      fc.property(
        fc.double({ min: 0, noNaN: true }),
        fc.double({ min: 0, noNaN: true }),
        fc.double({ min: 0, noNaN: true }),
        (a, b, c) => {
          const { passed, failed, nulls } = of(a, b, c);
          const sum = passed.share + failed.share + nulls.share;
          expect(sum === 0 || Math.abs(sum - 1) < 1e-9).toBe(true);
        },
      ),
    );
  });
});
