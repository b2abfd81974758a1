/** A recording played to a client: the frames of the server come as they came, after what they answered. */
import { TidingError } from '../errors.ts';
import { UNANSWERED } from '../protocol/constants.ts';
import { realClock, type Clock } from './clock.ts';
import type { RecordedCall, RecordedFrame, Recording } from './recording.ts';
import { REDACTED, redactor } from './redact.ts';
import type { ConnectionEvents, Transport } from './transport.ts';

/** How a recording is played. */
export interface ReplayOptions {
  /** Default: real time. */
  clock?: Clock;
}

/** A transport that plays a recording. */
export interface ReplayTransport extends Transport {
  /** What was sent that the recording has not; with it the replay is over. */
  readonly error: TidingError | undefined;
  /** Entries of live connections that are still to come: what is to be sent, and what is to be played. */
  readonly remaining: number;
}

/** Close code of a replay that cannot go on. Its reason says why. */
export const REPLAY_ENDED = 4000;

/** The numbers of an author's commits and the time of a question are other ones each time. */
const VOLATILE = new Set(['author', 'authorSeq', 'lastUpdateUnixTime']);

/** Whether what is sent is what was recorded; what was taken out of the recording fits everything. */
function fits(recorded: unknown, sent: unknown): boolean {
  if (recorded === REDACTED) return true;
  if (typeof recorded === 'string' && typeof sent === 'string' && recorded !== sent) {
    const [a, b] = [textJson(recorded), textJson(sent)];
    return a !== undefined && b !== undefined && fits(a, b);
  }
  if (
    typeof recorded !== 'object' ||
    recorded === null ||
    typeof sent !== 'object' ||
    sent === null
  )
    return recorded === sent;
  const [a, b] = [recorded as Record<string, unknown>, sent as Record<string, unknown>];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(
    (key) => VOLATILE.has(key) || fits(a[key], b[key]),
  );
}

function textJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Frame {
  op: string;
  data?: unknown;
  msgId?: string;
}

/** One recorded connection, without what says nothing and is not answered: PING, presence. */
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
 * A transport that answers as it was recorded. What the client sends takes its turn: what the server said after a
 * recorded frame comes after the client has sent that frame, as many ms later as it did then. A connection of the client
 * is the first recorded one that began with the same frame. What was not recorded ends the replay: every connection
 * closes with {@link REPLAY_ENDED}, the reason says what was sent and what was expected, and so does `error`.
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
    error ??= new TidingError('protocol', `replay: ${why}`);
    for (const player of [...live]) player.end(REPLAY_ENDED, error.message);
  };
  /** The connection that began with this frame. */
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
    /** Frames sent ahead of what is still to be played. */
    #ahead = 0;

    constructor(events: ConnectionEvents) {
      this.#events = events;
      live.add(this);
    }

    start(): void {
      if (error) return this.end(REPLAY_ENDED, error.message);
      // One that never opened failed in its turn.
      const next = tracks.find(({ played }) => !played);
      if (next && !next.opens) {
        this.#bind(next);
        return this.#play();
      }
      if (!next || tracks.every(({ played, opens }) => played || !opens))
        return end('the client connects once more than was recorded');
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
            `no recorded connection begins with ${frame.op} ${JSON.stringify(frame.data ?? {}).slice(0, 200)}`,
          );
        this.#bind(track);
      }
      const sends = this.#entries.filter((entry) => entry.direction === 'send');
      const expected = sends[this.#sent++]?.frame as Frame | undefined;
      if (!expected) return end(`${frame.op} was sent, and nothing more was recorded here`);
      if (expected.op !== frame.op)
        return end(`${frame.op} was sent where ${expected.op} was recorded`);
      if (!fits(expected.data ?? {}, frame.data ?? {})) {
        return end(
          `${frame.op} was sent with ${JSON.stringify(frame.data ?? {}).slice(0, 200)} where ${JSON.stringify(expected.data ?? {}).slice(0, 200)} was recorded`,
        );
      }
      if (expected.msgId !== undefined && frame.msgId !== undefined)
        this.#ids.set(expected.msgId, frame.msgId);
      this.#ahead += 1;
      this.#stop();
      this.#play();
    }

    /** Goes on to what is next in time; stops where the client is to send first. */
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
          else if (entry.direction === 'recv') this.#say(entry.frame);
          this.#play();
        });
        return;
      }
    }

    #next(): void {
      this.#at += 1;
      left -= 1;
    }

    #say(frame: unknown): void {
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
 * A `fetch` that answers as it was recorded: calls of the same method, path and query in their order, the last answer
 * again where there are more. A call that was not recorded answers 404 with what is missing.
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
    // As it was recorded: what is secret in an address is not in the recording.
    const path = redact.path(request.url);
    const list = calls.get(`${request.method} ${path}`) ?? [];
    const call = list.length > 1 ? list.shift() : list[0];
    if (!call) {
      const message = `replay: ${request.method} ${path} was not recorded`;
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
