/** A kernel on a Jupyter Server or Kernel Gateway, over its REST API and a web socket. */

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { jsonObjectOf } from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';
import WebSocket from 'ws';
import { untilAborted } from '../../base/aborted.ts';
import { type MessageExtras, messageHeader, messageOf, textOf } from './jupyter-messages.ts';
import { KernelClient, KernelDied, type RequestChannel } from './kernel-client.ts';
import { KernelProblem } from './kernel-problem.ts';
import type { Kernelspec } from './kernelspecs.ts';

/** Time limit for one REST call, in ms. */
const CALL_LIMIT_MS = 30_000;
/** Time to wait for the end of a kernel, in ms. */
const SHUTDOWN_PAUSE_MS = 1_000;
const SHUTDOWN_ATTEMPTS = 5;
/** Interval of pings, in ms; without a pong until the next one, the connection is broken. */
const PING_INTERVAL_MS = 10_000;
/** Messages larger than this close the connection, in bytes. */
const MAX_MESSAGE_BYTES = 256 * 1024 ** 2;
/** Time without output after which a result that was lost with a connection is given up, in ms. */
const LOST_RESULT_QUIET_MS = 5_000;

/** States of a kernel whose process has ended. */
const ENDED_STATES: ReadonlySet<string> = new Set(['dead', 'restarting', 'autorestarting']);

export interface JupyterServer {
  /** Its address, with the base path of a JupyterHub user. */
  readonly url: string;
  readonly token: string;
  /** Time after which a kernel that is out of reach counts as ended, in ms. */
  readonly patienceMs: number;
}

/** The server answered a call with this status. */
class CallFailed extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function call(
  { url, token }: JupyterServer,
  method: string,
  path: string,
  body?: JsonObject,
  limitMs = CALL_LIMIT_MS,
): Promise<unknown> {
  const send = () =>
    fetch(`${url.replace(/\/+$/, '')}/api/${path}`, {
      method,
      headers: {
        ...(token ? { Authorization: `token ${token}` } : {}),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      // A page that signs users in is no API.
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    });
  // A kept connection may have broken unnoticed. Other calls change nothing if they are repeated.
  const response = await (method === 'POST' ? send() : send().catch(send));
  const text = await response.text();
  if (!response.ok) throw new CallFailed(response.status, reasonIn(text));
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new CallFailed(404, 'its answer is not JSON');
  }
}

/** Returns the reason in an answer of a Jupyter server. */
function reasonIn(text: string): string {
  try {
    const { message, reason } = jsonObjectOf(JSON.parse(text));
    return textOf(reason) || textOf(message);
  } catch {
    return '';
  }
}

/** Returns a sentence that says why a server can't be used, and what to do. */
function problemOf(error: unknown, { url }: JupyterServer): KernelProblem {
  if (!(error instanceof CallFailed)) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return new KernelProblem(
      `The Jupyter server ${url} can't be reached (${cause?.code ?? message}). Check jupyter.url ` +
        'of the setting, and that the server runs.',
    );
  }
  const { status, message } = error;
  if (status === 401 || status === 403)
    return new KernelProblem(
      `The Jupyter server ${url} rejects the token (${status}). Check jupyter.token of ` +
        'the setting.',
    );
  if (status === 404 || (status >= 300 && status < 400))
    return new KernelProblem(
      `${url} has no API of a Jupyter server (${status}). Check jupyter.url of the setting: it ` +
        'is the address in front of /api.',
    );
  return new KernelProblem(
    `The Jupyter server ${url} failed (${status}): ${message || 'no reason'}`,
  );
}

/** A kernel that a Jupyter server can start. */
type RemoteKernelspec = Pick<Kernelspec, 'name' | 'displayName' | 'language'>;

/** Returns the kernels of a server. Rejects with {@link KernelProblem}, also after `limitMs`. */
export async function remoteKernelspecs(
  server: JupyterServer,
  limitMs?: number,
): Promise<RemoteKernelspec[]> {
  const answer = await call(server, 'GET', 'kernelspecs', undefined, limitMs).catch(
    (error: unknown) => {
      throw problemOf(error, server);
    },
  );
  return Object.entries(jsonObjectOf(jsonObjectOf(answer)['kernelspecs']))
    .map(([name, entry]) => {
      const spec = jsonObjectOf(jsonObjectOf(entry)['spec']);
      const displayName = textOf(spec['display_name']) || name;
      return { name, displayName, language: textOf(spec['language']) };
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Path of a kernel in the API. */
const pathOf = (id: string): string => `kernels/${encodeURIComponent(id)}`;

type KernelState = 'gone' | 'idle' | 'busy' | 'unknown';

async function stateOf(server: JupyterServer, id: string): Promise<KernelState> {
  try {
    const { execution_state: state } = jsonObjectOf(await call(server, 'GET', pathOf(id)));
    return state === 'dead' ? 'gone' : state === 'idle' ? 'idle' : 'busy';
  } catch (error) {
    return error instanceof CallFailed && error.status === 404 ? 'gone' : 'unknown';
  }
}

/**
 * A kernel on another machine. A broken connection is made again; the server keeps messages
 * meanwhile.
 */
export class RemoteKernel extends KernelClient {
  readonly id: string;
  readonly #server: JupyterServer;
  /** The server keeps messages for a session while its connection is broken. */
  readonly #session = randomUUID();
  #socket: WebSocket | undefined;
  /** Messages that wait for a connection. */
  #waiting: (string | Buffer)[] = [];
  #closed = false;
  /** Language of the kernel, in its own words. */
  language = '';

  private constructor(server: JupyterServer, id: string) {
    super();
    this.#server = server;
    this.id = id;
  }

  /**
   * Starts a kernel. `name`: of its kernelspec; empty: the server's default. Rejects with
   * {@link KernelProblem}, or with the signal's reason.
   */
  static async start(
    server: JupyterServer,
    name: string,
    signal: AbortSignal,
  ): Promise<RemoteKernel> {
    let id: string;
    try {
      const made = jsonObjectOf(await call(server, 'POST', 'kernels', name ? { name } : {}));
      id = textOf(made['id']);
      if (id === '') throw new CallFailed(404, 'it answered without an id');
    } catch (error) {
      const isUnknown =
        error instanceof CallFailed && error.status >= 400 && ![401, 403].includes(error.status);
      const known = isUnknown ? await remoteKernelspecs(server).catch(() => undefined) : undefined;
      const names = known?.map((each) => each.name);
      if (!names || (name && names.includes(name))) throw problemOf(error, server);
      throw new KernelProblem(
        `The Jupyter server ${server.url} has no kernel ${name || 'by default'}. Set ` +
          `jupyter.kernel of the setting to one of: ${names.join(', ') || 'none is installed'}.`,
      );
    }
    const kernel = new RemoteKernel(server, id);
    try {
      void kernel.#stayConnected();
      const greeted = Promise.race([kernel.greet(() => ''), untilAborted(signal)]);
      const info = await kernel.untilDeath(greeted);
      kernel.language = textOf(jsonObjectOf(info['language_info'])['name']);
      return kernel;
    } catch (error) {
      await kernel.kill();
      throw error instanceof KernelDied ? new KernelProblem(error.message) : error;
    }
  }

  /** Shuts a kernel down; also one that an earlier server has left behind. */
  static async shutDown(server: JupyterServer, id: string): Promise<void> {
    for (let turn = 0; turn < SHUTDOWN_ATTEMPTS; turn += 1) {
      await call(server, 'DELETE', pathOf(id)).catch(() => undefined);
      if ((await stateOf(server, id)) === 'gone') return;
      // While the Jupyter server restarts a kernel, a request to shut it down has no effect.
      await wait(SHUTDOWN_PAUSE_MS * 2 ** turn, undefined, { ref: false });
    }
  }

  /** Connects, and connects again after each break, until the kernel has ended. */
  async #stayConnected(): Promise<void> {
    let since = performance.now();
    let pause = 250;
    let isAgain = false;
    while (!this.#closed) {
      const [wasOpen, reason] = await this.#connection(isAgain);
      if (this.#closed) return;
      if (wasOpen) {
        since = performance.now();
        pause = 250;
        isAgain = true;
      }
      const state = await stateOf(this.#server, this.id);
      if (state === 'gone' && !this.#closed)
        return this.end(new KernelDied('it is no longer on the Jupyter server'));
      if (performance.now() - since > this.#server.patienceMs)
        return this.end(
          new KernelDied(
            `the Jupyter server ${this.#server.url} is out of reach` +
              `${reason ? `: ${reason}` : ''}. The kernel may still run there`,
          ),
        );
      await wait(pause, undefined, { ref: false });
      pause = Math.min(pause * 2, 5_000);
    }
  }

  /** Resolves when a connection has ended, or could not be made: whether it was open, and why. */
  #connection(isAgain: boolean): Promise<[wasOpen: boolean, reason: string]> {
    const { url, token } = this.#server;
    const address = new URL(`${url.replace(/\/+$/, '')}/api/${pathOf(this.id)}/channels`);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    address.searchParams.set('session_id', this.#session);
    const socket = new WebSocket(address, {
      headers: token ? { Authorization: `token ${token}` } : {},
      maxPayload: MAX_MESSAGE_BYTES,
      handshakeTimeout: CALL_LIMIT_MS,
    });
    this.#socket = socket;
    return new Promise((resolve) => {
      let wasOpen = false;
      let isAlive = true;
      let reason = '';
      const pings = setInterval(() => {
        if (!isAlive) return socket.terminate();
        isAlive = false;
        if (socket.readyState === WebSocket.OPEN) socket.ping();
        // Not every server closes the connection when a kernel is shut down.
        void stateOf(this.#server, this.id).then((state) => state === 'gone' && socket.terminate());
      }, PING_INTERVAL_MS);
      socket.on('open', () => {
        wasOpen = true;
        for (const message of this.#waiting.splice(0)) socket.send(message);
        if (isAgain) void this.#checkResult();
      });
      socket.on('pong', () => (isAlive = true));
      socket.on('message', (data, isBinary) => {
        isAlive = true;
        this.#read(data as Buffer, isBinary);
      });
      socket.on('error', (error) => (reason = error.message));
      socket.on('close', () => {
        clearInterval(pings);
        resolve([wasOpen, reason]);
      });
    });
  }

  /** Messages with buffers are binary. */
  #read(data: Buffer, isBinary: boolean): void {
    try {
      const [json = data, ...buffers] = isBinary ? partsIn(data) : [data];
      const text = json.toString('utf8');
      const parts = jsonObjectOf(JSON.parse(text));
      const message = messageOf(parts, buffers, text);
      // The Jupyter server starts a kernel again whose process has ended, without its variables.
      if (message.type === 'status' && ENDED_STATES.has(textOf(message.content['execution_state'])))
        this.end(new KernelDied('its process ended on the Jupyter server'));
      else this.receive(textOf(parts['channel']), message);
    } catch {
      // A malformed message.
    }
  }

  /** Ends an execution whose reply was lost, as when the server was restarted meanwhile. */
  async #checkResult(): Promise<void> {
    while (this.isBusy && !this.#closed && this.#socket?.readyState === WebSocket.OPEN) {
      await this.untilQuiet(LOST_RESULT_QUIET_MS);
      if (!this.isBusy || this.#socket?.readyState !== WebSocket.OPEN) return;
      if ((await stateOf(this.#server, this.id)) !== 'idle') continue;
      return this.settle({
        status: 'error',
        ename: 'Connection lost',
        evalue:
          'the connection to the kernel broke, and the end of the output is missing. Variables ' +
          'are kept. Run the paragraph again to see all of it.',
        traceback: [],
      });
    }
  }

  protected send(
    channel: RequestChannel,
    type: string,
    content: JsonObject,
    parent: JsonObject = {},
    { metadata = {}, buffers = [] }: MessageExtras = {},
  ): string {
    const header = messageHeader(type, this.#session);
    const json = JSON.stringify({
      channel,
      header,
      parent_header: parent,
      metadata,
      content,
      buffers: [],
    });
    const message = buffers.length === 0 ? json : joinParts([Buffer.from(json), ...buffers]);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(message);
    else this.#waiting.push(message);
    return header.msg_id;
  }

  interrupt(): void {
    void call(this.#server, 'POST', `${pathOf(this.id)}/interrupt`).catch(() => undefined);
  }

  async kill(): Promise<void> {
    this.#closed = true;
    this.#socket?.terminate();
    const isDown = RemoteKernel.shutDown(this.#server, this.id);
    this.end(new KernelDied('it was shut down'));
    // A kernel takes seconds to end, and the server may be out of reach.
    await Promise.race([isDown, wait(SHUTDOWN_PAUSE_MS, undefined, { ref: false })]);
  }
}

/** Splits a binary message: a count of parts, their offsets, then the parts, the JSON first. */
function partsIn(data: Buffer): Buffer[] {
  const offsets = Array.from({ length: data.readUInt32BE(0) }, (_, at) =>
    data.readUInt32BE(4 * (at + 1)),
  );
  return offsets.map((start, at) => data.subarray(start, offsets[at + 1] ?? data.length));
}

/** Joins the parts of a binary message; see {@link partsIn}. */
function joinParts(parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(4 * (parts.length + 1));
  head.writeUInt32BE(parts.length);
  let offset = head.length;
  parts.forEach((part, at) => {
    head.writeUInt32BE(offset, 4 * (at + 1));
    offset += part.length;
  });
  return Buffer.concat([head, ...parts]);
}
