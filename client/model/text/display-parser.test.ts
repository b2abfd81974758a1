import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createDisplayParser,
  type DisplayEvent,
  type DisplayOutput,
  parseDisplay,
} from './display-parser.ts';

const brief = (outputs: readonly DisplayOutput[]) => outputs.map(({ type, data }) => [type, data]);

/** The outputs of chunks written one by one. */
function chunked(chunks: readonly string[]): DisplayOutput[] {
  const outputs: { type: DisplayOutput['type']; data: string }[] = [];
  const parser = createDisplayParser((event) => {
    if (event.kind === 'start') {
      expect(event.index).toBe(outputs.length);
      outputs.push({ type: event.type, data: '' });
    } else outputs[event.index]!.data += event.data;
  });
  for (const chunk of chunks) parser.write(chunk);
  parser.end();
  return outputs;
}

/** The events reported after some chunks, before the end. */
function reported(...chunks: string[]): DisplayEvent[] {
  const events: DisplayEvent[] = [];
  const parser = createDisplayParser((event) => events.push(event));
  for (const chunk of chunks) parser.write(chunk);
  return events;
}

describe('parseDisplay', () => {
  test.each([
    [
      'x\n%html <i>y</i>\n%table a\n1',
      [
        ['TEXT', 'x\n'],
        ['HTML', '<i>y</i>\n'],
        ['TABLE', 'a\n1'],
      ],
    ],
    ['%text %html x', [['TEXT', '%html x']]],
    ['a %html x', [['TEXT', 'a %html x']]],
    ['a\n %html x', [['TEXT', 'a\n %html x']]],
    ['%TABLE a', [['TEXT', '%TABLE a']]],
    [
      '%html\n%table a\tb\n',
      [
        ['HTML', ''],
        ['TABLE', 'a\tb\n'],
      ],
    ],
    ['%html\t<b>', [['HTML', '<b>']]],
    ['%html\r\n<b>', [['HTML', '<b>']]],
    ['%html  <b>', [['HTML', ' <b>']]],
    ['%angular <i>{{x}}</i>', [['ANGULAR', '<i>{{x}}</i>']]],
    [
      '%img aGVsbG8=\n%element <b>el</b>\n',
      [
        ['IMG', 'aGVsbG8=\n'],
        ['ELEMENT', '<b>el</b>\n'],
      ],
    ],
    ['%img aGVsbG8=\n%elements el\n', [['IMG', 'aGVsbG8=\n%elements el\n']]],
    [
      '%svg <svg/>\n%network {}',
      [
        ['SVG', '<svg/>\n'],
        ['NETWORK', '{}'],
      ],
    ],
    ['', []],
    ['\n', [['TEXT', '\n']]],
  ])('%j [D35]', (text, expected) => expect(brief(parseDisplay(text))).toEqual(expected));

  test('an unknown name loses no text [D35]', () => {
    expect(brief(parseDisplay('%json {"a":1}'))).toEqual([['TEXT', '%json {"a":1}']]);
    expect(brief(parseDisplay('%html<b>'))).toEqual([['TEXT', '%html<b>']]);
    expect(brief(parseDisplay('%html'))).toEqual([['TEXT', '%html']]);
    expect(brief(parseDisplay('x\n%null y'))).toEqual([['TEXT', 'x\n%null y']]);
  });

  test('parses a recorded run', () => {
    const text =
      '%table name\tn\na\t1\n%html <b>bold</b>\n%text after\n%network {"nodes":[]}\n' +
      '%img aGVsbG8=\n';
    expect(brief(parseDisplay(text))).toEqual([
      ['TABLE', 'name\tn\na\t1\n'],
      ['HTML', '<b>bold</b>\n'],
      ['TEXT', 'after\n'],
      ['NETWORK', '{"nodes":[]}\n'],
      ['IMG', 'aGVsbG8=\n'],
    ]);
  });
});

describe('the end of a table', () => {
  test.each([
    [
      '%table a\n1\n\nafter\n',
      [
        ['TABLE', 'a\n1\n'],
        ['TEXT', 'after\n'],
      ],
    ],
    [
      '%table a\n1\r\n\r\nafter',
      [
        ['TABLE', 'a\n1\r\n'],
        ['TEXT', 'after'],
      ],
    ],
    [
      '%table a\n1\n\n\n\nafter\n\nmore',
      [
        ['TABLE', 'a\n1\n'],
        ['TEXT', 'after\n\nmore'],
      ],
    ],
    ['%table a\n1\n\n\n', [['TABLE', 'a\n1\n']]],
    [
      '%table a\n1\n\n%html x',
      [
        ['TABLE', 'a\n1\n'],
        ['HTML', 'x'],
      ],
    ],
    [
      '%table a\n1\n%text x',
      [
        ['TABLE', 'a\n1\n'],
        ['TEXT', 'x'],
      ],
    ],
    // Before the first row, empty lines don't count, as in the table parser.
    ['%table \na\tb\n\n1\t2\n', [['TABLE', '\na\tb\n\n1\t2\n']]],
    ['%table a\n \n1\n', [['TABLE', 'a\n \n1\n']]],
    ['%table a\n1\n<!--TABLE_COMMENT-->\nb\n', [['TABLE', 'a\n1\n<!--TABLE_COMMENT-->\nb\n']]],
    [
      '%table a\n1\n\nafter\n%table b\n2\n\nend',
      [
        ['TABLE', 'a\n1\n'],
        ['TEXT', 'after\n'],
        ['TABLE', 'b\n2\n'],
        ['TEXT', 'end'],
      ],
    ],
  ])('%j', (text, expected) => expect(brief(parseDisplay(text))).toEqual(expected));

  test('blank lines have no meaning elsewhere', () => {
    expect(brief(parseDisplay('%html a\nb\n\n\nc'))).toEqual([['HTML', 'a\nb\n\n\nc']]);
  });
});

describe('output in chunks', () => {
  const piece = fc.constantFrom(
    ...'%|%html|%table| |\t|\n|\r|\r\n|\n\n|a|a\tb|%html |\n%text |\n%table '.split('|'),
    ...'%t|able|%nope |h'.split('|'),
  );

  test("the outputs don't depend on how the text is split", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 14 }),
        fc.array(fc.nat({ max: 40 }), { maxLength: 8 }),
        (pieces, cuts) => {
          const text = pieces.join('');
          const whole = parseDisplay(text);
          expect(chunked(pieces)).toEqual(whole);
          expect(chunked([...text])).toEqual(whole);
          const at = [
            0,
            ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b),
            text.length,
          ];
          expect(chunked(at.slice(1).map((end, index) => text.slice(at[index], end)))).toEqual(
            whole,
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("text that can't become a prefix is reported immediately", () => {
    expect(reported('50 %')).toEqual([
      { kind: 'start', index: 0, type: 'TEXT' },
      { kind: 'append', index: 0, data: '50 %' },
    ]);
    expect(reported('%htmx')).toHaveLength(2);
    expect(reported('%html<')).toHaveLength(2);
    expect(reported('a\n')).toContainEqual({ kind: 'append', index: 0, data: 'a\n' });
  });

  test('only text that may become a prefix is held back', () => {
    expect(reported('a\n%ht')).toEqual([
      { kind: 'start', index: 0, type: 'TEXT' },
      { kind: 'append', index: 0, data: 'a\n' },
    ]);
    expect(reported('%html')).toEqual([]);
    expect(reported('%', 'ht', 'ml', ' ')).toEqual([{ kind: 'start', index: 0, type: 'HTML' }]);
    expect(reported('%ht', 'x').filter((event) => event.kind === 'append')).toEqual([
      { kind: 'append', index: 0, data: '%htx' },
    ]);
  });

  test('a table of 100 000 lines in small chunks is fast', () => {
    let length = 0;
    const parser = createDisplayParser((event) => {
      if (event.kind === 'append') length += event.data.length;
    });
    parser.write('%table ');
    for (let line = 0; line < 100_000; line += 1) parser.write('name\tvalue\n');
    parser.end();
    expect(length).toBe(100_000 * 11);
  });
});
