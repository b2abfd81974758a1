/** The live channel in front of another server: each socket of ours with one there. Nobody has one there before he has shown a ticket. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket, WebSocketServer, type RawData } from 'ws';
import { clientFrame, sentOperations } from 'tiding/protocol';
import type { Audit } from '../audit.ts';
import { Refusal } from '../errors.ts';
import { parse } from '../json.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { ServerOptions } from '../options.ts';
import { callerOf, isSecure, type OriginGate } from '../origin.ts';
import { admitted, cutFrame } from './embed.ts';
import { isFrame } from './frames.ts';
import { auditMessage } from './live-audit.ts';
import type { UpstreamNotes } from './notes.ts';
import { CLOSE_MS, end, heartbeat, MAX_QUEUED, tell, write, type Pair } from './pair.ts';
import { maskOf, type Seat, type Seats } from './seats.ts';
import type { Zeppelin } from './zeppelin.ts';

/** A socket that has not shown a good ticket by then is closed, in ms. */
const TICKET_MS = 30_000;
/** Messages a second one socket may send over a while. */
const RATE = 200;
/** Whether those who only listen may still do so is looked at this often, in ms. */
const REVIEW_MS = 1_000;
/** Who takes nothing for so long, in ms, is dropped: upstream has others to write to. */
const STALLED_MS = 30_000;
/** A frame that says that the session is over, or a right missing, is short. */
const MAX_NOTICE = 4_096;
/** Whether upstream still answers is asked of each socket this often, in ms: it has until the next time. */
const HEARTBEAT_MS = 20_000;
/** What was said is handed on before the end, within so long, in ms. */
const LAST_WORDS_MS = 2_000;
const SESSION_OVER = 'Your ticket is invalid possibly due to server restart. Please login again.';
const SIGNED_OUT = 'You have been logged out.';
const BAD_FRAME =
  'The Zeppelin behind this server sent a message that cannot be read; it was left out.';
const MUTE = 'The Zeppelin behind this server does not answer any more; it is connected to anew.';

/** What it works with. */
interface Parts {
  readonly zeppelin: Zeppelin;
  readonly seats: Seats;
  readonly notes: UpstreamNotes;
  readonly gate: OriginGate;
  readonly options: ServerOptions;
  readonly log: Logger;
  readonly audit: Audit;
  readonly metrics: Metrics;
}

/** The live side. */
export interface GatewayLive {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Bytes of the largest frame from a client, once upstream has told its own. */
  limit(bytes: number): void;
  /** Open sockets. */
  count(): number;
  /** Hands on what was said, and hangs up. */
  close(): Promise<void>;
}

/** Answers upgrade requests on `/ws`. */
export function createGatewayLive({
  zeppelin,
  seats,
  notes,
  gate,
  options,
  log,
  audit,
  metrics,
}: Parts): GatewayLive {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxMessageBytes,
    perMessageDeflate: false,
  });
  const pairs = new Set<Pair>();

  const refuse = (socket: Duplex, status: string) => {
    // Who is refused may hang up at any moment, or never.
    socket.on('error', () => {});
    socket.once('finish', () => socket.destroy());
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  };
  /** What a session heard it hears no longer; its sockets may show another ticket. */
  const part = (pair: Pair, info: string) => {
    const { there } = pair;
    Object.assign(pair, {
      there: undefined,
      key: undefined,
      owner: '',
      person: undefined,
      mask: undefined,
      ticket: undefined,
    });
    there?.terminate();
    tell(pair, 'SESSION_LOGOUT', info);
  };
  seats.onEnd = (key) => {
    for (const pair of pairs) if (pair.key === key) part(pair, SIGNED_OUT);
  };

  function accept(socket: WebSocket, request: IncomingMessage): void {
    const address = callerOf(
      request.socket.remoteAddress,
      request.headers['x-forwarded-for'],
      options,
    );
    const pair: Pair = {
      socket,
      address,
      there: undefined,
      key: undefined,
      owner: '',
      person: undefined,
      mask: undefined,
      ticket: undefined,
      pauses: 0,
      queue: Promise.resolve(),
    };
    pairs.add(pair);
    const ticketTimer = setInterval(() => pair.key ?? socket.close(1008, 'no ticket'), TICKET_MS);
    let budget = RATE * 5;
    let last = Date.now();
    // One socket's messages go on one after another, in their order.
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
      pair.queue = pair.queue
        .then(() => receive(pair, binary ? undefined : (raw as Buffer).toString('utf8')))
        .catch((error: Error) => {
          if (error instanceof Refusal) {
            if (error.status === 403) auditMessage(audit, pair, undefined, '403');
            tell(pair, error.kind === 'forbidden' ? 'AUTH_INFO' : 'ERROR_INFO', error.message);
            // It comes again, a little later each time.
            if (error.status >= 500) socket.close(1013, 'upstream cannot be reached');
          } else {
            log.error({ error: error.stack }, 'a live message failed');
            tell(pair, 'ERROR_INFO', 'The message failed on the server.');
          }
        })
        .then(() => {
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
    const { op, ticket = '', principal = '', data = {} } = frame.data;
    metrics.message(Object.hasOwn(sentOperations, op) ? op : 'unknown');
    const seat = await seats.byTicket(ticket);
    if (!seat || seat.principal !== principal) {
      if (op !== 'PING') tell(pair, 'SESSION_LOGOUT', SESSION_OVER);
      return;
    }
    // Ours alone: no upstream knows them, and what people do together here is not told there.
    if (op.startsWith('TIDING_')) throw new Refusal(400, `unknown operation ${op}`);
    if (pair.key !== undefined && pair.key !== seat.key)
      return void pair.socket.close(1008, 'a socket is of one session');
    pair.person = seat.person;
    const { embed } = seat.person;
    const payload =
      embed && op !== 'PING' ? { data: await admitted(op, data, embed, seat, notes) } : {};
    const there = pair.there ?? (await join(pair, seat));
    if (!there) return;
    const upstream = (await seats.byKey(seat.key))?.upstream ?? seat.upstream;
    // Its ticket there may be another by now: no more than the one before shall that one be seen.
    if (upstream.ticket !== pair.ticket)
      Object.assign(pair, { ticket: upstream.ticket, mask: maskOf(upstream) });
    const { cookie: _, ...identity } = upstream;
    await write(there, Buffer.from(JSON.stringify({ ...frame.data, ...payload, ...identity })));
    auditMessage(audit, pair, { op, data: payload.data ?? data }, 'sent');
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
    if (seat.uses !== undefined && !(await seats.confirm(seat.uses))) {
      // That of somebody who signed in has been told; a page with a token has a session of its own.
      if (seat.local && pair.key === seat.key) part(pair, SESSION_OVER);
      return undefined;
    }
    const { upstream } = (await seats.byKey(seat.key)) ?? seat;
    const there = zeppelin.socket(upstream.cookie);
    pair.there = there;
    Object.assign(pair, { ticket: upstream.ticket, mask: maskOf(upstream) });
    there.on('message', (data, binary) => void say(pair, there, data, binary));
    heartbeat(there, Math.min(HEARTBEAT_MS, options.upstreamTimeoutMs), () => {
      if (pair.there !== there) return;
      log.warn({ upstream: zeppelin.address }, 'a socket of upstream is mute');
      tell(pair, 'ERROR_INFO', MUTE);
      pair.there = undefined;
      there.terminate();
      end(pair.socket, 1013, Buffer.from('upstream does not answer'));
      void zeppelin.look();
    });
    const opened = await new Promise<string | undefined>((resolve) => {
      there.once('open', () => resolve(undefined));
      there.on('error', (error) => resolve(error.message));
      there.once('close', () => resolve('it closed at once'));
    });
    watch(there, pair);
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

  /** Ends ours when that of upstream ends. */
  function watch(there: WebSocket, pair: Pair): void {
    // A frame that breaks the rules of web sockets, or is larger than may be.
    there.on('error', (error) => {
      log.warn({ upstream: zeppelin.address, error: error.message }, 'a socket of upstream failed');
      if (pair.there === there) tell(pair, 'ERROR_INFO', BAD_FRAME);
    });
    there.on('close', (code, reason) => {
      if (pair.there !== there) return;
      pair.there = undefined;
      end(pair.socket, code, pair.mask?.over(reason) ?? reason);
      void zeppelin.look();
    });
  }

  /** Hands a frame of upstream on, and reads no more of them than are taken. */
  function say(pair: Pair, there: WebSocket, data: RawData, binary: boolean): void {
    const { socket, key, mask, person } = pair;
    if (pair.there !== there || socket.readyState !== socket.OPEN) return;
    const bytes = data as Buffer;
    const isBad = () => {
      log.warn(
        { upstream: zeppelin.address, bytes: bytes.length, binary },
        'upstream sent what is no message',
      );
      tell(pair, 'ERROR_INFO', BAD_FRAME);
    };
    if (binary || !isFrame(bytes)) return isBad();
    mask?.over(bytes);
    if (bytes.length < MAX_NOTICE) {
      if (key !== undefined && bytes.includes('"SESSION_LOGOUT"')) void confirm(pair, key);
      if (bytes.includes('"AUTH_INFO"')) auditMessage(audit, pair, undefined, '403');
    }
    let shown: Buffer | string | undefined = bytes;
    try {
      if (person?.embed) shown = cutFrame(bytes, person.embed);
    } catch {
      // Too large to be looked at before.
      return isBad();
    }
    if (shown === undefined) return;
    socket.send(shown, { binary: false }, () => {
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

  /** Asks whether the session is over that a frame of upstream says is. */
  async function confirm(pair: Pair, key: string): Promise<void> {
    const uses = (await seats.byKey(key))?.uses;
    if (uses !== undefined && pair.key === key) await seats.confirm(uses).catch(() => {});
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
    review().catch((error: Error) =>
      log.error({ error: error.stack }, 'sessions could not be reviewed'),
    );
  }, REVIEW_MS).unref();

  let closing: Promise<void> | undefined;
  return {
    upgrade(request, socket, head) {
      // The path as it came: not every one is a URL.
      if (request.url?.split('?', 1)[0] !== '/ws') return refuse(socket, '404 Not Found');
      if (!gate.host(request.headers.host)) return refuse(socket, '403 Forbidden');
      // Without an Origin there is no page, and so no cookie that a page could abuse: the ticket in each message decides.
      if (
        gate.origin(
          request.headers.origin,
          request.headers.host,
          isSecure('http://x', [request.headers['x-forwarded-proto']].flat().join(','), options),
        ) === 'foreign'
      )
        return refuse(socket, '403 Forbidden');
      if (zeppelin.trouble !== undefined) {
        // It may be back: who waits for it need not wait for the next look.
        void zeppelin.look();
        return refuse(socket, '502 Bad Gateway');
      }
      server.handleUpgrade(request, socket, head, (made) => accept(made, request));
    },
    limit(bytes) {
      server.options.maxPayload = bytes;
    },
    count: () => pairs.size,
    close: () =>
      (closing ??= (async () => {
        clearInterval(reviewing);
        const open = [...pairs];
        const last = new AbortController();
        // From now on nothing is taken; what was is handed on, and upstream hears of the end after it.
        for (const { socket } of open) socket.close(1001, 'the server is shutting down');
        const handedOn = Promise.all(
          open.map(async ({ queue, there }) => {
            await queue;
            if (there?.readyState !== WebSocket.OPEN) return;
            const closed = new Promise((resolve) => there.once('close', resolve));
            there.close(1000);
            await closed;
          }),
        );
        await Promise.race([
          handedOn,
          wait(LAST_WORDS_MS, undefined, { signal: last.signal }).catch(() => {}),
        ]);
        last.abort();
        for (const { socket, there } of open) {
          there?.terminate();
          socket.terminate();
        }
        server.close();
      })()),
  };
}
