/**
 * Operations that add, remove, split, join and restore paragraphs. They never lose text, and each
 * can be undone.
 */

import type { CallOptions } from '../core/abort.ts';
import { TidingError } from '../core/errors.ts';
import { type NoteState, type ParagraphState, paragraphOf, paragraphText } from '../core/state.ts';
import { isRunning } from '../model/notes/paragraph-status.ts';
import { joinParagraphTexts, splitParagraphText } from '../model/notes/paragraph-text.ts';
import { isSubsequence, mergeText } from '../model/text/text-merge.ts';
import type {
  JsonObject,
  ParagraphConfig,
  ReceivedMessage,
  Paragraph as WireParagraph,
} from '../protocol/index.ts';
import type { NoteConnection } from './note-connection.ts';
import type { ParagraphHandle } from './paragraph/paragraph-handle.ts';

/** A paragraph and its position before it was removed or cleared, for `note.restore`. */
export interface ParagraphSnapshot {
  /** Id of the paragraph. */
  readonly id: string;
  /** Position in the note, starting at 0. */
  readonly index: number;
  /** State of the paragraph, including its draft. */
  readonly state: ParagraphState;
}

/** Follows a paragraph and keeps its latest state even after it was removed. */
export interface ParagraphWatch {
  /** The latest state. */
  readonly last: ParagraphSnapshot;
  /** Stops following the paragraph. */
  stop(): void;
}

/** Returns a snapshot of a paragraph. Throws `closed` if it is gone. */
export function takeSnapshot(note: NoteConnection, id: string): ParagraphSnapshot {
  const state = paragraphOf(note.state, id);
  if (!state) throw new TidingError('closed', `The paragraph ${id} no longer exists.`);
  return { id, index: note.state.order.indexOf(id), state };
}

/**
 * Follows a paragraph until it is removed, so that edits by others until then are in the last
 * snapshot.
 */
export function watchParagraph(note: NoteConnection, id: string): ParagraphWatch {
  let last = takeSnapshot(note, id);
  const off = note.context.on('event', () => {
    const open = note.context.store.get().open[note.id];
    const state = paragraphOf(open, id);
    if (open && state && !state.removed && (state !== last.state || open.order[last.index] !== id))
      last = { id, index: open.order.indexOf(id), state };
  });
  return {
    get last() {
      return last;
    },
    stop: off,
  };
}

/**
 * Converts a position in the state to a position on the server, which does not count removed
 * paragraphs that are still shown here.
 */
export function serverIndex(
  { order, paragraphs }: Pick<NoteState, 'order' | 'paragraphs'>,
  index: number,
  without?: string,
): number {
  return order
    .filter((id) => id !== without)
    .slice(0, index)
    .filter((id) => !paragraphs[id]?.removed).length;
}

/**
 * Returns a function that recognizes messages, from now on, that add a paragraph at a server
 * position. It returns that paragraph.
 */
function matchAdditionAt(
  { state }: NoteConnection,
  place: number,
): (message: ReceivedMessage) => WireParagraph | undefined {
  const known = new Set(state.order);
  return (message) =>
    message.op === 'PARAGRAPH_ADDED' &&
    message.data.index === place &&
    !known.has(message.data.paragraph.id)
      ? message.data.paragraph
      : undefined;
}

/** Inserts an empty paragraph at a position. Returns its id. */
export async function insertParagraph(
  note: NoteConnection,
  index: number,
  options: CallOptions,
): Promise<string> {
  const place = serverIndex(note.state, index);
  const addition = matchAdditionAt(note, place);
  // Servers that don't identify the request report at most the user.
  const isOwn = (user: string | undefined): boolean =>
    user === undefined || user === note.context.session.current?.principal;
  return note.request(
    'INSERT_PARAGRAPH',
    { index: place, noteId: note.id },
    (message) => {
      const added = addition(message);
      // A paragraph inserted by this call is empty except for a magic. One with text is another
      // user's copy or restored paragraph at the same position.
      return added && isOwn(added.user) && /^\s*(?:%[\w.-]+\s*)?$/.test(added.text ?? '')
        ? added.id
        : undefined;
    },
    { matchId: true, ...options },
  );
}

/** Adds a paragraph with the given content in one operation. Returns its id. */
export async function addParagraph(
  note: NoteConnection,
  index: number,
  init: { title?: string; text: string; config?: ParagraphConfig; params?: JsonObject },
  options: CallOptions = {},
): Promise<string> {
  const place = serverIndex(note.state, index);
  const addition = matchAdditionAt(note, place);
  const data = {
    index: place,
    noteId: note.id,
    title: init.title ?? '',
    paragraph: init.text,
    config: init.config ?? {},
    params: init.params ?? {},
  };
  // Not every server identifies the request, so another user's addition at the same position is
  // told apart by its text. Apache Zeppelin first adds a paragraph with the magic of the one above,
  // and fills it afterwards.
  const added = new Set<string>();
  return note.request(
    'COPY_PARAGRAPH',
    data,
    (message) => {
      const there = addition(message);
      if (there) added.add(there.id);
      const paragraph =
        there ??
        (message.op === 'PARAGRAPH' && added.has(message.data.paragraph.id)
          ? message.data.paragraph
          : undefined);
      return paragraph && (paragraph.text ?? '') === init.text ? paragraph.id : undefined;
    },
    { matchId: true, ...options },
  );
}

/**
 * Restores a removed paragraph, or the output of a cleared one. Returns its id, which is a new one
 * if the server creates a new paragraph, and whether it is complete: servers other than Tiding lose
 * its output. If the paragraph exists with another text, both are shown as a conflict. Rejects with
 * `conflict` if it also has a draft that can't be merged with the restored one.
 */
export async function restoreRemoved(
  note: NoteConnection,
  { id, index, state }: ParagraphSnapshot,
  options: CallOptions = {},
): Promise<{ id: string; whole: boolean }> {
  const { server } = state;
  const there = paragraphOf(note.state, id);
  const place = Math.min(Math.max(0, index), note.state.order.length);
  // Another user has restored it, but without this client's draft and without edits made after they
  // last saw it.
  if (there && !there.removed && (there.server.results || !server.results))
    return { id: bringText(note, id, state), whole: true };
  if (!note.context.store.get().server?.restoresParagraphs) {
    if (there && !there.removed)
      throw new TidingError('unsupported', "This server can't restore cleared outputs.");
    const { title, config, settings } = server;
    // A new paragraph has only one text, so it gets both sides of a conflict.
    const text = state.conflict
      ? joinParagraphTexts(paragraphText(state), state.conflict.theirs)
      : paragraphText(state);
    const made = await addParagraph(
      note,
      place,
      { text, title, config, params: settings?.params ?? {} },
      options,
    );
    return { id: made, whole: !server.results };
  }
  await note.request(
    'TIDING_RESTORE_PARAGRAPH',
    { noteId: note.id, index: serverIndex(note.state, place), paragraph: server },
    (message) =>
      (message.op === 'PARAGRAPH_ADDED' || message.op === 'PARAGRAPH') &&
      message.data.paragraph.id === id &&
      !paragraphOf(note.state, id)?.removed,
    options,
  );
  return { id: bringText(note, id, state), whole: true };
}

/**
 * Gives a restored paragraph the text it had, including its draft. If its current text lacks part
 * of that, both are shown as a conflict. Returns its id.
 */
function bringText(note: NoteConnection, id: string, state: ParagraphState): string {
  const there = paragraphOf(note.state, id);
  const [had, has, mine] = [
    state.server.text ?? '',
    there?.server.text ?? '',
    paragraphText(state),
  ];
  if (!there || isSubsequence(had, has)) return bringDraft(note, id, state);
  if (there.draft !== undefined || !isSubsequence(had, mine))
    throw new TidingError('conflict', 'The paragraph was restored with another text.');
  // Their common base is unknown, unless one text contains all of the other.
  note.drafts.restoreDraft(id, mine, {
    text: isSubsequence(has, mine) ? has : '',
    rev: there.server.rev,
  });
  return id;
}

/** Gives a restored paragraph its draft back, merged with the draft it has now. Returns its id. */
function bringDraft(note: NoteConnection, id: string, { draft, base }: ParagraphState): string {
  const there = paragraphOf(note.state, id)?.draft;
  if (draft === undefined || !base || there === draft) return id;
  if (there === undefined) {
    note.drafts.restoreDraft(id, draft, base);
    return id;
  }
  const merged = mergeText(base.text, draft, there);
  if ('conflict' in merged)
    throw new TidingError('conflict', 'The paragraph already has other unsaved text.');
  note.drafts.edit(id, merged.text);
  return id;
}

/** Restores a discarded draft; see {@link Note.restoreDraft}. */
export function restoreDraft(
  note: NoteConnection,
  { id, state: { draft, base } }: ParagraphSnapshot,
): void {
  const there = paragraphOf(note.state, id);
  if (!there) throw new TidingError('closed', `The paragraph ${id} no longer exists.`);
  if (draft === undefined || !base) return;
  if (there.draft !== undefined)
    throw new TidingError('conflict', 'The paragraph already has other unsaved text.');
  note.drafts.restoreDraft(id, draft, base);
}

const busy = ({ state }: ParagraphHandle) => isRunning(state.server.status);
function mustBeQuiet(paragraph: ParagraphHandle, operation: string): void {
  if (paragraph.state.conflict)
    throw new TidingError('conflict', 'The paragraph was changed by another user.', { operation });
  if (paragraph.state.removed)
    throw new TidingError('not-found', 'The paragraph was removed.', { operation });
  if (busy(paragraph)) throw new TidingError('busy', 'The paragraph is running.', { operation });
}

/** Splits a paragraph; its results stay with the first half. Returns the id of the second half. */
export async function splitParagraph(
  note: NoteConnection,
  paragraph: ParagraphHandle,
  offset: number,
  options: CallOptions = {},
): Promise<string> {
  mustBeQuiet(paragraph, 'COPY_PARAGRAPH');
  const before = paragraph.text;
  const [head, tail] = splitParagraphText(before, offset);
  // Visualization settings and the title belong to the first half.
  const { results: _results, title: _title, ...config } = paragraph.state.server.config ?? {};
  // Copy first, then cut: an interruption between the two loses nothing.
  const id = await addParagraph(
    note,
    paragraph.index + 1,
    { text: tail, config, params: paragraph.state.server.settings?.params ?? {} },
    options,
  );
  // Keep what was typed meanwhile. If it is inside the text that moved, leave the text in both
  // halves.
  const cut = paragraphOf(note.state, paragraph.id)
    ? mergeText(before, head, paragraph.text)
    : { conflict: true as const };
  if ('text' in cut) {
    paragraph.edit(cut.text);
    await paragraph.commit(options);
  }
  return id;
}

interface RemovableParagraph extends ParagraphHandle {
  remove(options: CallOptions): Promise<ParagraphSnapshot>;
}

/** Appends the text of another paragraph and removes that paragraph. Returns a snapshot of it. */
export async function joinParagraphs(
  note: NoteConnection,
  first: ParagraphHandle,
  second: RemovableParagraph,
  options: CallOptions = {},
): Promise<ParagraphSnapshot> {
  for (const each of [first, second]) mustBeQuiet(each, 'PARAGRAPH_REMOVE');
  const [before, below] = [first.text, second.text];
  const joined = joinParagraphTexts(before, below);
  first.edit(joined);
  await first.commit(options);
  const removed = await second.remove(options);
  // The second paragraph was edited before it was removed: merge the edit, or restore the paragraph
  // with it.
  const late = paragraphText(removed.state);
  const torn = removed.state.conflict !== undefined;
  if (late === below && !torn) return removed;
  const now = paragraphOf(note.state, first.id);
  const merged =
    !torn && now && !now.removed && !now.conflict
      ? mergeText(joined, paragraphText(now), joinParagraphTexts(before, late))
      : { conflict: true as const };
  if ('conflict' in merged) {
    await restoreRemoved(note, removed, options);
    throw new TidingError('conflict', 'The paragraph was changed by another user.', {
      operation: 'PARAGRAPH_REMOVE',
    });
  }
  first.edit(merged.text);
  return removed;
}
