/**
 * An in-memory transport for tests. The test plays the server: it opens connections, sends frames
 * and breaks connections.
 */
import type { ConnectionEvents, Transport } from '@tiding/client';

export interface SentFrame {
  op: string;
  data: Record<string, unknown>;
  principal?: string;
  ticket?: string;
  roles?: string;
  msgId: string;
}

/** One connection, seen from the server's side. */
export class LineEnd {
  readonly url: string;
  readonly frames: SentFrame[] = [];
  closed: { code: number; reason: string } | undefined;
  readonly #events: ConnectionEvents;

  constructor(url: string, events: ConnectionEvents) {
    this.url = url;
    this.#events = events;
  }

  /** Received operations, in order. */
  get ops(): string[] {
    return this.frames.map(({ op }) => op);
  }

  open(): void {
    this.#events.onOpen();
  }

  /** Sends a frame from the server. */
  say(op: string, data: unknown = {}, msgId?: string): void {
    this.raw(
      JSON.stringify({
        op,
        data,
        ticket: 'anonymous',
        principal: 'anonymous',
        roles: '',
        ...(msgId === undefined ? {} : { msgId }),
      }),
    );
  }

  /** Sends this text from the server. */
  raw(text: unknown): void {
    this.#events.onMessage(text);
  }

  /** Breaks the connection. */
  drop(code = 1006, reason = ''): void {
    if (this.closed) return;
    this.closed = { code, reason };
    this.#events.onClose(code, reason);
  }
}

/** Makes a transport and exposes the server ends of its connections, oldest first. */
export function line(): { transport: Transport; ends: LineEnd[]; last(): LineEnd } {
  const ends: LineEnd[] = [];
  return {
    ends,
    last: () => ends.at(-1)!,
    transport(url, events) {
      const end = new LineEnd(url, events);
      ends.push(end);
      return {
        send: (text) => void end.frames.push(JSON.parse(text) as SentFrame),
        close: (code, reason) => end.drop(code ?? 1000, reason ?? ''),
      };
    },
  };
}
