import { makeTextPatch, TextHistory } from '@tiding/client/changes';
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
