/// <reference lib="esnext.disposable" />
/** The base of an open note: its identity, state, channel and drafts, which its commands use. */
import type { Channel, ChannelRequestOptions } from '../channel/channel.ts';
import type { RequestMatch } from '../channel/pending-requests.ts';
import type { CallOptions } from '../core/abort.ts';
import { TidingError } from '../core/errors.ts';
import type { NoteState } from '../core/state.ts';
import type { Paragraph, ParagraphDependencies, Sends, SentOp } from '../protocol/index.ts';
import type { ClientContext } from '../session/client-context.ts';
import { Drafts } from './drafts/drafts.ts';
import {
  type NoteRunOptions,
  type Run,
  type RunResult,
  revisionReadOnlyError,
} from './paragraph/run.ts';
import { type CursorPosition, PresenceAnnouncer } from './presence-announcer.ts';

/** @internal Key under which a revision is open. Ids of notes never contain `@`. */
export const revisionKey = (noteId: string, revisionId: string): string =>
  `${noteId}@${revisionId}`;

/** @internal A change of a paragraph's settings, without those that stay as they are. */
export type SettingsChange = Pick<Paragraph, 'title' | 'config'> & {
  readonly params?: Record<string, unknown>;
};

/** Identity, state, channel and drafts of an open note. */
export abstract class NoteConnection {
  /**
   * Key in `client.state.open`: the id of the note, or for a revision `<note id>@<revision id>`.
   */
  readonly id: string;
  /** Id of the note on the server. */
  readonly noteId: string;
  /**
   * Id of the revision, or `undefined` for the current note. A revision is loaded once, can't be
   * changed and needs no connection.
   */
  readonly revision: string | undefined;
  /** @internal */
  readonly context: ClientContext;
  /** @internal */
  readonly channel: Channel;
  /** @internal */
  readonly drafts: Drafts;
  /** @internal */
  readonly presences: PresenceAnnouncer;
  /**
   * @internal Changes of paragraphs' settings that the server has not answered, oldest first.
   */
  readonly unanswered = new Set<{ readonly id: string } & SettingsChange>();
  readonly #release: () => boolean;
  #destroyed = false;

  /** @internal */
  constructor(context: ClientContext, noteId: string, release: () => boolean, revision?: string) {
    const id = revision === undefined ? noteId : revisionKey(noteId, revision);
    this.context = context;
    this.id = id;
    this.noteId = noteId;
    this.revision = revision;
    this.#release = release;
    this.channel = context.channel(id);
    context.emit({ type: 'note-opened', noteId: id });
    this.presences = new PresenceAnnouncer(context, id, this.channel);
    this.drafts = new Drafts(context, id, this.channel, this.presences);
  }

  /** Current state of the note. Throws `closed` after the note was closed. */
  get state(): NoteState {
    // If the note was opened again, that state belongs to the new `Note`: this one must not
    // overwrite drafts there.
    const state = this.context.store.get().open[this.id];
    if (!state || this.#destroyed) throw new TidingError('closed', 'The note is closed.');
    return state;
  }

  /** Folders and name, without a leading slash. */
  get path(): string {
    return this.state.path;
  }

  /**
   * Calls `listener` after each change of this note's state, until the note is closed. Returns an
   * unsubscribe function.
   */
  subscribe(listener: (state: NoteState) => void): () => void {
    let last = this.context.store.get().open[this.id];
    return this.context.store.subscribe(() => {
      const now = this.context.store.get().open[this.id];
      if (now && now !== last && !this.#destroyed) {
        last = now;
        listener(now);
      }
    });
  }

  /**
   * @internal Sends a request on this note's channel. Revisions have none and reject with
   * `forbidden`.
   */
  request<Op extends SentOp, Answer>(
    op: Op,
    data: Sends[Op],
    match: RequestMatch<Answer>,
    options: ChannelRequestOptions = {},
  ): Promise<Answer> {
    if (this.revision !== undefined) return Promise.reject(revisionReadOnlyError(op));
    return this.channel.request(op, data, match, { timeout: this.context.timeout, ...options });
  }

  /** @internal Sends a request that names its note. Revisions use the lobby channel. */
  async requestByNoteId<Op extends SentOp, Answer>(
    op: Op,
    data: Sends[Op],
    match: RequestMatch<Answer>,
    options: ChannelRequestOptions = {},
  ): Promise<Answer> {
    const channel = this.revision === undefined ? this.channel : await this.context.lobby();
    return channel.request(op, data, match, { timeout: this.context.timeout, ...options });
  }

  /** @internal Throws `forbidden` if this is a revision. */
  assertEditable(operation: string): void {
    if (this.revision !== undefined) throw revisionReadOnlyError(operation);
  }

  /**
   * Shows the cursor position to other viewers of the note; without arguments, no position. Sent at
   * most five times per second, and only while there are other viewers.
   */
  announce(place: CursorPosition = {}): void {
    this.presences.announce(place);
  }

  /** Saves all drafts of the note. Rejects if one can't be saved; the text is kept. */
  async commit(options: CallOptions = {}): Promise<void> {
    await Promise.all(this.drafts.unsaved.map((id) => this.drafts.commit(id, options)));
  }

  /** Discards all drafts of the note and resolves conflicts with the server's text. */
  discard(): void {
    for (const id of this.drafts.unsaved) this.drafts.discard(id);
  }

  /** Whether the note has unsaved text. */
  get dirty(): boolean {
    return this.drafts.unsaved.length > 0;
  }

  /** @internal Runs paragraphs; see {@link Note.run}. */
  abstract run(options?: NoteRunOptions): Run<RunResult[]>;

  /**
   * Returns for each paragraph the names that it writes and reads, the paragraphs that it depends
   * on, and whether it is stale. Reads texts of SQL and Python, and runs nothing. Tiding servers
   * only; others reject with `unsupported`.
   *
   * @example
   * for (const { id, staleBecause } of await note.dependencies())
   *   if (staleBecause) console.log(`${id} is stale, because ${staleBecause} changed`);
   */
  dependencies(options: CallOptions = {}): Promise<ParagraphDependencies[]> {
    return this.context.call('noteDependencies', { ...options, params: { noteId: this.noteId } });
  }

  /**
   * Releases the note. Its channel closes when every `open` of it on this client was closed. Drafts
   * stay in the journal.
   */
  close(): void {
    if (!this.#destroyed && this.#release()) this.destroy();
  }

  /** Saves all drafts and closes the note, for `await using`. Drafts stay in the journal anyway. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      if (!this.#destroyed) await this.commit();
    } finally {
      this.close();
    }
  }

  /** @internal */
  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.drafts.close();
    this.presences.close();
    this.channel.close();
    this.context.emit({ type: 'note-closed', noteId: this.id });
  }
}
