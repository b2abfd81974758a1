/** A Java process with interpreters of Zeppelin, and what it tells this server. */
import { createWriteStream, type WriteStream } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { untilAborted } from '../../base/aborted.ts';
import {
  describeExit,
  type Exit,
  type ProcessGroup,
  startGroup,
} from '../processes/process-group.ts';
import { lateProblem, openProblem, protocolProblem, startProblem } from './problems.ts';
import { eventService, interpreterService } from './service.ts';
import {
  type RunningService,
  serveThrift,
  ThriftClient,
  type ThriftHandlers,
} from './thrift/calls.ts';

/** Time that a process has to end after it was asked to, in ms. */
const SHUTDOWN_MS = 2_000;
/** Time limit of calls that do no work of users, in ms. */
export const CALL_MS = 30_000;
/** Time in which an open port of this machine accepts a connection, in ms. */
const REACH_MS = 1_000;
/** Maximum size of the file with what a process prints, in bytes. */
const MAX_LOG = 2 ** 20;
/** How much of it the message of a failure is looked for in, in characters. */
const TAIL = 8_000;

/** Program and arguments. */
export interface ZeppelinCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

/** How a process is started. */
export interface ZeppelinProcessOptions {
  /** Magic of the interpreter, for messages: `kotlin`. */
  readonly name: string;
  /** Unique id of the group of interpreters. It contains a hyphen. */
  readonly groupId: string;
  /** What each connection begins with, in both directions. */
  readonly secret: string;
  /** Returns the command for the port of the event service. */
  command(port: number): ZeppelinCommand;
  readonly cwd: string;
  /** Folder for records and for what the process prints. Absolute. */
  readonly folder: string;
  /** Time that the process has until it registers, in ms. */
  readonly startMs: number;
  readonly signal: AbortSignal;
  /** What the process tells and asks, except that it registers. */
  readonly handlers: ThriftHandlers<typeof eventService>;
}

/** How a process ended, and the end of what it printed. */
export interface ProcessEnd {
  readonly exit: Exit;
  readonly printed: string;
}

/** A running process. */
export class ZeppelinProcess {
  readonly groupId: string;
  readonly client: ThriftClient<typeof interpreterService>;
  readonly ended: Promise<ProcessEnd>;
  readonly #group: ProcessGroup;
  readonly #events: RunningService;
  #hasEnded = false;

  private constructor(
    groupId: string,
    group: ProcessGroup,
    events: RunningService,
    client: ThriftClient<typeof interpreterService>,
    ended: Promise<ProcessEnd>,
  ) {
    this.groupId = groupId;
    this.#group = group;
    this.#events = events;
    this.client = client;
    this.ended = ended;
    void ended.then(() => {
      this.#hasEnded = true;
      this.client.close();
      this.#events.close();
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Starts a process and waits until it has registered. On failure, ends it and rejects with a
   * {@link ZeppelinProblem}, the error of the system or the reason of the signal.
   */
  static async start(options: ZeppelinProcessOptions): Promise<ZeppelinProcess> {
    const { groupId, name, secret, signal, startMs } = options;
    let register: (port: number) => void = () => undefined;
    const registered = new Promise<number>((resolve) => (register = resolve));
    const handlers: typeof options.handlers = {
      ...options.handlers,
      registerInterpreterProcess: ({ registerInfo }) => {
        if (registerInfo?.interpreterGroupId !== groupId)
          throw new Error('This process was not started by this server.');
        register(registerInfo.port ?? 0);
      },
      unRegisterInterpreterProcess: () => undefined,
    };
    const events = await serveThrift(eventService, handlers, secret);
    let group: ProcessGroup;
    try {
      const { command, args, env } = options.command(events.port);
      signal.throwIfAborted();
      group = await startGroup(command, args, {
        cwd: options.cwd,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        folder: options.folder,
      });
    } catch (error) {
      events.close();
      throw error;
    }
    const printed = keepPrinted(group, join(options.folder, 'zeppelin-process.log'));
    const ended = group.exited.then((exit) => ({ exit, printed: printed() }));
    try {
      const port = await Promise.race([
        registered,
        ended.then(({ exit, printed: text }) => {
          throw startProblem(name, describeExit(exit), text);
        }),
        wait(startMs, undefined, { ref: false }).then(() => {
          throw lateProblem(name, startMs / 1_000);
        }),
        untilAborted(signal),
      ]);
      if (await isReachable(port)) throw openProblem(name);
      const client = new ThriftClient(interpreterService, { host: '127.0.0.1', port, secret });
      const made = new ZeppelinProcess(groupId, group, events, client, ended);
      await client.call('init', { properties: serverProperties }, CALL_MS).catch(async (error) => {
        await made.kill();
        throw protocolProblem(name, error);
      });
      return made;
    } catch (error) {
      await group.end(0);
      events.close();
      throw error;
    }
  }

  /** Asks the process to end, and kills it if it does not. */
  async end(): Promise<void> {
    if (!this.#hasEnded)
      await Promise.race([
        this.client
          .call('shutdown', {}, SHUTDOWN_MS)
          .catch(() => undefined)
          .then(() => this.ended),
        wait(SHUTDOWN_MS, undefined, { ref: false }),
      ]);
    await this.kill();
  }

  /** Kills the process and all its child processes. */
  async kill(): Promise<void> {
    await this.#group.end(0);
    await this.ended;
  }
}

/** Properties of Zeppelin's server that its interpreters look up. */
const serverProperties = {
  'zeppelin.interpreter.connection.poolsize': '10',
  'zeppelin.interpreter.lifecyclemanager.class':
    'org.apache.zeppelin.interpreter.lifecycle.NullLifecycleManager',
  'zeppelin.interpreter.dep.mvnRepo': 'https://repo1.maven.org/maven2/',
};

/** Writes what a process prints to a file, and returns the end of it on demand. */
function keepPrinted({ child }: ProcessGroup, path: string): () => string {
  const file: WriteStream = createWriteStream(path, { mode: 0o600 });
  // Without the file, for example because the disk is full, the process runs all the same.
  file.on('error', () => undefined);
  let tail = '';
  let room = MAX_LOG;
  const keep = (text: string): void => {
    tail = (tail + text).slice(-TAIL);
    if (room > 0) file.write(text.slice(0, room));
    room -= text.length;
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', keep);
  child.once('close', () => file.end());
  return () => tail.trim();
}

/** Whether a port is open on another address of this machine than the first of loopback. */
async function isReachable(port: number): Promise<boolean> {
  const others = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address }) => address);
  // The only other address of a machine that is not in a network. macOS has none.
  if (process.platform === 'linux') others.push('127.0.0.2');
  const answers = others.map(
    (host) =>
      new Promise<boolean>((resolve) => {
        const socket = connect({ host, port, timeout: REACH_MS });
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
        socket.once('timeout', () => resolve(false)).once('close', () => resolve(false));
        socket.once('timeout', () => socket.destroy()).once('connect', () => socket.destroy());
      }),
  );
  return (await Promise.all(answers)).includes(true);
}
