/**
 * Replays a recording to a client: the server's frames arrive as recorded, each after the frame it
 * answered.
 */
import { TidingError } from '../core/errors.ts';
import { UNANSWERED } from '../protocol/constants.ts';
import { type Clock, realClock } from './clock.ts';
import type { RecordedCall, RecordedFrame, Recording } from './recording.ts';
import { nestedJson, REDACTED_TEXT, redactor } from './redact.ts';
import type { ConnectionEvents, Transport } from './transport.ts';

/** Options of {@link replayTransport}. */
export interface ReplayOptions {
  /** Default: real time. */
  clock?: Clock;
}

/** A transport that replays a recording. */
export interface ReplayTransport extends Transport {
  /** Describes a sent frame that is not in the recording. Such a frame ends the replay. */
  readonly error: TidingError | undefined;
  /** Number of entries of live connections that have not been played or sent yet. */
  readonly remaining: number;
}

/** Close code of a replay that can't continue. The close reason says why. */
export const REPLAY_ENDED = 4000;

/** Fields whose values differ in each session: commit ids and numbers, and the time of a query. */
const VOLATILE = new Set(['author', 'authorSeq', 'lastUpdateUnixTime']);

/** Whether a sent value matches the recorded one. A redacted value matches everything. */
function fits(recorded: unknown, sent: unknown): boolean {
  if (recorded === REDACTED_TEXT) return true;
  if (typeof recorded === 'string' && typeof sent === 'string' && recorded !== sent) {
    const [a, b] = [nestedJson(recorded), nestedJson(sent)];
    return a !== undefined && b !== undefined && fits(a, b);
  }
  if (Object(recorded) !== recorded || Object(sent) !== sent) return recorded === sent;
  const [a, b] = [recorded as Record<string, unknown>, sent as Record<string, unknown>];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(
    (key) => VOLATILE.has(key) || fits(a[key], b[key]),
  );
}

interface Frame {
  op: string;
  data?: unknown;
  msgId?: string;
}

/** One recorded connection, without the messages that are never answered: PING and presence. */
interface Track {
  readonly entries: readonly RecordedFrame[];
  readonly opens: boolean;
  played: boolean;
}

function tracksOf({ entries }: Recording): Track[] {
  const tracks = new Map<number, RecordedFrame[]>();
  for (const entry of entries) {
    if (
      entry.direction === 'rest' ||
      (entry.direction === 'send' && UNANSWERED.has(entry.frame.op))
    )
      continue;
    const list = tracks.get(entry.channel) ?? [];
    tracks.set(entry.channel, list);
    list.push(entry);
  }
  return [...tracks]
    .sort(([a], [b]) => a - b)
    .map(([, list]) => ({ entries: list, opens: list[0]?.direction === 'open', played: false }));
}

const firstSent = (track: Track): Frame | undefined =>
  track.entries.find((entry) => entry.direction === 'send')?.frame as Frame | undefined;

/**
 * Creates a transport that answers as recorded.
 *
 * Recorded replies follow the client's frames: what the server sent after a recorded frame arrives
 * after the client has sent that frame, with the recorded delay. A new connection of the client
 * plays the first recorded connection that starts with the same frame.
 *
 * A frame that was not recorded ends the replay: every connection closes with {@link REPLAY_ENDED},
 * and both the close reason and `error` say what was sent and what was expected.
 *
 * @example
 * const client = createClient({
 *   server: 'http://127.0.0.1:8080',
 *   transport: replayTransport(recording),
 *   fetch: replayFetch(recording),
 * });
 */
export function replayTransport(
  recording: Recording,
  { clock = realClock }: ReplayOptions = {},
): ReplayTransport {
  const tracks = tracksOf(recording);
  const live = new Set<Player>();
  let error: TidingError | undefined;
  let left = tracks.reduce((sum, { entries }) => sum + entries.length, 0);

  const end = (why: string): void => {
    error ??= new TidingError('protocol', `Replay: ${why}`);
    for (const player of [...live]) player.end(REPLAY_ENDED, error.message);
  };
  /** Finds the recorded connection that starts with this frame. */
  const pick = (sent: Frame): Track | undefined =>
    tracks.find((track) => {
      const first = firstSent(track);
      return (
        !track.played &&
        track.opens &&
        first?.op === sent.op &&
        fits(first.data ?? {}, sent.data ?? {})
      );
    });

  class Player {
    readonly #events: ConnectionEvents;
    readonly #ids = new Map<string, string>();
    #entries: readonly RecordedFrame[] = [];
    #at = 0;
    #sent = 0;
    #base = { clock: clock.now(), ms: 0 };
    #stop = () => {};
    #over = false;
    #bound = false;
    /** Number of frames sent ahead of the playback. */
    #ahead = 0;

    constructor(events: ConnectionEvents) {
      this.#events = events;
      live.add(this);
    }

    start(): void {
      if (error) return this.end(REPLAY_ENDED, error.message);
      // A recorded connection that never opened fails when it is its turn.
      const next = tracks.find(({ played }) => !played);
      if (next && !next.opens) {
        this.#bind(next);
        return this.#play();
      }
      if (!next || tracks.every(({ played, opens }) => played || !opens))
        return end('the client opened more connections than were recorded');
      this.#events.onOpen();
    }

    #bind(track: Track): void {
      track.played = true;
      this.#bound = true;
      this.#entries = track.entries.filter(({ direction }) => direction !== 'open');
      left -= track.entries.length - this.#entries.length;
      this.#base = { clock: clock.now(), ms: track.entries[0]?.ms ?? 0 };
    }

    send(text: string): void {
      if (this.#over) return;
      const frame = JSON.parse(text) as Frame;
      if (UNANSWERED.has(frame.op)) return;
      if (!this.#bound) {
        const track = pick(frame);
        if (!track)
          return end(
            `no recorded connection starts with ${frame.op} ` +
              `${JSON.stringify(frame.data ?? {}).slice(0, 200)}`,
          );
        this.#bind(track);
      }
      const sends = this.#entries.filter((entry) => entry.direction === 'send');
      const expected = sends[this.#sent++]?.frame as Frame | undefined;
      if (!expected)
        return end(`${frame.op} was sent, but nothing more was recorded on this connection`);
      if (expected.op !== frame.op)
        return end(`${frame.op} was sent, but ${expected.op} was recorded`);
      if (!fits(expected.data ?? {}, frame.data ?? {})) {
        return end(
          `${frame.op} was sent with ${JSON.stringify(frame.data ?? {}).slice(0, 200)}, but ` +
            `${JSON.stringify(expected.data ?? {}).slice(0, 200)} was recorded`,
        );
      }
      if (expected.msgId !== undefined && frame.msgId !== undefined)
        this.#ids.set(expected.msgId, frame.msgId);
      this.#ahead += 1;
      this.#stop();
      this.#play();
    }

    /** Plays the next entries; stops where the client has to send first. */
    #play(): void {
      for (
        let entry = this.#entries[this.#at];
        entry && !this.#over;
        entry = this.#entries[this.#at]
      ) {
        if (entry.direction === 'send') {
          if (this.#ahead === 0) return;
          this.#ahead -= 1;
          this.#base = { clock: clock.now(), ms: entry.ms };
          this.#next();
          continue;
        }
        if (entry.direction === 'close' && entry.by === 'client') return;
        this.#stop = clock.after(this.#base.clock + entry.ms - this.#base.ms - clock.now(), () => {
          this.#next();
          if (entry.direction === 'close') this.end(entry.code, entry.reason);
          else if (entry.direction === 'recv') this.#emit(entry.frame);
          this.#play();
        });
        return;
      }
    }

    #next(): void {
      this.#at += 1;
      left -= 1;
    }

    #emit(frame: unknown): void {
      if (typeof frame !== 'object' || frame === null) return this.#events.onMessage(frame);
      const id = (frame as { msgId?: string }).msgId;
      const own = id === undefined ? undefined : this.#ids.get(id);
      this.#events.onMessage(JSON.stringify(own === undefined ? frame : { ...frame, msgId: own }));
    }

    end(code: number, reason: string): void {
      if (this.#over) return;
      this.#over = true;
      live.delete(this);
      this.#stop();
      this.#events.onClose(code, reason);
    }

    close(code: number, reason: string): void {
      const next = this.#entries[this.#at];
      if (!this.#over && next?.direction === 'close' && next.by === 'client') this.#next();
      this.end(code, reason);
    }
  }

  const transport: Transport = (_url, events) => {
    const player = new Player(events);
    clock.after(0, () => live.has(player) && player.start());
    return {
      send: (text) => player.send(text),
      close: (code, reason) => player.close(code ?? 1000, reason ?? ''),
    };
  };
  return Object.defineProperties(transport, {
    error: { get: () => error },
    remaining: { get: () => left },
  }) as ReplayTransport;
}

/**
 * Creates a `fetch` that answers as recorded: calls with the same method, path and query get the
 * recorded responses in order; the last one repeats. Calls that were not recorded get a 404 that
 * names the missing call.
 */
export function replayFetch(recording: Recording): typeof fetch {
  const redact = redactor();
  const calls = new Map<string, RecordedCall[]>();
  for (const entry of recording.entries) {
    if (entry.direction !== 'rest') continue;
    const key = `${entry.method} ${entry.path}`;
    calls.set(key, [...(calls.get(key) ?? []), entry]);
  }
  return async (input, init) => {
    const request = new Request(input, init);
    // Redacted like the recorded addresses.
    const path = redact.path(request.url);
    const list = calls.get(`${request.method} ${path}`) ?? [];
    const call = list.length > 1 ? list.shift() : list[0];
    if (!call) {
      const message = `Replay: ${request.method} ${path} was not recorded`;
      return new Response(JSON.stringify({ status: 'NOT_FOUND', message }), {
        status: 404,
        headers: { 'Content-Type': 'application/json' },
      });
    }
    const empty =
      call.body === undefined || [204, 205, 304].includes(call.status) || request.method === 'HEAD';
    const body = empty
      ? null
      : typeof call.body === 'string'
        ? call.body
        : JSON.stringify(call.body);
    return new Response(body, {
      status: call.status,
      headers: call.type === undefined ? {} : { 'Content-Type': call.type },
    });
  };
}
