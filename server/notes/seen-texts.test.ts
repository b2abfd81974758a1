import { applyTextPatch, makeTextPatch, TextHistory } from '@tiding/client/changes';
import { expect, it } from 'vitest';
import type { LiveConnection } from '../hub/hub.ts';
import type { StoredParagraph } from './note.ts';
import { SeenTexts } from './seen-texts.ts';

it('remembers a limited length of patches for a program that answers no pings', () => {
  const texts = new TextHistory();
  const seen = new SeenTexts(texts);
  const program = {} as LiveConnection;
  const paragraph = { id: 'p', text: 'a', rev: 1 } as StoredParagraph;
  seen.sent(program, 'NOTE', { note: { id: 'n', paragraphs: [{ ...paragraph }] } });
  const append = (text: string) => {
    const before = paragraph.text;
    texts.set(paragraph, before + text, { baseRev: paragraph.rev });
    const { id: paragraphId, rev } = paragraph;
    const patch = makeTextPatch(before, paragraph.text);
    seen.sent(program, 'PATCH_PARAGRAPH', { paragraphId, rev, patch });
  };
  const edited = () => seen.based(program, paragraph, { paragraph: 'a!' }).paragraph;
  append(` ${'b'.repeat(3_000_000)}`);
  expect(edited(), 'the program has not received the patch').toMatch(/^a! b+$/);
  append(` ${'c'.repeat(3_000_000)}`);
  expect(edited(), 'the first patch counts as received').toMatch(/^a! c+$/);
});

it('keeps what a page could not apply to its refused text', async () => {
  const texts = new TextHistory();
  const seen = new SeenTexts(texts);
  const page = {} as LiveConnection;
  const paragraph = { id: 'p', text: 'a b c d e f', rev: 1 } as StoredParagraph;
  seen.sent(page, 'NOTE', { note: { id: 'n', paragraphs: [{ ...paragraph }] } });
  const edited = (text: string) => seen.based(page, paragraph, { paragraph: text }).paragraph;
  expect(edited('x y z')).toBe('x y z');
  const before = paragraph.text;
  texts.set(paragraph, 'a b c new d e f', { baseRev: 1 });
  const patch = makeTextPatch(before, paragraph.text);
  expect(applyTextPatch('x y z', patch), 'the page can not apply it').toBeUndefined();
  const ping = seen.sent(page, 'PATCH_PARAGRAPH', { paragraphId: 'p', rev: 2, patch });
  seen.pong(page, String(ping), Promise.resolve());
  await Promise.resolve();
  expect(edited('x y z!'), 'what the page has not received').toContain('new');
});
