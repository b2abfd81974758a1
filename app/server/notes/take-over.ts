/** A note whose file somebody else changed: what the file says becomes what is in memory, in the same objects. */
import type { StoredNote, StoredParagraph } from './note.ts';

/** Replaces the text of a paragraph, so that a later edit of the old one is seen to be late. */
export type SetText = (paragraph: StoredParagraph, text: string) => void;

const setText: SetText = (paragraph, text) => {
  paragraph.text = text;
  paragraph.rev += 1;
};

function replaceFields(target: object, source: object): void {
  const fields = target as Record<string, unknown>;
  for (const key of Object.keys(fields)) if (!Object.hasOwn(source, key)) delete fields[key];
  Object.assign(fields, source);
}

/**
 * Gives `note` the content of `fresh`. Objects stay the same, because handlers hold them: who edits a paragraph meanwhile
 * edits the one that is stored. A text that differs counts as an edit of somebody else's, whatever revision the file tells.
 */
export function takeOver(note: StoredNote, fresh: StoredNote, edit: SetText = setText): void {
  const known = new Map(note.paragraphs.map((paragraph) => [paragraph.id, paragraph]));
  const paragraphs = fresh.paragraphs.map((paragraph) => {
    const mine = known.get(paragraph.id);
    if (!mine) return paragraph;
    const { author, authorSeq, ...rest } = paragraph;
    const isEdited = mine.text !== paragraph.text;
    if (isEdited) edit(mine, paragraph.text);
    // Who typed the text before did not type this one, whatever the file says.
    const by = isEdited
      ? {}
      : {
          ...(author === undefined ? {} : { author }),
          ...(authorSeq === undefined ? {} : { authorSeq }),
        };
    replaceFields(mine, { ...rest, ...by, rev: Math.max(mine.rev, paragraph.rev) });
    return mine;
  });
  replaceFields(note, { ...fresh, paragraphs });
}
