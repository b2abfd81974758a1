import { expect, test } from 'vitest';
import type { ParagraphState } from '../core/state.ts';
import { convertedParams, dividedParams } from './run-params.ts';

const paragraph = (text: string, forms: object = {}): ParagraphState =>
  ({ server: { id: 'p', text, settings: { forms } } }) as unknown as ParagraphState;

test('values are converted to the type of their default, or become the default', () => {
  const forms = {
    number: { name: 'number', defaultValue: 2 },
    flag: { name: 'flag', defaultValue: true },
    list: { name: 'list', defaultValue: [1] },
    text: { name: 'text', defaultValue: 'a' },
    choice: { name: 'choice', defaultValue: 1, options: [{ value: 1 }, { value: '2' }] },
  };
  const convert = (params: Record<string, unknown>) =>
    convertedParams(paragraph('%python\nz.input("number", 2)', forms), params);
  expect(
    convert({ number: '2.5', flag: 'false', list: '[3]', text: 7, choice: '2', old: 'x' }),
  ).toEqual({ number: 2.5, flag: false, list: [3], text: 7, choice: '2', old: 'x' });
  expect(convert({ number: 'many', flag: 'maybe', list: '[' })).toEqual({
    number: 2,
    flag: true,
    list: [1],
  });
});

test('a name that no form has is refused, with the names there are', () => {
  const some = [paragraph('%sql\nselect ${a} ${b=1}'), paragraph('%md\n$${city}')];
  expect(() => dividedParams(some, { c: 1 })).toThrow(
    "There is no form 'c'. The forms are a, b, city.",
  );
  expect(() => dividedParams([paragraph('%md\nplain')], { c: 1 })).toThrow(
    "There is no form 'c'. There are no forms.",
  );
});

test('a name that code quotes is accepted, because the code may create its form', () => {
  const some = [paragraph(`%python\nyear = z.input("year", 2020)`)];
  expect(dividedParams(some, { year: 2021 }).own).toEqual({ year: 2021 });
  expect(() => dividedParams(some, { yea: 2021 })).toThrow('no form');
});

test('values for forms of the whole note are separated from those of paragraphs', () => {
  const some = [paragraph('%sql\nselect ${a} ${both} $${both}'), paragraph('%md\n$${city}')];
  expect(dividedParams(some, { a: 1, both: 2, city: 'Oslo' })).toEqual({
    own: { a: 1, both: 2 },
    ofNote: { both: 2, city: 'Oslo' },
  });
  expect(dividedParams(some, { a: 1 })).toEqual({ own: { a: 1 }, ofNote: undefined });
  const boxes = [paragraph('%md\n$${checkbox:days=1,1|2|3} ${checkbox:own=a,a|b}')];
  expect(dividedParams(boxes, { days: '2' }).ofNote).toEqual({ days: ['2'] });
  expect(convertedParams(boxes[0]!, { own: 'b' })).toEqual({ own: ['b'] });
});
