import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JournalEntry, journalKey, memoryJournal } from './journal.ts';

const entry = (key: string, text = 'x'): JournalEntry => ({
  key,
  noteId: 'n',
  paragraphId: 'p',
  text,
  baseText: '',
  time: 0,
});

describe('the key of an entry', () => {
  const server = 'http://127.0.0.1:8080/app';

  test('starts with the keys of its note, its user and its server', () => {
    const keys = [
      journalKey(server, 'ann'),
      journalKey(server, 'ann', '2A'),
      journalKey(server, 'ann', '2A', 'p1'),
    ];
    for (const [at, key] of keys.entries())
      for (const longer of keys.slice(at)) expect(longer.startsWith(key)).toBe(true);
  });

  test('is not a prefix of the key of a longer name', () => {
    expect(journalKey(server, 'anna', '2A').startsWith(journalKey(server, 'ann'))).toBe(false);
    expect(journalKey(server, 'ann', '2AB').startsWith(journalKey(server, 'ann', '2A'))).toBe(
      false,
    );
    expect(journalKey(`${server}/x`, 'ann').startsWith(journalKey(server, ''))).toBe(false);
  });

  test('belongs to exactly one paragraph, note and user, whatever their names are', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'b', '|', '%', '/', '7', 'C', ' ', 'ü'),
      maxLength: 4,
    });
    const names = fc.tuple(name, name, name, name);
    fc.assert(
      fc.property(
        names,
        names,
        (one, other) =>
          (journalKey(...one) === journalKey(...other)) ===
          (JSON.stringify(one) === JSON.stringify(other)),
      ),
    );
  });

  test('finds exactly the entries that belong to it when used as a prefix', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '|', '%'), maxLength: 3 });
    fc.assert(
      fc.property(
        fc.tuple(name, name),
        fc.tuple(name, name, name, name),
        ([server_, person], key) =>
          journalKey(...key).startsWith(journalKey(server_, person)) ===
          (key[0] === server_ && key[1] === person),
      ),
    );
  });
});

describe('a journal in memory', () => {
  test('holds one entry per key, lists by prefix and forgets deleted entries', async () => {
    const journal = memoryJournal();
    await journal.put(entry('a|1|', 'old'));
    await journal.put(entry('a|1|', 'new'));
    await journal.put(entry('a|2|'));
    await journal.put(entry('b|1|'));
    expect((await journal.list('a|')).map(({ key, text }) => [key, text])).toEqual([
      ['a|1|', 'new'],
      ['a|2|', 'x'],
    ]);
    expect(await journal.list('')).toHaveLength(3);
    await journal.delete('a|1|');
    await journal.delete('not there');
    expect((await journal.list('a|')).map(({ key }) => key)).toEqual(['a|2|']);
  });

  test('does not share its entries with other journals', async () => {
    await memoryJournal().put(entry('a|'));
    expect(await memoryJournal().list('')).toEqual([]);
  });
});
