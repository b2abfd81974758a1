/**
 * An in-page server for tests. It has one note, answers reads and saves, and leaves other
 * requests to the test.
 */
import { type Client, createClient } from '@tiding/client';
import type { Paragraph } from '@tiding/client/protocol';
import { type MemoryFrame, memoryServer } from '@tiding/client/testing';
import { frameScheduler } from '../runtime/frame-scheduler.ts';

/** The test server: its client, the frames it received, and controls for the test. */
export interface PageServer {
  readonly client: Client;
  /** Received frames, without `PING`. */
  readonly received: readonly MemoryFrame[];
  /** Sends a frame to every connection. */
  say(op: string, data: unknown, msgId?: string): void;
  /** Closes every connection and refuses new ones until `up` is called. */
  down(): void;
  up(): void;
  /** Whether commits are acknowledged automatically (default) or left pending. */
  acknowledge: boolean;
}

/** A paragraph that has not run. */
export const paragraph = (id: string, text: string, more: Partial<Paragraph> = {}): Paragraph => ({
  id,
  text,
  status: 'READY',
  config: {},
  settings: { params: {}, forms: {} },
  rev: 1,
  ...more,
});

/** Operations answered automatically: reading and changing the note and its revisions. */
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

/**
 * Creates a server with one note, `note`, that contains the given paragraphs. `also` lists further
 * operations to answer automatically.
 */
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
      scheduler: frameScheduler(),
    }),
  };
  return server;
}
