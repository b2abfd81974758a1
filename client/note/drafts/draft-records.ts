/** How a draft is written: as an entry of the journal, and as a commit to the server. */
import type { LocalEvent } from '../../events.ts';
import type { JournalEntry } from '../../journal/journal.ts';
import { unansweredCommit } from '../../paragraph/reducer.ts';
import type { Sends } from '../../protocol/index.ts';
import type { ParagraphState, SentText } from '../../state.ts';

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
    ...(sent ? { sentText: sent.text, sentSeq: sent.seq } : {}),
  };
}

/** Returns the event that restores a draft from its journal entry. */
export function restoredDraft(noteId: string, entry: JournalEntry): LocalEvent {
  const { paragraphId, text, baseText, baseRev, author, sentText, sentSeq } = entry;
  const sent = sentText === undefined ? undefined : { text: sentText, seq: sentSeq };
  return {
    type: 'draft-restored',
    noteId,
    paragraphId,
    text,
    baseText,
    baseRev,
    author,
    sent,
  };
}

/** Returns the payload that commits a text of a paragraph. */
export function commitOf(
  noteId: string,
  { id, server, base, author }: ParagraphState,
  { text, seq }: SentText,
): Sends['COMMIT_PARAGRAPH'] {
  return {
    id,
    noteId,
    title: server.title ?? '',
    paragraph: text,
    config: server.config ?? {},
    params: server.settings?.params ?? {},
    ...(base?.rev === undefined ? {} : { baseRev: base.rev }),
    ...(seq === undefined ? {} : { author, authorSeq: seq }),
  };
}
