import { parseDisplay } from '@tiding/client/model';
import type { ResultMessage } from '@tiding/client/protocol';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { KeptFile } from '../../results/kept-file.ts';
import { OutputStream } from './output.ts';

/** A viewer that works like a client: it shows only what its messages contain. */
function watch(limit = 1_000_000) {
  const shown: ResultMessage[] = [];
  const frames: string[] = [];
  const stream = new OutputStream(
    {
      update(index, type, data) {
        if (index > shown.length)
          throw new Error(`output ${index} begins before output ${shown.length}`);
        frames.push(`update ${index} ${type}`);
        shown[index] = { type, data };
      },
      append(index, data) {
        frames.push(`append ${index}`);
        const output = shown[index];
        if (!output) throw new Error(`output ${index} grows before it begins`);
        output.data += data;
      },
      storing(index, rows) {
        frames.push(`storing ${index} ${rows}`);
      },
      clear(count) {
        // On the wire, each output is replaced by an empty one.
        frames.push(`clear ${count}`);
        shown.forEach(
          (_, index) => (shown[index] = index < count ? { type: 'TEXT', data: '' } : shown[index]!),
        );
      },
    },
    limit,
  );
  return {
    stream,
    frames,
    /** What the viewer displays; a trailing empty output counts as none. */
    get shown() {
      return shown.slice(0, shown.findLastIndex(({ data }) => data !== '') + 1);
    },
  };
}

/**
 * Text with tokens that matter to the display system, and with difficult UTF-16 and UTF-8
 * sequences.
 */
const piece = fc.constantFrom(
  '%html ',
  '%table ',
  '%text ',
  '%img ',
  '%svg ',
  '%network ',
  '%angular\n',
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  '%',
  '%ht',
  'ml ',
  'a',
  'text',
  '\t',
  'a\tb\n',
  'ü',
  '€',
  '🦆',
  '\ud83e',
  '\udd86',
  '%unknown x\n',
  ' ',
);
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
/** Where the text is split, and after which chunks the viewers are notified. */
const cuts = fc.array(fc.record({ length: fc.nat(7), flush: fc.boolean() }), {
  minLength: 1,
  maxLength: 10,
});

function write(
  stream: OutputStream,
  whole: string,
  chunks: { length: number; flush: boolean }[],
): void {
  let at = 0;
  for (let n = 0; at < whole.length; n += 1) {
    const { length, flush } = chunks[n % chunks.length]!;
    stream.write(whole.slice(at, at + length + 1));
    at += length + 1;
    if (flush) stream.flush();
  }
}

describe('OutputStream', () => {
  it('produces the same results however the text is split, and shows viewers these', () => {
    fc.assert(
      fc.property(text, cuts, fc.option(fc.nat(60), { nil: 1_000_000 }), (whole, chunks, limit) => {
        const once = watch(limit);
        once.stream.write(whole);
        once.stream.end();
        const many = watch(limit);
        write(many.stream, whole, chunks);
        many.stream.end();
        expect(many.stream.results()).toEqual(once.stream.results());
        expect(many.shown).toEqual(many.stream.results());
        expect(once.shown).toEqual(once.stream.results());
        if (Buffer.byteLength(whole) <= limit)
          expect(once.stream.results()).toEqual(
            parseDisplay(whole).filter(({ data }) => data !== ''),
          );
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps the order of writes, additions and clears, and shows viewers the results', () => {
    const act = fc.oneof(
      fc.record({ kind: fc.constant('write' as const), text }),
      fc.record({
        kind: fc.constant('add' as const),
        type: fc.constantFrom(
          'TEXT' as const,
          'TABLE' as const,
          'HTML' as const,
          'IMG' as const,
          'NETWORK' as const,
        ),
        text,
      }),
      fc.record({
        kind: fc.constantFrom('clear' as const, 'flush' as const),
        text: fc.constant(''),
      }),
    );
    fc.assert(
      fc.property(
        fc.array(act, { maxLength: 12 }),
        fc.option(fc.nat(200), { nil: 1_000_000 }),
        (acts, limit) => {
          const watcher = watch(limit);
          const { stream } = watcher;
          let wanted: ResultMessage[] = [];
          let written = '';
          const settle = () => {
            wanted.push(...parseDisplay(written).filter(({ data }) => data !== ''));
            written = '';
          };
          for (const step of acts) {
            if (step.kind === 'write') {
              stream.write(step.text);
              written += step.text;
            } else if (step.kind === 'add') {
              stream.add(step.type, step.text);
              settle();
              if (step.text !== '') wanted.push({ type: step.type, data: step.text });
            } else if (step.kind === 'clear') {
              stream.clear();
              written = '';
              wanted = [];
            } else stream.flush();
          }
          settle();
          stream.end();
          expect(watcher.shown).toEqual(stream.results());
          if (limit === 1_000_000) expect(stream.results()).toEqual(wanted);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('combines many small writes into a few frames in order', async () => {
    const watcher = watch();
    const { stream, frames } = watcher;
    for (let n = 0; n < 1_000; n += 1) stream.write(`${n}\n`);
    expect(frames).toEqual([]);
    await expect.poll(() => frames).toEqual(['update 0 TEXT', 'append 0']);
    expect(watcher.shown[0]!.data).toBe(Array.from({ length: 1_000 }, (_, n) => `${n}\n`).join(''));
    stream.write('more');
    stream.end();
    expect(frames).toEqual(['update 0 TEXT', 'append 0', 'append 0']);
    expect(stream.results()).toEqual(watcher.shown);
  });

  it('sends a growing document as a whole, and appends to text and tables', () => {
    const watcher = watch();
    const { stream, frames } = watcher;
    stream.write('%html <b>');
    stream.flush();
    stream.write('x</b>\n');
    stream.flush();
    stream.write('%table a\n1\n');
    stream.flush();
    stream.write('2\n');
    stream.end();
    expect(frames).toEqual([
      'update 0 HTML',
      'update 0 HTML',
      'update 1 TABLE',
      'append 1',
      'append 1',
    ]);
    expect(watcher.shown).toEqual([
      { type: 'HTML', data: '<b>x</b>\n' },
      { type: 'TABLE', data: 'a\n1\n2\n' },
    ]);
  });

  it('skips an output without data, both while streaming and in the results', () => {
    const watcher = watch();
    const { stream } = watcher;
    stream.write('%html \n%text shown');
    stream.flush();
    stream.write('\n%img \n');
    stream.add('TABLE', '');
    stream.add('TEXT', 'last');
    stream.end();
    expect(stream.results().filter(({ data }) => data.trim() !== '')).toEqual([
      { type: 'TEXT', data: 'shown\n' },
      { type: 'TEXT', data: 'last' },
    ]);
    expect(watcher.shown).toEqual(stream.results());
    expect(stream.results().every(({ data }) => data !== '')).toBe(true);
  });

  it('truncates between two characters at the limit with a notice', () => {
    const { stream } = watch(10);
    stream.write('1234567🦆🦆');
    stream.write('nothing more');
    stream.add('TEXT', 'nor this');
    stream.end();
    expect(stream.results()).toEqual([
      { type: 'TEXT', data: '1234567' },
      { type: 'TEXT', data: 'Output is truncated to 10 bytes.' },
    ]);
  });

  it('fills the limit to the last byte without a warning', () => {
    const { stream } = watch(11);
    stream.write('1234567🦆');
    stream.end();
    expect(stream.results()).toEqual([{ type: 'TEXT', data: '1234567🦆' }]);
  });

  it.each(['IMG', 'HTML', 'SVG', 'NETWORK'] as const)(
    'drops %s that exceeds the limit, with a notice',
    (type) => {
      const watcher = watch(100);
      const { stream } = watcher;
      stream.write('before');
      stream.add(type, 'x'.repeat(101));
      stream.end();
      expect(stream.results()).toEqual([
        { type: 'TEXT', data: 'before' },
        { type: 'TEXT', data: 'Pages and images beyond 100 bytes are not shown.' },
      ]);
      expect(watcher.shown).toEqual(stream.results());
    },
  );

  it('has a separate limit for documents: a page with an embedded library next to text', () => {
    const stream = new OutputStream(
      { update: () => {}, append: () => {}, storing: () => {}, clear: () => {} },
      10,
      5_000_000,
    );
    stream.write('0123456789');
    stream.add('HTML', 'x'.repeat(4_900_000));
    stream.add('HTML', 'x'.repeat(200_000));
    stream.end();
    expect(stream.results().map(({ type, data }) => [type, data.length])).toEqual([
      ['TEXT', 10],
      ['HTML', 4_900_000],
      ['TEXT', 52],
    ]);
  });

  it('tells viewers how many rows are stored, after the first rows and before the end', () => {
    const { stream, frames } = watch();
    const table = {} as KeptFile;
    stream.storing(table, 1);
    stream.whole(table);
    stream.write('%table a\n1');
    stream.storing(table, 3_000);
    stream.flush();
    stream.storing(table, 5_000);
    stream.storing(table, 7_000);
    stream.flush();
    stream.flush();
    expect(frames).toEqual(['update 0 TABLE', 'append 0', 'storing 0 3000', 'storing 0 7000']);
    stream.end();
    stream.storing(table, 9_000);
    expect(frames).toHaveLength(4);
  });

  it('truncates an added table or text', () => {
    const { stream } = watch(5);
    stream.add('TABLE', 'a\n1\n2\n3\n');
    stream.end();
    expect(stream.results()).toEqual([
      { type: 'TABLE', data: 'a\n1\n2' },
      { type: 'TEXT', data: 'Output is truncated to 5 bytes.' },
    ]);
  });

  it('has room again after being cleared', () => {
    const watcher = watch(5);
    const { stream } = watcher;
    stream.write('too much of it');
    stream.clear();
    stream.write('new');
    stream.end();
    expect(stream.results()).toEqual([{ type: 'TEXT', data: 'new' }]);
    expect(watcher.shown).toEqual(stream.results());
  });

  it('drops an incomplete prefix when cleared', () => {
    const { stream } = watch();
    stream.write('%htm');
    stream.clear();
    stream.write('l <b>');
    stream.end();
    expect(stream.results()).toEqual([{ type: 'TEXT', data: 'l <b>' }]);
  });

  it('shows why a run failed even if its output was truncated', () => {
    const watcher = watch(5);
    const { stream } = watcher;
    stream.write('too much of it');
    stream.end('SyntaxError: line 1');
    expect(stream.results().map(({ data }) => data)).toEqual([
      'too m',
      'Output is truncated to 5 bytes.',
      'SyntaxError: line 1',
    ]);
    expect(watcher.shown).toEqual(stream.results());
  });

  it('ignores output after the run has ended', () => {
    const watcher = watch();
    const { stream, frames } = watcher;
    stream.write('in time');
    stream.end();
    const told = frames.length;
    stream.write(' late');
    stream.add('TEXT', 'late');
    stream.clear();
    stream.end('late');
    stream.flush();
    expect(frames).toHaveLength(told);
    expect(watcher.shown).toEqual([{ type: 'TEXT', data: 'in time' }]);
    expect(stream.results()).toEqual(watcher.shown);
  });
});

describe('changing document', () => {
  it('replaces the previous version and counts once', () => {
    const { stream, frames } = watch(100);
    stream.write('before\n');
    stream.add('HTML', `<p>${'1'.repeat(80)}</p>`);
    stream.flush();
    for (const each of ['2', '3']) stream.replace(`<p>${each.repeat(80)}</p>`);
    stream.end();
    expect(stream.results()).toEqual([
      { type: 'TEXT', data: 'before\n' },
      { type: 'HTML', data: `<p>${'3'.repeat(80)}</p>` },
    ]);
    expect(frames.filter((frame) => frame.includes('HTML'))).toEqual([
      'update 1 HTML',
      'update 1 HTML',
    ]);
  });

  it('starts a new output after text, and is dropped if it is too large', () => {
    const { stream } = watch(100);
    stream.replace('<p>1</p>');
    stream.replace(`<p>${'2'.repeat(200)}</p>`);
    stream.write('after\n');
    stream.replace('<p>3</p>');
    stream.end();
    expect(stream.results().map(({ type, data }) => `${type}:${data.trim()}`)).toEqual([
      'HTML:<p>1</p>',
      'TEXT:after',
      'HTML:<p>3</p>',
    ]);
  });
});

describe('a terminal', () => {
  it('keeps control sequences and everything that looks like another output', () => {
    const view = watch();
    view.stream.write('before\n');
    for (const text of ['\u001b[31mred\r\n', '%html <b>\n', '\n\n']) view.stream.terminal(text);
    view.stream.end('The terminal was closed.');
    const results = [
      { type: 'TEXT', data: 'before\n' },
      { type: 'TERMINAL', data: '\u001b[31mred\r\n%html <b>\n\n\n' },
      { type: 'TEXT', data: 'The terminal was closed.' },
    ];
    expect(view.stream.results()).toEqual(results);
    expect(view.shown).toEqual(results);
  });

  it('keeps its end, from the start of a line, and shows viewers the same', () => {
    const view = watch(1_000);
    let all = '';
    for (let line = 0; line < 500; line += 1) {
      const text = `line ${line}\r\n`;
      all += text;
      view.stream.terminal(text);
      if (line % 7 === 0) view.stream.flush();
      const { data } = view.stream.results()[0]!;
      expect(data.length).toBeLessThanOrEqual(1_000);
      expect(all.endsWith(data) && data.startsWith('line ')).toBe(true);
    }
    view.stream.end();
    expect(view.stream.results()[0]!.data.length).toBeGreaterThan(400);
    expect(view.shown).toEqual(view.stream.results());
  });
});

describe('messages of a stream', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('start with the first piece at once, then follow every 16 ms', () => {
    const { stream, frames } = watch();
    stream.write('1\n');
    vi.advanceTimersByTime(1);
    expect(frames).toEqual(['update 0 TEXT', 'append 0']);
    for (const text of ['2\n', '3\n']) stream.write(text);
    vi.advanceTimersByTime(14);
    expect(frames).toHaveLength(2);
    vi.advanceTimersByTime(2);
    expect(frames).toEqual(['update 0 TEXT', 'append 0', 'append 0']);
    vi.advanceTimersByTime(1_000);
    stream.write('4\n');
    vi.advanceTimersByTime(1);
    expect(frames).toHaveLength(4);
    stream.end();
  });
});

describe('a question', () => {
  it('stays below other outputs until it is answered, and is not stored', () => {
    const view = watch();
    const { stream } = view;
    const types = () => stream.shown().map(({ type }) => type);
    stream.write('one\n');
    stream.ask('{}');
    expect(view.frames).toEqual(['update 0 TEXT', 'append 0', 'update 1 INPUT']);
    expect(types()).toEqual(['TEXT', 'INPUT']);
    expect(stream.results()).toHaveLength(1);
    stream.add('HTML', '<b>');
    stream.flush();
    expect(view.frames.slice(3)).toEqual(['update 1 HTML', 'update 2 INPUT']);
    stream.ask(undefined);
    expect(view.frames.at(-1)).toBe('update 2 TEXT');
    expect(types()).toEqual(['TEXT', 'HTML']);
  });

  it('survives clear() and ends with the run', () => {
    const view = watch();
    view.stream.ask('{}');
    view.stream.clear();
    view.stream.flush();
    expect(view.frames).toEqual(['update 0 INPUT', 'clear 1', 'update 0 INPUT']);
    view.stream.end();
    expect(view.shown).toEqual([]);
    expect(view.stream.shown()).toEqual([]);
  });
});
