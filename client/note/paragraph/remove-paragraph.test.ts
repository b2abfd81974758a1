import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scripted, settle } from '../../../test/support/scripted.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a paragraph that is already gone counts as removed, with its last known state', async () => {
  const all = scripted({}, { backoff: () => 1 });
  const note = await all.open({
    id: 'n',
    paragraphs: [
      { id: 'p', text: 'x', rev: 3, status: 'READY' },
      { id: 'q', text: 'y', rev: 1, status: 'READY' },
      { id: 'r', text: 'z', rev: 1, status: 'READY' },
    ],
  });
  const removal = note.paragraph('p').remove();
  await settle();
  all.last().drop();
  await vi.advanceTimersByTimeAsync(10);
  all.last().open();
  await settle();
  const again = all.last().frames.find(({ op }) => op === 'PARAGRAPH_REMOVE')!;
  expect(again.data).toEqual({ id: 'p', noteId: 'n', rev: 3 });
  all
    .last()
    .say(
      'ERROR_INFO',
      { info: 'No such paragraph: p', code: 404, op: 'PARAGRAPH_REMOVE', id: 'p' },
      again.msgId,
    );
  let isRemoved = false;
  void removal.then(() => (isRemoved = true));
  await settle();
  // The message about the removal by another user is still on its way.
  expect(isRemoved).toBe(false);
  all.last().say('PARAGRAPH_REMOVED', { id: 'p' });
  await expect(removal).resolves.toMatchObject({
    id: 'p',
    index: 0,
    state: { server: { text: 'x' } },
  });
  // If it is refused for another reason, that is an error.
  const other = note.paragraph('q').remove();
  await settle();
  all
    .last()
    .say(
      'ERROR_INFO',
      { info: 'not now', code: 409, op: 'PARAGRAPH_REMOVE', id: 'q' },
      all.last().frames.at(-1)!.msgId,
    );
  await expect(other).rejects.toMatchObject({ code: 'conflict', message: 'not now' });
  all.client.close();
});
