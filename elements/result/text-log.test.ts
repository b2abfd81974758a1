import { createAnsi } from '@tiding/client/model';
import fc from 'fast-check';
import { splitAtLinks } from './displays/links.ts';
import { createTextLog, LINES_PER_BLOCK } from './displays/text-log.ts';
import { check, same } from './test-support.tsx';

/** Fragments that end, style or overwrite lines, complete and broken. */
const bits = [
  ...'\n|\n\n|\r|\r\n|x|some words|\u001b[31m|\u001b[1;38;5;200m|\u001b[0m'.split('|'),
  ...'\u001b[48:2::1:2:3m|\u001b|[|\u001b[|3|1m|\u001b[2K|\b|\u001b[A|\u001b[120F'.split('|'),
  ...'\u001b[3B|\u001b[J|\u001b]0;title|\u0007|\u001b\\|\u001b(|m|;'.split('|'),
  '\n'.repeat(LINES_PER_BLOCK),
  'y\n'.repeat(2 * LINES_PER_BLOCK),
];
const texts = fc.array(fc.constantFrom(...bits), { maxLength: 60 }).map((parts) => parts.join(''));

const lines = (text: string): string => {
  const ansi = createAnsi();
  ansi.write(text);
  return JSON.stringify(ansi.lines.at(-1)!.length === 0 ? ansi.lines.slice(0, -1) : ansi.lines);
};

describe('parsed lines of a text', () => {
  it('are the same as when parsed from the start, for any chunks and any block read', () => {
    fc.assert(
      fc.property(
        fc.array(texts, { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
        (chunks, wants) => {
          const log = createTextLog(chunks);
          let text = '';
          chunks.forEach((chunk, at) => {
            text += chunk;
            const want = wants[at % wants.length]!;
            const first = want % 3 === 0 ? null : want % Math.max(1, log.blockCount);
            while (!log.read(at + 1, 1000, first));
            const all = JSON.parse(lines(text)) as unknown[];
            same(log.lineCount, all.length, JSON.stringify(text));
            const from = Math.min(log.blockCount, first ?? Math.max(0, log.blockCount - 2));
            same(
              log.blocks(from).flatMap((block) => block.lines),
              all.slice(from * LINES_PER_BLOCK),
              JSON.stringify([chunks, at, from]),
            );
            same(
              log.blocks(from).map(({ index }) => index),
              Array.from({ length: log.blockCount - from }, (_, number) => from + number),
            );
          });
        },
      ),
      { numRuns: 400 },
    );
  });

  it('keep their block objects while text arrives, even after blocks were released', () => {
    const chunks: string[] = [];
    const log = createTextLog(chunks);
    let last = log.blocks(0);
    for (let round = 0; round < 600; round += 1) {
      chunks.push('a line\n'.repeat(LINES_PER_BLOCK));
      while (!log.read(chunks.length, 1000));
      const blocks = log.blocks(Math.max(0, log.blockCount - 20));
      for (const block of last.slice(0, -1))
        if (block.index >= blocks[0]!.index)
          check(
            blocks[block.index - blocks[0]!.index] === block,
            `block ${block.index} was made again in round ${round}`,
          );
      last = blocks;
    }
    same(log.lineCount, 600 * LINES_PER_BLOCK);
    // Released blocks are parsed again.
    same(log.blocks(3)[0]!.lines.length, LINES_PER_BLOCK);
  });

  it('of a hundred megabytes are not all kept', () => {
    const line = `\u001b[32m${'x'.repeat(90)}\u001b[0m\n`;
    const log = createTextLog([line.repeat(1_000_000)]);
    let slices = 1;
    while (!log.read(1, 8)) slices += 1;
    check(slices > 1, 'read in one go');
    same(log.lineCount, 1_000_000);
    const blocks = log.blocks(log.blockCount - 20);
    same(
      [blocks.length, blocks[0]!.lines[0]!.map(({ text, fg }) => [text.length, fg])],
      [20, [[90, 2]]],
    );
  });
});

describe('web addresses in a text', () => {
  it('become links, without the surrounding punctuation', () => {
    const links = (text: string): (string | undefined)[] | undefined =>
      splitAtLinks(text)?.flatMap(({ href }) => href ?? []);
    same(links('see https://example.org/a?b=1#c, or (http://example.org/x_(y)).'), [
      'https://example.org/a?b=1#c',
      'http://example.org/x_(y)',
    ]);
    same(
      splitAtLinks('at https://example.org.')!.map(({ text }) => text),
      ['at ', 'https://example.org', '.'],
    );
    for (const text of [
      'javascript://example.org/%0aalert(1)',
      'file:///etc/passwd',
      'data:text/html,x',
      'xhttps://no',
      'ftp://example.org',
      'http://',
      'no address',
    ])
      same(links(text), undefined, text);
  });
});
