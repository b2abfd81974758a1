import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../protocol/index.ts';
import { parseNote } from './stored-note.ts';

const file = join(import.meta.dirname, '../../test/fixtures/zeppelin-notes.jsonl');
const notes = new Map(
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string; note: JsonObject })
    .map(({ name, note }) => [name, note]),
);
let count = 0;
const ids = {
  note: () => 'N',
  paragraph: (date: Date) => ({ id: `paragraph_${count++}_1`, date }),
} as unknown as Parameters<typeof parseNote>[0];
const paragraphsOf = (name: string) => parseNote(ids, notes.get(name), 'N').paragraphs;

test.each<[string, (string | string[])[]]>([
  ['z-dup-ids.json', ['%md a', '%md b']],
  ['z-numbers.json', ['42']],
  ['z-table-crlf.json', ['%sh x', 'a\tb\r\n1\t2\r\n3\t4\r\n']],
  ['z-text-arrays.json', ['%md a\nb', 'x']],
  ['z05.json', ['%sql select 1', 'city\tn\nOslo\t3\nRome\t0.5\n']],
  [
    'z06-multi.json',
    [
      '%md # hi',
      '<h1>hi</h1>\n',
      'print(1)',
      'Traceback\nValueError: x',
      '%sql x',
      'a\tb\n1\t%html <b>x</b>\n%html <i>r</i>\t2\n\n<b>comment</b>',
      '%angular {{x}}',
      '<b ng-bind="x"></b>',
      '',
      '',
      '%sh ls',
      'plain string result',
    ],
  ],
  [
    'z09.zpln',
    [
      '%python\nx',
      'id\tv\n007\t1\n008\t2\n',
      'tail',
      '{"nodes":[{"id":1}],"edges":[]}',
      'iVBORw0KGgo=',
      '',
      'only header\n',
      '',
    ],
  ],
])('%s has its texts and outputs', (name, expected) => {
  expect(
    paragraphsOf(name).flatMap(({ text, results }) => [
      text,
      ...(results?.msg ?? []).map(({ data }) => data),
    ]),
  ).toEqual(expected);
});

test('a chart of 0.5 and 0.6 is a chart', () => {
  const [paragraph] = paragraphsOf('z05.json');
  expect(paragraph!.config?.results).toEqual({
    0: {
      graph: expect.objectContaining({
        mode: 'multiBarChart',
        keys: [{ name: 'city', index: 0, aggr: 'sum' }],
        values: [{ name: 'n', index: 1, aggr: 'sum' }],
        setting: { scatterChart: {} },
      }) as object,
    },
  });
});
