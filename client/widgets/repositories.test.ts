import { expect, it } from 'vitest';
import { defaultOf } from './repositories.ts';

it('a default is shown by the name of its id, or by the id if that is not listed', () => {
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
