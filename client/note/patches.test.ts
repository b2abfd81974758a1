import { describe, expect, test, vi } from 'vitest';
import { scriptedClients, settle } from '../../test/support/scripted.ts';
import { checksum } from '../model/checksum.ts';
import { applyTextPatch, makeTextPatch } from '../model/text-patch.ts';

const scripted = scriptedClients();

/** A note that two have open; `rev` says whether the server numbers its texts. */
async function together(rev: number | undefined) {
  const all = scripted();
  const note = await all.open({
    id: 'n',
    paragraphs: [
      { id: 'p', text: 'one two', status: 'READY', ...(rev === undefined ? {} : { rev }) },
    ],
  });
  all.last().say('COLLABORATIVE_MODE_STATUS', { status: true, users: ['ann', 'bob'] });
  await vi.waitUntil(async () => (await settle(), note.state.collaborative), 10_000);
  await vi.importActual('../model/text-patch.ts').catch(() => {});
  for (let n = 0; n < 20; n += 1) await settle();
  const patches = () => all.last().frames.filter(({ op }) => op === 'PATCH_PARAGRAPH');
  return { ...all, note, p: note.paragraph('p'), patches };
}
const numbered = (text: string, rev: number, author = 'other') => ({
  rev,
  author,
  checksum: checksum(text),
});

describe('typing where several have the note open', () => {
  test('is sent as a patch soon, and saved when the server that numbers its texts says so', async () => {
    const { p, patches, last, note } = await together(3);
    p.edit('one two t');
    p.edit('one two three');
    await vi.advanceTimersByTimeAsync(200);
    expect(patches()).toHaveLength(1);
    const { data, msgId } = patches()[0]!;
    expect(data).toMatchObject({ id: 'p', noteId: 'n', baseRev: 3 });
    expect(applyTextPatch('one two', data['patch'] as string)).toBe('one two three');
    expect(note.dirty).toBe(true);
    last().say(
      'PATCH_PARAGRAPH',
      { paragraphId: 'p', patch: '', ...numbered('one two three', 4, p.state.author) },
      msgId,
    );
    expect([note.dirty, p.text, p.state.server.rev]).toEqual([false, 'one two three', 4]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(last().ops).not.toContain('COMMIT_PARAGRAPH');
  });

  test('stays a draft where the server answers no patch, until a commit is answered', async () => {
    const { p, patches, note, last } = await together(undefined);
    p.edit('one two three');
    await vi.advanceTimersByTimeAsync(200);
    expect(patches().map(({ data }) => data['baseRev'])).toEqual([undefined]);
    expect(note.dirty).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(last().ops).toContain('COMMIT_PARAGRAPH');
    last().say('PARAGRAPH', { paragraph: { id: 'p', text: 'one two three', status: 'READY' } });
    expect(note.dirty).toBe(false);
  });

  test('is not told a second time by a patch while its commit is on the way', async () => {
    const { p, patches, last } = await together(undefined);
    p.edit('one two three');
    const saved = p.commit();
    await vi.advanceTimersByTimeAsync(200);
    expect(patches()).toEqual([]);
    // What is typed after it starts from what was committed.
    p.edit('one two three four');
    await vi.advanceTimersByTimeAsync(200);
    expect(
      patches().map(({ data }) => applyTextPatch('one two three', data['patch'] as string)),
    ).toEqual(['one two three four']);
    last().say('PARAGRAPH', { paragraph: { id: 'p', text: 'one two three', status: 'READY' } });
    last().say('PARAGRAPH', {
      paragraph: { id: 'p', text: 'one two three four', status: 'READY' },
    });
    await saved;
  });

  test('of others shows, and merges with what is typed here', async () => {
    const { p, last } = await together(3);
    last().say('PATCH_PARAGRAPH', {
      paragraphId: 'p',
      patch: makeTextPatch('one two', 'ONE two'),
      ...numbered('ONE two', 4),
    });
    expect(p.text).toBe('ONE two');
    p.edit('ONE two\nmine');
    last().say('PATCH_PARAGRAPH', {
      paragraphId: 'p',
      patch: makeTextPatch('ONE two', 'ONE two!'),
      ...numbered('ONE two!', 5),
    });
    await settle();
    expect(p.state.conflict ?? p.text).toEqual(expect.anything());
    expect(p.state.server.text).toBe('ONE two!');
    expect(p.state.draft).toContain('mine');
  });

  test('that has gone apart is noticed by its checksum, and the note read anew', async () => {
    const { p, last } = await together(3);
    const reads = () => last().ops.filter((op) => op === 'GET_NOTE').length;
    const before = reads();
    last().say('PATCH_PARAGRAPH', {
      paragraphId: 'p',
      patch: makeTextPatch('one two', 'ONE two'),
      ...numbered('something else', 4),
    });
    expect([p.text, reads()]).toEqual(['one two', before + 1]);
    last().say('NOTE', {
      note: {
        id: 'n',
        path: '/n',
        paragraphs: [{ id: 'p', text: 'something else', status: 'READY', rev: 4 }],
      },
    });
    await settle();
    expect(p.text).toBe('something else');
  });

  test('that fits nowhere reads the note anew', async () => {
    const { last } = await together(3);
    const reads = () => last().ops.filter((op) => op === 'GET_NOTE').length;
    const before = reads();
    last().say('PATCH_PARAGRAPH', { paragraphId: 'p', patch: 'not a patch' });
    last().say('PATCH_PARAGRAPH', { paragraphId: 'unknown', patch: '' });
    expect(reads()).toBe(before + 1);
  });

  test('is not sent while one alone has the note open', async () => {
    const { p, patches, last } = await together(3);
    last().say('COLLABORATIVE_MODE_STATUS', { status: false });
    p.edit('alone');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(patches()).toEqual([]);
  });
});
