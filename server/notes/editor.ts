/**
 * All changes of notes: change in memory, store on disk, then notify viewers. Viewers are only
 * notified of stored changes; a change that can't be stored is reverted.
 */
import { TextHistory, type TextRevision } from '@tiding/client/changes';
import {
  applyChange,
  type NotebookRules,
  type NoteChange,
  type NoteLimits,
  type NoteMessage,
  paragraphOnWire,
  RemovedValues,
} from '@tiding/client/notebook';
import type { JsonObject, Receives } from '@tiding/client/protocol';
import { limitsOf } from '../base/limits.ts';
import type { Hub, LiveConnection } from '../hub/hub.ts';
import { withOutputs } from '../hub/output-parts.ts';
import { randomIds, type StoredNote, type StoredParagraph, wireNote } from './note.ts';
import type { NoteRepository } from './repository.ts';
import { SeenTexts } from './seen-texts.ts';

/**
 * Number of earlier texts kept per paragraph, to merge late edits: about a minute of several users
 * who type in one paragraph.
 */
const HISTORY = 1_000;
/** Total number of characters in earlier texts of all paragraphs; the oldest are dropped first. */
const HISTORY_LENGTH = 16_000_000;

/**
 * Limits for the kept values of removed paragraphs: number of paragraphs and total characters. The
 * oldest are dropped first.
 */
const REMOVED = 100;
const REMOVED_LENGTH = 4 * 2 ** 20;

/**
 * Remembers the fields of some objects. Call the result after a change to get a function that
 * reverts the change.
 */
function remember(objects: readonly object[]): () => () => void {
  const fields = objects.map((object) => ({
    object: object as JsonObject,
    before: { ...object } as JsonObject,
  }));
  return () => {
    const changed = fields.flatMap(({ object, before }) =>
      [...new Set([...Object.keys(before), ...Object.keys(object)])]
        .filter((key) => object[key] !== before[key])
        .map((key) => ({ object, before, key })),
    );
    return () => {
      for (const { object, before, key } of changed) {
        if (Object.hasOwn(before, key)) object[key] = before[key];
        else delete object[key];
      }
    };
  };
}

const revisionOf = ({ text, rev, author, authorSeq }: StoredParagraph): TextRevision => ({
  text,
  rev,
  author,
  authorSeq,
});

/** Texts of a paragraph that are being stored; viewers are notified of them in order. */
interface Untold {
  /** The text last sent to viewers. */
  told: TextRevision;
  count: number;
}

/** The live message that asks for a change; its sender gets the reply. */
export interface ChangeSource {
  readonly connection?: LiveConnection;
  readonly msgId?: string | undefined;
}

/** Changes notes, stores them and notifies their viewers. */
export class NoteEditor {
  readonly #notes: NoteRepository;
  readonly #hub: Hub;
  readonly #untold = new WeakMap<StoredParagraph, Untold>();
  /** Pending notifications about the order of paragraphs: the last one of each note. */
  readonly #telling = new Map<string, Promise<void>>();
  /** Called after a paragraph or a note has changed, for the job list. */
  onChange: (note: StoredNote) => void = () => {};

  /** The rules that changes follow. */
  readonly rules: NotebookRules;
  /** The texts that connections have seen, for edits that don't name their base. */
  readonly seen: SeenTexts;

  constructor(notes: NoteRepository, hub: Hub, limits: NoteLimits = limitsOf()) {
    const texts = new TextHistory(HISTORY, HISTORY_LENGTH);
    this.seen = new SeenTexts(texts);
    hub.onWrite = (connection, op, data) => this.seen.sent(connection, op, data);
    this.seen.onDifference = (connection, id) => this.#resend(connection, id);
    this.rules = {
      ids: randomIds,
      limits,
      canSchedule: true,
      texts,
      removedValues: new RemovedValues(REMOVED, REMOVED_LENGTH),
    };
    this.#notes = notes;
    this.#hub = hub;
  }

  /**
   * Makes a change: applies it, stores the note, and sends the messages. If the note can't be
   * stored, nothing has changed. Call this right after computing the change, because a change is
   * based on the state at that moment.
   */
  async make(note: StoredNote, change: NoteChange, source: ChangeSource = {}): Promise<void> {
    const paragraphs = [...(change.paragraphs?.keys() ?? [])];
    const store = (stored?: () => void) =>
      this.change(note, paragraphs, () => applyChange(note, change), stored);
    const tell = () => this.send(note, change.messages, source);
    if (change.note?.paragraphs) await this.#inOrder(note, () => store(), tell);
    else if (change.messages.some(({ op }) => op === 'NOTE')) {
      await store();
      await withOutputs(note, async () => {
        await this.orderSettled(note);
        tell();
      });
    } else await store(tell);
    if (change.changesJob) this.onChange(note);
  }

  /**
   * Changes a note and some of its paragraphs, and stores it. If either fails, all fields are
   * restored. `act` may replace fields of the note and of `paragraphs`, but must not modify their
   * values in place. `tell` sends the messages about the change, before those about later texts.
   */
  async change(
    note: StoredNote,
    paragraphs: readonly StoredParagraph[],
    act: () => void,
    tell: () => void = () => {},
  ): Promise<void> {
    const undo = remember([note, ...paragraphs]);
    const before = paragraphs.map(revisionOf);
    try {
      act();
    } catch (error) {
      undo()();
      throw error;
    }
    const texts = paragraphs.map((paragraph, at) => {
      const untold = this.#untold.get(paragraph) ?? { told: before[at]!, count: 0 };
      this.#untold.set(paragraph, untold);
      untold.count += 1;
      return { paragraph, untold, made: revisionOf(paragraph) };
    });
    try {
      await this.#notes.save(note, undo());
      for (const { untold, made } of texts) if (made.rev > untold.told.rev) untold.told = made;
      tell();
    } finally {
      for (const { paragraph, untold } of texts) {
        untold.count -= 1;
        if (untold.count === 0) this.#untold.delete(paragraph);
      }
    }
  }

  /** Sends messages to the viewers of the note. */
  send(
    note: StoredNote,
    messages: readonly NoteMessage[],
    { connection, msgId }: ChangeSource = {},
  ): void {
    for (const message of messages) {
      if (message.op === 'NOTE')
        this.#hub.broadcastToNote(note.id, 'NOTE', { note: wireNote(note) });
      else if (message.op === 'PARAGRAPH') this.#sendParagraph(note, message.paragraph, msgId);
      else if (message.to !== 'sender')
        this.#hub.broadcastToNote(
          note.id,
          message.op,
          message.data,
          message.to === 'others' && connection ? { except: connection } : {},
        );
      else if (connection) this.#hub.send(connection, message.op, message.data, msgId);
    }
  }

  /** Stores the note, then sends the paragraph to its viewers. */
  async publish(note: StoredNote, paragraph: StoredParagraph): Promise<void> {
    await this.#notes.save(note);
    this.sendParagraph(note, paragraph);
  }

  /** Sends a paragraph to the viewers of the note, and updates the job list. */
  sendParagraph(note: StoredNote, paragraph: StoredParagraph, msgId?: string): void {
    this.#sendParagraph(note, paragraph, msgId);
    this.onChange(note);
  }

  #sendParagraph(note: StoredNote, paragraph: StoredParagraph, msgId: string | undefined): void {
    // A run may end after its paragraph was removed.
    if (!note.paragraphs.includes(paragraph)) return;
    this.#hub.broadcastToNote(note.id, 'PARAGRAPH', this.toldParagraph(paragraph), { msgId });
  }

  /** Returns the message with a paragraph as viewers may see it now. */
  toldParagraph(paragraph: StoredParagraph): Receives['PARAGRAPH'] {
    const untold = this.#untold.get(paragraph);
    // Never send a text before the texts it is based on, which may include the recipient's own.
    return { paragraph: paragraphOnWire(untold ? { ...paragraph, ...untold.told } : paragraph) };
  }

  /** Sends a paragraph to a page that shows another text, unless it is about to be sent. */
  #resend(connection: LiveConnection, id: string): void {
    const note = this.#notes.find(connection.noteId ?? '');
    const paragraph = note?.paragraphs.find((each) => each.id === id);
    if (paragraph && !this.#untold.has(paragraph))
      this.#hub.send(connection, 'PARAGRAPH', this.toldParagraph(paragraph));
  }

  /**
   * Stores a change of the list of paragraphs. Such changes are sent in the order in which they
   * were made, each after it and all earlier ones are stored, because their indexes refer to the
   * previous state.
   */
  async #inOrder(note: StoredNote, store: () => Promise<void>, tell: () => void): Promise<void> {
    const before = this.#telling.get(note.id);
    const stored = store();
    const told = Promise.allSettled([stored, before]).then(([{ status }]) => {
      if (status === 'fulfilled') tell();
      if (this.#telling.get(note.id) === told) this.#telling.delete(note.id);
    });
    this.#telling.set(note.id, told);
    await stored;
    await told;
  }

  /**
   * Resolves when no change of the paragraph order is waiting to be sent: somebody who reads the
   * note then receives no change twice.
   */
  async orderSettled(note: StoredNote): Promise<void> {
    for (let telling = this.#telling.get(note.id); telling; telling = this.#telling.get(note.id))
      await telling;
  }
}
