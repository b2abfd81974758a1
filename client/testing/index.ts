/**
 * Tools for testing code that uses the client: an in-memory server, and replay of recorded
 * sessions.
 *
 * @module @tiding/client/testing
 */
import { type VirtualClock, virtualClock } from '../channel/clock.ts';
import { parseRecording } from '../channel/recording.ts';
import { type ReplayTransport, replayFetch, replayTransport } from '../channel/replay.ts';

export type * from './contract.ts';
export * from './memory-server.ts';

/** A recording that is ready to be replayed to a client. */
export interface Replay {
  /** Base URL with a host name that does not exist. */
  readonly server: string;
  /** Replays the live channels of the recording. */
  readonly transport: ReplayTransport;
  /** Answers REST calls as recorded. */
  readonly fetch: typeof fetch;
  /** Virtual clock. Nothing is received until it advances: `await clock.run(client.open(id))`. */
  readonly clock: VirtualClock;
}

/**
 * Replays a recording to a client that is created with `server`, `transport` and `fetch`, on a
 * virtual clock. Throws a `protocol` error if the text is not a recording.
 *
 * @example
 * const { clock, ...options } = replay(recordingText);
 * const note = await clock.run(createClient(options).open(noteId));
 */
export function replay(recordingText: string): Replay {
  const recording = parseRecording(recordingText);
  const clock = virtualClock();
  return {
    server: 'http://replay.test',
    transport: replayTransport(recording, { clock }),
    fetch: replayFetch(recording),
    clock,
  };
}
export * from '../channel/clock.ts';
export * from '../channel/recording.ts';
export * from '../channel/replay.ts';
