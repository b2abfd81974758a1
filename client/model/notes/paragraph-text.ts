import { splitMagic } from './magic.ts';

/**
 * Splits a text at an offset. Both halves get its magic, and one line break at the offset is
 * removed.
 */
export function splitParagraphText(text: string, offset: number): [string, string] {
  const { magic, scriptOffset } = splitMagic(text);
  const start = magic === undefined ? 0 : scriptOffset;
  const at = Math.max(start, Math.min(offset, text.length));
  const [head, tail] = [text.slice(0, at), text.slice(at)];
  const prefix = text.slice(0, start);
  if (tail.startsWith('\n')) return [head, prefix + tail.slice(1)];
  return [head.endsWith('\n') && head.length > start ? head.slice(0, -1) : head, prefix + tail];
}

/** Joins two texts. The second loses its magic if it is the same as that of the first. */
export function joinParagraphTexts(first: string, second: string): string {
  const { magic, scriptOffset } = splitMagic(second);
  const rest =
    magic !== undefined && magic === splitMagic(first).magic ? second.slice(scriptOffset) : second;
  if (first === '' || rest === '') return first + rest;
  return first.endsWith('\n') ? first + rest : `${first}\n${rest}`;
}
