import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scripted, settle } from '../../test/support/scripted.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a paragraph removed while disconnected has no result; the note's run ends", async () => {
  const all = scripted({}, { backoff: () => 1 });
  const paragraphs = [
    { id: 'p', text: 'x', status: 'READY' },
    { id: 'q', text: 'y', status: 'READY' },
  ];
  const note = await all.open({ id: 'n', paragraphs });
  // Exceptions during an event are reported as uncaught.
  const uncaught: unknown[] = [];
  const later = vi
    .spyOn(globalThis, 'queueMicrotask')
    .mockImplementation((act) => void uncaught.push(act));
  const run = note.run();
  await settle();
  all.last().say('PARAGRAPH', { paragraph: { ...paragraphs[0], status: 'RUNNING' } });
  all.last().drop();
  await vi.advanceTimersByTimeAsync(10);
  all.last().open();
  await settle();
  const asked = all.last().frames.find(({ op }) => op === 'GET_NOTE');
  all.last().say(
    'NOTE',
    {
      note: {
        id: 'n',
        name: 'n',
        path: '/n',
        paragraphs: [{ ...paragraphs[1], status: 'FINISHED' }],
        config: {},
        info: {},
      },
    },
    asked?.msgId,
  );
  await vi.advanceTimersByTimeAsync(5_000);
  await expect(run).resolves.toEqual([]);
  expect(uncaught).toEqual([]);
  later.mockRestore();
  all.client.close();
});
