/** Paragraph names for command-line output. */
import type { Paragraph } from '@tiding/client';

const LONGEST = 60;

/** Returns a paragraph's title, or else its first line, or else its position. */
export function headingOf(paragraph: Paragraph): string {
  const first =
    paragraph.title.trim() ||
    paragraph.text
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '' && !/^%[\w.-]+(\(.*\))?$/.test(line));
  const text = (first ?? `paragraph ${paragraph.index + 1}`).replace(/\p{Cc}/gu, ' ');
  return text.length > LONGEST
    ? `${Array.from(text)
        .slice(0, LONGEST - 1)
        .join('')}…`
    : text;
}
