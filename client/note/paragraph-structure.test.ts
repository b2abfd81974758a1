import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Scripted, scripted, settle } from '../../test/support/scripted.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const paragraphs = [
  { id: 'p', text: '%md\nabove', status: 'READY' },
  { id: 'q', text: '%md\nbelow', status: 'READY' },
];
const sent = (all: Scripted, op: string) => all.last().frames.findLast((frame) => frame.op === op)!;

test.each([
  ['is restored with both texts by a server that keeps removed paragraphs', true],
  ['is restored with both in one text by other servers', false],
])('a paragraph that gets into a conflict while it is joined %s', async (_name, restores) => {
  const all = scripted({
    'GET /version': {
      version: '0.10.0',
      ...(restores ? { tiding: { version: '1', namesReplies: true, restores } } : {}),
    },
  });
  const note = await all.open({ id: 'n', paragraphs });
  const [p, q] = [note.paragraph('p'), note.paragraph('q')];
  q.edit('%md\nbelow, mine');
  const joining = p.join(q);
  joining.catch(() => {});
  await settle();
  all.last().say(
    'PARAGRAPH',
    {
      paragraph: {
        ...paragraphs[0],
        text: sent(all, 'COMMIT_PARAGRAPH').data['paragraph'],
      },
    },
    sent(all, 'COMMIT_PARAGRAPH').msgId,
  );
  await settle();
  const removal = sent(all, 'PARAGRAPH_REMOVE');
  all.last().say('PARAGRAPH', { paragraph: { ...paragraphs[1], text: '%md\nbelow: theirs' } });
  expect(q.state.conflict).toEqual({ theirs: '%md\nbelow: theirs', base: '%md\nbelow' });
  all.last().say('PARAGRAPH_REMOVED', { id: 'q' }, removal.msgId);
  await settle();
  if (restores) {
    const back = sent(all, 'TIDING_RESTORE_PARAGRAPH');
    expect(back.data['paragraph']).toMatchObject({ id: 'q', text: '%md\nbelow: theirs' });
    all
      .last()
      .say(
        'PARAGRAPH_ADDED',
        { index: 1, paragraph: { ...(back.data['paragraph'] as object), rev: 3 } },
        back.msgId,
      );
  } else {
    const back = sent(all, 'COPY_PARAGRAPH');
    expect(back.data['paragraph']).toBe('%md\nbelow, mine\nbelow: theirs');
    all.last().say('PARAGRAPH_ADDED', {
      index: 1,
      paragraph: { id: 'q2', text: back.data['paragraph'], status: 'READY' },
    });
  }
  await expect(joining).rejects.toMatchObject({ code: 'conflict' });
  expect(note.paragraphs.map(({ text }) => text)).toEqual([
    '%md\nabove\nbelow, mine',
    restores ? '%md\nbelow, mine' : '%md\nbelow, mine\nbelow: theirs',
  ]);
  expect(note.paragraphs[1]!.state.conflict?.theirs).toBe(
    restores ? '%md\nbelow: theirs' : undefined,
  );
  all.client.close();
});
