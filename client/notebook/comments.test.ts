import { describe, expect, it } from 'vitest';
import { COMMENT_LIMITS } from '../model/notes/comment-limits.ts';
import {
  addedReply,
  addedThread,
  checkCommentBytes,
  editedComment,
  mentionedUsers,
  openThreads,
  removedComment,
  resolvedThread,
} from './comments.ts';

const createdAt = '2026-11-21T06:58:54.000Z';
const by = (author: string, id = `c-${author}`) => ({ id, author, createdAt });
const ann = { principal: 'ann', owns: false };
const ben = { principal: 'ben', owns: false };
const owner = { principal: 'olga', owns: true };
const start = () => addedThread([], { paragraphId: 'p', text: ' why? ' }, by('ann')).threads;
const reply = (id = 'c-ben') => addedReply(start(), 'c-ann', { ...by('ben', id), text: 'so' });
const status = (act: () => unknown): number | undefined => {
  try {
    act();
  } catch (error) {
    return (error as { status: number }).status;
  }
  return undefined;
};

describe('threads', () => {
  it('keep the quote, and the text without spaces at its ends', () => {
    expect(start()).toEqual([
      { id: 'c-ann', paragraphId: 'p', comments: [{ ...by('ann'), text: 'why?' }] },
    ]);
    const given = { paragraphId: 'p', text: 'x', quote: '  select 1' };
    expect(addedThread([], given, by('ann')).thread?.quote).toBe('  select 1');
  });

  it('are resolved and opened again, also by a reply', () => {
    const { threads } = resolvedThread(start(), 'c-ann', 'ben');
    expect([openThreads(threads), threads[0]!.resolvedBy]).toEqual([0, 'ben']);
    expect(openThreads(resolvedThread(threads, 'c-ann', undefined).threads)).toBe(1);
    expect(openThreads(addedReply(threads, 'c-ann', { ...by('ben'), text: 'no' }).threads)).toBe(1);
  });

  it('reject texts, quotes, threads and replies beyond the limits', () => {
    const add = (text: string, quote?: string) => () =>
      addedThread([], { paragraphId: 'p', text, quote }, by('ann'));
    expect(add('x'.repeat(10_000))().threads[0]!.comments[0]!.text).toHaveLength(10_000);
    expect(add('x'.repeat(10_001))).toThrow('at most 10,000 characters. This one has 10,001.');
    for (const text of ['', ' \n']) expect([text, status(add(text))]).toEqual([text, 400]);
    expect(status(add('x', 'x'.repeat(COMMENT_LIMITS.quoteCharacters + 1)))).toBe(400);
    const [thread] = start();
    const many = Array.from({ length: 999 }, (_, at) => ({ ...thread!, id: `t${at}` }));
    const full = addedThread(many, { paragraphId: 'p', text: 'x' }, by('ann')).threads;
    expect(full).toHaveLength(1_000);
    expect(status(() => addedThread(full, { paragraphId: 'p', text: 'x' }, by('ben')))).toBe(409);
    let { threads } = reply();
    for (let at = 1; at < 200; at += 1)
      ({ threads } = addedReply(threads, 'c-ann', { ...by('ben', `r${at}`), text: 'x' }));
    expect(threads[0]!.comments).toHaveLength(201);
    expect(status(() => addedReply(threads, 'c-ann', { ...by('ben'), text: 'x' }))).toBe(409);
    expect(status(() => checkCommentBytes(COMMENT_LIMITS.bytes + 1))).toBe(409);
  });

  it('answer 404 for an unknown thread or comment', () => {
    for (const at of [
      { threadId: 'none', commentId: 'c-ann' },
      { threadId: 'c-ann', commentId: 'none' },
    ]) {
      expect(status(() => removedComment(start(), at, owner))).toBe(404);
      expect(status(() => editedComment(start(), at, { text: 'x', editedAt: '' }, 'ann'))).toBe(
        404,
      );
    }
  });
});

describe('comments', () => {
  const first = { threadId: 'c-ann', commentId: 'c-ann' };
  const second = { threadId: 'c-ann', commentId: 'c-ben' };

  it('are edited by their author only', () => {
    const edit = (who: string) => () =>
      editedComment(start(), first, { text: 'how?', editedAt: createdAt }, who);
    expect(edit('ann')().thread?.comments[0]).toEqual({
      ...by('ann'),
      text: 'how?',
      editedAt: createdAt,
    });
    expect([status(edit('ben')), status(edit('olga'))]).toEqual([403, 403]);
  });

  it('are deleted by their author and by owners of the note', () => {
    const { threads } = reply();
    expect(status(() => removedComment(threads, second, ann))).toBe(403);
    for (const who of [ben, owner])
      expect(removedComment(threads, second, who).threads[0]!.comments).toHaveLength(1);
  });

  it("of others are not deleted with one's own first comment", () => {
    const { threads } = reply();
    expect(status(() => removedComment(threads, first, ann))).toBe(403);
    expect(removedComment(threads, first, owner).threads).toEqual([]);
    expect(removedComment(start(), first, ann).threads).toEqual([]);
  });
});

describe('mentions', () => {
  const users = new Set(['ann', 'ann@acme.org', 'ben', 'Zoë']);
  it.each([
    ['@ann, look', ['ann']],
    ['ask @ann@acme.org.', ['ann@acme.org']],
    ['(@ben) and @Zoë: @ben', ['ben', 'Zoë']],
    ["@ben's", ['ben']],
    ['mail ann@ben or x@ann', []],
    ['@bennet @Ann @', []],
    ['@ben.@ann', []],
  ])('%j mentions %j', (text, expected) => {
    expect(mentionedUsers(text, (name) => users.has(name))).toEqual(expected);
  });

  it('are limited', () => {
    const text = Array.from({ length: 21 }, (_, at) => `@u${at}`).join(' ');
    expect(status(() => mentionedUsers(text, () => true))).toBe(400);
  });
});
