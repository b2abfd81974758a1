/** Checkpoints of an open note. */
import type { CallOptions } from '../core/abort.ts';
import { TidingError } from '../errors.ts';
import type { Note } from '../note/note.ts';
import type { Note as WireNote, Revision } from '../protocol/index.ts';

/** Id of the pseudo-revision that is the note as it stands; first in every list (specification). */
export const HEAD = 'Head';

/** Revisions of a note, which may be asked for from an open revision too. Where the server has no storage with versions, calls reject with its message. */
export class Revisions {
  readonly #note: Note;

  /** @internal */
  constructor(note: Note) {
    this.#note = note;
  }

  /** Whether the server keeps revisions; asked for once a client. */
  async supported(options: CallOptions = {}): Promise<boolean> {
    const { context } = this.#note;
    const known =
      context.store.get().configurations ??
      (await (
        await context.lobby()
      ).request(
        'LIST_CONFIGURATIONS',
        {},
        (message) =>
          message.op === 'CONFIGURATIONS_INFO' ? message.data.configurations : undefined,
        { timeout: context.timeout, ...options },
      ));
    return String(known['isRevisionSupported']) === 'true';
  }

  /** The revisions, `Head` first, then newest first as the server lists them; `time` in Unix seconds. */
  async list(options: CallOptions = {}): Promise<readonly Revision[]> {
    const list = await this.#note.ask(
      'LIST_REVISION_HISTORY',
      { noteId: this.#note.noteId },
      (message) =>
        message.op === 'LIST_REVISION_HISTORY' ? (message.data.revisionList ?? []) : undefined,
      { exact: true, ...options },
    );
    return withHead(list);
  }

  /** Makes a checkpoint of the note as the server has it. Rejects with `server` when nothing has changed since the last. */
  async checkpoint(message: string, options: CallOptions = {}): Promise<readonly Revision[]> {
    const list = await this.#note.ask(
      'CHECKPOINT_NOTE',
      { noteId: this.#note.noteId, commitMessage: message },
      (answer) =>
        answer.op === 'LIST_REVISION_HISTORY' ? (answer.data.revisionList ?? []) : undefined,
      { exact: true, ...options },
    );
    return withHead(list);
  }

  /** The note as it was at a revision. Rejects with 'There is a problem with this Revision' where there is none (specification). */
  async get(revisionId: string, options: CallOptions = {}): Promise<WireNote> {
    if (revisionId === '') return found(undefined, 'NOTE_REVISION');
    const { noteId } = this.#note;
    const answer = await this.#note.ask(
      'NOTE_REVISION',
      { noteId: this.#note.noteId, revisionId },
      (message) =>
        message.op === 'NOTE_REVISION' &&
        message.data.noteId === noteId &&
        (message.data.revisionId ?? revisionId) === revisionId
          ? { note: message.data.note }
          : undefined,
      options,
    );
    return found(answer.note, 'NOTE_REVISION');
  }

  /** Two revisions, to be compared by `compareRevisions` of the model; `Head` is the note as it stands. */
  async compare(
    first: string,
    second: string,
    options: CallOptions = {},
  ): Promise<{ first: WireNote; second: WireNote }> {
    const { noteId } = this.#note;
    const read = async (revisionId: string, position: 'first' | 'second') => {
      const answer = await this.#note.ask(
        'NOTE_REVISION_FOR_COMPARE',
        { noteId: this.#note.noteId, revisionId, position },
        (message) =>
          message.op === 'NOTE_REVISION_FOR_COMPARE' &&
          message.data.noteId === noteId &&
          (message.data.position ?? position) === position
            ? { note: message.data.note }
            : undefined,
        options,
      );
      return found(answer.note, 'NOTE_REVISION_FOR_COMPARE');
    };
    const [one, two] = await Promise.all([read(first, 'first'), read(second, 'second')]);
    return { first: one, second: two };
  }

  /** Makes a revision the note's current content. */
  async setHead(revisionId: string, options: CallOptions = {}): Promise<void> {
    const status = await this.#note.ask(
      'SET_NOTE_REVISION',
      { noteId: this.#note.noteId, revisionId },
      (message) =>
        message.op === 'SET_NOTE_REVISION' ? { done: message.data.status !== false } : undefined,
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
    throw new TidingError('server', 'There is a problem with this Revision', { operation });
  return note;
}

function withHead(list: readonly Revision[]): readonly Revision[] {
  return list.some(({ id }) => id === HEAD)
    ? list
    : [{ id: HEAD, message: HEAD, time: undefined }, ...list];
}
