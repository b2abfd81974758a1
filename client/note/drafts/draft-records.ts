/** How a draft is written: as an entry of the journal, and as a commit to the server. */
import type { LocalEvent } from '../../core/events.ts';
import type { NoteState, ParagraphState, SentText } from '../../core/state.ts';
import type { JournalEntry } from '../../journal/journal.ts';
import type { Sends } from '../../protocol/index.ts';
import { changeFields, sentChange, unansweredCommit } from '../paragraph/draft-changes.ts';
import { configForText } from '../paragraph/editor-config.ts';

/** Returns the journal entry of a draft. `authorSeq`: highest number of a commit so far. */
export function journalEntryOf(
  paragraph: ParagraphState,
  draft: string,
  authorSeq: number,
): Omit<JournalEntry, 'key' | 'noteId' | 'time'> {
  const sent = unansweredCommit(paragraph);
  return {
    paragraphId: paragraph.id,
    text: draft,
    baseText: paragraph.base?.text ?? '',
    baseRev: paragraph.base?.rev,
    author: paragraph.author,
    authorSeq,
    change: paragraph.change,
    ...(sent ? { sentText: sent.text, sentSeq: sent.seq, sentChange: sent.change } : {}),
  };
}

/** Returns the event that restores a draft from its journal entry. */
export function restoredDraft(
  noteId: string,
  entry: Omit<JournalEntry, 'key' | 'noteId' | 'time'>,
): LocalEvent {
  const { paragraphId, text, baseText, baseRev, author, change } = entry;
  const { sentText, sentSeq: seq, sentChange } = entry;
  const sent = sentText === undefined ? undefined : { text: sentText, seq, change: sentChange };
  const draft = { paragraphId, text, baseText, baseRev, author, change };
  return { type: 'draft-restored', noteId, ...draft, sent };
}

/** Whether a paragraph has a draft, and a ready note in which the server accepts one now. */
export const hasSendableDraft = (
  note: NoteState | undefined,
  paragraph: ParagraphState,
): paragraph is ParagraphState & { draft: string } =>
  paragraph.draft !== undefined &&
  !paragraph.conflict &&
  !paragraph.removed &&
  note?.phase === 'ready' &&
  !note.sequential;

/** Returns the payload that commits a text of a paragraph. */
export function commitOf(
  noteId: string,
  paragraph: ParagraphState,
  sent: SentText,
): Sends['COMMIT_PARAGRAPH'] {
  const { id, server, author } = paragraph;
  const { text, seq } = sent;
  return {
    id,
    noteId,
    title: server.title ?? '',
    paragraph: text,
    config: configForText(paragraph, text),
    params: server.settings?.params ?? {},
    ...changeFields(paragraph, sentChange(paragraph, sent)),
    ...(seq === undefined ? {} : { author, authorSeq: seq }),
  };
}
