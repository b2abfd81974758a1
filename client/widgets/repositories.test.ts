import { expect, it } from 'vitest';
import { defaultOf } from './repositories.ts';

it('a default has the name of its id, however that is written, else the id', () => {
  const items = [
    { id: 1, name: 'lake' },
    { id: '2', name: 'warehouse' },
    { id: 3 },
    { name: 'nameless' },
  ];
  const named = (id: string | number | undefined) => defaultOf(items, (item) => item.id, id);
  expect([named(1), named('1'), named(2), named(3), named(9), named(undefined), named('')]).toEqual(
    [
      { name: 'lake', known: true },
      { name: 'lake', known: true },
      { name: 'warehouse', known: true },
      { name: '3', known: false },
      { name: '9', known: false },
      undefined,
      undefined,
    ],
  );
});
