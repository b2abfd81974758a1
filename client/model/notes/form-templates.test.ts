import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_TEMPLATES, parseForms } from './form-templates.ts';

const forms = (text: string) => parseForms(text).map(({ form }) => form);
const texts = (text: string) => parseForms(text).map(({ start, end }) => text.slice(start, end));

describe('templates', () => {
  test.each([
    ['${name}', { type: 'TextBox', name: 'name', defaultValue: '' }],
    ['${name=Anna}', { type: 'TextBox', name: 'name', defaultValue: 'Anna' }],
    [
      '${name(Your name)=Anna}',
      { type: 'TextBox', name: 'name', displayName: 'Your name', defaultValue: 'Anna' },
    ],
    [
      '${ name ( Your name ) = Anna}',
      { type: 'TextBox', name: 'name', displayName: 'Your name', defaultValue: ' Anna' },
    ],
    [
      '${day=mon,mon|tue|wed}',
      {
        type: 'Select',
        name: 'day',
        defaultValue: 'mon',
        options: [{ value: 'mon' }, { value: 'tue' }, { value: 'wed' }],
      },
    ],
    [
      '${size=1,1(small)|2(large)}',
      {
        type: 'Select',
        name: 'size',
        defaultValue: '1',
        options: [
          { value: '1', displayName: 'small' },
          { value: '2', displayName: 'large' },
        ],
      },
    ],
    [
      '${name=,a|b}',
      { type: 'Select', name: 'name', defaultValue: '', options: [{ value: 'a' }, { value: 'b' }] },
    ],
    [
      '${checkbox:name=d1|d2,a|b(Label)|c}',
      {
        type: 'CheckBox',
        name: 'name',
        defaultValue: ['d1', 'd2'],
        options: [{ value: 'a' }, { value: 'b', displayName: 'Label' }, { value: 'c' }],
      },
    ],
    [
      '${checkbox(-):opts=a|b,a|b|c}',
      {
        type: 'CheckBox',
        name: 'opts',
        defaultValue: ['a', 'b'],
        options: [{ value: 'a' }, { value: 'b' }, { value: 'c' }],
        argument: '-',
      },
    ],
    [
      '${checkbox( or ):c(Country)=US|JP,US(United States)|UK|JP}',
      {
        type: 'CheckBox',
        name: 'c',
        displayName: 'Country',
        defaultValue: ['US', 'JP'],
        argument: ' or ',
        options: [{ value: 'US', displayName: 'United States' }, { value: 'UK' }, { value: 'JP' }],
      },
    ],
    [
      '${checkbox:x=,a|b}',
      { type: 'CheckBox', name: 'x', defaultValue: [], options: [{ value: 'a' }, { value: 'b' }] },
    ],
    [
      '${checkbox:x=a|b}',
      {
        type: 'CheckBox',
        name: 'x',
        defaultValue: ['a', 'b'],
        options: [{ value: 'a' }, { value: 'b' }],
      },
    ],
    ['${password:pw}', { type: 'Password', name: 'pw', defaultValue: '' }],
    ['_${name=x}', { type: 'TextBox', name: 'name', defaultValue: 'x', hidden: true }],
    ['${a b=x=y}', { type: 'TextBox', name: 'a b', defaultValue: 'x=y' }],
  ])('%s', (text, form) => {
    expect(parseForms(text)).toEqual([
      { form: { hidden: false, ...form }, noteWide: false, start: 0, end: text.length },
    ]);
  });

  test('forms of the note', () => {
    expect(parseForms('echo $${region=eu,eu|us}')).toMatchObject([
      { noteWide: true, start: 5, end: 24, form: { type: 'Select', name: 'region' } },
    ]);
    expect(parseForms('_$${x=1}')).toMatchObject([
      { noteWide: true, start: 0, form: { hidden: true } },
    ]);
  });

  test('are found in order with their positions', () => {
    expect(texts('a ${b} c $${d=1} _${e=2}${f}')).toEqual(['${b}', '$${d=1}', '_${e=2}', '${f}']);
  });

  test('an underscore inside a word does not hide a form', () => {
    expect(parseForms('table_${year=2026}')).toMatchObject([
      { start: 6, form: { name: 'year', hidden: false } },
    ]);
    expect(parseForms('(_${year=2026})')).toMatchObject([{ start: 1, form: { hidden: true } }]);
  });
});

describe('braces and backslashes', () => {
  test.each([
    ['${q={"a":{"b":1}}} x', '${q={"a":{"b":1}}}', '{"a":{"b":1}}'],
    ['${q={"a":1,"b":2}}', '${q={"a":1,"b":2}}', '{"a":1,"b":2}'],
    ['${q=\\}}', '${q=\\}}', '}'],
    ['${q=a\\,b}', '${q=a\\,b}', 'a,b'],
    ['${q=\\d+\\.x}', '${q=\\d+\\.x}', '\\d+\\.x'],
    ['${dir=C:\\}', '${dir=C:\\}', 'C:\\'],
    ['${q={} rest', '${q={}', '{'],
    ['${q=line one\nline two}', '${q=line one\nline two}', 'line one\nline two'],
  ])('%j is %j', (text, template, value) => {
    expect(texts(text)).toEqual([template]);
    expect(forms(text)[0]?.defaultValue).toBe(value);
  });

  test('a label is at the end, in one pair of parentheses', () => {
    expect(forms('${q=,f(x) y|a(b)c)|d)|e()|g(h )}')[0]?.options).toEqual([
      { value: 'f(x) y' },
      { value: 'a(b)c)' },
      { value: 'd)' },
      { value: 'e' },
      { value: 'g', displayName: 'h' },
    ]);
  });

  test('options may contain separators', () => {
    expect(forms('${q=x\\|y,x\\|y(A\\, or B)|f\\(x\\)|{a,b}}')[0]).toMatchObject({
      defaultValue: 'x|y',
      options: [{ value: 'x|y', displayName: 'A, or B' }, { value: 'f(x)' }, { value: '{a,b}' }],
    });
  });

  test.each([
    '\\${name}',
    '$name',
    '$ {name}',
    '${}',
    '${ }',
    '${=x}',
    '${name',
    '${VAR:-default}',
    '${select:x=1,2}',
    '${xs.map{ x => x }}',
    '${\n  code()\n}',
    '${:x}',
  ])('%j is not a template', (text) => expect(parseForms(text)).toEqual([]));

  test('text that is not a template does not hide one after it', () => {
    expect(texts('${VAR:-x} ${a=1} ${f{ ${b} }}')).toEqual(['${a=1}', '${b}']);
  });
});

test("positions are ordered, don't overlap, and contain templates", () => {
  const piece = fc.constantFrom(
    ...'${ $${ _${ } { = , | ( ) : a \\ \n checkbox:'.split(' '),
    'b c',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
      (text) => {
        let from = 0;
        for (const { start, end, form, noteWide } of parseForms(text)) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(text.slice(start, end)).toMatch(
            noteWide ? /^_?\$\$\{[\s\S]+\}$/ : /^_?\$\{[\s\S]+\}$/,
          );
          expect(form.name.trim()).not.toBe('');
          from = end;
        }
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  ['an opening', '${'],
  ['an unpaired brace', '${a={'],
  ['an unpaired brace and a closing one', '${a={}'],
  ['an invalid head', '${a:={'],
  ['an unfinished type', '${checkbox('],
  ['an unfinished label', '${a('],
  ['backslashes', '\\'],
  ['empty forms', '${a=}'],
  ['unterminated labels', `\${a=}${'('.repeat(50)}`],
  ['spaces after a type', `\${checkbox${' '.repeat(900)}`],
  ['spaces in a label', `\${a=x,y${' '.repeat(900)}(`],
])('half a megabyte of %s is parsed quickly', (_, piece) => {
  const text = piece.repeat(Math.ceil(500_000 / piece.length));
  for (const hostile of [text, `${text}}`]) {
    parseForms(hostile);
  }
});

test('a text has a limited number of templates; the rest remains text', () => {
  expect(parseForms('${x}'.repeat(MAX_TEMPLATES + 5))).toHaveLength(MAX_TEMPLATES);
});

test('the forms of a text have a limited number of options, and what follows is parsed', () => {
  const many = '1|'.repeat(MAX_TEMPLATES);
  const forms = parseForms(`\${a=1,${many}}\${checkbox:b=${many},${many}}\${c=2,x|y} \${d}`);
  expect(forms.map(({ form }) => form.name)).toEqual(['a', 'b', 'c', 'd']);
  const options = forms.flatMap(({ form }) => form.options ?? []);
  expect(options).toHaveLength(MAX_TEMPLATES);
  expect(forms[1]?.form.defaultValue).toHaveLength(0);
});

test('only the first places that look like a template are tried', () => {
  expect(parseForms(`${'${:'.repeat(MAX_TEMPLATES - 1)}\${x}`)).toHaveLength(1);
  expect(parseForms(`${'${:'.repeat(MAX_TEMPLATES)}\${x}`)).toHaveLength(0);
});
