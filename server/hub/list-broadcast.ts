/** Broadcasts the note lists: each connection gets the notes that its user may read. */
import type { Receives } from '@tiding/client/protocol';
import type { ActingUser } from '../auth/permissions.ts';
import { currentAnswer } from './active-request.ts';
import type { LiveConnection } from './connection.ts';
import { encodeMessage, type Frame } from './frame.ts';
import type { ConnectionWriter } from './writer.ts';

/**
 * Bytes of note lists written per tick, so that a large broadcast does not starve other messages.
 */
const LISTS_AT_ONCE = 16 * 2 ** 20;
/**
 * Minimum delay between two note-list broadcasts, in ms. A broadcast that took t ms delays the
 * next one by at least `LISTS_PAUSE_TIMES` times t.
 */
const LISTS_PAUSE_MS = 50;
const LISTS_PAUSE_TIMES = 4;

/** Sends connections the newest list of the notes they may read. */
export class ListBroadcast {
  readonly #connections: ReadonlySet<LiveConnection>;
  readonly #writer: ConnectionWriter;
  readonly #listFor: (person: ActingUser) => Receives['NOTES_INFO'];
  /** Version of the note lists; incremented with every change. */
  #listChanges = 0;
  #broadcasting = false;
  /** The list version last sent to each connection. */
  readonly #listTold = new WeakMap<LiveConnection, number>();

  constructor(
    connections: ReadonlySet<LiveConnection>,
    writer: ConnectionWriter,
    listFor: (person: ActingUser) => Receives['NOTES_INFO'],
  ) {
    this.#connections = connections;
    this.#writer = writer;
    this.#listFor = listFor;
  }

  /** Sends all connections the list; `first` gets it at once. */
  changed(first: LiveConnection | undefined): void {
    this.#listChanges += 1;
    const lists = new Map<string, Frame>();
    if (first) this.#sendLists(first, lists);
    if (!this.#broadcasting) void this.#broadcastAll(lists);
  }

  /** Marks the current list as known to a connection. */
  markKnown(connection: LiveConnection): void {
    this.#listTold.set(connection, this.#listChanges);
  }

  async #broadcastAll(lists: Map<string, Frame>): Promise<void> {
    this.#broadcasting = true;
    for (let told = -1; told !== this.#listChanges; ) {
      told = this.#listChanges;
      const began = performance.now();
      let listed = told;
      let bytes = 0;
      for (const connection of [...this.#connections]) {
        bytes += this.#sendLists(connection, lists);
        if (bytes < LISTS_AT_ONCE) continue;
        bytes = 0;
        await new Promise((resolve) => setImmediate(resolve));
        // Later connections of this round get the newest list now, the earlier ones in the next
        // round.
        if (listed !== this.#listChanges) lists.clear();
        listed = this.#listChanges;
      }
      const pause = Math.max(LISTS_PAUSE_MS, (performance.now() - began) * LISTS_PAUSE_TIMES);
      lists.clear();
      await new Promise<void>((resolve) => void setTimeout(resolve, pause).unref());
    }
    this.#broadcasting = false;
  }

  /**
   * Sends a connection its list unless it has the newest one, and returns the number of bytes.
   * `lists` caches the lists already encoded.
   */
  #sendLists(connection: LiveConnection, lists: Map<string, Frame>): number {
    if (
      !connection.person ||
      connection.person.embed ||
      this.#listTold.get(connection) === this.#listChanges
    )
      return 0;
    const key = JSON.stringify(connection.person);
    let frame = lists.get(key);
    if (!frame)
      lists.set(key, (frame = encodeMessage('NOTES_INFO', this.#listFor(connection.person))));
    this.#listTold.set(connection, this.#listChanges);
    const answer = currentAnswer();
    const isSender = connection === answer?.connection;
    this.#writer.write(connection, frame, isSender ? { msgId: answer.msgId } : {});
    return frame.bytes;
  }
}
