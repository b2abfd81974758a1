import { indexedDbJournal, type JournalEntry } from '@tiding/client';
import { check, same } from '../result/test-support.tsx';

const entry = (key: string, text = 'x'): JournalEntry => ({
  key,
  noteId: 'n',
  paragraphId: 'p',
  text,
  baseText: 'before',
  baseRev: undefined,
  author: 'me',
  time: 1,
});

describe('the journal in IndexedDB', () => {
  const names: string[] = [];
  const name = () => {
    names.push(`journal-of-a-test-${names.length}`);
    return names.at(-1)!;
  };
  after(() => {
    for (const each of names) indexedDB.deleteDatabase(each);
  });

  it('keeps its entries after a restart', async () => {
    const database = name();
    await indexedDbJournal(database).put(entry('a|1|', 'typed\n\ud83c\udf0a'));
    same(await indexedDbJournal(database).list(''), [entry('a|1|', 'typed\n\ud83c\udf0a')]);
  });

  it('holds one entry per key, and lists entries by key prefix', async () => {
    const journal = indexedDbJournal(name());
    await Promise.all([
      journal.put(entry('a|1|', 'old')),
      journal.put(entry('a|1|', 'new')),
      journal.put(entry('a|2|')),
      journal.put(entry('ab|1|')),
    ]);
    same(
      (await journal.list('a|')).map(({ key, text }) => [key, text]),
      [
        ['a|1|', 'new'],
        ['a|2|', 'x'],
      ],
    );
    same((await journal.list('')).length, 3);
  });

  it('deletes entries in the order of the calls', async () => {
    const journal = indexedDbJournal(name());
    void journal.put(entry('a|1|'));
    void journal.delete('a|1|');
    await journal.put(entry('a|2|'));
    await journal.delete('not there');
    same(
      (await journal.list('')).map(({ key }) => key),
      ['a|2|'],
    );
  });

  it("rejects if the database can't be opened, and tries again on the next call", async () => {
    const database = name();
    const newer = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(database, 2);
      request.onsuccess = () => resolve(request.result);
    });
    newer.close();
    const journal = indexedDbJournal(database);
    const refused = await journal.list('').then(
      () => undefined,
      (error: DOMException) => error.name,
    );
    same(refused, 'VersionError');
    await new Promise((resolve) => (indexedDB.deleteDatabase(database).onsuccess = resolve));
    check((await journal.list('')).length === 0, 'not empty');
  });
});
