/** Applies changes. */
import type { JsonObject } from '../protocol/index.ts';
import type { FieldChanges, NoteChange, StoredNote, StoredParagraph } from './types.ts';

/** Gives an object the changed fields. */
export function applyFields<T extends object>(target: T, changes: FieldChanges<T>): void {
  const fields = target as JsonObject;
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) delete fields[key];
    else fields[key] = value;
  }
}

/** Gives a note and its paragraphs the state of a change. The objects stay the same. */
export function applyChange(note: StoredNote, { note: fields, paragraphs }: NoteChange): void {
  for (const [paragraph, changes] of paragraphs ?? []) applyFields(paragraph, changes);
  if (fields) applyFields(note, fields);
}

/** Returns a change of one paragraph that is sent to the viewers. */
export const paragraphChange = (
  paragraph: StoredParagraph,
  changes: FieldChanges<StoredParagraph>,
): NoteChange => ({
  paragraphs: new Map([[paragraph, changes]]),
  messages: [{ op: 'PARAGRAPH', paragraph }],
  changesJob: true,
});
