/** Paragraph names for command-line output. */
import type { Note, Paragraph } from '@tiding/client';

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

/** Returns the heading of a paragraph, or its id if the note has none with it. */
export function headingIn(note: Note, id: string): string {
  const paragraph = note.paragraphs.find((each) => each.id === id);
  return paragraph ? headingOf(paragraph) : id;
}
