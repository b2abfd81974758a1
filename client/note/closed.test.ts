import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scripted, settle } from '../../test/support/scripted.ts';
import { memoryJournal } from '../journal/journal.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('an operation pending in a closed note does not overwrite edits after reopening', async () => {
  const journal = memoryJournal();
  const all = scripted({}, { journal, autosave: 0 });
  const note = { id: 'n', paragraphs: [{ id: 'p', text: 'one', rev: 1, status: 'READY' }] };
  const before = await all.open(note);
  const old = before.paragraph('p');
  old.edit('x');
  before.close();
  const again = await all.open(note);
  const p = again.paragraph('p');
  await settle();
  expect(p.text).toBe('x');
  p.edit('x and more');
  const closed = expect.objectContaining({ code: 'closed' });
  expect(() => old.text).toThrow(closed);
  await expect(before.drafts.keepOwn('p')).rejects.toEqual(closed);
  old.edit('one');
  before.drafts.discard('p');
  before.drafts.settle('p');
  await settle();
  expect(p.text).toBe('x and more');
  expect(await journal.list('')).toMatchObject([{ paragraphId: 'p', text: 'x and more' }]);
  all.client.close();
});

test('listeners of a closed note do not hear of the same note opened again', async () => {
  const all = scripted({});
  const note = { id: 'n', paragraphs: [{ id: 'p', text: 'one', rev: 1, status: 'READY' }] };
  const before = await all.open(note);
  const heard = vi.fn();
  before.subscribe(heard);
  before.close();
  const again = await all.open(note);
  again.paragraph('p').edit('two');
  await settle();
  expect(heard).not.toHaveBeenCalled();
  all.client.close();
});
