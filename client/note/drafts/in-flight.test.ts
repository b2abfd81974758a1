import { describe, expect, test, vi } from 'vitest';
import { scriptedClients, settle } from '../../../test/support/scripted.ts';
import { memoryJournal } from '../../journal/journal.ts';
import { checksum } from '../../model/tables/checksum.ts';
import { applyTextPatch, makeTextPatch } from '../../model/text/text-patch.ts';

const scripted = scriptedClients();

const paragraph = (text: string, rev: number, more: object = {}) => ({
  id: 'p',
  text,
  status: 'READY',
  rev,
  ...more,
});
const texts = ['COMMIT_PARAGRAPH', 'PATCH_PARAGRAPH', 'RUN_PARAGRAPH', 'RUN_ALL_PARAGRAPHS'];

/**
 * A note with one paragraph on a server that numbers its texts. `alone`: nobody else has it open.
 */
async function setUp({
  journal = memoryJournal(),
  alone = true,
  stored = paragraph('one two', 1),
} = {}) {
  const all = scripted({}, { journal });
  const note = await all.open({ id: 'n', paragraphs: [stored] });
  if (!alone) {
    all.last().say('COLLABORATIVE_MODE_STATUS', { status: true, users: ['ann', 'bob'] });
    await vi.waitUntil(async () => (await settle(), note.state.collaborative), 60_000);
    await import('../../model/text/text-patch.ts');
    for (let n = 0; n < 20; n += 1) await settle();
  }
  const frames = () => all.last().frames.filter(({ op }) => texts.includes(op));
  /**
   * Answers the last message: with the complete paragraph, or with the patch that the text needs.
   */
  const answer = (text: string, rev: number) => {
    const { op, data, msgId } = frames().at(-1)!;
    const about = { rev, author: data['author'] as string };
    if (op !== 'PATCH_PARAGRAPH')
      return all
        .last()
        .say(
          'PARAGRAPH',
          { paragraph: paragraph(text, rev, { ...about, authorSeq: data['authorSeq'] }) },
          msgId,
        );
    const sent = applyTextPatch(note.paragraph('p').state.base!.text, data['patch'] as string)!;
    return all
      .last()
      .say(
        'PATCH_PARAGRAPH',
        { paragraphId: 'p', patch: makeTextPatch(sent, text), checksum: checksum(text), ...about },
        msgId,
      );
  };
  const others = (text: string, rev: number) => {
    all.last().say('PATCH_PARAGRAPH', {
      paragraphId: 'p',
      patch: makeTextPatch(note.paragraph('p').state.server.text!, text),
      rev,
      checksum: checksum(text),
      author: 'bob',
    });
  };
  return { ...all, note, p: note.paragraph('p'), frames, answer, others, journal };
}
const said = (frames: { op: string; data: Record<string, unknown> }[]) =>
  frames.map(({ op, data }) => [
    op,
    data['paragraph'] ?? applyTextPatch('one two', String(data['patch'])),
    data['baseRev'],
  ]);

describe('a commit in flight to a server that numbers its texts', () => {
  test('is one at a time: later edits are based on its reply', async () => {
    const { p, frames, answer, others } = await setUp({ alone: false });
    p.edit('one two three');
    await vi.advanceTimersByTimeAsync(200);
    p.edit('one two three four');
    await vi.advanceTimersByTimeAsync(5_000);
    const saved = p.commit();
    expect(said(frames())).toEqual([['PATCH_PARAGRAPH', 'one two three', 1]]);
    others('zero one two', 2);
    expect(p.state).toMatchObject({
      draft: 'one two three four',
      server: { text: 'zero one two' },
    });
    answer('zero one two three', 3);
    expect([p.text, said(frames().slice(1))]).toEqual([
      'zero one two three four',
      [['COMMIT_PARAGRAPH', 'zero one two three four', 3]],
    ]);
    answer('zero one two three four', 4);
    await saved;
    expect(p.state).toMatchObject({ draft: undefined, inFlight: [] });
  });

  test('is followed soon by later edits, without another keystroke', async () => {
    const { p, frames, answer } = await setUp({ alone: false });
    p.edit('one two three');
    await vi.advanceTimersByTimeAsync(200);
    p.edit('one two three four');
    await vi.advanceTimersByTimeAsync(8_000);
    expect(frames()).toHaveLength(1);
    answer('one two three', 2);
    await vi.advanceTimersByTimeAsync(200);
    expect(
      frames()
        .slice(1)
        .map(({ op, data }) => [op, data['baseRev']]),
    ).toEqual([['PATCH_PARAGRAPH', 2]]);
  });

  test('is resent unchanged, with the same number, if it or its reply was lost', async () => {
    const { p, frames, answer, last } = await setUp();
    p.edit('one two three');
    const saved = p.commit({ timeout: 60_000 });
    p.edit('one two three four');
    const first = frames()[0]!.data;
    last().drop();
    await vi.advanceTimersByTimeAsync(1_000);
    last().open();
    await settle();
    // The server may have it; the text alone does not tell.
    last().say('NOTE', {
      note: {
        id: 'n',
        path: '/n',
        paragraphs: [paragraph('zero one two three!', 3, { author: 'bob', authorSeq: 1 })],
      },
    });
    await settle();
    expect(frames().map(({ data }) => data)).toEqual([first]);
    expect(p.text).toBe('one two three four');
    answer('zero one two three!', 3);
    expect([p.text, frames().at(-1)!.data['paragraph'], frames().at(-1)!.data['baseRev']]).toEqual([
      ...Array<string>(2).fill('zero one two three four!'),
      3,
    ]);
    answer('zero one two three four!', 4);
    await saved;
  });

  test.each([
    ['a later text of the same page is kept', 'one two three', 1, 'one two three', 0],
    ['another text is merged with the draft', 'one two three', 0, 'one two thr', 1],
  ])(
    'the page ends before its journal has the text: %s',
    async (_what, text, later, shown, kept) => {
      const before = await setUp();
      before.p.edit('one two thr');
      const [entry] = await before.journal.list('');
      const { author, authorSeq = 0 } = entry!;
      before.client.close();
      const stored = paragraph(text, 2, { author, authorSeq: authorSeq + later });
      const { p, journal } = await setUp({ journal: before.journal, stored });
      await settle();
      expect([p.text, (await journal.list('')).length]).toEqual([shown, kept]);
    },
  );

  test('is in the journal and sent again by the next session', async () => {
    const before = await setUp();
    before.p.edit('one two three');
    void before.p.commit().catch(() => {});
    before.p.edit('one two three four');
    const { author, authorSeq } = before.frames()[0]!.data;
    before.client.close();
    const { p, frames, answer } = await setUp({ journal: before.journal });
    await settle();
    expect(p.state).toMatchObject({
      draft: 'one two three four',
      inFlight: [{ text: 'one two three', seq: authorSeq }],
    });
    void p.commit().catch(() => {});
    expect(frames().map(({ data }) => data)).toEqual([
      expect.objectContaining({ paragraph: 'one two three', baseRev: 1, author, authorSeq }),
    ]);
    answer('one two three', 2);
    expect(frames().at(-1)!.data).toMatchObject({
      paragraph: 'one two three four',
      baseRev: 2,
      author,
    });
    expect(frames().at(-1)!.data['authorSeq']).toBeGreaterThan(authorSeq as number);
  });

  test('is sent as complete text if its patch is refused; its reply reports errors', async () => {
    const { p, frames, last } = await setUp({ alone: false });
    p.edit('one two three');
    await vi.advanceTimersByTimeAsync(200);
    last().say(
      'ERROR_INFO',
      { info: 'The patch does not fit the text of the paragraph.' },
      frames()[0]!.msgId,
    );
    expect(said(frames())).toEqual([
      ['PATCH_PARAGRAPH', 'one two three', 1],
      ['COMMIT_PARAGRAPH', 'one two three', 1],
    ]);
    expect(frames()[1]!.data['authorSeq']).toBe(frames()[0]!.data['authorSeq']);
    last().say('ERROR_INFO', { info: 'not for you' }, frames()[1]!.msgId);
    expect(p.state).toMatchObject({
      draft: 'one two three',
      commitError: 'not for you',
      inFlight: [],
    });
  });

  test.each([
    ['paragraph', 'RUN_PARAGRAPH'],
    ['note', 'RUN_ALL_PARAGRAPHS'],
  ])(
    'is answered before a run of the %s is sent, which is based on the reply',
    async (what, op) => {
      const { note, p, frames, answer } = await setUp();
      p.edit('one two three');
      void p.commit().catch(() => {});
      p.edit('one two three four');
      const run = what === 'note' ? note.run() : p.run();
      run.then(
        () => {},
        () => {},
      );
      await settle();
      expect(frames().map((frame) => frame.op)).toEqual(['COMMIT_PARAGRAPH']);
      answer('zero one two three', 2);
      for (let n = 0; n < 5; n += 1) await settle();
      const sent = frames().at(-1)!;
      const [content] =
        what === 'note'
          ? (JSON.parse(String(sent.data['paragraphs'])) as Record<string, unknown>[])
          : [sent.data];
      expect([
        sent.op,
        content!['paragraph'],
        content!['baseRev'],
        p.state.inFlight.map(({ text }) => text),
      ]).toEqual([op, 'zero one two three four', 2, ['zero one two three four']]);
    },
  );

  test('no longer delays a run that was ended', async () => {
    const { note, p, frames } = await setUp();
    p.edit('one two three');
    void p.commit().catch(() => {});
    const stop = new AbortController();
    const [aborted, closed] = [p.run({ signal: stop.signal }), p.run()];
    const ends = [
      expect(aborted).rejects.toMatchObject({ code: 'aborted' }),
      expect(closed).rejects.toMatchObject({ code: 'closed' }),
    ];
    await settle();
    stop.abort();
    await settle();
    note.close();
    await Promise.all(ends);
    expect(frames().map(({ op }) => op)).toEqual(['COMMIT_PARAGRAPH']);
  });
});
