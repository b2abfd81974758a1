/**
 * Deduplicates messages of the last ten minutes. A client that lost its connection before the reply
 * arrived sends the message again with the same id: the server replies with the current state and
 * does not run the operation again. Kept in memory only; a restart clears it.
 */

import { createHash } from 'node:crypto';
import { paragraphOf } from '@tiding/client/notebook';
import type { ReceivedOp, Receives } from '@tiding/client/protocol';
import type { ServerContext } from '../areas/context.ts';
import type { ActingUser } from '../auth/permissions.ts';
import type { SentNotification } from '../hub/active-request.ts';
import type { LiveConnection } from '../hub/connection.ts';
import { wireNote } from '../notes/note.ts';

/** How long a message is remembered, in ms. */
export const REMEMBERED_MS = 600_000;
/** Maximum number of remembered messages, per user and in total; the oldest are removed first. */
const MAX_EACH = 2_000;
const MAX_ALL = 20_000;
/** Maximum number of characters of their replies, per user and in total. */
const MAX_EACH_LENGTH = 4 * 2 ** 20;
const MAX_ALL_LENGTH = 32_000_000;
/** Replies of up to this many characters are kept verbatim; longer ones are not repeated. */
const MAX_ANSWER = 65_536;

/**
 * A reply to a message: its operation and paragraph, and its data as JSON if that never changes,
 * because the object may change later.
 */
interface Answer {
  readonly op: ReceivedOp;
  readonly noteId: string;
  /** Id of the paragraph. */
  readonly id: string | undefined;
  /** Whether it was sent only to viewers of the note. */
  readonly toWatchers: boolean;
  readonly data: string;
}

/** A message that was received. */
export interface SentMessage {
  readonly time: number;
  /** Note that the message names; '' if none. */
  readonly noteId: string;
  /** Settles when the operation has succeeded or failed. */
  readonly done: Promise<void>;
  readonly answers: Answer[];
}

/**
 * Replies that are repeated verbatim. All others are rebuilt from the current state, or are events
 * and not replies.
 */
const VERBATIM_REPLIES: ReadonlySet<ReceivedOp> = new Set<ReceivedOp>([
  'ERROR_INFO',
  'AUTH_INFO',
  'PARAGRAPH_CONFLICT',
  'PARAGRAPH_REMOVED',
  'PARAGRAPH_MOVED',
  'PATCH_PARAGRAPH',
  'LIST_REVISION_HISTORY',
  'SET_NOTE_REVISION',
  'INTERPRETER_BINDINGS',
  'NOTICE',
  'ANGULAR_OBJECT_UPDATE',
  'ANGULAR_OBJECT_REMOVE',
]);
const CHANGING: ReadonlySet<ReceivedOp> = new Set<ReceivedOp>([
  'NOTES_INFO',
  'NEW_NOTE',
  'IMPORT_NOTE',
  'NOTE',
  'NOTE_UPDATED',
  'NOTE_RUNNING_STATUS',
  'PARAGRAPH',
  'PARAGRAPH_ADDED',
]);

const lengthOf = ({ answers }: SentMessage): number =>
  answers.reduce((sum, { data }) => sum + data.length, 0);

/** Messages of a user by key, oldest first, and the number of characters of their replies. */
class UserMessages extends Map<string, SentMessage> {
  length = 0;
}

/** Remembers recent messages and their replies, by user and message id. */
export class MessageDeduplicator {
  readonly #sent = new Map<string, UserMessages>();
  #count = 0;
  #length = 0;

  /**
   * Returns the key of a message. It includes the content: the same id with another content is
   * another message.
   */
  static key(msgId: string, op: string, noteId: string, data: unknown): string {
    return createHash('sha256')
      .update(JSON.stringify([msgId, op, noteId, data]))
      .digest('base64url');
  }

  /** Returns the message with this key if the user has sent it. `now` is in ms. */
  find(principal: string, key: string, now = performance.now()): SentMessage | undefined {
    const sent = this.#sent.get(principal)?.get(key);
    return sent && now - sent.time < REMEMBERED_MS ? sent : undefined;
  }

  /**
   * Remembers a message that is being handled. Call `finish` when it is done, and `hear` with each
   * message sent meanwhile.
   */
  begin(
    principal: string,
    key: string,
    noteId: string,
    now = performance.now(),
  ): { hear: (told: SentNotification) => void; finish: () => void } {
    this.#forget(now);
    const own = this.#sent.get(principal) ?? new UserMessages();
    let finish = () => {};
    const done = new Promise<void>((resolve) => (finish = resolve));
    const answers: Answer[] = [];
    const message = { time: now, noteId, done, answers };
    if (own.has(key)) this.#drop(principal, own, key);
    this.#sent.set(principal, own.set(key, message));
    this.#count += 1;
    if (own.size > MAX_EACH) this.#drop(principal, own);
    const remember = (answer: Answer): void => {
      if (own.get(key) !== message) return;
      answers.push(answer);
      own.length += answer.data.length;
      this.#length += answer.data.length;
      while (own.length > MAX_EACH_LENGTH) this.#drop(principal, own);
      while (this.#length > MAX_ALL_LENGTH) {
        const users = [...this.#sent].sort(([, a], [, b]) => b.length - a.length);
        this.#drop(...users[0]!);
      }
    };
    return {
      finish,
      hear({ op, data, watchersOf }) {
        // The removal of a note is announced by the list.
        if (op === 'NOTE' && !(data as { note?: unknown }).note) return;
        if (!VERBATIM_REPLIES.has(op) && !CHANGING.has(op)) return;
        const about = data as { id?: string; note?: { id?: string }; paragraph?: { id?: string } };
        const answer = {
          op,
          noteId: watchersOf ?? about.note?.id ?? noteId,
          id: about.paragraph?.id,
          toWatchers: watchersOf !== undefined,
        };
        const isSame = (other: Answer) =>
          CHANGING.has(op) &&
          other.op === op &&
          other.noteId === answer.noteId &&
          other.id === answer.id;
        if (answers.some(isSame)) return;
        const kept = VERBATIM_REPLIES.has(op) ? JSON.stringify(data) : '';
        if (kept.length <= MAX_ANSWER) remember({ ...answer, data: kept });
      },
    };
  }

  /** Forgets a message, by default the user's oldest one. */
  #drop(principal: string, own: UserMessages, key = own.keys().next().value!): void {
    const length = lengthOf(own.get(key)!);
    own.delete(key);
    own.length -= length;
    this.#length -= length;
    this.#count -= 1;
    if (own.size === 0) this.#sent.delete(principal);
  }

  #forget(now: number): void {
    for (const [principal, own] of this.#sent) {
      for (const { time } of own.values()) {
        if (now - time < REMEMBERED_MS && this.#count < MAX_ALL) break;
        this.#drop(principal, own);
      }
    }
  }
}

/**
 * Sends the reply to a message again, subject to the user's current permissions. Throws if the note
 * was removed or may no longer be read.
 */
export function replayAnswer(
  sent: SentMessage,
  connection: LiveConnection,
  person: ActingUser,
  context: ServerContext,
): void {
  const { hub, notes, permissions, runs } = context;
  const reply = <Op extends ReceivedOp>(op: Op, data: Receives[Op]) =>
    hub.send(connection, op, data);
  for (const { op, noteId, id, toWatchers, data: json } of sent.answers) {
    const data: unknown = json === '' ? undefined : JSON.parse(json);
    if (op === 'NOTES_INFO') reply(op, hub.listFor(person));
    if (op === 'ERROR_INFO' || op === 'AUTH_INFO' || op === 'NOTICE')
      reply(op, data as Receives[typeof op]);
    if (op === 'NOTES_INFO' || op === 'ERROR_INFO' || op === 'AUTH_INFO' || op === 'NOTICE')
      continue;
    const isElsewhere = toWatchers && connection.noteId !== noteId;
    if (isElsewhere && noteId !== sent.noteId) continue;
    const note = notes.get(noteId);
    permissions.require(person, noteId, 'reader');
    if (isElsewhere) continue;
    if (op === 'NEW_NOTE') hub.join(connection, noteId);
    if (op === 'NOTE') runs.catchUp(note);
    if (op === 'NEW_NOTE' || op === 'IMPORT_NOTE' || op === 'NOTE')
      reply(op, { note: wireNote(note) });
    else if (op === 'NOTE_UPDATED')
      reply(op, { name: note.name, config: wireNote(note).config, info: note.info });
    else if (op === 'NOTE_RUNNING_STATUS') reply(op, { status: runs.isSequential(noteId) });
    else if (op === 'PARAGRAPH') reply(op, { paragraph: paragraphOf(note, id ?? '') });
    else if (op === 'PARAGRAPH_ADDED') {
      const paragraph = paragraphOf(note, id ?? '');
      reply(op, { paragraph, index: note.paragraphs.indexOf(paragraph) });
    } else reply(op, data as never);
  }
}
