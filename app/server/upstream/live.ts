/** The live channel in front of another server: each socket of ours with one there. Nobody has one there before he has shown a ticket. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { clientFrame } from 'tiding/protocol';
import { Refusal } from '../errors.ts';
import { parse } from '../json.ts';
import type { Logger } from '../log.ts';
import type { ServerOptions } from '../options.ts';
import type { OriginGate } from '../origin.ts';
import type { Mask } from './mask.ts';
import { maskOf, type Seat, type Seats } from './seats.ts';
import type { Zeppelin } from './zeppelin.ts';

/** A socket that has not shown a good ticket by then is closed, in ms. */
const TICKET_MS = 30_000;
/** Messages a second one socket may send over a while. */
const RATE = 200;
/** Whether those who only listen may still do so is looked at this often, in ms. */
const REVIEW_MS = 1_000;
/** Bytes that may wait on one side; the other is not read until they are gone. */
const MAX_QUEUED = 2 ** 20;
/** Who takes nothing for so long, in ms, is dropped: upstream has others to write to. */
const STALLED_MS = 30_000;
/** A closing socket is ended by force after this, in ms. */
const CLOSE_MS = 5_000;
/** A frame that says that the session is over is short. */
const MAX_NOTICE = 4_096;
const SESSION_OVER = 'Your ticket is invalid possibly due to server restart. Please login again.';
const SIGNED_OUT = 'You have been logged out.';

/** One socket of ours, and the one at upstream that belongs to it. */
interface Pair {
  readonly socket: WebSocket;
  there: WebSocket | undefined;
  /** The session whose it is. */
  key: string | undefined;
  owner: string;
  mask: Mask | undefined;
  /** How often upstream had to wait for it. */
  pauses: number;
}

/** The live side. */
export interface GatewayLive {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Bytes of the largest frame from a client, once upstream has told its own. */
  limit(bytes: number): void;
  close(): Promise<void>;
}

/** Answers upgrade requests on `/ws`. */
export function createGatewayLive(zeppelin: Zeppelin, seats: Seats, gate: OriginGate, options: ServerOptions, log: Logger): GatewayLive {
  const server = new WebSocketServer({ noServer: true, maxPayload: options.maxMessageBytes, perMessageDeflate: false });
  const pairs = new Set<Pair>();

  const refuse = (socket: Duplex, status: string) => {
    // Who is refused may hang up at any moment, or never.
    socket.on('error', () => {});
    socket.once('finish', () => socket.destroy());
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  };
  const tell = ({ socket }: Pair, op: string, info: string) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ op, data: { info }, ticket: 'anonymous', principal: 'anonymous', roles: '' }));
  };

  /** What a session heard it hears no longer; its sockets may show another ticket. */
  const part = (pair: Pair, info: string) => {
    const { there } = pair;
    Object.assign(pair, { there: undefined, key: undefined, owner: '', mask: undefined });
    there?.terminate();
    tell(pair, 'SESSION_LOGOUT', info);
  };
  seats.onEnd = (key) => {
    for (const pair of pairs) if (pair.key === key) part(pair, SIGNED_OUT);
  };

  function accept(socket: WebSocket): void {
    const pair: Pair = { socket, there: undefined, key: undefined, owner: '', mask: undefined, pauses: 0 };
    pairs.add(pair);
    const ticketTimer = setInterval(() => pair.key ?? socket.close(1008, 'no ticket'), TICKET_MS);
    let budget = RATE * 5;
    let last = Date.now();
    // One socket's messages go on one after another, in their order.
    let queue = Promise.resolve();
    let waiting = 0;
    socket.on('message', (raw, binary) => {
      if (socket.readyState !== socket.OPEN) return;
      const now = Date.now();
      budget = Math.min(RATE * 5, budget + ((now - last) / 1000) * RATE) - 1;
      last = now;
      if (budget < 0) return socket.close(1008, 'too many messages');
      const { length } = raw as Buffer;
      // Who sends faster than upstream takes waits at his end, and not in memory here.
      waiting += length;
      if (waiting > MAX_QUEUED) socket.pause();
      queue = queue.then(() => receive(pair, binary ? undefined : (raw as Buffer).toString('utf8'))).catch((error: Error) => {
        if (error instanceof Refusal && error.status >= 500) socket.close(1013, 'upstream cannot be reached');
        else if (error instanceof Refusal) tell(pair, 'ERROR_INFO', error.message);
        else {
          log.error({ error: error.stack }, 'a live message failed');
          tell(pair, 'ERROR_INFO', 'The message failed on the server.');
        }
      }).then(() => {
        waiting -= length;
        if (socket.isPaused && waiting <= MAX_QUEUED) socket.resume();
      });
    });
    socket.on('close', (code, reason) => {
      clearInterval(ticketTimer);
      pairs.delete(pair);
      if (pair.there) end(pair.there, code, reason);
      pair.there = undefined;
    });
    socket.on('error', (error) => log.debug({ error: error.message }, 'a socket failed'));
  }

  async function receive(pair: Pair, text: string | undefined): Promise<void> {
    if (text === undefined) throw new Refusal(400, 'a message is text');
    const frame = clientFrame.safeParse(parse(text));
    if (!frame.success) throw new Refusal(400, 'a message is a JSON object with an operation');
    const { op, ticket = '', principal = '' } = frame.data;
    const seat = await seats.byTicket(ticket);
    if (!seat || seat.principal !== principal) {
      if (op !== 'PING') tell(pair, 'SESSION_LOGOUT', SESSION_OVER);
      return;
    }
    // Ours alone: no upstream knows them, and what people do together here is not told there.
    if (op.startsWith('TIDING_')) throw new Refusal(400, `unknown operation ${op}`);
    if (pair.key !== undefined && pair.key !== seat.key) return void pair.socket.close(1008, 'a socket is of one session');
    const there = pair.there ?? (await join(pair, seat));
    if (!there) return;
    const { cookie: _, ...identity } = (await seats.byKey(seat.key))?.upstream ?? seat.upstream;
    await write(there, Buffer.from(JSON.stringify({ ...frame.data, ...identity })));
  }

  /** Opens the socket at upstream; `undefined` where nobody needs it any more. Refuses where that fails. */
  async function join(pair: Pair, seat: Seat): Promise<WebSocket | undefined> {
    if ([...pairs].filter((other) => other.owner === seat.owner).length >= options.maxSockets) {
      pair.socket.close(1013, 'too many sockets');
      return undefined;
    }
    pair.key = seat.key;
    pair.owner = seat.owner;
    // Upstream may have started anew meanwhile: then it would be silent, and so is told first.
    if (!seat.local && !(await seats.confirm(seat.key))) return undefined;
    const { upstream } = (await seats.byKey(seat.key)) ?? seat;
    const there = zeppelin.socket(upstream.cookie);
    pair.there = there;
    pair.mask = maskOf(upstream);
    there.on('message', (data, binary) => void say(pair, there, data, binary));
    const opened = await new Promise<string | undefined>((resolve) => {
      there.once('open', () => resolve(undefined));
      there.on('error', (error) => resolve(error.message));
      there.once('close', () => resolve('it closed at once'));
    });
    there.on('close', (code, reason) => {
      if (pair.there !== there) return;
      pair.there = undefined;
      end(pair.socket, code, reason);
      void zeppelin.look();
    });
    if (opened === undefined) {
      if (pair.there === there) return there;
      there.terminate();
      return undefined;
    }
    // Whose session ended meanwhile has been told.
    if (pair.there !== there) return undefined;
    pair.there = undefined;
    void zeppelin.look();
    throw new Refusal(502, opened);
  }

  /** Hands a frame of upstream on, and reads no more of them than are taken. */
  function say(pair: Pair, there: WebSocket, data: RawData, binary: boolean): void {
    const { socket, key, mask } = pair;
    if (pair.there !== there || socket.readyState !== socket.OPEN) return;
    const bytes = data as Buffer;
    mask?.over(bytes);
    if (key !== undefined && bytes.length < MAX_NOTICE && bytes.includes('"SESSION_LOGOUT"')) void seats.confirm(key).catch(() => {});
    socket.send(bytes, { binary }, () => {
      if (there.isPaused && socket.bufferedAmount <= MAX_QUEUED) there.resume();
    });
    if (socket.bufferedAmount <= MAX_QUEUED || there.isPaused) return;
    there.pause();
    const pause = (pair.pauses += 1);
    const stalled = setTimeout(() => {
      if (!there.isPaused || pair.pauses !== pause) return;
      socket.close(1013, 'too slow');
      // It does not read that either.
      setTimeout(() => socket.terminate(), CLOSE_MS).unref();
    }, STALLED_MS);
    stalled.unref();
  }

  /** Resolves when upstream has taken enough of it. */
  async function write(there: WebSocket, bytes: Buffer): Promise<void> {
    if (there.readyState !== there.OPEN) return;
    const sent = new Promise<void>((resolve) => there.send(bytes, { binary: false }, () => resolve()));
    if (there.bufferedAmount > MAX_QUEUED) await sent;
  }

  /** Closes one end as the other was closed. */
  function end(socket: WebSocket, code: number, reason: Buffer): void {
    // Those stand for a close without a code, and for none at all.
    if (code === 1006) return socket.terminate();
    if (code === 1005) socket.close();
    else socket.close(code, reason);
    setTimeout(() => socket.terminate(), CLOSE_MS).unref();
  }

  /** Ends what a socket hears once its session is over, its user gone or its token no longer good. */
  async function review(): Promise<void> {
    for (const pair of pairs) {
      const { key } = pair;
      if (key === undefined || (await seats.byKey(key)) || pair.key !== key) continue;
      part(pair, SESSION_OVER);
    }
  }
  const reviewing = setInterval(() => {
    review().catch((error: Error) => log.error({ error: error.stack }, 'sessions could not be reviewed'));
  }, REVIEW_MS).unref();

  return {
    upgrade(request, socket, head) {
      // The path as it came: not every one is a URL.
      if (request.url?.split('?', 1)[0] !== '/ws') return refuse(socket, '404 Not Found');
      if (!gate.host(request.headers.host)) return refuse(socket, '403 Forbidden');
      // Without an Origin there is no page, and so no cookie that a page could abuse: the ticket in each message decides.
      if (gate.origin(request.headers.origin, request.headers.host) === 'foreign') return refuse(socket, '403 Forbidden');
      if (zeppelin.trouble !== undefined) return refuse(socket, '502 Bad Gateway');
      server.handleUpgrade(request, socket, head, accept);
    },
    limit(bytes) {
      server.options.maxPayload = bytes;
    },
    async close() {
      clearInterval(reviewing);
      for (const { socket } of pairs) socket.close(1001, 'the server is shutting down');
      await new Promise((resolve) => setTimeout(resolve, 50));
      for (const { socket, there } of pairs) {
        there?.terminate();
        socket.terminate();
      }
      server.close();
    },
  };
}
