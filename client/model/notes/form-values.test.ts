import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textWithForms } from './form-params.ts';
import {
  coerceParam,
  collectForms,
  escapeForms,
  normalizeForm,
  substituteForms,
} from './form-values.ts';

describe('substituteForms', () => {
  const recorded =
    'echo ${name=Anna} ${day=mon,mon|tue|wed} ${size=1,1(small)|2(large)} ' +
    '${checkbox(-):opts=a|b,a|b|c} ${password:pw}';

  test('substitutes as in a recorded run, with defaults and with values', () => {
    expect(substituteForms(recorded)).toBe('echo Anna mon 1 a-b ');
    expect(substituteForms(recorded, { name: 'Bert', day: 'tue', opts: ['b', 'c'] })).toBe(
      'echo Bert tue 1 b-c ',
    );
  });

  test.each([
    ['${checkbox:x=a|b,a|b|c}', {}, 'a,b'],
    ['${checkbox( or ):x=a|b,a|b|c}', {}, 'a or b'],
    ['${checkbox:x=a,a|b}', { x: [] }, ''],
    ['${checkbox:x=a,a|b}', { x: ['b', 'gone'] }, 'b'],
    ['${checkbox:x=a,a|b}', { x: ['gone'] }, 'gone'],
    ['${x=1}', { x: '' }, ''],
    ['${x=1}', { x: null }, ''],
    ['${x=1}', { x: 0 }, '0'],
    ['${x=1}', { y: 2 }, '1'],
    ['${x=1}', { x: { a: 1 } }, '{"a":1}'],
    ['_${x=1}!', {}, '1!'],
    ['table_${y=2026}', {}, 'table_2026'],
    ['${toString=1}', {}, '1'],
    ['echo \\${HOME} ${VAR:-x}', {}, 'echo ${HOME} ${VAR:-x}'],
  ])('%j with %j: %j', (text, params, expected) =>
    expect(substituteForms(text, params)).toBe(expected),
  );

  test('uses values of the note only for its own forms', () => {
    expect(substituteForms('${x=1} $${x=2}', { x: 'p' }, { x: 'n' })).toBe('p n');
    expect(substituteForms('${x=1} $${x=2}', { x: 'p' })).toBe('p 2');
  });

  test('keeps a value that looks like a template', () => {
    expect(substituteForms('${a=1} ${b=2}', { a: '${b}', b: '$& $1 \\${c}' })).toBe(
      '${b} $& $1 \\${c}',
    );
  });

  test('resolves a bare name to the form with that name', () => {
    expect(substituteForms('${x} ${x=1} ${x}')).toBe('1 1 1');
    expect(substituteForms('${checkbox(-):x=a|b,a|b} ${x}', { x: ['b', 'a'] })).toBe('b-a b-a');
    expect(substituteForms('$${x=1} ${x}')).toBe('1 ');
  });

  test('returns an escaped text as it was', () => {
    const piece = fc.constantFrom(...'${ $ \\ } { = , a \n ${x} _${y=1}'.split(' '));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        expect(substituteForms(escapeForms(text), { x: 'no', y: 'no' })).toBe(text);
      }),
    );
    expect(escapeForms('echo ${HOME:-x} $HOME')).toBe('echo ${HOME:-x} $HOME');
    expect(escapeForms('$${c}$ and \\${d}')).toBe('$\\${c}$ and \\\\${d}');
  });

  test('handles a form as default value', () => {
    const name = fc.stringMatching(/^[a-z]{1,5}$/);
    const value = fc.stringMatching(/^[a-z0-9 ]{1,8}$/);
    fc.assert(
      fc.property(name, value, value, (key, initial, given) => {
        expect(substituteForms(`<\${${key}=${initial}}>`)).toBe(`<${initial}>`);
        expect(substituteForms(`<\${${key}=${initial}}>`, { [key]: given })).toBe(`<${given}>`);
      }),
    );
  });
});

test.each([
  ['%sql\nselect ${x}', undefined, true],
  ['%python.sql\nselect ${x}', undefined, true],
  ['%md\n${x}', undefined, true],
  ['%sh\necho ${x}', undefined, true],
  ['%jdbc(sales)\nselect ${x}', undefined, true],
  ['%sales\nselect ${x}', 'sql', true],
  ['%java\n"${x}"', undefined, true],
  ['%beam.java\n"${x}"', 'java', true],
  ['%team\n"${x}"', 'java', false],
  ['%elasticsearch\nsearch ${x}', 'text', true],
  ['${x}', undefined, true],
  ['${x}', 'python', false],
  ['%python\nf"${x}"', undefined, false],
  ['%spark.pyspark\nf"${x}"', undefined, false],
  ['%spark\ns"${x}"', undefined, false],
  ['%js\n`${x}`', undefined, false],
  ['%kotlin\n"${x}"', undefined, false],
  ['%angular\n<script>`${x}`</script>', undefined, false],
  ['%julia-1.10\n"${x}"', undefined, false],
  ['%python3\nf"${x}"', undefined, false],
  ['%jupyter(kernel=ir)\n"${x}"', undefined, false],
  ['%bash_kernel\necho ${x}', 'bash', false],
  ['%team\nf"${x}"', 'python', false],
  ['%python(form=simple)\nf"${x}"', undefined, true],
  ['%sh(form=native)\necho ${x}', undefined, false],
])('%j with an interpreter for %s has forms in its text: %s', (text, language, hasForms) =>
  expect(textWithForms(text, language)).toBe(hasForms ? text : ''),
);

describe('collectForms', () => {
  test('returns forms by name, in the order of the text, separating those of the note', () => {
    const { forms, noteForms } = collectForms('${b=1} ${a} $${r=eu,eu|us} ${a=2} ${b=3} _${h=4}');
    expect(Object.keys(forms)).toEqual(['b', 'a', 'h']);
    expect([forms.b?.defaultValue, forms.a?.defaultValue, forms.h?.hidden]).toEqual([
      '1',
      '2',
      true,
    ]);
    expect(Object.keys(noteForms)).toEqual(['r']);
  });

  test('accepts names that are properties of Object', () => {
    expect(Object.keys(collectForms('${__proto__=1} ${constructor=2}').forms)).toEqual([
      '__proto__',
      'constructor',
    ]);
  });
});

describe('normalizeForm', () => {
  test.each([
    [{ name: 'x' }, 'TextBox'],
    [{ name: 'x', options: [{ value: 'a' }] }, 'Select'],
    [{ name: 'x', options: [{ value: 'a' }], defaultValue: ['a'] }, 'CheckBox'],
    [{ type: 'input' }, 'TextBox'],
    [{ type: 'select', options: [] }, 'Select'],
    [{ type: 'checkbox', defaultValue: ['a'] }, 'CheckBox'],
    [{ type: 'Password' }, 'Password'],
    [{ type: 'CheckBox' }, 'CheckBox'],
    [{ type: 'later', options: [] }, 'Select'],
  ])('%j is a %s', (form, type) =>
    expect(normalizeForm(form)).toEqual({ ...form, type, hidden: false }),
  );

  test('keeps other fields and hidden forms', () => {
    expect(
      normalizeForm({ name: 'x', hidden: true, extra: 1 } as { name: string; hidden: boolean }),
    ).toEqual({
      name: 'x',
      hidden: true,
      extra: 1,
      type: 'TextBox',
    });
  });
});

test.each([
  ['12', 'int', 0, 12],
  ['12.9', 'int', 0, 12],
  ['12px', 'int', 0, 12],
  ['x', 'int', 7, 7],
  [3.7, 'int', 0, 3],
  ['', 'int', 7, 7],
  ['1.5', 'float', 0, 1.5],
  ['1e3', 'float', 0, 1000],
  ['x', 'float', 0.5, 0.5],
  ['Infinity', 'float', 1, 1],
  ['true', 'boolean', false, true],
  ['false', 'boolean', true, false],
  [true, 'boolean', false, true],
  ['yes', 'boolean', false, false],
  [1, 'boolean', true, true],
  ['x', 'string', '', 'x'],
  ['', 'string', 'd', ''],
  [undefined, 'string', 'd', 'd'],
  [null, 'int', 3, 3],
  ['{"a":[1]}', 'JSON', {}, { a: [1] }],
  ['{', 'JSON', { d: 1 }, { d: 1 }],
  ['null', 'JSON', 1, null],
  [{ a: 1 }, 'JSON', {}, { a: 1 }],
  ['x', 'colour', 'd', 'x'],
])('%j as %s with fallback %j: %j [W83]', (value, type, fallback, expected) =>
  expect(coerceParam(value, type, fallback)).toEqual(expected),
);
