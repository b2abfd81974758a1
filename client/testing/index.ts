/**
 * For tests of what is built on the client: a server in memory, and recordings of a real one played again.
 *
 * @module tiding/testing
 */
import { virtualClock, type VirtualClock } from '../channel/clock.ts';
import { parseRecording } from '../channel/recording.ts';
import { replayFetch, replayTransport, type ReplayTransport } from '../channel/replay.ts';

export { memoryServer, type MemoryServer } from './memory-server.ts';
export type {
  MemoryFrame,
  MemoryInterpreter,
  MemoryNote,
  MemoryOutput,
  MemoryParagraph,
  MemoryRun,
  MemoryServerOptions,
  MemoryUser,
} from './contract.ts';

/** A recording ready to be played to a client. */
export interface Replay {
  /** An address that stands in no DNS. */
  readonly server: string;
  /** Plays the live channels of the recording. */
  readonly transport: ReplayTransport;
  /** Answers REST calls as the recording has them. */
  readonly fetch: typeof fetch;
  /** Nothing is heard until it moves: `await clock.run(client.open(id))`. */
  readonly clock: VirtualClock;
}

/**
 * Plays the text of a recording to a client that takes `server`, `transport` and `fetch`, under a clock of its own.
 * Throws `protocol` where the text is not a recording.
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
export {
  formatRecording,
  parseRecording,
  recordFetch,
  recordTransport,
  type RecordedCall,
  type RecordedEntry,
  type RecordedFrame,
  type Recording,
  type RecordingSink,
} from '../channel/recording.ts';
export {
  REPLAY_ENDED,
  replayFetch,
  replayTransport,
  type ReplayOptions,
  type ReplayTransport,
} from '../channel/replay.ts';
export { realClock, virtualClock, type Clock, type VirtualClock } from '../channel/clock.ts';
