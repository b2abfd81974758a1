/** Applies external changes of a note's file to the note in memory, keeping the same objects. */
import type { StoredNote, StoredParagraph } from './note.ts';

/** Replaces a paragraph's text so that later edits of the old text are recognized as late. */
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
 * Gives `note` the content of `fresh`. The objects stay the same because handlers hold references:
 * a concurrent edit then affects the stored paragraph. A different text counts as another user's
 * edit, whatever revision the file contains.
 */
export function applyFileChange(
  note: StoredNote,
  fresh: StoredNote,
  edit: SetText = setText,
): void {
  const known = new Map(note.paragraphs.map((paragraph) => [paragraph.id, paragraph]));
  const paragraphs = fresh.paragraphs.map((paragraph) => {
    const current = known.get(paragraph.id);
    if (!current) return paragraph;
    const { author, authorSeq, ...rest } = paragraph;
    const isEdited = current.text !== paragraph.text;
    if (isEdited) edit(current, paragraph.text);
    // The previous author did not write this text, whatever the file says.
    const by = isEdited
      ? {}
      : {
          ...(author === undefined ? {} : { author }),
          ...(authorSeq === undefined ? {} : { authorSeq }),
        };
    // Edits that the file lacks must not be applied again if they arrive a second time.
    const { authorSeqs = rest.authorSeqs } = current;
    replaceFields(current, {
      ...rest,
      ...by,
      ...(authorSeqs ? { authorSeqs } : {}),
      rev: Math.max(current.rev, paragraph.rev),
    });
    return current;
  });
  replaceFields(note, { ...fresh, paragraphs });
}
