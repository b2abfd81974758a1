import { Writable } from 'node:stream';
import { textRows, textTableOf } from '@tiding/client/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendToOutput, createOutput } from '../../client/core/outputs.ts';
import { distance } from '../base/edit-distance.ts';
import { columns, RunPrinter } from './run-printer.ts';
import { escapeFilter, isColourful, type Stream, Terminal } from './terminal.ts';

/** A stream that records what is written. */
const sink = (isTTY: boolean): { stream: Stream; text: () => string } => {
  let text = '';
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      text += chunk;
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns: 80 }), text: () => text };
};
const terminal = (isTTY: boolean, env: NodeJS.ProcessEnv = {}) => {
  const [out, err] = [sink(isTTY), sink(isTTY)];
  return { terminal: new Terminal(out.stream, err.stream, env), out: out.text, err: err.text };
};

describe('escape sequences', () => {
  const cases: [string, string, string][] = [
    ['\u001b[1;31mred\u001b[0m', 'red', '\u001b[1;31mred\u001b[0m'],
    ['a\u001b[2J\u001b[10;5Hb', 'ab', 'ab'],
    ['\u001b]0;title\u0007x', 'x', 'x'],
    ['\u001b]52;c;aGk=\u001b\\x', 'x', 'x'],
    ['\u001b[?25lx\u001b7y\u001bcz', 'xyz', 'xyz'],
    ['\u001b(Bx', 'x', 'x'],
    ['tab\tand\r\n\u0000c', 'tab\tand\r\n\u0000c', 'tab\tand\r\n\u0000c'],
    ['\u001b\u001b[31mx', 'x', '\u001b[31mx'],
    ['line\u001b]never ended\nnext', 'line]never ended\nnext', 'line]never ended\nnext'],
  ];
  test.each(cases)('filters %j without and with colours', (text, plain, colourful) => {
    expect(escapeFilter(false)(text)).toBe(plain);
    expect(escapeFilter(true)(text)).toBe(colourful);
  });

  test('are recognized however the text is split, and only colours are kept', () => {
    const piece = fc.constantFrom(
      '\u001b',
      '[',
      '31',
      'm',
      ';',
      '?',
      'H',
      ']',
      '0;',
      '\u0007',
      '\\',
      'x',
      '\n',
      '\u001b[0m',
      '(B',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, colours) => {
        const filter = escapeFilter(colours);
        const cut = pieces.map((each) => filter(each)).join('') + filter('\n');
        expect(cut.replace(/\u001b\[[\d;:]*m/g, '')).not.toContain('\u001b');
        if (!colours) expect(cut).not.toContain('\u001b');
      }),
    );
    const whole = 'a\u001b[1;31mb\u001b]0;t\u0007c\u001b[2Kd';
    for (let at = 0; at <= whole.length; at += 1) {
      const filter = escapeFilter(true);
      expect(filter(whole.slice(0, at)) + filter(whole.slice(at))).toBe('a\u001b[1;31mbcd');
    }
  });

  test('colours are used on terminals, but not on dumb ones or if disabled', () => {
    expect(isColourful(sink(true).stream, {})).toBe(true);
    expect(isColourful(sink(true).stream, { NO_COLOR: '' })).toBe(true);
    expect(
      [{ NO_COLOR: '1' }, { TERM: 'dumb' }].map((env) => isColourful(sink(true).stream, env)),
    ).toEqual([false, false]);
    expect(isColourful(sink(false).stream, {})).toBe(false);
  });
});

describe('progress bar', () => {
  test('appears on a terminal only, and is removed before anything else is written', async () => {
    const person = terminal(true);
    person.terminal.progress(50, 'label');
    expect(person.err()).toBe(`\r${'█'.repeat(10)}${'░'.repeat(10)}  50 % label`);
    await person.terminal.line('x');
    expect(person.err().endsWith('\r\u001b[K')).toBe(true);
    for (const { terminal: other, err } of [terminal(false), terminal(true, { NO_COLOR: '1' })]) {
      other.progress(50, 'label');
      expect(err()).toBe('');
    }
  });
});

describe('run printer', () => {
  const paragraph = { id: 'p', heading: 'Heading' };

  test('prints each chunk once, and what the end adds', async () => {
    const { terminal: pipe, out } = terminal(false);
    const printer = new RunPrinter(pipe);
    let streamed = createOutput('TEXT', 'one\n');
    await printer.show(paragraph, [streamed], false);
    streamed = appendToOutput(streamed, 'two\n');
    await printer.show(paragraph, [streamed], false);
    await printer.show(paragraph, [streamed], false);
    // The end arrives as a separate record, after a reconnect, with more than was streamed.
    await printer.show(paragraph, [createOutput('TEXT', 'one\ntwo\nthree')], true);
    await printer.show(paragraph, [createOutput('TEXT', 'one\ntwo\nthree')], true);
    expect(out()).toBe('one\ntwo\nthree\n');
  });

  test('prints replaced output again, but not output that only lost trailing spaces', async () => {
    const { terminal: pipe, out } = terminal(false);
    const printer = new RunPrinter(pipe);
    await printer.show(paragraph, [createOutput('TEXT', '10 %')], false);
    await printer.show(paragraph, [createOutput('TEXT', 'done \n')], false);
    await printer.show(paragraph, [createOutput('TEXT', 'done')], true);
    expect(out()).toBe('10 %\ndone \n');
  });

  test('prints tables as text or, on a terminal, as columns, and announces the rest', async () => {
    const outputs = [
      createOutput('TABLE', 'name\tn\nä漢\t1\nb\t22'),
      createOutput('HTML', '<b>'),
      createOutput('IMG', ''),
    ];
    const [pipe, person] = [terminal(false), terminal(true, { NO_COLOR: '1' })];
    await new RunPrinter(pipe.terminal).show(paragraph, outputs, true);
    await new RunPrinter(person.terminal).show(paragraph, outputs, true);
    expect(pipe.out()).toBe('name\tn\nä漢\t1\nb\t22\n');
    expect(person.out()).toBe('Heading\nname   n\n────  ──\nä漢    1\nb     22\n');
    for (const { err } of [pipe, person])
      expect(err()).toBe(
        'tiding: HTML output of 3 characters; use --json or a browser to see it\n',
      );
  });

  test('prints a table without rows, and one with a comment', () => {
    expect(columns(textRows(textTableOf('a')))).toBe('a\n─\n');
    expect(columns(textRows(textTableOf(`a\n${'x'.repeat(100)}`)), 'why')).toBe(
      `a\n${'─'.repeat(60)}\n${'x'.repeat(100)}\nwhy\n`,
    );
  });
});

test('computes the distance of two names', () => {
  for (const [a, b, far] of [
    ['', '', 0],
    ['run', 'run', 0],
    ['run', 'rnu', 2],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
  ] as const) {
    expect(distance(a, b)).toBe(far);
    expect(distance(b, a)).toBe(far);
  }
});
