import { expect, test } from 'vitest';
import type { ParagraphState } from '../state.ts';
import { checkParamNames, convertedParams } from './run-params.ts';

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
  const check = (params: Record<string, unknown>) => () => checkParamNames(some, params);
  expect(check({ a: 1, b: 2 })).not.toThrow();
  expect(check({ c: 1 })).toThrow("There is no form 'c'. The forms are a, b.");
  expect(check({ city: 'Oslo' })).toThrow(
    "There is no form 'city'. It is a form of the whole note: use note.setParams.",
  );
  expect(() => checkParamNames([paragraph('%md\nplain')], { c: 1 })).toThrow(
    "There is no form 'c'. There are no forms.",
  );
});

test('a name that code quotes is accepted, because the code may create its form', () => {
  const some = [paragraph(`%python\nyear = z.input("year", 2020)`)];
  expect(() => checkParamNames(some, { year: 2021 })).not.toThrow();
  expect(() => checkParamNames(some, { yea: 2021 })).toThrow('no form');
});
