import type { CallOptions } from '../core/abort.ts';
import { TidingError } from '../core/errors.ts';
import { HEAD_REVISION_ID } from '../protocol/constants.ts';
import type { Revision, Note as WireNote } from '../protocol/index.ts';
import type { NoteConnection } from './note-connection.ts';

/**
 * Checkpoints of a note. Also available on an opened revision. If the server's storage keeps no
 * versions, calls reject with the server's message.
 */
export class RevisionsApi {
  readonly #note: NoteConnection;

  /** @internal */
  constructor(note: NoteConnection) {
    this.#note = note;
  }

  /** Whether the server keeps revisions. Asks only once per client. */
  async supported(options: CallOptions = {}): Promise<boolean> {
    const { context } = this.#note;
    const known =
      context.store.get().configurations ??
      (await (
        await context.lobby()
      ).request(
        'LIST_CONFIGURATIONS',
        {},
        (message) => message.op === 'CONFIGURATIONS_INFO' && message.data.configurations,
        { timeout: context.timeout, ...options },
      ));
    return String(known['isRevisionSupported']) === 'true';
  }

  /**
   * Returns the revisions: `Head` first, then newest first. `time` is in seconds since the epoch.
   */
  async list(options: CallOptions = {}): Promise<readonly Revision[]> {
    const list = await this.#note.requestByNoteId(
      'LIST_REVISION_HISTORY',
      { noteId: this.#note.noteId },
      (message) => message.op === 'LIST_REVISION_HISTORY' && (message.data.revisionList ?? []),
      { matchId: true, ...options },
    );
    return withHead(list);
  }

  /**
   * Creates a checkpoint of the note as it is on the server, and returns the new list. Rejects with
   * `server` if nothing has changed since the last one.
   */
  async checkpoint(message: string, options: CallOptions = {}): Promise<readonly Revision[]> {
    const list = await this.#note.requestByNoteId(
      'CHECKPOINT_NOTE',
      { noteId: this.#note.noteId, commitMessage: message },
      (answer) => answer.op === 'LIST_REVISION_HISTORY' && (answer.data.revisionList ?? []),
      { matchId: true, ...options },
    );
    return withHead(list);
  }

  /**
   * Returns the note as it was at a revision. Rejects with 'There is a problem with this Revision'
   * (specification) if there is no such revision.
   */
  async get(revisionId: string, options: CallOptions = {}): Promise<WireNote> {
    if (revisionId === '') return found(undefined, 'NOTE_REVISION');
    const { noteId } = this.#note;
    const answer = await this.#note.requestByNoteId(
      'NOTE_REVISION',
      { noteId: this.#note.noteId, revisionId },
      (message) =>
        message.op === 'NOTE_REVISION' &&
        message.data.noteId === noteId &&
        (message.data.revisionId ?? revisionId) === revisionId && { note: message.data.note },
      options,
    );
    return found(answer.note, 'NOTE_REVISION');
  }

  /**
   * Returns two revisions, for `compareRevisions` of `@tiding/client/model`. `Head` stands for the
   * current content.
   */
  async compare(
    first: string,
    second: string,
    options: CallOptions = {},
  ): Promise<{ first: WireNote; second: WireNote }> {
    const { noteId } = this.#note;
    const read = async (revisionId: string, position: 'first' | 'second') => {
      const answer = await this.#note.requestByNoteId(
        'NOTE_REVISION_FOR_COMPARE',
        { noteId: this.#note.noteId, revisionId, position },
        (message) =>
          message.op === 'NOTE_REVISION_FOR_COMPARE' &&
          message.data.noteId === noteId &&
          (message.data.position ?? position) === position && { note: message.data.note },
        options,
      );
      return found(answer.note, 'NOTE_REVISION_FOR_COMPARE');
    };
    const [one, two] = await Promise.all([read(first, 'first'), read(second, 'second')]);
    return { first: one, second: two };
  }

  /** Makes a revision the current content of the note. */
  async setHead(revisionId: string, options: CallOptions = {}): Promise<void> {
    const status = await this.#note.requestByNoteId(
      'SET_NOTE_REVISION',
      { noteId: this.#note.noteId, revisionId },
      (message) => message.op === 'SET_NOTE_REVISION' && { done: message.data.status !== false },
      options,
    );
    if (!status.done)
      throw new TidingError('server', "Couldn't set note to the given revision.", {
        operation: 'SET_NOTE_REVISION',
      });
  }
}

function found(note: WireNote | undefined, operation: string): WireNote {
  if (!note)
    throw new TidingError('not-found', 'There is a problem with this Revision', { operation });
  return note;
}

function withHead(list: readonly Revision[]): readonly Revision[] {
  return list.some(({ id }) => id === HEAD_REVISION_ID)
    ? list
    : [{ id: HEAD_REVISION_ID, message: HEAD_REVISION_ID, time: undefined }, ...list];
}
