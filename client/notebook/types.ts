/**
 * The interface of the notebook core: the state that both servers keep, the changes that the rules
 * return, and the messages that a change sends.
 */

import type { TextHistory } from '../model/text/text-history.ts';
import type {
  Form,
  JsonObject,
  NoteConfig,
  Paragraph,
  ReceivedOp,
  Receives,
  Sends,
  SentOp,
} from '../protocol/index.ts';
import type { RemovedValues } from './bound-values.ts';

/** A paragraph in memory; fields that are optional on the wire are always present. */
export interface StoredParagraph extends Paragraph {
  /** The text, empty if there is none. */
  text: string;
  /** State of the last run. */
  status: NonNullable<Paragraph['status']>;
  /** Revision of the text. */
  rev: number;
  /** Sequence numbers of the last edits by recent authors; not sent to clients. */
  authorSeqs?: Readonly<Record<string, number>>;
}

/** A note in memory. `name` is the full path without a leading slash. */
export interface StoredNote {
  /** Id, assigned by the server. */
  id: string;
  /** Folders and title, joined by `/`. */
  name: string;
  /** Paragraphs from top to bottom. */
  paragraphs: StoredParagraph[];
  /** Settings of the note. */
  config: NoteConfig;
  /** Runtime information that Zeppelin sends; not stored. */
  info: JsonObject;
  /** Values of the forms of the whole note. */
  noteParams: JsonObject;
  /** Forms of the whole note. */
  noteForms: Record<string, Form>;
  /** Values bound by templates and pages, by interpreter group. */
  angularObjects: JsonObject;
  /**
   * Ids of the bound interpreter settings in order; the first is the default. Absent: all settings,
   * in the server's order.
   */
  bindings?: string[];
  /** Interpreter of paragraphs without a magic in the server that exported the note. */
  defaultInterpreterGroup?: string | undefined;
}

/** Upper bounds of notes. */
export interface NoteLimits {
  /** Paragraphs of a note. */
  readonly maxParagraphs: number;
  /** UTF-8 bytes of the text of a paragraph. */
  readonly maxTextBytes: number;
  /** Parts of a path, including the title. */
  readonly maxPathDepth: number;
  /** UTF-8 bytes of one part of a path. */
  readonly maxNameBytes: number;
}

/** Source of new ids: random numbers on a real server, a counter in the memory server. */
export interface IdSource {
  /** Returns the id of a new note. */
  note(): string;
  /** Returns the id and the job name of a new paragraph. */
  paragraph(now: Date): { readonly id: string; readonly jobName: string };
}

/** Everything that the rules of a server need besides the note. */
export interface NotebookRules {
  /** Source of new ids. */
  readonly ids: IdSource;
  /** Upper bounds. */
  readonly limits: NoteLimits;
  /** Whether the server runs notes on a schedule, which pages learn from the note's config. */
  readonly canSchedule: boolean;
  /** Earlier texts, for merging late edits. */
  readonly texts: TextHistory;
  /** Values of removed paragraphs, for undoing the removal. */
  readonly removedValues: RemovedValues;
}

/** New values of some fields; `undefined` removes the field. */
export type FieldChanges<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** A message whose content is known when the change is computed. */
export type PlainNoteMessage = {
  [Op in Exclude<ReceivedOp, 'NOTE' | 'PARAGRAPH'>]: {
    readonly op: Op;
    readonly data: Receives[Op];
    /** Recipients: all viewers of the note (default), only the sender, or all except the sender. */
    readonly to?: 'sender' | 'others';
  };
}[Exclude<ReceivedOp, 'NOTE' | 'PARAGRAPH'>];

/**
 * A message to the viewers of a note. `NOTE` and `PARAGRAPH` carry the state at the time of
 * sending. `PARAGRAPH` replies to the request, so it repeats the request's `msgId`.
 */
export type NoteMessage =
  | PlainNoteMessage
  | { readonly op: 'NOTE' }
  | { readonly op: 'PARAGRAPH'; readonly paragraph: StoredParagraph };

/**
 * A change of a note. It contains all new state but modifies nothing: the server applies it with
 * {@link applyChange}, stores it if it has a disk, and then sends the messages in order.
 */
export interface NoteChange {
  /** Changed fields of the note. */
  readonly note?: FieldChanges<StoredNote>;
  /** Changed fields of paragraphs. */
  readonly paragraphs?: ReadonlyMap<StoredParagraph, FieldChanges<StoredParagraph>>;
  /** Messages to send once the change is stored. */
  readonly messages: readonly NoteMessage[];
  /** Whether the note's entry in the job list changes too. */
  readonly changesJob: boolean;
}

/** A validated and authorized live message about a note. */
export interface NoteRequest<Op extends SentOp = SentOp> {
  /** The note in its current state. */
  readonly note: StoredNote;
  /** Payload of the message. */
  readonly data: Sends[Op];
  /** Name of the sender. */
  readonly user: string;
  /** Whether the whole note is running, paragraph by paragraph. */
  readonly isSequential: boolean;
}

/** Computes the change that a live message makes. Throws a {@link Refusal} or a `TextConflict`. */
export type NoteOperation<Op extends SentOp> = (
  request: NoteRequest<Op>,
  rules: NotebookRules,
) => NoteChange;
