import { type CallOptions, type Deferred, deferred } from '../core/abort.ts';
import { isTidingError, type ProtocolError, refusedError, TidingError } from '../core/errors.ts';
import type { ReceivedMessage } from '../protocol/index.ts';
import type { NoteConnection } from './note-connection.ts';
import type { RevisionsApi } from './revisions.ts';

/** Options of opening a note. */
export interface OpenOptions extends CallOptions {
  /**
   * Resolves as soon as the note with its first outputs is loaded: the other long ones follow, one
   * after another. `note.ready()` resolves when all are there. Default: `false`.
   */
  inPieces?: boolean | undefined;
}

/** Loads an open note, and reloads it after each reconnect. A revision is loaded only once. */
export class NoteLoading {
  readonly #note: NoteConnection;
  readonly #revisions: RevisionsApi;
  readonly #inPieces: boolean;
  /** The note with its first outputs. */
  readonly #loaded: Deferred<void>;
  /** The note with all outputs. */
  readonly #whole: Deferred<void>;
  /** Paragraphs whose results have not arrived yet. */
  #following = new Set<string>();
  #areDraftsRestored = false;
  #requestId = '';
  /** Why there is no connection at the moment. */
  #refusal: TidingError | undefined;
  #closed = false;

  constructor(note: NoteConnection, revisions: RevisionsApi, inPieces = false) {
    this.#note = note;
    this.#revisions = revisions;
    this.#inPieces = inPieces;
    const operation = note.revision === undefined ? 'GET_NOTE' : 'NOTE_REVISION';
    this.#loaded = deferred<void>(operation);
    this.#whole = deferred<void>(operation);
    this.#loaded.promise.catch(this.#whole.reject);
    this.#whole.promise.catch(() => {});
  }

  /** Resolves when the note is loaded. Rejects if it does not exist or may not be read. */
  ready({ inPieces, ...options }: OpenOptions): Promise<void> {
    const { timeout } = this.#note.context;
    const done = deferred<void>('GET_NOTE', { timeout, ...options });
    (inPieces ? this.#loaded : this.#whole).promise.then(done.resolve, done.reject);
    return done.promise.catch((error: unknown) => {
      throw isTidingError(error, 'timeout') ? (this.#refusal ?? error) : error;
    });
  }

  /** Whether all outputs are loaded. */
  get isWhole(): boolean {
    return this.#whole.settled;
  }

  /** Requests the note. One that is shown is never replaced by a part of itself. */
  request(): void {
    const { channel, context, id } = this.#note;
    const isFirst = this.#inPieces && !this.#loaded.settled && context.store.get().server?.tiding;
    const pieces = isFirst ? { inPieces: true } : {};
    this.#requestId = channel.send('GET_NOTE', { id, ...pieces }, { expect: true });
  }

  /** Requests a revision of the note. */
  async requestRevision(revision: string): Promise<void> {
    const { context, id } = this.#note;
    try {
      const note = await this.#revisions.get(revision);
      if (this.#closed) return;
      context.emit({ type: 'revision-read', noteId: id, note });
      this.#loaded.resolve();
      this.#whole.resolve();
    } catch (error) {
      const failure = isTidingError(error)
        ? error
        : new TidingError('server', String(error), { operation: 'NOTE_REVISION', cause: error });
      if (!this.#closed) context.emit({ type: 'note-missing', noteId: id, error: failure.message });
      if (!this.#loaded.settled) this.#loaded.reject(failure);
    }
  }

  /** Handles a complete note from the server. */
  async receive({
    data: { note, following = [] },
  }: ReceivedMessage & { op: 'NOTE' }): Promise<void> {
    const { channel, drafts, id } = this.#note;
    channel.settle(this.#requestId);
    if (!note)
      return this.#fail(
        new TidingError('not-found', 'There is no such note.', { operation: 'GET_NOTE' }),
      );
    if (note.id !== id) return;
    this.#following = new Set(following);
    if (!this.#areDraftsRestored) {
      this.#areDraftsRestored = true;
      await drafts.restoreAll();
    }
    this.#loaded.resolve();
    this.#checkWhole();
    drafts.noteReloaded();
  }

  /** Handles a paragraph, with results that may have been missing. */
  receiveOutputs(paragraphId: string): void {
    if (this.#following.delete(paragraphId)) this.#checkWhole();
  }

  #checkWhole(): void {
    if (this.#loaded.settled && this.#following.size === 0) this.#whole.resolve();
  }

  /** Handles an error that arrived while the note is being loaded. */
  refused(message: ReceivedMessage & { op: 'ERROR_INFO' | 'AUTH_INFO' }): void {
    const { op } = message.data;
    if (op === undefined || op === 'GET_NOTE')
      this.#fail(refusedError(message, 'GET_NOTE', "The note can't be opened."));
  }

  /** Handles a refusal of the connection. A note that is loaded waits for the next connection. */
  connectionRefused(error: TidingError): void {
    if (this.#loaded.settled) return;
    // The channel connects again, and may be accepted when another connection has ended.
    if (error.code === 'too-many-connections') this.#refusal = error;
    else this.#fail(error);
  }

  /** Handles a complete note that this client can't read. */
  unreadable(error: ProtocolError): void {
    this.#note.channel.settle(this.#requestId);
    this.#fail(error);
  }

  #fail(error: TidingError): void {
    const { context, id } = this.#note;
    context.emit({ type: 'note-missing', noteId: id, error: error.message });
    this.#loaded.reject(error);
  }

  /** The note was closed. */
  close(): void {
    this.#closed = true;
    const error = new TidingError('closed', 'The note was closed.');
    this.#loaded.reject(error);
    this.#whole.reject(error);
  }
}
