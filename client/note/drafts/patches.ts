/**
 * Collaborative editing: while several users have a note open, edits are exchanged as patches
 * immediately. A patch is not a commit: the text stays a draft until the server acknowledges it.
 */
import type { Channel } from '../../channel/channel.ts';
import { paragraphOf, type SentText } from '../../core/state.ts';
import { checksum } from '../../model/tables/checksum.ts';
import { applyTextChange } from '../../model/text/text-change.ts';
import type { ReceivedMessage } from '../../protocol/index.ts';
import type { ClientContext } from '../../session/client-context.ts';
import { changeFields, unsentChange } from '../paragraph/draft-changes.ts';
import { hasSendableDraft } from './draft-records.ts';

/** Minimum interval between patches of a paragraph, in ms. */
const PATCH_MS = 200;

/** What patches need from the drafts they belong to. */
interface PatchesOptions {
  readonly context: ClientContext;
  readonly noteId: string;
  readonly channel: Channel;
  /** Returns the sequence number of this author's next commit or patch. */
  nextSeq(): number;
  /** Whether the note has to be reloaded first, because its state may be outdated. */
  isStale(): boolean;
  /** Whether a text of the paragraph is already in flight. */
  isBusy(paragraphId: string): boolean;
  /** A text of the paragraph was sent and will be answered. */
  sending(paragraphId: string, sent: SentText, msgId: string): void;
  /** The text of a paragraph changed. */
  settle(paragraphId: string): void;
  /** An edit of the paragraph was sent to the other users. */
  sent(paragraphId: string): void;
  /** Reloads the note. */
  reread(): void;
}

interface Entry {
  /** The text last sent to the server, if the server does not number its texts. */
  shadow: string | undefined;
  /** Text of an unanswered commit. The server applies it before any patch that is sent later. */
  committed: string | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** The patches of one open note. */
export class Patches {
  readonly #options: PatchesOptions;
  readonly #entries = new Map<string, Entry>();
  #texts: typeof import('../../model/text/text-patch.ts') | undefined;

  constructor(options: PatchesOptions) {
    this.#options = options;
  }

  /** Starts collaborative editing; `unsaved` are the paragraphs edited before. */
  start(unsaved: readonly string[]): void {
    // Loaded in advance. A patch that arrives earlier is handled by reloading the note.
    void import('../../model/text/text-patch.ts').then(
      (texts) => {
        this.#texts = texts;
        for (const id of unsaved) this.soon(id);
      },
      () => {},
    );
  }

  /** Schedules a patch after an edit. */
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

  /** A complete text was sent as a commit. */
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
    if (!note?.collaborative || !this.#texts || !paragraph || this.#options.isStale()) return;
    if (channel.state !== 'open' || !hasSendableDraft(note, paragraph)) return;
    const { draft: text, base, author } = paragraph;
    // On a server that numbers its texts, a patch names the revision it applies to. Other servers
    // apply it to their current text, which is the one sent last.
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
          ? {
              ...changeFields(paragraph, unsentChange(paragraph)),
              ...(seq === undefined ? {} : { author, authorSeq: seq }),
            }
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

  /**
   * Applies a patch by another user, or the reply to one of this client's patches, which produced
   * the text `mine`. Returns whether the server's resulting text is now known.
   */
  receive(message: ReceivedMessage & { op: 'PATCH_PARAGRAPH' }, mine?: string): boolean {
    const { context, noteId } = this.#options;
    const { paragraphId, patch, rev, checksum: sum, author, changes } = message.data;
    const paragraph = paragraphOf(context.store.get().open[noteId], paragraphId);
    if (!paragraph) return false;
    // The state is already newer: the note or the paragraph was reloaded meanwhile.
    if (rev !== undefined && paragraph.server.rev !== undefined && rev <= paragraph.server.rev)
      return true;
    const entry = this.#entries.get(paragraphId);
    const before = mine ?? entry?.shadow ?? paragraph.server.text ?? '';
    const text =
      (changes && applyTextChange(before, changes)) ?? this.#texts?.applyTextPatch(before, patch);
    // A patch was missed, or two crossed each other on a server that does not number texts: reload
    // the server's text.
    if (text === undefined || (sum !== undefined && checksum(text) !== sum)) {
      for (const each of this.#entries.values()) each.shadow = undefined;
      this.#options.reread();
      return false;
    }
    if (entry?.shadow !== undefined) entry.shadow = text;
    const change = mine === undefined ? changes : undefined;
    context.emit({ type: 'patched', noteId, paragraphId, text, rev, author, change });
    // After a reply to an own patch, the caller settles it.
    if (mine === undefined) this.#options.settle(paragraphId);
    return true;
  }

  /** The complete text of a paragraph arrived; later patches are based on it. */
  forget(paragraphId: string): void {
    const entry = this.#entries.get(paragraphId);
    if (entry) entry.shadow = entry.committed = undefined;
  }

  /** The connection broke. */
  lost(): void {
    for (const entry of this.#entries.values()) entry.shadow = entry.committed = undefined;
  }

  /** The note was closed. */
  close(): void {
    for (const { timer } of this.#entries.values()) clearTimeout(timer);
  }
}
