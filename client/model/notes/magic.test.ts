import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editorMode, magicOf, splitMagic } from './magic.ts';

describe('splitMagic', () => {
  test.each([
    ['%sql select 1', 'sql', {}, 'select 1'],
    ['  \n%spark.sql\n\nselect 1\n', 'spark.sql', {}, 'select 1'],
    ['select 1', undefined, {}, 'select 1'],
    [' a %sql b', undefined, {}, 'a %sql b'],
    ['%md', 'md', {}, ''],
    ['%sql(limit=50, name="a b") select 1', 'sql', { limit: '50', name: 'a b' }, 'select 1'],
    ['%echo(x=1) q', 'echo', { x: '1' }, 'q'],
    ['%flink.ssql(type=update)\nselect', 'flink.ssql', { type: 'update' }, 'select'],
    ['%sh(saveAs)\nls', 'sh', { saveAs: 'saveAs' }, 'ls'],
    ['%sql( a = 1 ,b="x, (y) \\"z\\"" )\n q', 'sql', { a: '1', b: 'x, (y) "z"' }, 'q'],
    ['%sql(a="1\\n2\\t3")q', 'sql', { a: '1\n2\t3' }, 'q'],
    ['%sql() q', 'sql', {}, 'q'],
    ['%sql(a=) q', 'sql', { a: '' }, 'q'],
    ['%python(1+2)', 'python', {}, '(1+2)'],
    ['%python (a=1)', 'python', {}, '(a=1)'],
    ['%sql(a=1', 'sql', {}, '(a=1'],
    ['%sql(a="1) q', 'sql', {}, '(a="1) q'],
    ['%r f(x=1)', 'r', {}, 'f(x=1)'],
    ['', undefined, {}, ''],
    ['100% sure', undefined, {}, '100% sure'],
  ])('%j', (text, magic, options, script) => {
    const split = splitMagic(text);
    expect(split).toMatchObject({ magic, script });
    expect(split.options).toEqual(options);
  });

  test('an option may have the name of a property of Object', () => {
    const { options } = splitMagic('%sql(__proto__=1) q');
    expect(Object.entries(options)).toEqual([['__proto__', '1']]);
  });

  test('the offset is the position of the script in the text', () => {
    const piece = fc.constantFrom('%sql', '(a=1)', '(', ')', ' ', '\n', 'x', '"', '=');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
        (text) => {
          const { script, scriptOffset, magic } = splitMagic(text);
          expect(text.slice(scriptOffset, scriptOffset + script.length)).toBe(script);
          expect(text.slice(scriptOffset + script.length).trim()).toBe('');
          expect(magic).toBe(magicOf(text));
        },
      ),
    );
  });

  test('a long run of spaces in options is parsed quickly', () => {
    const text = `%sql(a=${' '.repeat(200_000)}"`;
    expect(splitMagic(text).options).toEqual({});
  });
});

test('a magic may contain hyphens between letters', () => {
  expect(splitMagic('%julia-1.11 x')).toMatchObject({ magic: 'julia-1.11', script: 'x' });
  expect(splitMagic('%my-set(a=b)\nx')).toMatchObject({ magic: 'my-set', options: { a: 'b' } });
  expect(splitMagic('%sql-- comment').magic).toBe('sql');
  expect(splitMagic('%md- item').magic).toBe('md');
});

describe('editorMode', () => {
  test.each([
    ['%spark val x', 'scala'],
    ['%spark.spark x', 'scala'],
    ['%pyspark x', 'python'],
    ['%spark.pyspark x', 'python'],
    ['%python', 'python'],
    ['%r', 'r'],
    ['%sparkr x', 'r'],
    ['%spark.r x', 'r'],
    ['%knitr x', 'r'],
    ['%sql select', 'sql'],
    ['%spark.sql(x=1) select', 'sql'],
    ['%hive.hql x', 'sql'],
    ['%mysql x', 'sql'],
    ['%md # x', 'markdown'],
    ['%sh ls', 'sh'],
    ['%javascript x', 'javascript'],
    ['%js x', 'javascript'],
    ['%duckdb select', 'sql'],
    ['  %md x', 'markdown'],
    ['%flink.ssql x', 'sql'],
    ['%jdbc select', 'sql'],
    ['%cassandra select', 'sql'],
    ['%kotlin val x', 'kotlin'],
    ['%spark.ir x', 'r'],
  ])('%j is %s [D34]', (text, mode) => expect(editorMode(text, 'other')).toBe(mode));

  test('uses the fallback for unknown names, Scala by default', () => {
    expect(editorMode('select 1')).toBe('scala');
    expect(editorMode('%toString x')).toBe('scala');
    expect(editorMode('%nope x', 'text')).toBe('text');
    expect(editorMode('%sql.nope x', 'text')).toBe('text');
  });
});
