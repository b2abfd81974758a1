import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAnsi, parseAnsi, stripAnsi } from './ansi.ts';
import { applySgr } from './ansi-style.ts';

/** Escape sequences are written `⟦…m` for `ESC […m`, and `⎋` for a bare ESC. */
const raw = (text: string): string => text.replaceAll('⟦', '\x1b[').replaceAll('⎋', '\x1b');
const read = (text: string) => parseAnsi(raw(text));
const plain = (text: string): string =>
  read(text)
    .map((segment) => segment.text)
    .join('');

describe('colors and attributes', () => {
  test.each([
    ['30', { fg: 0 }],
    ['31', { fg: 1 }],
    ['40', { bg: 0 }],
    ['37', { fg: 7 }],
    ['42', { bg: 2 }],
    ['90', { fg: 8 }],
    ['97', { fg: 15 }],
    ['100', { bg: 8 }],
    ['107', { bg: 15 }],
    ['1', { bold: true }],
    ['2', { dim: true }],
    ['3', { italic: true }],
    ['4', { underline: true }],
    ['7', { inverse: true }],
    ['1;4;31;42', { bold: true, underline: true, fg: 1, bg: 2 }],
    ['38;5;9', { fg: 9 }],
    ['38;5;16', { fg: '#000000' }],
    ['38;5;196', { fg: '#ff0000' }],
    ['48;5;231', { bg: '#ffffff' }],
    ['38;5;67', { fg: '#5f87af' }],
    ['38;5;232', { fg: '#080808' }],
    ['38;5;255', { fg: '#eeeeee' }],
    ['38;5;256', {}],
    ['38;2;255;128;0', { fg: '#ff8000' }],
    ['48;2;1;2;3', { bg: '#010203' }],
    ['38;2;999;0;0', { fg: '#ff0000' }],
    ['38:2::255:128:0', { fg: '#ff8000' }],
    ['38:2:255:128:0', { fg: '#ff8000' }],
    ['48:5:196', { bg: '#ff0000' }],
    ['58;5;1;31', { fg: 1 }],
    ['58;2;1;2;3;1', { bold: true }],
    ['38;5', {}],
    ['38;2;1;2', {}],
    ['4:3', { underline: true }],
    ['5;8;9;31', { fg: 1 }],
  ])('%s', (parameters, style) => expect(applySgr({}, parameters)).toEqual(style));

  const full = {
    fg: 1,
    bg: 2,
    bold: true,
    dim: true,
    italic: true,
    underline: true,
    inverse: true,
  } as const;
  const { fg, bg, bold, dim, italic, underline, inverse } = full;
  test.each([
    ['', {}],
    ['0', {}],
    ['0;1', { bold }],
    ['22', { fg, bg, italic, underline, inverse }],
    ['23', { fg, bg, bold, dim, underline, inverse }],
    ['24', { fg, bg, bold, dim, italic, inverse }],
    ['4:0', { fg, bg, bold, dim, italic, inverse }],
    ['27', { fg, bg, bold, dim, italic, underline }],
    ['39', { bg, bold, dim, italic, underline, inverse }],
    ['49', { fg, bold, dim, italic, underline, inverse }],
  ])('%j resets', (parameters, style) => expect(applySgr(full, parameters)).toEqual(style));

  test('segments have the attributes in effect', () => {
    expect(read('a⟦31mb⟦1mc⟦0md')).toEqual([
      { text: 'a' },
      { text: 'b', fg: 1 },
      { text: 'c', fg: 1, bold: true },
      { text: 'd' },
    ]);
    // A line break belongs to the segment before it.
    expect(read('⟦31ma\nb⟦39m\nc')).toEqual([{ text: 'a\nb\n', fg: 1 }, { text: 'c' }]);
  });
});

describe('other escape sequences', () => {
  test.each([
    ['a⟦?2Kb⟦10;20Hc⟦?25ld⟦>1me', 'abcde'],
    ['a⎋]0;title\x07b', 'ab'],
    ['a⟦1 mb⟦?1mc', 'abc'],
    ['a⎋]8;;http://x⎋\\link⎋]8;;⎋\\b', 'alinkb'],
    ['a⎋(Bb⎋=c⎋7d', 'abcd'],
    ['a⎋Pq#0⎋\\b', 'ab'],
    ['a⎋]0;never closed\nb', 'a\nb'],
    ['a⎋]0;cut ⟦31mb', 'ab'],
    ['a⟦31\nb', 'a\nb'],
    ['a⎋\nb⎋éc', 'a\nbéc'],
    ['a⟦', 'a'],
    ['a⎋', 'a'],
  ])('%j is read as %j', (text, expected) => expect(plain(text)).toBe(expected));

  test('only plain SGR sequences set colors', () => {
    expect(read('a⟦1 mb⟦?1mc⟦?1Kd')).toEqual([{ text: 'abcd' }]);
  });

  test('an unterminated string returns the text', () => {
    expect(plain(`a⎋]${'x'.repeat(5000)}`)).toBe(`a${'x'.repeat(5000)}`);
    expect(plain(`a⟦${'1'.repeat(70)}mb`)).toBe('a111111mb');
  });
});

describe('the cursor', () => {
  // As xterm shows them, without spaces at the ends of lines.
  test.each([
    ['10%\r20%\r30%', '30%'],
    ['a\nlong line\rx\nb', 'a\nxong line\nb'],
    ['a\r\nb\r\n', 'a\nb\n'],
    ['a\r\r\nb', 'a\nb'],
    ['a\r', 'a'],
    ['\ra', 'a'],
    ['a\r⟦0m\nb', 'a\nb'],
    ['aaaaaaaa\rbb', 'bbaaaaaa'],
    ['|\b/\b-\b\\', '\\'],
    ['\b\ba', 'a'],
    ['ab\b\b\bc', 'cb'],
    ['a😀b\b\bx', 'axb'],
    ['long\r⟦Kx', 'x'],
    ['long\r⟦2Cx⟦K', 'lox'],
    ['abc⟦2D⟦1Kd', ' dc'],
    ['abc⟦2K\rd', 'd'],
    ['ab⟦5Gc', 'ab  c'],
    ['a⟦3Cb', 'a   b'],
    ['one\ntwo⟦A\rONE\nTWO', 'ONE\nTWO'],
    ['one\ntwo\n⟦2F1⟦E2', '1ne\n2wo\n'],
    ['one\ntwo\nthree⟦5A⟦Jx', 'one  x\n\n'],
    ['a⟦9Ab', 'ab'],
    ['a⟦9Bb', 'ab'],
    ['outer 0\n inner 1\r⟦A\router 1\n inner 2', 'outer 1\n inner 2'],
    [`${'\n'.repeat(300)}⟦300Atop`, `${'\n'.repeat(100)}top${'\n'.repeat(200)}`],
    [`${'x'.repeat(10_001)}\b\by\rz`, 'z'],
  ])('%j leaves %j', (text, expected) => expect(plain(text)).toBe(expected));

  test('the style continues where the text is replaced', () => {
    expect(read('⟦31ma\rb')).toEqual([{ text: 'b', fg: 1 }]);
    expect(read('⟦31mabc\r⟦32m⟦Cx')).toEqual([
      { text: 'a', fg: 1 },
      { text: 'x', fg: 2 },
      { text: 'c', fg: 1 },
    ]);
  });

  test('replaces a whole line, as Zeppelin 0.8.2', () => {
    const parser = createAnsi({}, { replaces: true });
    expect(parseAnsi('long line\rx\nb\r', parser)).toEqual([{ text: 'x\nb' }]);
  });
});

describe('text in chunks', () => {
  const piece = fc.constantFrom(
    ...'a bc \n \r \r\n \b \x1b[A \x1b[2B \x1b[D \x1b[K \x1b[J \x1b \x1b[ 31 m'.split(' '),
    ...'\x1b[31m \x1b[0m \x1b[1;4m \x1b[38;5;9m ; \x1b]0;t \x07 \\ ( B'.split(' '),
  );

  test("the lines don't depend on how the text is split", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('');
        const [whole, parts, characters] = [createAnsi(), createAnsi(), createAnsi()];
        whole.write(text);
        for (const one of pieces) parts.write(one);
        for (const one of text) characters.write(one);
        expect(parts.lines).toEqual(whole.lines);
        expect(characters.lines).toEqual(whole.lines);
        expect(parseAnsi('', parts)).toEqual(parseAnsi(text));
      }),
      { numRuns: 1000 },
    );
  });

  test('style, escape sequences and lines carry over', () => {
    const parser = createAnsi();
    expect(parser.write('one\n\x1b[3')).toBe(0);
    expect(parser.write('1mtwo')).toBe(1);
    expect(parser.write('!\nthree')).toBe(1);
    expect(parser.lines).toEqual([
      [{ text: 'one' }],
      [{ text: 'two!', fg: 1 }],
      [{ text: 'three', fg: 1 }],
    ]);
  });

  test('a returned line does not change', () => {
    const parser = createAnsi();
    parser.write('a');
    const before = parser.lines.at(-1);
    parser.write('b\x1b[1mc\rd');
    expect(before).toEqual([{ text: 'a' }]);
    expect(parser.lines.at(-1)).toEqual([
      { text: 'd', bold: true },
      { text: 'b' },
      { text: 'c', bold: true },
    ]);
  });

  test('text without escape sequences is unchanged except for carriage returns', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/[\x1b\r]/.test(text)),
        (text) => {
          expect(parseAnsi(text)).toEqual(text === '' ? [] : [{ text }]);
        },
      ),
    );
  });

  test('are removed from a text, as from the parsed one', () => {
    expect(stripAnsi(raw('a⟦31mb⟦0m⎋]8;;https://a.example⎋\\c⎋]0;title\x07d⎋(Be'))).toBe('abcde');
    expect(stripAnsi(raw('one⟦3'))).toBe('one');
    expect(stripAnsi('two\rthree\n')).toBe('two\rthree\n');
    fc.assert(
      fc.property(fc.array(fc.constantFrom('x', '\n', '⟦1m', '⎋', '⎋]', '⎋[', '\x07')), (bits) => {
        expect(stripAnsi(raw(bits.join('')))).toBe(plain(bits.join('')));
      }),
    );
  });

  test('the time for long output is linear', () => {
    const parser = createAnsi();
    for (let line = 0; line < 100_000; line += 1)
      parser.write(`\x1b[3${line % 8}mline\x1b[0m ${line}\n`);
    parser.write('\x1b]'.repeat(50_000));
    expect(parser.lines).toHaveLength(100_001);
  });
});
