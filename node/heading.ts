/** What a paragraph is called in lines for people. */
import type { Paragraph } from 'tiding/client';

const LONGEST = 60;

/** Its title, else its first line, else its place. */
export function headingOf(paragraph: Paragraph): string {
  const first =
    paragraph.title.trim() ||
    paragraph.text
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '' && !/^%[\w.]+(\(.*\))?$/.test(line));
  const text = (first ?? `paragraph ${paragraph.index + 1}`).replace(/\p{Cc}/gu, ' ');
  return text.length > LONGEST
    ? `${Array.from(text)
        .slice(0, LONGEST - 1)
        .join('')}…`
    : text;
}
