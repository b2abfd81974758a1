/**
 * Unsaved text: kept in the journal from the keystroke until the server has acknowledged it.
 *
 * If the server numbers its texts, only one commit per paragraph is in flight at a time, and it
 * names the revision it is based on. Only the reply tells whether the server has it. A commit lost
 * with the connection is sent again unchanged, under its own number, after the note was reloaded;
 * later edits are then based on the reply.
 */
import type { Channel } from '../../channel/channel.ts';
import type { CallOptions } from '../../core/abort.ts';
import { isTidingError, refusedError } from '../../core/errors.ts';
import { eventsUntil } from '../../core/event-bus.ts';
import {
  type ParagraphState,
  paragraphOf,
  paragraphText,
  type SentText,
} from '../../core/state.ts';
import { rebaseEdit, type TextChange } from '../../model/text/text-change.ts';
import type { ReceivedMessage } from '../../protocol/index.ts';
import type { ClientContext } from '../../session/client-context.ts';
import { unansweredCommit, unsentChange } from '../paragraph/draft-changes.ts';
import type { PresenceAnnouncer } from '../presence-announcer.ts';
import { Autosave } from './autosave.ts';
import { commitOf, hasSendableDraft, journalEntryOf, restoredDraft } from './draft-records.ts';
import { NoteJournal } from './note-journal.ts';
import { Patches } from './patches.ts';
import { commitError, commitObstacle, PendingCommits } from './pending-commits.ts';
import { type SentCommit, SentCommits } from './sent-commits.ts';

/** The drafts of one open note. */
export class Drafts {
  readonly #context: ClientContext;
  readonly #noteId: string;
  readonly #channel: Channel;
  readonly #author = crypto.randomUUID();
  #seq = Date.now();
  readonly #autosave: Autosave;
  readonly #sent: SentCommits;
  /** Paragraphs whose last commit was sent a second time because the first got no reply. */
  readonly #again = new Set<string>();
  readonly #pending = new PendingCommits();
  /** Sends edits immediately while several users have the note open. */
  readonly #patches: Patches;
  readonly #journal: NoteJournal;
  /**
   * Set after a reconnect until the note was reloaded: meanwhile, drafts may be based on a text
   * that is gone.
   */
  #stale = false;
  /**
   * After closing, edits are ignored. Unsaved text is already in the journal and belongs to the
   * next `Note` opened for this id.
   */
  #closed = false;

  constructor(
    context: ClientContext,
    noteId: string,
    channel: Channel,
    presences?: PresenceAnnouncer,
  ) {
    this.#context = context;
    this.#noteId = noteId;
    this.#channel = channel;
    this.#journal = new NoteJournal(context, noteId);
    this.#autosave = new Autosave(context.autosave, (paragraphId) => this.#send(paragraphId));
    this.#sent = new SentCommits(channel, context.timeout, (paragraphId) =>
      this.#unanswered(paragraphId),
    );
    this.#patches = new Patches({
      context,
      noteId,
      channel,
      nextSeq: () => this.nextSeq(),
      isStale: () => this.#stale,
      isBusy: (paragraphId) => this.#sent.has(paragraphId) || this.#isFlying(paragraphId),
      sending: (paragraphId, sent, msgId) =>
        this.#wire(paragraphId, 'PATCH_PARAGRAPH', sent, msgId),
      settle: (paragraphId) => this.settle(paragraphId),
      sent: (paragraphId) => presences?.editSent(paragraphId),
      reread: () => {
        this.#stale = true;
        channel.greeting();
      },
    });
  }

  #paragraph(id: string): ParagraphState | undefined {
    return this.#closed ? undefined : paragraphOf(this.#context.store.get().open[this.#noteId], id);
  }

  #isFlying(id: string): boolean {
    const paragraph = this.#paragraph(id);
    return paragraph !== undefined && unansweredCommit(paragraph) !== undefined;
  }

  /** @internal Returns the sequence number of this author's next commit. */
  nextSeq(): number {
    return ++this.#seq;
  }

  /** Ids of the paragraphs with unsaved text. */
  get unsaved(): string[] {
    if (this.#closed) return [];
    return Object.values(this.#context.store.get().open[this.#noteId]?.paragraphs ?? {})
      .filter((paragraph) => paragraph.draft !== undefined)
      .map((paragraph) => paragraph.id);
  }

  /**
   * Applies an edit: to the state and the journal immediately, to the server after the autosave
   * delay. `from`: the text that the user edited, if known; `change`: what was typed into it.
   */
  edit(paragraphId: string, typed: string, from?: string, change?: TextChange): void {
    if (this.#closed) return;
    const before = this.#paragraph(paragraphId);
    const edited =
      from === undefined || !before
        ? { text: typed }
        : rebaseEdit(from, typed, paragraphText(before), change);
    const [noteId, author] = [this.#noteId, this.#author];
    this.#context.emit({ type: 'edited', noteId, paragraphId, ...edited, author });
    // The edit restored the server's text, so the journal must not bring the draft back.
    if (this.#paragraph(paragraphId)?.draft === undefined) return this.settle(paragraphId);
    this.#remember(paragraphId);
    this.#patches.soon(paragraphId);
    this.#again.delete(paragraphId);
    this.#autosave.schedule(paragraphId);
  }

  /**
   * Saves the draft of a paragraph. Resolves when the server has acknowledged everything typed so
   * far. Rejects with `forbidden`, `server`, `conflict` or `timeout`; the text is kept in all
   * cases.
   */
  commit(paragraphId: string, options: CallOptions = {}): Promise<void> {
    const paragraph = this.#paragraph(paragraphId);
    if (!paragraph || paragraph.draft === undefined) return Promise.resolve();
    const obstacle = commitObstacle(paragraph) ?? this.#context.session.failure('COMMIT_PARAGRAPH');
    if (obstacle) return Promise.reject(obstacle);
    const done = this.#pending.add(paragraphId, { timeout: this.#context.timeout, ...options });
    this.#send(paragraphId);
    return done;
  }

  /** The note was reloaded and drafts were merged with it: sends what is still unsaved. */
  noteReloaded(): void {
    this.#stale = false;
    // Also settle commits that the reloaded note contains: their replies may have been lost with
    // the connection.
    for (const id of new Set([
      ...this.unsaved,
      ...this.#journal.kept,
      ...this.#pending.paragraphIds,
    ]))
      this.settle(id);
    this.flush();
  }

  /**
   * Sends every draft, for example after a reconnect, or when a run that held back edits has ended.
   */
  flush(): void {
    for (const id of this.unsaved) this.#send(id);
  }

  /** Discards the draft of a paragraph. */
  discard(paragraphId: string): void {
    if (this.#closed) return;
    this.#context.emit({ type: 'draft-discarded', noteId: this.#noteId, paragraphId });
    this.settle(paragraphId);
  }

  /**
   * Restores a draft that was discarded or lost when its paragraph was removed, together with the
   * text it is based on.
   */
  restoreDraft(
    paragraphId: string,
    text: string,
    base: { readonly text: string; readonly rev: number | undefined },
  ): void {
    if (this.#closed) return;
    const entry = { paragraphId, text, baseText: base.text, baseRev: base.rev };
    this.#context.emit(restoredDraft(this.#noteId, { ...entry, author: this.#author }));
    this.settle(paragraphId);
    if (this.#paragraph(paragraphId)?.draft !== undefined) this.#autosave.schedule(paragraphId);
  }

  /** Cancels autosave for a paragraph that is about to be removed. */
  cancelAutosave(paragraphId: string): void {
    this.#autosave.cancel(paragraphId);
  }

  /** Resolves a conflict with the user's own text and saves it over the server's. */
  keepOwn(paragraphId: string): Promise<void> {
    if (this.#closed) return Promise.reject(commitError('closed', 'The note was closed.'));
    this.#context.emit({ type: 'draft-kept', noteId: this.#noteId, paragraphId });
    return this.commit(paragraphId);
  }

  /** Restores drafts of an earlier session from the journal. */
  async restoreAll(): Promise<void> {
    const entries = await this.#journal.read();
    if (this.#closed) return;
    for (const entry of entries) {
      const { paragraphId, authorSeq = 0 } = entry;
      // The gap lets new commits win over any that were sent after the entry was written.
      this.#seq = Math.max(this.#seq, authorSeq + 1_000);
      const { draft, server } = this.#paragraph(paragraphId) ?? {};
      if (draft !== undefined) continue;
      this.#journal.found(paragraphId);
      // The page ended before the journal had the text that it sent last, which the server has.
      if (server?.author === entry.author && (server?.authorSeq ?? 0) > authorSeq) {
        this.#journal.forget(paragraphId);
        continue;
      }
      this.#context.emit(restoredDraft(this.#noteId, entry));
      this.settle(paragraphId);
    }
  }

  /** Handles a message that may acknowledge or refuse a commit. */
  receive(message: ReceivedMessage): void {
    if (message.op === 'COLLABORATIVE_MODE_STATUS') {
      if (message.data.status) this.#patches.start(this.unsaved);
      return;
    }
    if (message.op === 'PATCH_PARAGRAPH') {
      const { paragraphId } = message.data;
      const sending = this.#sent.answered(paragraphId, message.msgId);
      if (this.#patches.receive(message, sending?.text) && sending)
        this.#landed(paragraphId, sending, message.data.changes);
      return;
    }
    if (message.op === 'PARAGRAPH_REMOVED') {
      this.#sent.settle(message.data.id);
      this.settle(message.data.id);
    } else if (message.op === 'PARAGRAPH') {
      const { id, text = '' } = message.data.paragraph;
      this.#patches.forget(id);
      const sending = this.#sent.answered(id, message.msgId);
      if (sending) return this.#landed(id, sending);
      if (text === this.#sent.get(id)?.text) this.#sent.settle(id);
      this.settle(id);
    } else if (message.op === 'PARAGRAPH_CONFLICT') {
      const { id } = message.data;
      this.#sent.settle(id);
      const conflict = this.#paragraph(id)?.conflict;
      if (conflict)
        this.#context.emit({ type: 'conflict', noteId: this.#noteId, paragraphId: id, conflict });
      this.settle(id);
      // The server no longer had the base text, but the merge succeeded here.
      if (!conflict) this.#send(id);
    } else if (message.op === 'PARAGRAPH_ADDED') {
      const { id } = message.data.paragraph;
      if (this.#paragraph(id)?.draft === undefined) return;
      // A paragraph that was removed while it had a draft was restored.
      this.settle(id);
      this.#autosave.schedule(id);
    } else if ((message.op === 'ERROR_INFO' || message.op === 'AUTH_INFO') && this.#sent.size > 0) {
      this.#refused(message);
    } else if (message.op === 'NOTE_RUNNING_STATUS' && !message.data.status) {
      this.flush();
    }
  }

  #refused(message: ReceivedMessage & { op: 'ERROR_INFO' | 'AUTH_INFO' }): void {
    const [id, sending] = this.#sent.find(message.msgId) ?? [];
    if (id === undefined) return;
    this.#sent.settle(id);
    // A note that runs paragraph by paragraph accepts edits again afterwards, so the draft is only
    // held back.
    if (/running sequentially/i.test(message.data.info ?? '')) return;
    // A patch may no longer apply although the complete text can be saved; otherwise the commit
    // reports the error.
    if (sending?.op === 'PATCH_PARAGRAPH') return this.#send(id);
    this.#fail(id, refusedError(message, 'COMMIT_PARAGRAPH'));
  }

  #fail(paragraphId: string, error: unknown): void {
    const [noteId, reason] = [this.#noteId, isTidingError(error) ? error.message : String(error)];
    this.#context.emit({ type: 'commit-refused', noteId, paragraphId, error: reason });
    this.#pending.reject(paragraphId, error);
  }

  /**
   * Settles pending commits after the state of a paragraph changed, and sends what is still
   * unsaved.
   */
  settle(paragraphId: string): void {
    if (this.#closed) return;
    const paragraph = this.#paragraph(paragraphId);
    if (paragraph?.draft === undefined) {
      this.#autosave.cancel(paragraphId);
      this.#journal.forget(paragraphId);
      this.#pending.resolve(paragraphId);
      return;
    }
    this.#remember(paragraphId);
    const obstacle = commitObstacle(paragraph);
    if (obstacle) this.#pending.reject(paragraphId, obstacle);
    else if (this.#pending.isAwaited(paragraphId)) this.#send(paragraphId);
  }

  /** The connection broke: nothing is in flight any more. */
  connectionLost(): void {
    this.#sent.settleAll();
    this.#patches.lost();
    this.#stale = true;
    const failure = this.#context.session.failure('COMMIT_PARAGRAPH');
    if (failure) for (const id of this.#pending.paragraphIds) this.#pending.reject(id, failure);
  }

  /** Closes the drafts with their note. Unsaved text stays in the journal. */
  close(): void {
    this.#closed = true;
    this.#autosave.close();
    this.#patches.close();
    this.#sent.settleAll();
    for (const id of this.#pending.paragraphIds)
      this.#pending.reject(id, commitError('closed', 'The note was closed.'));
  }

  #send(paragraphId: string): void {
    const paragraph = this.#paragraph(paragraphId);
    const note = this.#context.store.get().open[this.#noteId];
    if (!paragraph || this.#stale || this.#sent.has(paragraphId)) return;
    if (this.#channel.state !== 'open' || !hasSendableDraft(note, paragraph)) return;
    const again = unansweredCommit(paragraph);
    const sent = again ?? {
      text: paragraph.draft,
      seq: paragraph.author === undefined ? undefined : this.nextSeq(),
      change: paragraph.base?.rev === undefined ? undefined : unsentChange(paragraph),
    };
    const { text, seq } = sent;
    const noteId = this.#noteId;
    try {
      if (!again) this.#context.emit({ type: 'commit-sent', noteId, paragraphId, text, seq });
      const commit = commitOf(noteId, paragraph, sent);
      const msgId = this.#channel.send('COMMIT_PARAGRAPH', commit, { expect: true });
      this.#wire(paragraphId, 'COMMIT_PARAGRAPH', sent, msgId);
      this.#patches.committed(paragraphId, text);
    } catch (error) {
      this.#fail(paragraphId, error);
    }
  }

  #wire(paragraphId: string, op: SentCommit['op'], sent: SentText, msgId: string): void {
    this.#sent.add(paragraphId, op, sent, msgId);
    this.#remember(paragraphId);
  }

  /** A commit was acknowledged: schedules what was typed since. */
  #landed(paragraphId: string, { seq }: SentText, change?: TextChange): void {
    const noteId = this.#noteId;
    this.#context.emit({ type: 'commit-answered', noteId, paragraphId, seq, change });
    this.settle(paragraphId);
    if (this.#paragraph(paragraphId)?.draft === undefined || this.#sent.has(paragraphId)) return;
    this.#patches.soon(paragraphId);
    if (!this.#autosave.isScheduled(paragraphId)) this.#autosave.schedule(paragraphId);
  }

  /**
   * Resolves when none of the paragraphs has a commit in flight, so that what is sent next is based
   * on the replies; or earlier, when `until` settles.
   */
  async whenAcknowledged(paragraphIds: readonly string[], until: Promise<unknown>): Promise<void> {
    const flying = () => paragraphIds.filter((id) => this.#isFlying(id));
    for (const id of flying()) this.#send(id);
    await eventsUntil(this.#context, () => flying().length === 0, until);
  }

  #unanswered(paragraphId: string): void {
    if (this.#context.autosave === 0 || this.#again.has(paragraphId)) return;
    this.#again.add(paragraphId);
    this.#send(paragraphId);
  }

  #remember(paragraphId: string): void {
    const paragraph = this.#paragraph(paragraphId);
    if (!paragraph || paragraph.draft === undefined) return;
    this.#journal.keep(journalEntryOf(paragraph, paragraph.draft, this.#seq));
  }
}
