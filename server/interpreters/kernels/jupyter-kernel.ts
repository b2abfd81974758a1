/** Starts a Jupyter kernel and exchanges messages with it. */

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { jsonObjectOf } from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';
import type { Dealer, Subscriber } from 'zeromq';
import { untilAborted } from '../../base/aborted.ts';
import { freePorts } from '../processes/free-ports.ts';
import { describeExit, type ProcessGroup, startGroup } from '../processes/process-group.ts';
import { JupyterCodec, type MessageExtras } from './jupyter-messages.ts';
import { KernelClient, KernelDied, type RequestChannel, START_LIMIT_MS } from './kernel-client.ts';

const portNames = ['shell_port', 'iopub_port', 'stdin_port', 'control_port', 'hb_port'] as const;
/** Messages larger than this close the connection, in bytes. */
const largestMessage = 256 * 1024 ** 2;
/** Name of the sockets, before a hyphen and a number. */
const SOCKET = 's';
/** Longer paths of sockets don't work on all systems; some bytes are added to this. */
const MAX_SOCKET_BYTES = 96;
/** What kernels say if another program listens on one of their ports. */
const PORT_TAKEN = /address already in use|EADDRINUSE/i;

/** How to start a kernel. */
interface KernelOptions {
  /** Program and arguments; `{connection_file}` stands for the path of the connection file. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Record<string, string>;
  /**
   * Whether it is ipykernel, which can use sockets in a folder, where other accounts can't read its
   * output. It chooses its ports and writes them into the connection file; for other kernels the
   * server chooses free ones on loopback.
   */
  readonly isIpykernel: boolean;
  /** How the kernel is interrupted: SIGINT, or a message on the control channel. */
  readonly interruptMode?: 'signal' | 'message';
  /** Folder for the connection file. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** A kernel that runs as a process of this machine. */
export class JupyterKernel extends KernelClient {
  readonly #group: ProcessGroup;
  readonly #codec: JupyterCodec;
  readonly #file: string;
  /** Folder of its sockets; `undefined` if it listens on loopback. */
  readonly #sockets: string | undefined;
  readonly #options: KernelOptions;
  readonly #sending = new Map<Dealer, Promise<void>>();
  #shell!: Dealer;
  #stdin!: Dealer;
  #control: Dealer | undefined;
  #output!: Subscriber;
  #stderr = '';

  private constructor(
    group: ProcessGroup,
    codec: JupyterCodec,
    { file, sockets }: { file: string; sockets: string | undefined },
    options: KernelOptions,
  ) {
    super();
    this.#group = group;
    this.#options = options;
    this.#codec = codec;
    this.#file = file;
    this.#sockets = sockets;
    group.child.stdout?.resume();
    group.child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (this.#stderr = (this.#stderr + text).slice(-4000)));
    void group.exited.then((exit) => {
      const stderr = this.#stderr.trim();
      this.end(new KernelDied(`${describeExit(exit)}${stderr ? `\n${stderr}` : ''}`, exit));
    });
  }

  /**
   * Starts a kernel and waits until it answers. Its sockets are in a folder of their own (mode
   * 0700) or on loopback, and described in the connection file (mode 0600); messages are signed. On
   * failure, ends the process and rejects with {@link KernelDied} or the signal's reason.
   */
  static async start(options: KernelOptions): Promise<JupyterKernel> {
    for (let attempts = 3; ; attempts -= 1)
      try {
        return await JupyterKernel.#start(options);
      } catch (error) {
        // Another program may take a free port before the kernel listens on it.
        const isTaken = error instanceof KernelDied && PORT_TAKEN.test(error.message);
        if (!isTaken || attempts === 1) throw error;
      }
  }

  static async #start(options: KernelOptions): Promise<JupyterKernel> {
    const file = join(options.folder, `kernel-${randomUUID()}.json`);
    const key = randomBytes(32).toString('hex');
    const sockets = options.isIpykernel ? await socketFolder(options.folder) : undefined;
    const free = options.isIpykernel ? [] : await freePorts(portNames.length);
    const ports = Object.fromEntries(portNames.map((name, index) => [name, free[index] ?? 0]));
    const connection = {
      ...(sockets
        ? { transport: 'ipc', ip: join(sockets, SOCKET) }
        : { transport: 'tcp', ip: '127.0.0.1' }),
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
      kernel = new JupyterKernel(group, new JupyterCodec(key), { file, sockets }, options);
      await Promise.race([kernel.untilDeath(kernel.#connect()), untilAborted(options.signal)]);
      return kernel;
    } catch (error) {
      await (kernel ? kernel.kill() : removeFiles(file, sockets));
      throw error;
    }
  }

  get pid(): number {
    return this.#group.child.pid ?? 0;
  }

  async #connect(): Promise<void> {
    const { Dealer: DealerSocket, Subscriber: SubscriberSocket } = await import('zeromq');
    const ports = await this.#readPorts();
    if (this.isDead) return;
    const common = { linger: 0, maxMessageSize: largestMessage, receiveHighWaterMark: 0 };
    // The kernel sends requests for input to the identity that asked it to execute.
    const options = { ...common, routingId: randomUUID() };
    this.#shell = new DealerSocket(options);
    this.#stdin = new DealerSocket(options);
    this.#output = new SubscriberSocket(common);
    const start = this.#sockets ? `ipc://${join(this.#sockets, SOCKET)}-` : 'tcp://127.0.0.1:';
    this.#shell.connect(start + ports.shell_port);
    this.#stdin.connect(start + ports.stdin_port);
    this.#output.connect(start + ports.iopub_port);
    this.#output.subscribe();
    if (this.#options.interruptMode === 'message') {
      this.#control = new DealerSocket(options);
      this.#control.connect(start + ports.control_port);
      void this.#listen('control', this.#control);
    }
    void this.#listen('shell', this.#shell);
    void this.#listen('stdin', this.#stdin);
    void this.#listen('iopub', this.#output);
    await this.greet(() => this.#stderr);
  }

  async #readPorts(): Promise<Record<(typeof portNames)[number], number>> {
    const deadline = performance.now() + START_LIMIT_MS;
    while (!this.isDead) {
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

  async #listen(channel: string, socket: Dealer | Subscriber): Promise<void> {
    try {
      for await (const frames of socket) {
        const message = this.#codec.decode(frames);
        if (message) this.receive(channel, message);
      }
    } catch {
      // The socket was closed.
    }
  }

  protected send(
    channel: RequestChannel,
    type: string,
    content: JsonObject,
    parent?: JsonObject,
    extras?: MessageExtras,
  ): string {
    const { id, frames } = this.#codec.encode(type, content, parent, extras);
    const socket = { shell: this.#shell, stdin: this.#stdin, control: this.#control }[channel];
    if (!socket) return id;
    const before = this.#sending.get(socket) ?? Promise.resolve();
    this.#sending.set(
      socket,
      before.then(() => socket.send(frames)).catch(() => undefined),
    );
    return id;
  }

  /** Interrupts the running code, as Ctrl-C does. */
  interrupt(): void {
    if (this.#control) this.send('control', 'interrupt_request', {});
    else this.#group.signal('SIGINT');
  }

  /** Ends the process and all its child processes. Resolves when they are gone. */
  async kill(): Promise<void> {
    await this.#group.end(0);
    for (const socket of [this.#shell, this.#stdin, this.#control, this.#output]) socket?.close();
    await removeFiles(this.#file, this.#sockets);
  }
}

/** Creates a folder for sockets. `undefined` on Windows. */
async function socketFolder(folder: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const isShort = Buffer.byteLength(join(folder, 'kernel-XXXXXX', SOCKET)) <= MAX_SOCKET_BYTES;
  return mkdtemp(join(isShort ? folder : tmpdir(), 'kernel-'));
}

async function removeFiles(file: string, sockets: string | undefined): Promise<void> {
  await rm(file, { force: true });
  if (sockets) await rm(sockets, { recursive: true, force: true });
}
