/** A server inside the page, for tests of the views: one note, which answers to reading and saving and leaves the rest to the test. */
import { createClient, type Client } from 'tiding/client';
import type { Paragraph } from 'tiding/protocol';
import { memoryServer, type MemoryFrame } from 'tiding/testing';

/** What a test can make the server do, and what it has received. */
export interface PageServer {
  readonly client: Client;
  /** Frames that arrived, without PING. */
  readonly received: readonly MemoryFrame[];
  /** Sends a frame to every connection. */
  say(op: string, data: unknown, msgId?: string): void;
  /** Breaks every connection, and refuses new ones until `up`. */
  down(): void;
  up(): void;
  /** Answers commits by itself (default), or leaves them on the wire. */
  acknowledge: boolean;
}

/** What it answers without being told to: reading the note, and its revisions. */
const answered: ReadonlySet<string> = new Set([
  'GET_NOTE',
  'LIST_CONFIGURATIONS',
  'LIST_REVISION_HISTORY',
  'NOTE_REVISION',
  'NOTE_REVISION_FOR_COMPARE',
  'CHECKPOINT_NOTE',
  'SET_NOTE_REVISION',
  'INSERT_PARAGRAPH',
  'PARAGRAPH_REMOVE',
]);

/** A server with one note, `note`, that holds the given paragraphs. `also`: what else it answers by itself. */
export function pageServer(paragraphs: Paragraph[], also: readonly string[] = []): PageServer {
  const memory = memoryServer({
    notes: [{ id: 'note', path: 'folder/note', paragraphs }],
    intercept: ({ op }) =>
      !answered.has(op) && !also.includes(op) && !(op === 'COMMIT_PARAGRAPH' && server.acknowledge),
  });
  const server: PageServer = {
    received: memory.frames,
    acknowledge: true,
    say: (op, data, msgId) => memory.push(op, data, msgId === undefined ? {} : { msgId }),
    down: () => void (memory.online = false),
    up: () => void (memory.online = true),
    client: createClient({
      server: memory.server,
      transport: memory.transport,
      fetch: memory.fetch,
      backoff: () => 20,
    }),
  };
  return server;
}
