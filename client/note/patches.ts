/**
 * Several people type in one note: what is typed is sent as a patch at once, and what others type comes as one. A patch is
 * no commit: the text stays a draft until the server has said that it has it.
 */
import type { Channel } from '../channel/channel.ts';
import type { Received } from '../channel/decode.ts';
import type { Context } from '../context.ts';
import { checksum } from '../model/checksum.ts';
import { paragraphOf, type SentText } from '../state.ts';

/** Typing is sent to others on the note at most this often, in ms. */
const PATCH_MS = 200;

/** What patches need of the drafts they belong to. */
export interface PatchesOptions {
  readonly context: Context;
  readonly noteId: string;
  readonly channel: Channel;
  /** Number of the next commit or patch of this author. */
  nextSeq(): number;
  /** The note is yet to be read anew: what stands here may be gone there. */
  isStale(): boolean;
  /** A text of the paragraph is on its way already. */
  isBusy(paragraphId: string): boolean;
  /** A text of the paragraph is on its way, and will be answered. */
  sending(paragraphId: string, sent: SentText, msgId: string): void;
  /** The text of a paragraph changed. */
  settle(paragraphId: string): void;
  /** What was typed in a paragraph is on its way to the others. */
  sent(paragraphId: string): void;
  /** Reads the note anew. */
  reread(): void;
}

interface Entry {
  /** What the server has been told last, where it does not number its texts. */
  shadow: string | undefined;
  /** The text of a commit that is not answered yet: the server has it before any patch that is sent after it. */
  committed: string | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** The patches of one open note. */
export class Patches {
  readonly #options: PatchesOptions;
  readonly #entries = new Map<string, Entry>();
  #texts: typeof import('../model/text-patch.ts') | undefined;

  constructor(options: PatchesOptions) {
    this.#options = options;
  }

  /** More than one has the note open from now on; `unsaved` was typed before. */
  start(unsaved: readonly string[]): void {
    // Loaded before it is needed: a patch that comes while it is not there is healed by reading the note.
    void import('../model/text-patch.ts').then(
      (texts) => {
        this.#texts = texts;
        for (const id of unsaved) this.soon(id);
      },
      () => {},
    );
  }

  /** Something was typed. */
  soon(paragraphId: string): void {
    const { context, noteId } = this.#options;
    if (
      !context.store.get().open[noteId]?.collaborative ||
      !this.#texts ||
      !context.supports('PATCH_PARAGRAPH')
    )
      return;
    const entry = this.#entry(paragraphId);
    entry.timer ??= setTimeout(() => {
      entry.timer = undefined;
      this.#send(paragraphId, entry);
      this.#options.sent(paragraphId);
    }, PATCH_MS);
  }

  /** A whole text went out as a commit. */
  committed(paragraphId: string, text: string): void {
    this.#entry(paragraphId).committed = text;
  }

  #entry(paragraphId: string): Entry {
    const entry = this.#entries.get(paragraphId) ?? {
      shadow: undefined,
      committed: undefined,
      timer: undefined,
    };
    this.#entries.set(paragraphId, entry);
    return entry;
  }

  #send(paragraphId: string, entry: Entry): void {
    const { context, noteId, channel } = this.#options;
    const note = context.store.get().open[noteId];
    const paragraph = paragraphOf(note, paragraphId);
    if (
      !note?.collaborative ||
      !this.#texts ||
      !paragraph ||
      paragraph.draft === undefined ||
      paragraph.conflict ||
      paragraph.removed
    )
      return;
    if (
      this.#options.isStale() ||
      channel.state !== 'open' ||
      note.phase !== 'ready' ||
      note.sequential
    )
      return;
    const { draft: text, base, author } = paragraph;
    // Ours numbers its texts: a patch names the one it starts from. Others patch what they have, which is what was told last.
    const numbered = base?.rev !== undefined;
    if (numbered && this.#options.isBusy(paragraphId)) return;
    const patch = this.#texts.makeTextPatch(
      numbered ? base.text : (entry.committed ?? entry.shadow ?? paragraph.server.text ?? ''),
      text,
    );
    if (patch === '') return;
    const seq = numbered && author !== undefined ? this.#options.nextSeq() : undefined;
    const msgId = channel.send(
      'PATCH_PARAGRAPH',
      {
        id: paragraphId,
        noteId,
        patch,
        ...(numbered
          ? { baseRev: base.rev, ...(seq === undefined ? {} : { author, authorSeq: seq }) }
          : {}),
      },
      { expect: numbered },
    );
    context.emit({ type: 'commit-sent', noteId, paragraphId, text, seq });
    if (numbered) this.#options.sending(paragraphId, { text, seq }, msgId);
    else {
      entry.shadow = text;
      entry.committed = undefined;
    }
  }

  /** A patch of somebody's, or the answer to one of ours that made `mine`. Answers whether what it made is known now. */
  receive(message: Received & { op: 'PATCH_PARAGRAPH' }, mine?: string): boolean {
    const { context, noteId } = this.#options;
    const { paragraphId, patch, rev, checksum: sum, author } = message.data;
    const paragraph = paragraphOf(context.store.get().open[noteId], paragraphId);
    if (!paragraph) return false;
    // What is known here already has it: the note was read, or the whole paragraph told, meanwhile.
    if (rev !== undefined && paragraph.server.rev !== undefined && rev <= paragraph.server.rev)
      return true;
    const entry = this.#entries.get(paragraphId);
    const before = mine ?? entry?.shadow ?? paragraph.server.text ?? '';
    const text = this.#texts?.applyTextPatch(before, patch);
    // One was missed, or two passed each other where nothing is numbered: what the server has is read anew.
    if (text === undefined || (sum !== undefined && checksum(text) !== sum)) {
      for (const each of this.#entries.values()) each.shadow = undefined;
      this.#options.reread();
      return false;
    }
    if (entry?.shadow !== undefined) entry.shadow = text;
    context.emit({ type: 'patched', noteId, paragraphId, text, rev, author });
    // What waits for an answer to ours is settled when that is taken for answered.
    if (mine === undefined) this.#options.settle(paragraphId);
    return true;
  }

  /** The whole text of a paragraph came: patches start from it. */
  forget(paragraphId: string): void {
    const entry = this.#entries.get(paragraphId);
    if (entry) entry.shadow = entry.committed = undefined;
  }

  /** The connection is gone. */
  lost(): void {
    for (const entry of this.#entries.values()) entry.shadow = entry.committed = undefined;
  }

  /** The note is closed here. */
  close(): void {
    for (const { timer } of this.#entries.values()) clearTimeout(timer);
  }
}
