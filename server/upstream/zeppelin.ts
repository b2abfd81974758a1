/** Client of the Zeppelin behind this server: requests, sign-in, and reachability. */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { readAtMost } from '../base/bytes.ts';
import { Refusal } from '../base/errors.ts';
import type { Logger } from '../logging/log.ts';
import { cookiesOf, identityOf, redirectsToSignIn, type UpstreamIdentity } from './identity.ts';
import type { SecretMask } from './mask.ts';

/** `accounts`: users sign in at Zeppelin; `anonymous`: it has no accounts. */
type SignInKind = 'accounts' | 'anonymous';

/** A request body that is forwarded while it arrives. */
export interface StreamedBody {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** In bytes; `undefined` if not known in advance. */
  readonly length: number | undefined;
}

/** A request to Zeppelin; `path` follows `/api`. */
interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Buffer | StreamedBody;
  readonly cookie?: string;
  readonly signal?: AbortSignal;
  /** Time limit for the response headers after the body was sent, in ms. */
  readonly limitMs?: number;
}

/**
 * First delay before reconnecting, in ms. It doubles with each failure, up to the maximum below.
 */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/** Time limit of a health check, in ms. */
const PROBE_MS = 3_000;
/** Time limit of this server's own calls, in ms. */
const OWN_LIMIT_MS = 10_000;
/** A response body that makes no progress is aborted after this time, in ms. */
const IDLE_MS = 120_000;
/** Maximum size of a response that is read here, in bytes. */
const MAX_ANSWER = 2 ** 20;
/** Maximum size of a frame from Zeppelin, in bytes: notes are sent whole, with their outputs. */
const MAX_FRAME = 256 * 2 ** 20;

/**
 * `Origin` header for live channels. Since 0.12.1 Zeppelin accepts only pages of its own host and
 * of listed hosts, and closes a channel without an Origin; every version accepts this one. Which
 * pages may connect is checked by this server.
 */
const ORIGIN = 'http://localhost';

export class ZeppelinClient {
  readonly #url: URL;
  readonly #log: Logger;
  readonly #limitMs: number;
  readonly #agent: HttpAgent;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #probing: Promise<void> | undefined;
  #closed = false;
  /** Why it can't be reached; `undefined` if it can. */
  unreachableReason: string | undefined = 'no attempt yet';
  /** Whether Zeppelin has accounts, if known. */
  kind: SignInKind | undefined;
  /** Whether its REST API supports note revisions (since 0.11). */
  hasRevisions = false;
  /** Called with the identity of a user who has signed in. */
  onIdentity: (identity: UpstreamIdentity) => void = () => {};
  /** The identity of everybody if Zeppelin has no accounts. */
  anonymous: UpstreamIdentity = {
    principal: 'anonymous',
    ticket: 'anonymous',
    roles: '[]',
    cookie: '',
  };

  constructor(url: URL, log: Logger, limitMs: number) {
    this.#url = url;
    this.#log = log;
    this.#limitMs = limitMs;
    const Agent = url.protocol === 'https:' ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true });
  }

  /** Its address for display. */
  get address(): string {
    return this.#url.href.replace(/\/$/, '');
  }

  /**
   * Sends a request. Resolves with the response headers, including redirects; the caller must read
   * or destroy the body. Throws a refusal with status 502 or 504.
   */
  async request(given: UpstreamRequest): Promise<IncomingMessage> {
    const reads = given.method === 'GET' || given.method === 'HEAD';
    const address = `${this.address}/api${given.path}`;
    // A kept-alive connection may close at the moment it is reused. So only reads use one, and they
    // are retried once.
    for (let again = reads; ; again = false) {
      try {
        return await this.#once(given, address, reads);
      } catch (error) {
        if (again && (error as { reused?: boolean }).reused) continue;
        if (given.signal?.aborted || this.#closed)
          throw new Refusal(499, 'The caller has disconnected.');
        if (error instanceof Refusal) throw error;
        const code = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
        this.#failed(code);
        throw new Refusal(502, `The Zeppelin behind this server cannot be reached (${code}).`);
      }
    }
  }

  #once(
    { method, headers, body, cookie, signal, limitMs = this.#limitMs }: UpstreamRequest,
    address: string,
    keep: boolean,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const send = this.#url.protocol === 'https:' ? httpsRequest : httpRequest;
      const outgoing = send(address, {
        method,
        agent: keep && this.#agent,
        ...(signal ? { signal } : {}),
        headers: {
          // Some proxies, and Zeppelin-compatible servers, reject a call without this header as
          // forged.
          'X-Requested-With': 'XMLHttpRequest',
          ...headers,
          ...(cookie ? { Cookie: cookie } : {}),
          ...(body?.length === undefined ? {} : { 'Content-Length': body.length }),
        },
      });
      let answered = false;
      const limit = setTimeout(() => {
        reject(new Refusal(504, 'The Zeppelin behind this server did not answer in time.'));
        outgoing.destroy();
      }, limitMs);
      outgoing.once('response', (response) => {
        answered = true;
        clearTimeout(limit);
        outgoing.setTimeout(IDLE_MS);
        resolve(response);
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('the body made no progress')));
      // Also after the response has begun: then its body fails and the reader is notified.
      outgoing.on('error', (error) => {
        clearTimeout(limit);
        reject(Object.assign(error, { reused: outgoing.reusedSocket }));
      });
      if (!body || Buffer.isBuffer(body)) return void outgoing.end(body);
      sendOn(body.pieces, outgoing, () => answered || limit.refresh()).catch((error: Error) =>
        outgoing.destroy(error),
      );
    });
  }

  /** Sends a request with a small response, which is read here. `mask`: secrets to mask in it. */
  async read({
    maxBytes = MAX_ANSWER,
    mask,
    ...given
  }: UpstreamRequest & { readonly maxBytes?: number; readonly mask?: SecretMask }): Promise<{
    response: IncomingMessage;
    json: unknown;
  }> {
    const response = await this.request({
      limitMs: Math.min(OWN_LIMIT_MS, this.#limitMs),
      ...given,
    });
    const bytes = await wholeOf(response, maxBytes, 'too long');
    try {
      return { response, json: JSON.parse((mask?.over(bytes) ?? bytes).toString('utf8')) };
    } catch {
      return { response, json: undefined };
    }
  }

  /** Returns the `body` of `GET /version`. */
  async version(): Promise<Record<string, unknown> & { version: string }> {
    const { json } = await this.read({ method: 'GET', path: '/version' });
    const body = (json as { body?: { version?: unknown } } | undefined)?.body;
    if (typeof body?.version !== 'string')
      throw new Refusal(
        502,
        `${this.address} does not respond like a Zeppelin. Check the address.`,
      );
    return body as Record<string, unknown> & { version: string };
  }

  /** Returns the identity of a cookie; `undefined` if its session has ended. */
  async identify(cookie: string): Promise<UpstreamIdentity | undefined> {
    const { response, json } = await this.read({ method: 'GET', path: '/security/ticket', cookie });
    const { statusCode = 0 } = response;
    if (statusCode === 200) {
      const identity = identityOf(json, cookie);
      if (identity) return identity;
    }
    if (redirectsToSignIn(response) || [401, 403, 405].includes(statusCode)) return undefined;
    throw new Refusal(
      502,
      `The Zeppelin behind this server responded to a ticket request with status ${statusCode}.`,
    );
  }

  /** Signs in; returns `undefined` if name and password don't match. */
  async login(userName: string, password: string): Promise<UpstreamIdentity | undefined> {
    const { response, json } = await this.read({
      method: 'POST',
      path: '/login',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(new URLSearchParams({ userName, password }).toString()),
    });
    if (response.statusCode === 401 || response.statusCode === 403) return undefined;
    const identity =
      response.statusCode === 200 ? identityOf(json, cookiesOf(response)) : undefined;
    if (identity && identity.cookie !== '') {
      this.onIdentity(identity);
      return identity;
    }
    throw new Refusal(
      502,
      `The Zeppelin behind this server responded to a sign-in with status ${response.statusCode}.`,
    );
  }

  /** Ends a Zeppelin session. Failures are ignored, because nobody has its cookie any more. */
  async logout(cookie: string): Promise<void> {
    await this.read({ method: 'POST', path: '/login/logout', cookie, limitMs: 5_000 }).catch(
      () => {},
    );
  }

  /** Creates a socket to its live channel; it is not open yet. */
  socket(cookie: string): WebSocket {
    return new WebSocket(`${this.address.replace(/^http/, 'ws')}/ws`, {
      headers: cookie === '' ? {} : { Cookie: cookie },
      origin: ORIGIN,
      perMessageDeflate: false,
      handshakeTimeout: OWN_LIMIT_MS,
      maxPayload: MAX_FRAME,
    });
  }

  /** Returns its maximum frame size in bytes; `undefined` if it does not report one. */
  messageLimit({ cookie, ...identity }: UpstreamIdentity): Promise<number | undefined> {
    return new Promise((resolve) => {
      const socket = this.socket(cookie);
      const done = (limit?: number) => {
        clearTimeout(timer);
        resolve(limit);
        socket.close();
      };
      const timer = setTimeout(done, 5_000);
      socket.on('error', () => done());
      socket.on('close', () => done());
      socket.on('open', () =>
        socket.send(JSON.stringify({ op: 'LIST_CONFIGURATIONS', data: {}, ...identity })),
      );
      socket.on('message', (data) => {
        const size = Number(
          /"zeppelin\.websocket\.max\.text\.message\.size"\s*:\s*"?(\d+)/.exec(String(data))?.[1],
        );
        if (size > 0) done(size);
      });
    });
  }

  /**
   * Checks whether Zeppelin can be reached and whether it has accounts. Never rejects; retries
   * after failures until `close`.
   */
  checkReachable(): Promise<void> {
    this.#probing ??= this.#probe().finally(() => (this.#probing = undefined));
    return this.#probing;
  }

  async #probe(): Promise<void> {
    clearTimeout(this.#retry);
    try {
      const { version } = await this.version();
      const identity = await this.identify('');
      const before = this.unreachableReason;
      const [major = 0, minor = 0] = version.split('.').map(Number);
      this.hasRevisions = major > 0 || minor >= 11;
      this.unreachableReason = undefined;
      this.#failures = 0;
      this.kind = identity ? 'anonymous' : 'accounts';
      if (identity) this.anonymous = identity;
      if (identity && before !== undefined) this.onIdentity(identity);
      if (before !== undefined)
        this.#log.info(
          { upstream: this.address, version, kind: this.kind },
          'connected to upstream',
        );
    } catch (error) {
      const { message } = error as Error;
      this.#failures += 1;
      // Repeated inside another sentence.
      this.#failed(/\(([^()]+)\)\.$/.exec(message)?.[1] ?? message.replace(/\.$/, ''));
    }
  }

  /**
   * Checks Zeppelin's health; returns the problem, or `undefined`. Concurrent calls share one
   * request.
   */
  async probe(): Promise<string | undefined> {
    const limitMs = Math.min(PROBE_MS, this.#limitMs);
    const late = wait(limitMs, 'it does not answer', { ref: false });
    const answered = await Promise.race([this.checkReachable().then(() => undefined), late]);
    return answered ?? this.unreachableReason;
  }

  #failed(trouble: string): void {
    if (this.#closed) return;
    if (this.unreachableReason === undefined)
      this.#log.warn(
        { upstream: this.address, error: trouble },
        'upstream cannot be reached; retrying',
      );
    this.unreachableReason = trouble;
    clearTimeout(this.#retry);
    const pause = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** Math.max(0, this.#failures - 1));
    // Random, so that several servers that lost the connection together don't reconnect together.
    this.#retry = setTimeout(
      () => void this.checkReachable(),
      pause * (0.75 + Math.random() / 2),
    ).unref();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#agent.destroy();
  }
}

/** Reads a response of at most `maxBytes`. Throws a refusal with status 502. */
export async function wholeOf(
  response: IncomingMessage,
  maxBytes: number,
  tooLong: string,
): Promise<Buffer> {
  return readAtMost(response, maxBytes, () => new Error(tooLong)).catch((error: Error) => {
    throw new Refusal(
      502,
      `The answer of the Zeppelin behind this server cannot be read (${error.message}).`,
    );
  });
}

/** Forwards a body chunk by chunk, no faster than it is accepted. */
async function sendOn(
  pieces: AsyncIterable<Uint8Array>,
  outgoing: ClientRequest,
  onPiece: () => void,
): Promise<void> {
  for await (const piece of pieces) {
    // Zeppelin may respond and close before it has read everything.
    if (outgoing.destroyed) return;
    onPiece();
    if (outgoing.write(piece)) continue;
    await new Promise<void>((resolve) => {
      const done = () => {
        outgoing.off('drain', done).off('close', done);
        resolve();
      };
      outgoing.on('drain', done).on('close', done);
    });
  }
  onPiece();
  outgoing.end();
}
