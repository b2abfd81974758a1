/**
 * What people have sent in the last ten minutes. Who lost the connection before the answer came sends the message again
 * under its id: it is answered again, as things stand now, and not done again. Kept in memory; a restart forgets it.
 */
import { createHash } from 'node:crypto';
import type { ReceivedOp, Receives } from 'tiding/protocol';
import type { Person } from './auth/permissions.ts';
import type { ServerContext } from './context.ts';
import type { Connection, Told } from './hub.ts';
import { wireNote } from './notes/note.ts';

/** A message is remembered so long, in ms. */
export const REMEMBERED_MS = 600_000;
/** Messages of one person that are remembered, and of all: beyond them the oldest go. */
const MAX_EACH = 2_000;
const MAX_ALL = 20_000;
/** Characters of an answer that is kept as it was; a longer one is not repeated. */
const MAX_ANSWER = 65_536;

/** What a message was answered: its kind and whom it is about, and what it said where that does not change. */
interface Answer {
  readonly op: ReceivedOp;
  readonly noteId: string;
  /** Of the paragraph. */
  readonly id: string | undefined;
  /** Only for who has the note open. */
  readonly toWatchers: boolean;
  readonly data: unknown;
}

/** A message that was sent. */
export interface Sent {
  readonly time: number;
  /** Of the note that the message names; '' for none. */
  readonly noteId: string;
  /** Settles when it has been done, or refused. */
  readonly done: Promise<void>;
  readonly answers: Answer[];
}

/** Told as they were; all others are told as they are now, or belong to what happens and not to the answer. */
const LASTING: ReadonlySet<ReceivedOp> = new Set<ReceivedOp>([
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

/** What is remembered; see the head of this file. */
export class SentOnce {
  /** By person and message, oldest first. */
  readonly #sent = new Map<string, Map<string, Sent>>();
  #count = 0;

  /** The name of a message: another text under the same id is another message. */
  static key(msgId: string, op: string, noteId: string, data: unknown): string {
    return createHash('sha256')
      .update(JSON.stringify([msgId, op, noteId, data]))
      .digest('base64url');
  }

  /** The message of that name, if the person has sent it. `now` in ms. */
  find(principal: string, key: string, now = Date.now()): Sent | undefined {
    const sent = this.#sent.get(principal)?.get(key);
    return sent && now - sent.time < REMEMBERED_MS ? sent : undefined;
  }

  /** Remembers a message that is done now. Call `finish` when that is over, and `hear` with what is told meanwhile. */
  begin(
    principal: string,
    key: string,
    noteId: string,
    now = Date.now(),
  ): { hear: (told: Told) => void; finish: () => void } {
    this.#forget(now);
    const own = this.#sent.get(principal) ?? new Map<string, Sent>();
    this.#sent.set(principal, own);
    let finish = () => {};
    const done = new Promise<void>((resolve) => (finish = resolve));
    const answers: Answer[] = [];
    if (!own.delete(key)) this.#count += 1;
    own.set(key, { time: now, noteId, done, answers });
    if (own.size > MAX_EACH) this.#drop(principal, own);
    return {
      finish,
      hear({ op, data, watchersOf }) {
        // That a note is gone is told by the list.
        if (op === 'NOTE' && !(data as { note?: unknown }).note) return;
        if (!LASTING.has(op) && !CHANGING.has(op)) return;
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
        const kept = LASTING.has(op) ? JSON.stringify(data) : '';
        // As text: what was told may change under it.
        if (kept.length <= MAX_ANSWER)
          answers.push({
            ...answer,
            data: kept === '' ? undefined : (JSON.parse(kept) as unknown),
          });
      },
    };
  }

  #drop(principal: string, own: Map<string, Sent>): void {
    own.delete(own.keys().next().value!);
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

/** Tells a person again what he was answered, with the rights he has now. Refuses where the note is gone, or no longer his to read. */
export function answerAgain(
  sent: Sent,
  connection: Connection,
  person: Person,
  context: ServerContext,
): void {
  const { hub, notes, permissions, editor, runs } = context;
  const tell = <Op extends ReceivedOp>(op: Op, data: Receives[Op]) =>
    hub.tell(connection, op, data);
  for (const { op, noteId, id, toWatchers, data } of sent.answers) {
    if (op === 'NOTES_INFO') tell(op, hub.listFor(person));
    if (op === 'ERROR_INFO' || op === 'AUTH_INFO' || op === 'NOTICE')
      tell(op, data as Receives[typeof op]);
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
      tell(op, { note: wireNote(note) });
    else if (op === 'NOTE_UPDATED')
      tell(op, { name: note.name, config: wireNote(note).config, info: note.info });
    else if (op === 'NOTE_RUNNING_STATUS') tell(op, { status: runs.isSequential(noteId) });
    else if (op === 'PARAGRAPH') tell(op, { paragraph: editor.paragraph(note, id ?? '') });
    else if (op === 'PARAGRAPH_ADDED') {
      const paragraph = editor.paragraph(note, id ?? '');
      tell(op, { paragraph, index: note.paragraphs.indexOf(paragraph) });
    } else tell(op, data as never);
  }
}
