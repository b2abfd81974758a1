import { type CallOptions, type Deferred, deferred } from '../core/abort.ts';
import { isTidingError, type ProtocolError, refusedError, TidingError } from '../core/errors.ts';
import type { ReceivedMessage } from '../protocol/index.ts';
import type { NoteConnection } from './note-connection.ts';
import type { RevisionsApi } from './revisions.ts';

/** Loads an open note, and reloads it after each reconnect. A revision is loaded only once. */
export class NoteLoading {
  readonly #note: NoteConnection;
  readonly #revisions: RevisionsApi;
  readonly #loaded: Deferred<void>;
  #areDraftsRestored = false;
  #requestId = '';
  /** Why there is no connection at the moment. */
  #refusal: TidingError | undefined;
  #closed = false;

  constructor(note: NoteConnection, revisions: RevisionsApi) {
    this.#note = note;
    this.#revisions = revisions;
    this.#loaded = deferred<void>(note.revision === undefined ? 'GET_NOTE' : 'NOTE_REVISION');
    this.#loaded.promise.catch(() => {});
  }

  /** Resolves when the note is loaded. Rejects if it does not exist or may not be read. */
  ready(options: CallOptions): Promise<void> {
    const { timeout } = this.#note.context;
    const done = deferred<void>('GET_NOTE', { timeout, ...options });
    this.#loaded.promise.then(done.resolve, done.reject);
    return done.promise.catch((error: unknown) => {
      throw isTidingError(error, 'timeout') ? (this.#refusal ?? error) : error;
    });
  }

  /** Requests the note. */
  request(): void {
    const { channel, id } = this.#note;
    this.#requestId = channel.send('GET_NOTE', { id }, { expect: true });
  }

  /** Requests a revision of the note. */
  async requestRevision(revision: string): Promise<void> {
    const { context, id } = this.#note;
    try {
      const note = await this.#revisions.get(revision);
      if (this.#closed) return;
      context.emit({ type: 'revision-read', noteId: id, note });
      this.#loaded.resolve();
    } catch (error) {
      const failure = isTidingError(error)
        ? error
        : new TidingError('server', String(error), { operation: 'NOTE_REVISION', cause: error });
      if (!this.#closed) context.emit({ type: 'note-missing', noteId: id, error: failure.message });
      if (!this.#loaded.settled) this.#loaded.reject(failure);
    }
  }

  /** Handles a complete note from the server. */
  async receive({ data: { note } }: ReceivedMessage & { op: 'NOTE' }): Promise<void> {
    const { channel, drafts, id } = this.#note;
    channel.settle(this.#requestId);
    if (!note)
      return this.#fail(
        new TidingError('not-found', 'There is no such note.', { operation: 'GET_NOTE' }),
      );
    if (note.id !== id) return;
    if (!this.#areDraftsRestored) {
      this.#areDraftsRestored = true;
      await drafts.restoreAll();
    }
    this.#loaded.resolve();
    drafts.noteReloaded();
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
    if (!this.#loaded.settled)
      this.#loaded.reject(new TidingError('closed', 'The note was closed.'));
  }
}
