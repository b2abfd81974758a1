import { expect, it } from 'vitest';
import { RemovedValues } from './bound-values.ts';

const value = (name: string, object: unknown) => [
  { group: 'g', entry: { name, paragraphId: 'p', object } },
];

it('keeps the values of recently removed paragraphs per note, within its limits', () => {
  const removed = new RemovedValues(2, 200);
  removed.keep('n', 'a', value('v', 1));
  removed.keep('m', 'a', value('v', 2));
  expect([removed.of('n', 'a'), removed.of('m', 'a'), removed.of('n', 'b')]).toEqual([
    value('v', 1),
    value('v', 2),
    [],
  ]);
  removed.keep('n', 'b', value('v', 3));
  expect([removed.of('n', 'a'), removed.of('m', 'a'), removed.of('n', 'b')]).toEqual([
    [],
    value('v', 2),
    value('v', 3),
  ]);
  // Removed again, this time without values.
  removed.keep('m', 'a', []);
  expect([removed.of('m', 'a'), removed.of('n', 'b')]).toEqual([[], value('v', 3)]);
  removed.keep('n', 'c', value('v', 'x'.repeat(100)));
  expect([removed.of('n', 'b'), removed.of('n', 'c')]).toEqual([[], value('v', 'x'.repeat(100))]);
  removed.keep('n', 'd', value('v', 'x'.repeat(300)));
  expect(removed.of('n', 'd')).toEqual([]);
});
