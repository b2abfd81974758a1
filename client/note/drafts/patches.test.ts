import { describe, expect, test, vi } from 'vitest';
import { scriptedClients, settle } from '../../../test/support/scripted.ts';
import { checksum } from '../../model/tables/checksum.ts';
import { applyTextPatch, makeTextPatch } from '../../model/text/text-patch.ts';

const scripted = scriptedClients();

/** A note that two users have open. `rev`: set if the server numbers its texts. */
async function openCollaborative(rev: number | undefined) {
  const all = scripted();
  const note = await all.open({
    id: 'n',
    paragraphs: [
      { id: 'p', text: 'one two', status: 'READY', ...(rev === undefined ? {} : { rev }) },
    ],
  });
  all.last().say('COLLABORATIVE_MODE_STATUS', { status: true, users: ['ann', 'bob'] });
  await vi.waitUntil(async () => (await settle(), note.state.collaborative), 60_000);
  await vi.importActual('../../model/text/text-patch.ts').catch(() => {});
  for (let n = 0; n < 20; n += 1) await settle();
  const patches = () => all.last().frames.filter(({ op }) => op === 'PATCH_PARAGRAPH');
  return { ...all, note, p: note.paragraph('p'), patches };
}
const numbered = (text: string, rev: number, author = 'other') => ({
  rev,
  author,
  checksum: checksum(text),
});

describe('editing a note that several users have open', () => {
  test('sends a patch soon, saved once a server that numbers its texts confirms it', async () => {
    const { p, patches, last, note } = await openCollaborative(3);
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

  test('keeps the draft until a commit is answered if the server answers no patches', async () => {
    const { p, patches, note, last } = await openCollaborative(undefined);
    p.edit('one two three');
    await vi.advanceTimersByTimeAsync(200);
    expect(patches().map(({ data }) => data['baseRev'])).toEqual([undefined]);
    expect(note.dirty).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(last().ops).toContain('COMMIT_PARAGRAPH');
    last().say('PARAGRAPH', { paragraph: { id: 'p', text: 'one two three', status: 'READY' } });
    expect(note.dirty).toBe(false);
  });

  test('does not repeat text as a patch while its commit is in flight', async () => {
    const { p, patches, last } = await openCollaborative(undefined);
    p.edit('one two three');
    const saved = p.commit();
    await vi.advanceTimersByTimeAsync(200);
    expect(patches()).toEqual([]);
    // Later edits are based on the committed text.
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

  test('shows patches by others, merged with local edits', async () => {
    const { p, last } = await openCollaborative(3);
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

  test('reloads the note if the checksum shows that the texts differ', async () => {
    const { p, last } = await openCollaborative(3);
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

  test('reloads the note if a patch does not apply', async () => {
    const { last } = await openCollaborative(3);
    const reads = () => last().ops.filter((op) => op === 'GET_NOTE').length;
    const before = reads();
    last().say('PATCH_PARAGRAPH', { paragraphId: 'p', patch: 'not a patch' });
    last().say('PATCH_PARAGRAPH', { paragraphId: 'unknown', patch: '' });
    expect(reads()).toBe(before + 1);
  });

  test('sends no patches while only one user has the note open', async () => {
    const { p, patches, last } = await openCollaborative(3);
    last().say('COLLABORATIVE_MODE_STATUS', { status: false });
    p.edit('alone');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(patches()).toEqual([]);
  });
});
