/** What changes which paragraphs there are, so that no text is lost on the way and each change can be taken back. */
import type { Received } from '../channel/decode.ts';
import type { CallOptions } from '../core/abort.ts';
import { TidingError } from '../errors.ts';
import { joinTexts, splitText } from '../model/paragraph-text.ts';
import { isWithin, mergeText } from '../model/merge.ts';
import { isRunning } from '../model/status.ts';
import type { Bag, Paragraph as WireParagraph, ParagraphConfig } from '../protocol/index.ts';
import type { Paragraph } from '../paragraph/paragraph.ts';
import { paragraphOf, paragraphText, type NoteState, type ParagraphState } from '../state.ts';
import type { Note } from './note.ts';

/** A paragraph as it stood before it was removed or cleared, and where: what `note.restore` puts back. */
export interface Snapshot {
  /** Id of the paragraph. */
  readonly id: string;
  /** Place in the note, from 0. */
  readonly index: number;
  /** With its unsaved text. */
  readonly state: ParagraphState;
}

/** The newest state of a paragraph, also after it has gone. */
export interface Watch {
  /** As it stood last. */
  readonly last: Snapshot;
  /** Ends it. */
  stop(): void;
}

/** A paragraph as it stands. */
export function snapshot(note: Note, id: string): Snapshot {
  const state = paragraphOf(note.state, id);
  if (!state) throw new TidingError('closed', `the paragraph ${id} is gone`);
  return { id, index: note.state.order.indexOf(id), state };
}

/** Follows a paragraph until it is removed: what others wrote until then is in the last state. */
export function watch(note: Note, id: string): Watch {
  let last = snapshot(note, id);
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

/** The place that a server gives what stands at `index` here: paragraphs that somebody has removed are shown, and are not there. */
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

/** Tells, of the messages from now on, which adds a paragraph at a place of the server, and answers that paragraph. */
export function additionsAt(
  { state }: Note,
  place: number,
): (message: Received) => WireParagraph | undefined {
  const known = new Set(state.order);
  return (message) =>
    message.op === 'PARAGRAPH_ADDED' &&
    message.data.index === place &&
    !known.has(message.data.paragraph.id)
      ? message.data.paragraph
      : undefined;
}

/** Adds a paragraph with all that is given, in one operation. */
export async function add(
  note: Note,
  index: number,
  init: { title?: string; text: string; config?: ParagraphConfig; params?: Bag },
  options: CallOptions = {},
): Promise<string> {
  const place = serverIndex(note.state, index);
  const addition = additionsAt(note, place);
  const data = {
    index: place,
    noteId: note.id,
    title: init.title ?? '',
    paragraph: init.text,
    config: init.config ?? {},
    params: init.params ?? {},
  };
  // Not every server says whose addition it tells of: somebody else's at the same place is told by its text. Upstream adds a
  // paragraph with the magic of the one before, and fills it then.
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
    { exact: true, ...options },
  );
}

/**
 * Puts a removed paragraph back, or the output of one that was cleared. Answers its id (another where the server makes
 * one), and whether it is whole: a server that is not ours forgets what it printed. Where the paragraph is there with another
 * text, both are shown as a conflict. Rejects with `conflict` where there is unsaved text as well that the one it had does not go with.
 */
export async function restore(
  note: Note,
  { id, index, state }: Snapshot,
  options: CallOptions = {},
): Promise<{ id: string; whole: boolean }> {
  const { server } = state;
  const there = paragraphOf(note.state, id);
  const place = Math.min(Math.max(0, index), note.state.order.length);
  // Somebody else has put it back: he has not got what was unsaved here, nor what was written after he saw it last.
  if (there && !there.removed && (there.server.results || !server.results))
    return { id: bringText(note, id, state), whole: true };
  if (!note.context.store.get().server?.restores) {
    if (there && !there.removed)
      throw new TidingError('unsupported', 'this server does not put outputs back');
    const { title, config, settings } = server;
    // It has but one text: both of a conflict.
    const text = state.conflict
      ? joinTexts(paragraphText(state), state.conflict.theirs)
      : paragraphText(state);
    const made = await add(
      note,
      place,
      {
        text,
        ...(title === undefined ? {} : { title }),
        ...(config ? { config } : {}),
        params: settings?.params ?? {},
      },
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
      !paragraphOf(note.state, id)?.removed
        ? true
        : undefined,
    options,
  );
  return { id: bringText(note, id, state), whole: true };
}

/** Gives a paragraph that is back the text it had, unsaved as well; where the one it has now lacks something of it, both are shown. Answers its id. */
function bringText(note: Note, id: string, state: ParagraphState): string {
  const there = paragraphOf(note.state, id);
  const [had, has, mine] = [
    state.server.text ?? '',
    there?.server.text ?? '',
    paragraphText(state),
  ];
  if (!there || isWithin(had, has)) return bringDraft(note, id, state);
  if (there.draft !== undefined || !isWithin(had, mine))
    throw new TidingError('conflict', 'the paragraph is back with another text');
  // Nobody knows what both were made from, unless one has all of the other.
  note.drafts.bring(id, mine, { text: isWithin(has, mine) ? has : '', rev: there.server.rev });
  return id;
}

/** Gives a paragraph that is back its unsaved text, merged with what is unsaved there. Answers its id. */
function bringDraft(note: Note, id: string, { draft, base }: ParagraphState): string {
  const there = paragraphOf(note.state, id)?.draft;
  if (draft === undefined || !base || there === draft) return id;
  if (there === undefined) {
    note.drafts.bring(id, draft, base);
    return id;
  }
  const merged = mergeText(base.text, draft, there);
  if ('conflict' in merged)
    throw new TidingError('conflict', 'there is other unsaved text in the paragraph');
  note.drafts.edit(id, merged.text);
  return id;
}

const busy = ({ state }: Paragraph) => isRunning(state.server.status);
function mustBeQuiet(paragraph: Paragraph, operation: string): void {
  if (paragraph.state.conflict)
    throw new TidingError('conflict', 'the paragraph was changed by somebody else', { operation });
  if (paragraph.state.removed)
    throw new TidingError('server', 'the paragraph was removed', { operation });
  if (busy(paragraph)) throw new TidingError('server', 'the paragraph is running', { operation });
}

/** Splits a paragraph; its results stay with the first half. Answers the id of the second. */
export async function split(
  note: Note,
  paragraph: Paragraph,
  offset: number,
  options: CallOptions = {},
): Promise<string> {
  mustBeQuiet(paragraph, 'COPY_PARAGRAPH');
  const before = paragraph.text;
  const [head, tail] = splitText(before, offset);
  // Graphs and titles are of the results and the text that stay.
  const { results: _results, title: _title, ...config } = paragraph.state.server.config ?? {};
  // First there twice, then once: what breaks in between loses nothing.
  const id = await add(
    note,
    paragraph.index + 1,
    { text: tail, config, params: paragraph.state.server.settings?.params ?? {} },
    options,
  );
  // What was typed meanwhile stays; where it stands in what went below, the text stays twice.
  const cut = paragraphOf(note.state, paragraph.id)
    ? mergeText(before, head, paragraph.text)
    : { conflict: true as const };
  if ('text' in cut) {
    paragraph.edit(cut.text);
    await paragraph.commit(options);
  }
  return id;
}

/** Joins a paragraph with another, whose text comes below and which is removed then. Answers how that stood. */
export async function join(
  note: Note,
  first: Paragraph,
  second: Paragraph,
  options: CallOptions = {},
): Promise<Snapshot> {
  for (const each of [first, second]) mustBeQuiet(each, 'PARAGRAPH_REMOVE');
  const [before, below] = [first.text, second.text];
  const joined = joinTexts(before, below);
  first.edit(joined);
  await first.commit(options);
  const removed = await second.remove(options);
  // Somebody wrote in the second until it was gone: that comes along, or the paragraph comes back with it.
  const late = paragraphText(removed.state);
  const torn = removed.state.conflict !== undefined;
  if (late === below && !torn) return removed;
  const now = paragraphOf(note.state, first.id);
  const merged =
    !torn && now && !now.removed && !now.conflict
      ? mergeText(joined, paragraphText(now), joinTexts(before, late))
      : { conflict: true as const };
  if ('conflict' in merged) {
    await restore(note, removed, options);
    throw new TidingError('conflict', 'the paragraph was changed by somebody else', {
      operation: 'PARAGRAPH_REMOVE',
    });
  }
  first.edit(merged.text);
  return removed;
}
