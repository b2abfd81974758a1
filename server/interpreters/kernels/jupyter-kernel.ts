/** Starts a Jupyter kernel and exchanges messages with it. */

import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { jsonObjectOf } from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';
import type { Dealer, Subscriber } from 'zeromq';
import type { InputQuestion } from '../contract.ts';
import { describeExit, type Exit, type ProcessGroup, startGroup } from '../process-group.ts';
import { JupyterCodec, type JupyterMessage, textOf } from './jupyter-messages.ts';

const portNames = ['shell_port', 'iopub_port', 'stdin_port', 'control_port', 'hb_port'] as const;
/** Time limit for a kernel to start, in ms. */
const startLimit = 60_000;
/** Messages larger than this close the connection, in bytes. */
const largestMessage = 256 * 1024 ** 2;

/** How to start a kernel. */
export interface KernelOptions {
  /** Program and arguments; `{connection_file}` stands for the path of the connection file. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Record<string, string>;
  /**
   * Whether the kernel chooses its ports and writes them into the connection file, as ipykernel
   * does. Otherwise the server chooses free ones.
   */
  readonly choosesPorts: boolean;
  /** How the kernel is interrupted: SIGINT, or a message on the control channel. */
  readonly interruptMode?: 'signal' | 'message';
  /** Folder for the connection file. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Listeners of one execution. */
export interface ExecuteHandlers {
  /** Receives a message of the execution from the IOPub channel: `stream`, `error`, … */
  onMessage(message: JupyterMessage): void;
  /** Returns a line of text that the kernel requests; undefined if there will be no answer. */
  onInput(question: InputQuestion): Promise<string | undefined>;
}

/** The kernel's process ended. `message` describes the exit. */
export class KernelDied extends Error {
  override readonly name = 'KernelDied';
  readonly exit: Exit;
  constructor(exit: Exit, stderr: string) {
    super(`${describeExit(exit)}${stderr ? `\n${stderr}` : ''}`);
    this.exit = exit;
  }
}

interface Execution extends ExecuteHandlers {
  readonly id: string;
  idle(): void;
}

/** A running kernel. It handles one execution at a time. */
export class JupyterKernel {
  readonly #group: ProcessGroup;
  readonly #codec: JupyterCodec;
  readonly #file: string;
  readonly #options: KernelOptions;
  readonly #replies = new Map<string, (message: JupyterMessage) => void>();
  readonly #sending = new Map<Dealer, Promise<void>>();
  #shell!: Dealer;
  #stdin!: Dealer;
  #control: Dealer | undefined;
  #output!: Subscriber;
  readonly #onDeath = new Set<(died: KernelDied) => void>();
  #execution: Execution | undefined;
  #isSubscribed = false;
  /** Number of messages of the output channel so far. */
  #received = 0;
  #stderr = '';
  /** Resolves when the process has ended. */
  readonly died: Promise<KernelDied>;
  #dead = false;

  private constructor(
    group: ProcessGroup,
    codec: JupyterCodec,
    file: string,
    options: KernelOptions,
  ) {
    this.#group = group;
    this.#options = options;
    this.#codec = codec;
    this.#file = file;
    group.child.stdout?.resume();
    group.child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (this.#stderr = (this.#stderr + text).slice(-4000)));
    this.died = group.exited.then((exit) => {
      this.#dead = true;
      const died = new KernelDied(exit, this.#stderr.trim());
      for (const fail of this.#onDeath) fail(died);
      return died;
    });
  }

  /**
   * Starts a kernel and waits until it answers. Its ports are on loopback and in the connection
   * file (mode 0600); messages are signed. On failure, ends the process and rejects with
   * {@link KernelDied} or the signal's reason.
   */
  static async start(options: KernelOptions): Promise<JupyterKernel> {
    const file = join(options.folder, `kernel-${randomUUID()}.json`);
    const key = randomBytes(32).toString('hex');
    const free = options.choosesPorts ? [] : await freePorts(portNames.length);
    const ports = Object.fromEntries(portNames.map((name, index) => [name, free[index] ?? 0]));
    const connection = {
      transport: 'tcp',
      ip: '127.0.0.1',
      ...ports,
      key,
      signature_scheme: 'hmac-sha256',
    };
    await writeFile(file, JSON.stringify(connection), { mode: 0o600, flag: 'wx' });
    const [program, ...args] = options.command.map((part) =>
      part.replace('{connection_file}', file),
    );
    let kernel: JupyterKernel | undefined;
    try {
      const group = await startGroup(program ?? '', args, {
        cwd: options.cwd,
        env: options.env,
        stdio: ['ignore', 'pipe', 'pipe'],
        folder: options.folder,
      });
      kernel = new JupyterKernel(group, new JupyterCodec(key), file, options);
      await Promise.race([kernel.#untilDeath(kernel.#connect()), stopped(options.signal)]);
      return kernel;
    } catch (error) {
      await (kernel ? kernel.kill() : rm(file, { force: true }));
      throw error;
    }
  }

  get isDead(): boolean {
    return this.#dead;
  }

  get isBusy(): boolean {
    return this.#execution !== undefined;
  }

  get pid(): number {
    return this.#group.child.pid ?? 0;
  }

  async #connect(): Promise<void> {
    const { Dealer: DealerSocket, Subscriber: SubscriberSocket } = await import('zeromq');
    const ports = await this.#readPorts();
    if (this.#dead) return;
    // The kernel sends requests for input to the identity that asked it to execute.
    const options = {
      linger: 0,
      maxMessageSize: largestMessage,
      receiveHighWaterMark: 0,
      routingId: randomUUID(),
    };
    this.#shell = new DealerSocket(options);
    this.#stdin = new DealerSocket(options);
    this.#output = new SubscriberSocket({
      linger: 0,
      maxMessageSize: largestMessage,
      receiveHighWaterMark: 0,
    });
    this.#shell.connect(`tcp://127.0.0.1:${ports.shell_port}`);
    this.#stdin.connect(`tcp://127.0.0.1:${ports.stdin_port}`);
    this.#output.connect(`tcp://127.0.0.1:${ports.iopub_port}`);
    this.#output.subscribe();
    if (this.#options.interruptMode === 'message') {
      this.#control = new DealerSocket(options);
      this.#control.connect(`tcp://127.0.0.1:${ports.control_port}`);
      void this.#listen(this.#control, () => undefined);
    }
    void this.#listen(this.#shell, (message) => this.#replies.get(message.parentId)?.(message));
    void this.#listen(this.#stdin, (message) => void this.#answer(message));
    void this.#listen(this.#output, (message) => this.#onOutput(message));
    // Outputs sent before the subscription is active are lost, so requests are repeated until a
    // message arrives on that channel.
    const deadline = performance.now() + startLimit;
    while (!this.#isSubscribed && !this.#dead) {
      if (performance.now() > deadline)
        throw new Error(`The kernel did not answer within a minute.\n${this.#stderr}`.trimEnd());
      await Promise.race([this.#request('kernel_info_request', {}), wait(1000)]);
      for (let turn = 0; turn < 10 && !this.#isSubscribed; turn += 1) await wait(10);
    }
  }

  async #readPorts(): Promise<Record<(typeof portNames)[number], number>> {
    const deadline = performance.now() + startLimit;
    while (!this.#dead) {
      const info = jsonObjectOf(
        await readFile(this.#file, 'utf8')
          .then((text): unknown => JSON.parse(text))
          .catch(() => undefined),
      );
      const ports = portNames.map((name) => [name, Number(info[name])] as const);
      if (ports.every(([, port]) => port > 0))
        return Object.fromEntries(ports) as Record<(typeof portNames)[number], number>;
      if (performance.now() > deadline)
        throw new Error('The kernel did not start within a minute.');
      await wait(15);
    }
    throw await this.died;
  }

  async #listen(
    socket: Dealer | Subscriber,
    take: (message: JupyterMessage) => void,
  ): Promise<void> {
    try {
      for await (const frames of socket) {
        const message = this.#codec.decode(frames);
        if (message) take(message);
      }
    } catch {
      // The socket was closed.
    }
  }

  #send(socket: Dealer, type: string, content: JsonObject, parent?: JsonObject): string {
    const { id, frames } = this.#codec.encode(type, content, parent);
    const before = this.#sending.get(socket) ?? Promise.resolve();
    this.#sending.set(
      socket,
      before.then(() => socket.send(frames)).catch(() => undefined),
    );
    return id;
  }

  async #request(type: string, content: JsonObject): Promise<JupyterMessage> {
    const id = this.#send(this.#shell, type, content);
    try {
      const reply = new Promise<JupyterMessage>((resolve) => this.#replies.set(id, resolve));
      return await this.#untilDeath(reply);
    } finally {
      this.#replies.delete(id);
    }
  }

  /** Like `work`, but rejects with {@link KernelDied} if the process ends first. */
  #untilDeath<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#dead) void this.died.then(reject);
      this.#onDeath.add(reject);
      work.then(resolve, reject).finally(() => this.#onDeath.delete(reject));
    });
  }

  #onOutput(message: JupyterMessage): void {
    this.#isSubscribed = true;
    this.#received += 1;
    const execution = this.#execution;
    if (!execution || message.parentId !== execution.id) return;
    if (message.type !== 'status') execution.onMessage(message);
    else if (message.content['execution_state'] === 'idle') execution.idle();
  }

  async #answer(message: JupyterMessage): Promise<void> {
    if (message.type !== 'input_request') return;
    const execution = this.#execution;
    const { prompt, password } = message.content;
    const value =
      execution?.id === message.parentId
        ? await execution.onInput({ prompt: textOf(prompt), password: password === true })
        : '';
    if (!this.#dead && value !== undefined)
      this.#send(this.#stdin, 'input_reply', { value, status: 'ok' }, message.header);
  }

  /**
   * Executes code. Resolves to the content of the reply (`status` is `ok`, `error` or `aborted`)
   * when all outputs have arrived. Rejects with {@link KernelDied}. A `silent` execution has no
   * outputs and no history.
   */
  async execute(code: string, handlers: ExecuteHandlers, silent = false): Promise<JsonObject> {
    const content = {
      code,
      silent,
      store_history: !silent,
      user_expressions: {},
      allow_stdin: true,
      // Runs are queued by the server. If true, a run that follows an error at once is skipped.
      stop_on_error: false,
    };
    let idle = (): void => undefined;
    const isIdle = new Promise<void>((resolve) => (idle = resolve));
    const id = this.#send(this.#shell, 'execute_request', content);
    this.#execution = { ...handlers, id, idle };
    try {
      const reply = new Promise<JupyterMessage>((resolve) => this.#replies.set(id, resolve));
      const message = await this.#untilDeath(reply);
      // The `idle` status may be lost if a message was too large for the channel.
      await Promise.race([this.#untilDeath(isIdle), this.#untilQuiet(5_000)]);
      return message.content;
    } finally {
      this.#replies.delete(id);
      this.#execution = undefined;
    }
  }

  /** Resolves when no output has arrived for a time in ms. */
  async #untilQuiet(time: number): Promise<void> {
    let before = -1;
    while (before !== this.#received) {
      before = this.#received;
      await wait(time, undefined, { ref: false });
    }
  }

  /**
   * Requests completions. Resolves to undefined if no answer arrives within `limit` ms. `position`
   * is in code points.
   */
  async complete(code: string, position: number, limit: number): Promise<JsonObject | undefined> {
    const asked = this.#request('complete_request', { code, cursor_pos: position }).then(
      ({ content }) => content,
    );
    const abort = new AbortController();
    try {
      return await Promise.race([asked, wait(limit, undefined, { signal: abort.signal })]);
    } finally {
      abort.abort();
      asked.catch(() => undefined);
    }
  }

  /** Interrupts the running code, as Ctrl-C does. */
  interrupt(): void {
    if (this.#control) this.#send(this.#control, 'interrupt_request', {});
    else this.#group.signal('SIGINT');
  }

  /** Ends the process and all its child processes. Resolves when they are gone. */
  async kill(): Promise<void> {
    await this.#group.end(0);
    for (const socket of [this.#shell, this.#stdin, this.#control, this.#output]) socket?.close();
    await rm(this.#file, { force: true });
  }
}

/** Returns ports of loopback that no program listens on. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    return await Promise.all(
      servers.map(async (server) => {
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        const address = server.address();
        return typeof address === 'object' ? (address?.port ?? 0) : 0;
      }),
    );
  } finally {
    for (const server of servers) server.close();
  }
}

function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void =>
      reject(signal.reason instanceof Error ? signal.reason : new Error('Aborted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
