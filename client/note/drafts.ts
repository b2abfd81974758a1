/**
 * Unsaved text: kept in the journal from the keystroke until the server has acknowledged it.
 *
 * Where the server numbers its texts, one text of a paragraph is on the way at a time, and it names the version it was made
 * from. Whether the server has it is told by its answer alone: what the connection swallowed is sent again as it was, under
 * its own number, after the note was read anew, and what was typed since starts from the answer.
 */
import type { Channel } from '../channel/channel.ts';
import type { Received } from '../channel/decode.ts';
import { deferred, type CallOptions, type Deferred } from '../core/abort.ts';
import type { Context } from '../context.ts';
import { isTidingError, TidingError } from '../errors.ts';
import { carryOver } from '../model/merge.ts';
import { flightOf } from '../paragraph/reducer.ts';
import { paragraphOf, paragraphText, type ParagraphState, type SentText } from '../state.ts';
import { NoteJournal } from './note-journal.ts';
import { Patches } from './patches.ts';
import type { Presences } from './presence.ts';

/** What is on the wire. */
interface Sending extends SentText {
  readonly op: 'COMMIT_PARAGRAPH' | 'PATCH_PARAGRAPH';
  readonly msgId: string;
  readonly late: ReturnType<typeof setTimeout> | undefined;
}

/** The unsaved texts of one open note. */
export class Drafts {
  readonly #context: Context;
  readonly #noteId: string;
  readonly #channel: Channel;
  readonly #author = crypto.randomUUID();
  #seq = Date.now();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #sending = new Map<string, Sending>();
  /** Paragraphs whose last commit was sent a second time, since the first brought no answer. */
  readonly #again = new Set<string>();
  readonly #waiting = new Map<string, Deferred<void>[]>();
  /** Where several type: what is typed is sent at once. */
  readonly #patches: Patches;
  readonly #journal: NoteJournal;
  /** After a reconnect until the note was read anew: what is typed here may start from a text that is gone. */
  #stale = false;
  /** Nothing is taken any more: what was unsaved is in the journal, and where the note is open again, that one's. */
  #closed = false;

  constructor(context: Context, noteId: string, channel: Channel, presences?: Presences) {
    this.#context = context;
    this.#noteId = noteId;
    this.#channel = channel;
    this.#journal = new NoteJournal(context, noteId);
    this.#patches = new Patches({
      context,
      noteId,
      channel,
      nextSeq: () => this.nextSeq(),
      isStale: () => this.#stale,
      isBusy: (paragraphId) => this.#sending.has(paragraphId) || this.#isFlying(paragraphId),
      sending: (paragraphId, sent, msgId) =>
        this.#wire(paragraphId, 'PATCH_PARAGRAPH', sent, msgId),
      settle: (paragraphId) => this.settle(paragraphId),
      sent: (paragraphId) => presences?.typed(paragraphId),
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
    return paragraph !== undefined && flightOf(paragraph) !== undefined;
  }

  /** @internal Number of the next commit of this author. */
  nextSeq(): number {
    return ++this.#seq;
  }

  /** Ids of paragraphs with unsaved text. */
  get unsaved(): string[] {
    if (this.#closed) return [];
    return Object.values(this.#context.store.get().open[this.#noteId]?.paragraphs ?? {})
      .filter((paragraph) => paragraph.draft !== undefined)
      .map((paragraph) => paragraph.id);
  }

  /** A keystroke: into the state and the journal at once, to the server after the autosave time. `from`: the text it was made in, which may have changed since. */
  edit(paragraphId: string, typed: string, from?: string): void {
    if (this.#closed) return;
    const before = this.#paragraph(paragraphId);
    const text =
      from === undefined || !before ? typed : carryOver(from, typed, paragraphText(before));
    this.#context.emit({
      type: 'edited',
      noteId: this.#noteId,
      paragraphId,
      text,
      author: this.#author,
    });
    // Typed back to what the server has: the journal must not bring it up again.
    if (this.#paragraph(paragraphId)?.draft === undefined) return this.settle(paragraphId);
    this.#remember(paragraphId);
    this.#patches.soon(paragraphId);
    this.#again.delete(paragraphId);
    this.#later(paragraphId);
  }

  /**
   * Saves the draft of a paragraph. Resolves when the server has acknowledged all that was typed.
   * Rejects with `forbidden`, `server`, `conflict` or `timeout`; the text stays in all cases.
   */
  commit(paragraphId: string, options: CallOptions = {}): Promise<void> {
    const paragraph = this.#paragraph(paragraphId);
    if (!paragraph || paragraph.draft === undefined) return Promise.resolve();
    if (paragraph.removed) {
      return Promise.reject(
        new TidingError('server', 'the paragraph was removed', { operation: 'COMMIT_PARAGRAPH' }),
      );
    }
    if (paragraph.conflict) {
      return Promise.reject(
        new TidingError('conflict', 'the paragraph was changed by somebody else', {
          operation: 'COMMIT_PARAGRAPH',
        }),
      );
    }
    const done = deferred<void>('COMMIT_PARAGRAPH', { timeout: this.#context.timeout, ...options });
    this.#waiting.set(paragraphId, [...(this.#waiting.get(paragraphId) ?? []), done]);
    this.#send(paragraphId);
    return done.promise;
  }

  /** The note was read anew: what is unsaved has been merged with it, and goes to the server. */
  caughtUp(): void {
    this.#stale = false;
    // What the note shows as saved is settled as well: its answer may have been lost with the connection.
    for (const id of new Set([...this.unsaved, ...this.#journal.kept, ...this.#waiting.keys()]))
      this.settle(id);
    this.flush();
  }

  /** Sends every draft, for example after a reconnect or when a run that held edits back has ended. */
  flush(): void {
    for (const id of this.unsaved) this.#send(id);
  }

  /** Forgets what is unsaved of a paragraph. */
  discard(paragraphId: string): void {
    if (this.#closed) return;
    this.#context.emit({ type: 'draft-discarded', noteId: this.#noteId, paragraphId });
    this.settle(paragraphId);
  }

  /** Text that was unsaved in an earlier life of its paragraph comes back, with what it was made from. */
  bring(
    paragraphId: string,
    text: string,
    base: { readonly text: string; readonly rev: number | undefined },
  ): void {
    if (this.#closed) return;
    this.#context.emit({
      type: 'draft-restored',
      noteId: this.#noteId,
      paragraphId,
      text,
      baseText: base.text,
      baseRev: base.rev,
      author: this.#author,
    });
    this.settle(paragraphId);
    if (this.#paragraph(paragraphId)?.draft !== undefined) this.#later(paragraphId);
  }

  /** The paragraph is about to be removed: its text is not sent by itself any more. */
  leave(paragraphId: string): void {
    clearTimeout(this.#timers.get(paragraphId));
    this.#timers.delete(paragraphId);
  }

  #later(paragraphId: string): void {
    clearTimeout(this.#timers.get(paragraphId));
    this.#timers.delete(paragraphId);
    if (this.#context.autosave === 0) return;
    this.#timers.set(
      paragraphId,
      setTimeout(() => {
        this.#timers.delete(paragraphId);
        this.#send(paragraphId);
      }, this.#context.autosave),
    );
  }

  /** Keeps the own text of a conflict and saves it over the server's. */
  keep(paragraphId: string): Promise<void> {
    if (this.#closed)
      return Promise.reject(
        new TidingError('closed', 'the note was closed', { operation: 'COMMIT_PARAGRAPH' }),
      );
    this.#context.emit({ type: 'draft-kept', noteId: this.#noteId, paragraphId });
    return this.commit(paragraphId);
  }

  /** Texts of an earlier life of this client come back as drafts. */
  async restore(): Promise<void> {
    const entries = await this.#journal.read();
    if (this.#closed) return;
    for (const {
      paragraphId,
      text,
      baseText,
      baseRev,
      author,
      authorSeq = 0,
      sentText,
      sentSeq,
    } of entries) {
      // Whatever was sent after the entry was written counts less than what is sent from now on.
      this.#seq = Math.max(this.#seq, authorSeq + 1_000);
      const paragraph = this.#paragraph(paragraphId);
      if (paragraph?.draft !== undefined) continue;
      this.#journal.found(paragraphId);
      const sent = sentText === undefined ? undefined : { text: sentText, seq: sentSeq };
      this.#context.emit({
        type: 'draft-restored',
        noteId: this.#noteId,
        paragraphId,
        text,
        baseText,
        baseRev,
        author,
        sent,
      });
      this.settle(paragraphId);
    }
  }

  /** A message arrived: does it acknowledge or refuse a commit? */
  receive(message: Received): void {
    if (message.op === 'COLLABORATIVE_MODE_STATUS') {
      if (message.data.status) this.#patches.start(this.unsaved);
      return;
    }
    if (message.op === 'PATCH_PARAGRAPH') {
      const { paragraphId } = message.data;
      const sending = this.#answered(paragraphId, message.msgId);
      if (this.#patches.receive(message, sending?.text) && sending)
        this.#landed(paragraphId, sending);
      return;
    }
    if (message.op === 'PARAGRAPH_REMOVED') {
      this.#sent(message.data.id);
      this.settle(message.data.id);
    } else if (message.op === 'PARAGRAPH') {
      const { id, text = '' } = message.data.paragraph;
      this.#patches.forget(id);
      const sending = this.#answered(id, message.msgId);
      if (sending) return this.#landed(id, sending);
      if (text === this.#sending.get(id)?.text) this.#sent(id);
      this.settle(id);
    } else if (message.op === 'PARAGRAPH_CONFLICT') {
      const { id } = message.data;
      this.#sent(id);
      const conflict = this.#paragraph(id)?.conflict;
      if (conflict)
        this.#context.emit({ type: 'conflict', noteId: this.#noteId, paragraphId: id, conflict });
      this.settle(id);
      // The server had forgotten what it was made from, and it was merged here.
      if (!conflict) this.#send(id);
    } else if (message.op === 'PARAGRAPH_ADDED') {
      const { id } = message.data.paragraph;
      if (this.#paragraph(id)?.draft === undefined) return;
      // One that was removed while text of it was unsaved is there again.
      this.settle(id);
      this.#later(id);
    } else if (
      (message.op === 'ERROR_INFO' || message.op === 'AUTH_INFO') &&
      this.#sending.size > 0
    ) {
      this.#refused(message.op, message.msgId, message.data.info);
    } else if (message.op === 'NOTE_RUNNING_STATUS' && !message.data.status) {
      this.flush();
    }
  }

  #refused(
    op: 'ERROR_INFO' | 'AUTH_INFO',
    msgId: string | undefined,
    info = 'the server refused',
  ): void {
    const [id, sending] = [...this.#sending].find(([, each]) => each.msgId === msgId) ?? [];
    if (id === undefined) return;
    this.#sent(id);
    // A note that runs paragraph by paragraph takes edits again when it is done: held, not refused.
    if (/running sequentially/i.test(info)) return;
    // A patch may not fit any more where the whole text does: the commit says what is wrong.
    if (sending?.op === 'PATCH_PARAGRAPH') return this.#send(id);
    this.#context.emit({
      type: 'commit-refused',
      noteId: this.#noteId,
      paragraphId: id,
      error: info,
    });
    const error = new TidingError(op === 'AUTH_INFO' ? 'forbidden' : 'server', info, {
      operation: 'COMMIT_PARAGRAPH',
    });
    this.#finish(id, (done) => done.reject(error));
  }

  /** The state of a paragraph changed: settle who waits, and send what is still unsaved. */
  settle(paragraphId: string): void {
    if (this.#closed) return;
    const paragraph = this.#paragraph(paragraphId);
    if (paragraph?.draft === undefined) {
      clearTimeout(this.#timers.get(paragraphId));
      this.#timers.delete(paragraphId);
      this.#journal.forget(paragraphId);
      this.#finish(paragraphId, (done) => done.resolve());
      return;
    }
    this.#remember(paragraphId);
    if (paragraph.removed) {
      const error = new TidingError('server', 'the paragraph was removed', {
        operation: 'COMMIT_PARAGRAPH',
      });
      this.#finish(paragraphId, (done) => done.reject(error));
    } else if (paragraph.conflict) {
      const error = new TidingError('conflict', 'the paragraph was changed by somebody else', {
        operation: 'COMMIT_PARAGRAPH',
      });
      this.#finish(paragraphId, (done) => done.reject(error));
    } else if (this.#waiting.get(paragraphId)?.some((done) => !done.settled)) {
      this.#send(paragraphId);
    }
  }

  /** The connection is gone: nothing is on the wire any more. */
  lost(): void {
    for (const id of [...this.#sending.keys()]) this.#sent(id);
    this.#patches.lost();
    this.#stale = true;
  }

  /** The note is closed here. Drafts stay in the journal. */
  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#patches.close();
    for (const id of [...this.#sending.keys()]) this.#sent(id);
    for (const id of this.#waiting.keys()) {
      this.#finish(id, (done) =>
        done.reject(
          new TidingError('closed', 'the note was closed', { operation: 'COMMIT_PARAGRAPH' }),
        ),
      );
    }
  }

  #send(paragraphId: string): void {
    const paragraph = this.#paragraph(paragraphId);
    const note = this.#context.store.get().open[this.#noteId];
    if (
      !paragraph ||
      paragraph.draft === undefined ||
      paragraph.conflict ||
      paragraph.removed ||
      !note ||
      this.#stale
    )
      return;
    if (
      this.#sending.has(paragraphId) ||
      this.#channel.state !== 'open' ||
      note.phase !== 'ready' ||
      note.sequential
    )
      return;
    const again = flightOf(paragraph);
    const { text, seq } = again ?? {
      text: paragraph.draft,
      seq: paragraph.author === undefined ? undefined : this.nextSeq(),
    };
    const { title, config = {}, settings } = paragraph.server;
    try {
      if (!again)
        this.#context.emit({ type: 'commit-sent', noteId: this.#noteId, paragraphId, text, seq });
      const msgId = this.#channel.send(
        'COMMIT_PARAGRAPH',
        {
          id: paragraphId,
          noteId: this.#noteId,
          title: title ?? '',
          paragraph: text,
          config,
          params: settings?.params ?? {},
          ...(paragraph.base?.rev === undefined ? {} : { baseRev: paragraph.base.rev }),
          ...(seq === undefined ? {} : { author: paragraph.author, authorSeq: seq }),
        },
        { expect: true },
      );
      this.#wire(paragraphId, 'COMMIT_PARAGRAPH', { text, seq }, msgId);
      this.#patches.committed(paragraphId, text);
    } catch (error) {
      const reason = isTidingError(error) ? error.message : String(error);
      this.#context.emit({
        type: 'commit-refused',
        noteId: this.#noteId,
        paragraphId,
        error: reason,
      });
      this.#finish(paragraphId, (done) => done.reject(error));
    }
  }

  #wire(paragraphId: string, op: Sending['op'], sent: SentText, msgId: string): void {
    // One that is never answered, although the connection lives, must not hold back what is typed after it.
    const late =
      this.#context.timeout > 0
        ? setTimeout(() => this.#unanswered(paragraphId, msgId), this.#context.timeout)
        : undefined;
    this.#sending.set(paragraphId, { ...sent, op, msgId, late });
    this.#remember(paragraphId);
  }

  /** What was on the wire, if that is its answer. */
  #answered(paragraphId: string, msgId: string | undefined): Sending | undefined {
    const sending = this.#sending.get(paragraphId);
    if (sending?.msgId !== msgId) return undefined;
    this.#sent(paragraphId);
    return sending;
  }

  /** What was typed since goes out soon. */
  #landed(paragraphId: string, { seq }: SentText): void {
    this.#context.emit({ type: 'commit-answered', noteId: this.#noteId, paragraphId, seq });
    this.settle(paragraphId);
    if (this.#paragraph(paragraphId)?.draft === undefined || this.#sending.has(paragraphId)) return;
    this.#patches.soon(paragraphId);
    if (!this.#timers.has(paragraphId)) this.#later(paragraphId);
  }

  /** Resolves when nothing of some paragraphs is on its way: what is sent then starts from the answers. Ends as `until` does where that is sooner. */
  async whenLanded(paragraphIds: readonly string[], until: Promise<unknown>): Promise<void> {
    const flying = () => paragraphIds.filter((id) => this.#isFlying(id));
    for (const id of flying()) this.#send(id);
    if (flying().length === 0) return;
    let stop = () => {};
    const landing = new Promise<void>(
      (resolve) =>
        (stop = this.#context.on('event', () => void (flying().length === 0 && resolve()))),
    );
    await Promise.race([landing, until]).finally(stop);
  }

  #sent(paragraphId: string): void {
    const sending = this.#sending.get(paragraphId);
    if (!sending) return;
    this.#channel.settle(sending.msgId);
    clearTimeout(sending.late);
    this.#sending.delete(paragraphId);
  }

  #unanswered(paragraphId: string, msgId: string): void {
    if (this.#sending.get(paragraphId)?.msgId !== msgId) return;
    this.#sending.delete(paragraphId);
    if (this.#context.autosave === 0 || this.#again.has(paragraphId)) return;
    this.#again.add(paragraphId);
    this.#send(paragraphId);
  }

  #finish(paragraphId: string, act: (done: Deferred<void>) => void): void {
    const waiting = this.#waiting.get(paragraphId);
    this.#waiting.delete(paragraphId);
    waiting?.forEach(act);
  }

  #remember(paragraphId: string): void {
    const paragraph = this.#paragraph(paragraphId);
    if (!paragraph || paragraph.draft === undefined) return;
    const sent = flightOf(paragraph);
    this.#journal.keep({
      paragraphId,
      text: paragraph.draft,
      baseText: paragraph.base?.text ?? '',
      baseRev: paragraph.base?.rev,
      author: paragraph.author,
      authorSeq: this.#seq,
      ...(sent ? { sentText: sent.text, sentSeq: sent.seq } : {}),
    });
  }
}
