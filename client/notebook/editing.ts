/** Changing the text, title, display settings and form values of a paragraph. */
import { isSameJson } from '../model/json-object.ts';
import { checksum } from '../model/tables/checksum.ts';
import { applyTextChange, isSendable, type TextChange } from '../model/text/text-change.ts';
import type { RebasedEdit, TextConflict, TextEdit } from '../model/text/text-history.ts';
import { applyTextPatch, makeTextPatch } from '../model/text/text-patch.ts';
import {
  type JsonObject,
  type ParagraphConfig,
  type Receives,
  resultMessage,
  type Sends,
} from '../protocol/index.ts';
import { paragraphChange } from './change.ts';
import { Refusal } from './refusal.ts';
import { checkText, paragraphOf, wireDate, withoutRows } from './stored-note.ts';
import type {
  FieldChanges,
  NotebookRules,
  NoteChange,
  NoteOperation,
  PlainNoteMessage,
  StoredNote,
  StoredParagraph,
} from './types.ts';

/** Paragraph content sent with a commit, a run or a copy. */
export interface ParagraphContent extends TextEdit {
  /** New title. */
  readonly title?: string | undefined;
  /** New text. */
  readonly paragraph?: string | undefined;
  /** Display settings to merge into the current ones. */
  readonly config?: ParagraphConfig | undefined;
  /** Form values that replace the current ones. */
  readonly params?: JsonObject | undefined;
}

/**
 * Returns the fields that an edit changes. A text based on an older revision is rebased over the
 * changes since; throws `TextConflict` if they are no longer remembered. As in Zeppelin, config is
 * merged and params are replaced. Only another text or other values mark the result as outdated,
 * not display settings (in Zeppelin every save does).
 */
export function editedFields(
  paragraph: StoredParagraph,
  content: ParagraphContent,
  user: string,
  rules: NotebookRules,
): FieldChanges<StoredParagraph> {
  return fieldsWith(paragraph, content, user, rebased(paragraph, content, user, rules)?.revision);
}

const rebased = (
  paragraph: StoredParagraph,
  content: ParagraphContent,
  user: string,
  { texts, limits }: NotebookRules,
): RebasedEdit | undefined =>
  content.paragraph === undefined
    ? undefined
    : texts.rebase(paragraph, content.paragraph, { ...content, user }, (text) =>
        checkText(text, limits),
      );

function fieldsWith(
  paragraph: StoredParagraph,
  { title, config, params }: ParagraphContent,
  user: string,
  text: RebasedEdit['revision'],
): FieldChanges<StoredParagraph> {
  const hasOtherValues = params !== undefined && !isSameJson(params, paragraph.settings?.params);
  return {
    ...text,
    ...(title === undefined ? {} : { title }),
    ...(config ? { config: { ...paragraph.config, ...config } } : {}),
    ...(params ? { settings: { ...paragraph.settings, params } } : {}),
    user,
    ...(text || hasOtherValues ? { dateUpdated: wireDate() } : {}),
  };
}

/**
 * Saves an edit. If it names what was typed, the new text is also sent as changes: clients that
 * have unsaved text of their own can put them in order with it.
 */
export function paragraphCommit(
  note: StoredNote,
  id: string,
  content: ParagraphContent,
  user: string,
  rules: NotebookRules,
): NoteChange {
  const paragraph = paragraphOf(note, id);
  const edit = rebased(paragraph, content, user, rules);
  const change = paragraphChange(paragraph, fieldsWith(paragraph, content, user, edit?.revision));
  if (!edit || !content.changes) return change;
  const messages = changeMessages(paragraph, content.paragraph ?? '', edit);
  return { ...change, messages: [...messages, ...change.messages] };
}

/** Returns the field of a message with a change, unless the change is too large. */
const changesField = (changes: TextChange | undefined): { changes?: TextChange } =>
  changes && isSendable(changes) ? { changes } : {};

/**
 * Returns the messages about an edit: the others are sent the change of the stored text, the sender
 * the change from its own text, `mine`, to the merged one.
 */
function changeMessages(
  paragraph: StoredParagraph,
  mine: string,
  { revision, step, reply }: RebasedEdit,
): PlainNoteMessage[] {
  const { text, rev, author } = revision ?? paragraph;
  const about = { paragraphId: paragraph.id, rev, checksum: checksum(text), author };
  const toSender: PlainNoteMessage = {
    op: 'PATCH_PARAGRAPH',
    data: { ...about, patch: makeTextPatch(mine, text), ...changesField(reply) },
    to: 'sender',
  };
  if (!revision) return [toSender];
  return [
    {
      op: 'PATCH_PARAGRAPH',
      data: { ...about, patch: makeTextPatch(paragraph.text, text), ...changesField(step) },
      to: 'others',
    },
    toSender,
  ];
}

/**
 * Applies a text patch. The others are sent the change of the stored text; the sender is sent the
 * change from its own text to the merged one.
 */
export const paragraphPatch: NoteOperation<'PATCH_PARAGRAPH'> = (
  { note, data, user, isSequential },
  { texts, limits },
) => {
  const paragraph = paragraphOf(note, data.id);
  if (isSequential)
    throw new Refusal(
      409,
      'Note is now running sequentially. Can not be performed: PATCH_PARAGRAPH',
    );
  // The revision that the patch is based on, if it names one, else the current text.
  const base = data.baseRev === undefined ? paragraph.text : texts.textAt(paragraph, data.baseRev);
  const mine =
    base === undefined
      ? undefined
      : ((data.changes && applyTextChange(base, data.changes)) ?? applyTextPatch(base, data.patch));
  if (mine === undefined)
    throw new Refusal(
      409,
      'The patch does not fit the text of the paragraph, or is too large. ' +
        'Read the note again, or send the whole text with COMMIT_PARAGRAPH.',
    );
  const edit = texts.rebase(paragraph, mine, { ...data, user }, (merged) =>
    checkText(merged, limits),
  );
  const messages = changeMessages(paragraph, mine, edit);
  return {
    paragraphs: new Map([[paragraph, { ...edit.revision, user, dateUpdated: wireDate() }]]),
    // A patch without a revision comes from a Zeppelin client, which expects no reply.
    messages: data.baseRev === undefined ? messages.filter(({ to }) => to !== 'sender') : messages,
    changesJob: false,
  };
};

/** Returns the message to the author of a text that only the author's client can merge. */
export const conflictMessage = (
  noteId: string,
  { paragraph: { id, rev, text } }: TextConflict,
): Receives['PARAGRAPH_CONFLICT'] => ({ id, noteId, rev, text });

const SPELL_STATUSES = ['FINISHED', 'ERROR', 'ABORT'] as const;
/** Maximum number of characters in the error message of a spell. */
const MAX_SPELL_ERROR = 65_536;

/** Stores the output of a spell, which runs in a page. */
export function spellOutput(
  note: StoredNote,
  data: Sends['PARAGRAPH_EXECUTED_BY_SPELL'],
  user: string,
  rules: NotebookRules,
): NoteChange {
  const paragraph = paragraphOf(note, data.id);
  const { title, paragraph: text, config, params } = data;
  const status = SPELL_STATUSES.find((each) => each === data.status) ?? 'FINISHED';
  const [began, ended] = [Date.parse(data.dateStarted ?? ''), Date.parse(data.dateFinished ?? '')];
  return {
    paragraphs: new Map([
      [
        paragraph,
        {
          ...editedFields(paragraph, { title, paragraph: text, config, params }, user, rules),
          status,
          errorMessage: data.errorMessage ? data.errorMessage.slice(0, MAX_SPELL_ERROR) : undefined,
          results: {
            code: data.results?.code ?? status,
            msg: (data.results?.msg ?? [])
              .filter((message) => resultMessage.safeParse(message).success)
              .map(withoutRows),
          },
          dateFinished: wireDate(),
          ...(began <= ended
            ? { dateStarted: wireDate(new Date(began)), tookMs: ended - began }
            : { tookMs: undefined }),
        },
      ],
    ]),
    messages: [{ op: 'RUN_PARAGRAPH_USING_SPELL', data: { paragraph }, to: 'others' }],
    changesJob: true,
  };
}
