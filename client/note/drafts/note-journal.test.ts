import { expect, test } from 'vitest';
import type { Journal, JournalEntry } from '../../journal/journal.ts';
import type { ClientContext } from '../../session/client-context.ts';
import { NoteJournal } from './note-journal.ts';

/** A journal whose writes the test completes one by one. */
function byHand() {
  const entries = new Map<string, JournalEntry>();
  const writes: (() => void)[] = [];
  const journal: Journal = {
    put: (entry) =>
      new Promise((resolve) => writes.push(() => (entries.set(entry.key, entry), resolve()))),
    delete: async (key) => void entries.delete(key),
    list: async (prefix) => [...entries.values()].filter(({ key }) => key.startsWith(prefix)),
  };
  const context = {
    server: 'http://server',
    session: { current: { principal: 'ann' } },
    journal,
  } as unknown as ClientContext;
  return {
    note: new NoteJournal(context, 'n'),
    writes,
    texts: () => [...entries.values()].map(({ text }) => text),
  };
}
const entry = (text: string) => ({ paragraphId: 'p', text, baseText: '' });
const turns = async () => {
  for (let n = 0; n < 10; n += 1) await Promise.resolve();
};

test('an entry deleted while it is being written does not come back', async () => {
  const { note, writes, texts } = byHand();
  note.keep(entry('a'));
  note.keep(entry('ab'));
  note.forget('p');
  expect([...note.kept]).toEqual([]);
  for (const write of writes.splice(0).reverse()) {
    write();
    await turns();
  }
  expect(texts()).toEqual([]);
});

test('text typed again meanwhile is kept', async () => {
  const { note, writes, texts } = byHand();
  note.keep(entry('a'));
  note.forget('p');
  note.keep(entry('b'));
  for (const write of writes.splice(0)) {
    write();
    await turns();
  }
  expect([texts(), [...note.kept]]).toEqual([['b'], ['p']]);
  note.forget('p');
  await turns();
  expect(texts()).toEqual([]);
});

test('a failing journal does not affect the note', async () => {
  const fails = () => Promise.reject(new Error('full'));
  const note = new NoteJournal(
    {
      server: '',
      session: { current: undefined },
      journal: { put: fails, delete: fails, list: fails },
    } as unknown as ClientContext,
    'n',
  );
  note.keep(entry('a'));
  note.forget('p');
  await turns();
  expect(await note.read()).toEqual([]);
});
