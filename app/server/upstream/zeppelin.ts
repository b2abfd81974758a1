/** The Zeppelin behind this server: requests to it, who signs in there, and whether it can be reached. */
import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { WebSocket } from 'ws';
import { Refusal } from '../errors.ts';
import type { Logger } from '../log.ts';
import { asksForSignIn, cookiesOf, identityOf, type UpstreamIdentity } from './identity.ts';
import type { Mask } from './mask.ts';

/** `accounts`: people sign in there; `anonymous`: everybody is the same there. */
export type Kind = 'accounts' | 'anonymous';

/** A body that goes on while it comes. */
export interface StreamedBody {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Bytes; `undefined`: not known before its end. */
  readonly length: number | undefined;
}

/** A request to upstream; `path` is what follows `/api`. */
export interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Buffer | StreamedBody;
  readonly cookie?: string;
  readonly signal?: AbortSignal;
  /** How long the head of the answer may take once the body is there, in ms. */
  readonly limitMs?: number;
}

/** While it cannot be reached it is tried again after so long, in ms; each time it fails after twice as long, up to the other. */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/** Who asks whether it is well waits so long, in ms. */
const PROBE_MS = 3_000;
/** Of the calls that this server makes for itself, in ms. */
const OWN_LIMIT_MS = 10_000;
/** A body that stands still is given up, in ms. */
const IDLE_MS = 120_000;
/** Most bytes of an answer that is read here. */
const MAX_ANSWER = 2 ** 20;
/** Bytes of the largest frame that is taken from upstream: notes are whole, with their outputs. */
const MAX_FRAME = 256 * 2 ** 20;

/**
 * `Origin` of its live channels. Since 0.12.1 a Zeppelin lets only pages of its own host and of those that it lists have one, and closes
 * a channel that names none; every version takes this one. Whose pages come in is asked at this server's own gate.
 */
const ORIGIN = 'http://localhost';

/** See the head of this file. */
export class Zeppelin {
  readonly #url: URL;
  readonly #log: Logger;
  readonly #limitMs: number;
  readonly #agent: HttpAgent;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #looking: Promise<void> | undefined;
  #closed = false;
  /** Why it cannot be reached; `undefined`: it can. */
  trouble: string | undefined = 'it was not tried yet';
  /** Who signs in there, as far as is known. */
  kind: Kind | undefined;
  /** Whether its REST calls have the revisions of notes: since 0.11. */
  hasRevisions = false;
  /** Told of somebody who has an identity there now. */
  onIdentity: (identity: UpstreamIdentity) => void = () => {};
  /** What everybody is there, where nobody signs in. */
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
    this.#agent =
      url.protocol === 'https:'
        ? new HttpsAgent({ keepAlive: true })
        : new HttpAgent({ keepAlive: true });
  }

  /** Its address, for people. */
  get address(): string {
    return this.#url.href.replace(/\/$/, '');
  }

  /**
   * Makes a request. Resolves with the head of the answer, redirects included; its body is the caller's to read or to
   * destroy. Refuses with 502 and 504.
   */
  async request(given: UpstreamRequest): Promise<IncomingMessage> {
    const reads = given.method === 'GET' || given.method === 'HEAD';
    const address = `${this.address}/api${given.path}`;
    // A kept connection may end as it is used again: only what reads is sent on one, and once more where that happens.
    for (let again = reads; ; again = false) {
      try {
        return await this.#once(given, address, reads);
      } catch (error) {
        if (again && (error as { reused?: boolean }).reused) continue;
        if (given.signal?.aborted || this.#closed) throw new Refusal(499, 'The caller has gone.');
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
        ...(keep ? { agent: this.#agent } : { agent: false }),
        ...(signal ? { signal } : {}),
        headers: {
          // Some proxies, and servers of this family, take a call without it for a forged one.
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
      outgoing.on('timeout', () => outgoing.destroy(new Error('it stands still')));
      // Also after the answer began: then its body fails, and its reader is told.
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

  /** A request whose answer is small and read here. `mask`: what it must not say. */
  async read({
    maxBytes = MAX_ANSWER,
    mask,
    ...given
  }: UpstreamRequest & { readonly maxBytes?: number; readonly mask?: Mask }): Promise<{
    response: IncomingMessage;
    json: unknown;
  }> {
    const response = await this.request({
      limitMs: Math.min(OWN_LIMIT_MS, this.#limitMs),
      ...given,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes) throw new Error('too long');
        chunks.push(chunk);
      }
    } catch (error) {
      throw new Refusal(
        502,
        `The answer of the Zeppelin behind this server cannot be read (${(error as Error).message}).`,
      );
    }
    const bytes = Buffer.concat(chunks);
    try {
      return { response, json: JSON.parse((mask?.over(bytes) ?? bytes).toString('utf8')) };
    } catch {
      return { response, json: undefined };
    }
  }

  /** The `body` of `GET /version`. */
  async version(): Promise<Record<string, unknown> & { version: string }> {
    const { json } = await this.read({ method: 'GET', path: '/version' });
    const body = (json as { body?: { version?: unknown } } | undefined)?.body;
    if (typeof body?.version !== 'string')
      throw new Refusal(502, `${this.address} does not answer as a Zeppelin does.`);
    return body as Record<string, unknown> & { version: string };
  }

  /** Who a cookie stands for; `undefined`: nobody, its session is over. */
  async whoIs(cookie: string): Promise<UpstreamIdentity | undefined> {
    const { response, json } = await this.read({ method: 'GET', path: '/security/ticket', cookie });
    const { statusCode = 0 } = response;
    if (statusCode === 200) {
      const identity = identityOf(json, cookie);
      if (identity) return identity;
    }
    if (asksForSignIn(response) || [401, 403, 405].includes(statusCode)) return undefined;
    throw new Refusal(
      502,
      `The Zeppelin behind this server answers a question for the ticket with ${statusCode}.`,
    );
  }

  /** Signs in there; `undefined`: name and password do not match. */
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
      `The Zeppelin behind this server answers a sign-in with ${response.statusCode}.`,
    );
  }

  /** Ends a session there; that it cannot be told does not matter: nobody has its cookie any more. */
  async logout(cookie: string): Promise<void> {
    await this.read({ method: 'POST', path: '/login/logout', cookie, limitMs: 5_000 }).catch(
      () => {},
    );
  }

  /** A socket to its live channel; not open yet. */
  socket(cookie: string): WebSocket {
    return new WebSocket(`${this.address.replace(/^http/, 'ws')}/ws`, {
      headers: cookie === '' ? {} : { Cookie: cookie },
      origin: ORIGIN,
      perMessageDeflate: false,
      handshakeTimeout: OWN_LIMIT_MS,
      maxPayload: MAX_FRAME,
    });
  }

  /** Bytes of the largest frame that it takes; `undefined` where it does not say. */
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

  /** Asks whether it is there, and who signs in. Never rejects; where it fails it is tried again until `close`. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #look(): Promise<void> {
    clearTimeout(this.#retry);
    try {
      const { version } = await this.version();
      const identity = await this.whoIs('');
      const before = this.trouble;
      const [major = 0, minor = 0] = version.split('.').map(Number);
      this.hasRevisions = major > 0 || minor >= 11;
      this.trouble = undefined;
      this.#failures = 0;
      this.kind = identity ? 'anonymous' : 'accounts';
      if (identity) this.anonymous = identity;
      if (identity && before !== undefined) this.onIdentity(identity);
      if (before !== undefined)
        this.#log.info({ upstream: this.address, version, kind: this.kind }, 'upstream is there');
    } catch (error) {
      const { message } = error as Error;
      this.#failures += 1;
      // Told again within another sentence.
      this.#failed(/\(([^()]+)\)\.$/.exec(message)?.[1] ?? message.replace(/\.$/, ''));
    }
  }

  /** Asks whether it is well; the answer is a word for people, `undefined`: it is. Who asks often is no load: of questions at once, one goes there. */
  async probe(): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>(
      (resolve) =>
        (timer = setTimeout(resolve, Math.min(PROBE_MS, this.#limitMs), 'it does not answer')),
    );
    const answered = await Promise.race([this.look().then(() => undefined), late]);
    clearTimeout(timer);
    return answered ?? this.trouble;
  }

  #failed(trouble: string): void {
    if (this.#closed) return;
    if (this.trouble === undefined)
      this.#log.warn(
        { upstream: this.address, error: trouble },
        'upstream cannot be reached; it is tried again',
      );
    this.trouble = trouble;
    clearTimeout(this.#retry);
    const pause = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** Math.max(0, this.#failures - 1));
    // Several that lost it at once do not come back at once.
    this.#retry = setTimeout(() => void this.look(), pause * (0.75 + Math.random() / 2)).unref();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#agent.destroy();
  }
}

/** Hands a body on piece by piece, no faster than it is taken. */
async function sendOn(
  pieces: AsyncIterable<Uint8Array>,
  outgoing: ClientRequest,
  onPiece: () => void,
): Promise<void> {
  for await (const piece of pieces) {
    // It may answer, and hang up, before it has read all.
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
