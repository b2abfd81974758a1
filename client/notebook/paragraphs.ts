/** Inserting, copying, moving, removing and restoring paragraphs. */
import { textBelow } from '../model/notes/magic.ts';
import { isRunning } from '../model/notes/paragraph-status.ts';
import type { JsonObject, Paragraph, Sends } from '../protocol/index.ts';
import { addValue, changeValues, isValueOf, paragraphValues } from './bound-values.ts';
import { paragraphChange } from './change.ts';
import { Refusal } from './refusal.ts';
import {
  checkCount,
  checkText,
  createParagraph,
  idPattern,
  type ParagraphInit,
  paragraphOf,
  parseParagraph,
  revOfRestored,
} from './stored-note.ts';
import type {
  FieldChanges,
  NotebookRules,
  NoteChange,
  NoteMessage,
  StoredNote,
  StoredParagraph,
} from './types.ts';

/** Paragraph fields that a run sets. */
const OUTPUT = [
  'results',
  'status',
  'errorMessage',
  'dateStarted',
  'dateFinished',
  'tookMs',
] as const;

/** A change that adds a paragraph. */
export interface ParagraphInsertion extends NoteChange {
  /** The new paragraph. */
  readonly paragraph: StoredParagraph;
}

function checkIndex(note: StoredNote, index: number, rules: NotebookRules): void {
  if (!Number.isInteger(index) || index < 0 || index > note.paragraphs.length)
    throw new Refusal(400, `Paragraph index ${index} is outside this note.`);
  checkCount(note.paragraphs.length + 1, rules.limits);
}

/**
 * Inserts a paragraph. `preset`: as in Zeppelin, its text starts with the magic of the previous
 * paragraph.
 */
export function paragraphInsertion(
  note: StoredNote,
  index: number,
  { params, ...init }: ParagraphInit & { params?: JsonObject | undefined },
  rules: NotebookRules,
  preset = false,
): ParagraphInsertion {
  checkIndex(note, index, rules);
  const text = init.text ?? (preset ? textBelow(note.paragraphs[index - 1]?.text) : '');
  checkText(text, rules.limits);
  const paragraph = createParagraph(rules.ids, { ...init, text });
  if (params) paragraph.settings = { ...paragraph.settings, params };
  return {
    paragraph,
    note: { paragraphs: note.paragraphs.toSpliced(index, 0, paragraph) },
    messages: [{ op: 'PARAGRAPH_ADDED', data: { paragraph, index } }],
    changesJob: true,
  };
}

/** Inserts a copy of a paragraph, with the content that the sender sees. */
export function paragraphCopy(
  note: StoredNote,
  { index, title, paragraph: text = '', config, params }: Sends['COPY_PARAGRAPH'],
  user: string,
  rules: NotebookRules,
): NoteChange {
  const insertion = paragraphInsertion(
    note,
    index,
    { user, text, title: title || undefined, config, params },
    rules,
  );
  const { paragraph } = insertion;
  return { ...insertion, messages: [...insertion.messages, { op: 'PARAGRAPH', paragraph }] };
}

/** Moves a paragraph; throws for an index outside the note. */
export function paragraphMove(note: StoredNote, id: string, index: number): NoteChange {
  const paragraph = paragraphOf(note, id);
  if (!Number.isInteger(index) || index < 0 || index >= note.paragraphs.length)
    throw new Refusal(400, `newIndex ${index} is out of bounds`);
  const others = note.paragraphs.filter((entry) => entry !== paragraph);
  return {
    note: { paragraphs: others.toSpliced(index, 0, paragraph) },
    messages: [{ op: 'PARAGRAPH_MOVED', data: { id, index } }],
    changesJob: true,
  };
}

/**
 * Throws if the text is not the one that the caller has seen, so that nobody's changes are lost
 * unnoticed.
 */
export function checkSeen(paragraph: StoredParagraph, rev: number | undefined): void {
  if (rev !== undefined && paragraph.rev > rev)
    throw new Refusal(
      409,
      'The paragraph was changed by someone else. Review the change and try again.',
    );
}

/**
 * Removes a paragraph with its values; the last paragraph can't be removed. `rev`: see {@link
 * checkSeen}.
 */
export function paragraphRemoval(
  note: StoredNote,
  id: string,
  rules: NotebookRules,
  rev?: number,
): NoteChange {
  checkSeen(paragraphOf(note, id), rev);
  if (note.paragraphs.length === 1) throw new Refusal(400, "All the paragraphs can't be deleted.");
  const values = paragraphValues(note, id);
  rules.removedValues.keep(note.id, id, values);
  return {
    note: {
      paragraphs: note.paragraphs.filter((entry) => entry.id !== id),
      angularObjects: changeValues(note.angularObjects, (entry) =>
        entry.paragraphId === id ? undefined : entry,
      ),
    },
    messages: [
      ...values.map(
        ({ entry: { name } }): NoteMessage => ({
          op: 'ANGULAR_OBJECT_REMOVE',
          data: { name, noteId: note.id, paragraphId: id },
        }),
      ),
      { op: 'PARAGRAPH_REMOVED', data: { id } },
    ],
    changesJob: true,
  };
}

/**
 * Restores a removed paragraph with its id and bound values; for an existing paragraph, restores
 * its cleared output.
 */
export function paragraphRestoration(
  note: StoredNote,
  index: number,
  given: Paragraph,
  user: string,
  rules: NotebookRules,
): NoteChange {
  if (!idPattern.test(given.id))
    throw new Refusal(400, 'TIDING_RESTORE_PARAGRAPH: the paragraph id is invalid.');
  const paragraph = parseParagraph(rules.ids, given);
  checkText(paragraph.text, rules.limits);
  const existing = note.paragraphs.find(({ id }) => id === given.id);
  if (existing) {
    if (isRunning(existing.status) || existing.results)
      throw new Refusal(409, 'The paragraph has new output, so the old one cannot be restored.');
    const output = OUTPUT.filter((key) => paragraph[key] !== undefined);
    return paragraphChange(
      existing,
      Object.fromEntries(
        output.map((key) => [key, paragraph[key]]),
      ) as FieldChanges<StoredParagraph>,
    );
  }
  checkIndex(note, index, rules);
  Object.assign(paragraph, { rev: revOfRestored(paragraph.rev), user });
  // A page may have bound a new value meanwhile.
  const bound = paragraphValues(note, paragraph.id);
  const values = rules.removedValues
    .of(note.id, paragraph.id)
    .filter(
      ({ entry: { name } }) => !bound.some(({ entry }) => isValueOf(entry, name, paragraph.id)),
    );
  return {
    note: {
      paragraphs: note.paragraphs.toSpliced(index, 0, paragraph),
      angularObjects: values.reduce(addValue, note.angularObjects),
    },
    messages: [
      { op: 'PARAGRAPH_ADDED', data: { paragraph, index } },
      ...values.map(
        ({ group, entry }): NoteMessage => ({
          op: 'ANGULAR_OBJECT_UPDATE',
          data: {
            angularObject: entry,
            interpreterGroupId: group,
            noteId: note.id,
            paragraphId: paragraph.id,
          },
        }),
      ),
    ],
    changesJob: true,
  };
}
