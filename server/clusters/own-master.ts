/**
 * A Spark standalone master with workers, run as processes of this server on the loopback address.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { childEnvironment } from '../interpreters/processes/child-environment.ts';
import { freePorts } from '../interpreters/processes/free-ports.ts';
import {
  describeExit,
  type Exit,
  endLeftovers,
  type ProcessGroup,
  startGroup,
} from '../interpreters/processes/process-group.ts';
import { writeDurably } from '../storage/files.ts';
import type { ManagedDefinition } from './definitions.ts';
import { type MasterPage, readMaster } from './spark-master.ts';

const HOST = '127.0.0.1';
/** Time limit for the master to respond and its workers to register, in ms. */
const START_MS = 90_000;
/** Time to exit after SIGTERM, in ms. */
const GRACE_MS = 3_000;
const LIMIT_MS = 1_500;
const MAX_LOG = 8_000;

/** State of the master. `Running`: it was seen to be up, and its web page reports details. */
type ManagedMasterState =
  | 'Stopped'
  | 'Provisioning'
  | 'Bootstrapping'
  | 'Running'
  | 'Stopping'
  | 'Failed';

interface Daemon {
  readonly group: ProcessGroup;
  /** The end of its log output. */
  log(): string;
}

/**
 * Requires a secret that is generated at each start. Drivers started by the server read it from
 * {@link ManagedMaster.configuration}, a folder accessible to the server's account only.
 */
export class ManagedMaster {
  readonly #folder: string;
  #state: ManagedMasterState = 'Stopped';
  #reason: string | undefined;
  #page: string | undefined;
  #daemons: Daemon[] = [];
  #starting: { stop: AbortController; done: Promise<void> } | undefined;
  #stopping: Promise<void> | undefined;
  #ending: Promise<unknown> = Promise.resolve();
  /** Called when it has started, and when it has ended. */
  onChange: (event: 'started' | 'stopped') => void = () => {};

  /**
   * `folder` belongs to this master and is accessible to the server's account only. Processes that
   * a killed server left running there are ended.
   */
  constructor(folder: string) {
    this.#folder = folder;
    endLeftovers(folder);
  }

  get state(): ManagedMasterState {
    return this.#state;
  }

  /** Why it is `Failed`, as a sentence. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** URL of its web page while it is up. */
  get page(): string | undefined {
    return this.#page;
  }

  /** Folder with the configuration for drivers (`SPARK_CONF_DIR`). */
  get configuration(): string {
    return join(this.#folder, 'conf');
  }

  /**
   * Begins to start; wait for {@link ManagedMaster.started}. Does nothing if it is up or starting.
   */
  start(definition: ManagedDefinition): void {
    if (this.#state !== 'Stopped' && this.#state !== 'Failed') return;
    const stop = new AbortController();
    this.#state = 'Provisioning';
    this.#reason = undefined;
    this.onChange('started');
    const done = this.#start(definition, stop.signal).then(
      () => undefined,
      (error: Error) => (stop.signal.aborted ? undefined : this.#fail(error.message)),
    );
    this.#starting = { stop, done };
  }

  /** Settles when the last start has succeeded or failed; never rejects. */
  started(): Promise<void> {
    return this.#starting?.done ?? Promise.resolve();
  }

  /** Ends its processes; resolves when they have exited. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop().finally(() => (this.#stopping = undefined)));
  }

  async #stop(): Promise<void> {
    const wasUp = this.#state !== 'Stopped' && this.#state !== 'Failed';
    if (wasUp) this.#state = 'Stopping';
    this.#starting?.stop.abort();
    // Wait for a start in progress: a process that it creates would be lost.
    await this.#starting?.done;
    await this.#end();
    this.#state = 'Stopped';
    this.#reason = undefined;
    if (wasUp) this.onChange('stopped');
  }

  async #end(): Promise<void> {
    const daemons = this.#daemons;
    this.#daemons = [];
    this.#page = undefined;
    this.#ending = this.#ending.then(async () => {
      // Workers first, because a worker without a master tries to reconnect.
      for (const { group } of daemons.reverse()) await group.end(GRACE_MS);
      // The next start writes another secret.
      await rm(this.configuration, { recursive: true, force: true }).catch(() => undefined);
    });
    await this.#ending;
  }

  async #fail(reason: string): Promise<void> {
    this.#state = 'Stopping';
    await this.#end();
    // Stopped meanwhile, so it stays stopped.
    if (this.#stopping) return;
    this.#state = 'Failed';
    this.#reason = reason;
    this.onChange('stopped');
  }

  async #start(definition: ManagedDefinition, signal: AbortSignal): Promise<void> {
    const { workers = 1, cores = 1, memory = '1g' } = definition;
    const [port, pagePort] = await freePorts(2);
    const url = `spark://${HOST}:${port}`;
    const page = `http://${HOST}:${pagePort}`;
    await mkdir(this.configuration, { recursive: true, mode: 0o700 });
    await writeDurably(
      join(this.configuration, 'spark-defaults.conf'),
      `${[
        `spark.master ${url}`,
        'spark.authenticate true',
        `spark.authenticate.secret ${randomBytes(32).toString('hex')}`,
        // The web page has no accounts.
        'spark.ui.killEnabled false',
        `spark.driver.host ${HOST}`,
        `spark.driver.bindAddress ${HOST}`,
      ].join('\n')}\n`,
    );
    const master = await this.#daemon(definition, [
      'org.apache.spark.deploy.master.Master',
      '--host',
      HOST,
      '--port',
      String(port),
      '--webui-port',
      String(pagePort),
    ]);
    let exit: Exit | undefined;
    void master.group.exited.then((how) => {
      exit = how;
      // While starting or stopping, the exit is handled there.
      if (this.#state === 'Running' && this.#daemons.includes(master))
        void this.#fail(`Its master ended (${describeExit(how)}).${lastLine(master)}`);
    });
    const seen = async (enough: (page: MasterPage) => boolean): Promise<void> => {
      for (const late = performance.now() + START_MS; ; await wait(200, undefined, { signal })) {
        signal.throwIfAborted();
        if (exit) throw new Error(`Its master ended (${describeExit(exit)}).${lastLine(master)}`);
        if (performance.now() > late)
          throw new Error(
            `It was not up after ${START_MS / 1_000} s.${lastLine(this.#daemons.at(-1) ?? master)}`,
          );
        const report = await readMaster(page, LIMIT_MS).catch(() => undefined);
        // Another program may have taken the port in between.
        if (report?.url === url && enough(report)) return;
      }
    };
    await seen(({ status }) => status === 'ALIVE');
    signal.throwIfAborted();
    this.#page = page;
    this.#state = 'Bootstrapping';
    for (let number = 1; number <= workers; number += 1) {
      signal.throwIfAborted();
      await this.#daemon(definition, [
        'org.apache.spark.deploy.worker.Worker',
        '--host',
        HOST,
        '--webui-port',
        '0',
        '--cores',
        String(cores),
        '--memory',
        memory,
        '--work-dir',
        join(this.#folder, `work-${number}`),
        url,
      ]);
    }
    await seen(
      ({ workers: there }) => there.filter(({ state }) => state === 'ALIVE').length >= workers,
    );
    signal.throwIfAborted();
    // It may have exited since its page was read; later exits are handled by the exit listener.
    if (exit) throw new Error(`Its master ended (${describeExit(exit)}).${lastLine(master)}`);
    this.#state = 'Running';
  }

  async #daemon({ sparkHome }: ManagedDefinition, args: readonly string[]): Promise<Daemon> {
    const local = join(this.#folder, 'local');
    await mkdir(local, { recursive: true, mode: 0o700 });
    let group: ProcessGroup;
    try {
      group = await startGroup(join(sparkHome, 'bin', 'spark-class'), args, {
        cwd: this.#folder,
        folder: this.#folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: childEnvironment({
          SPARK_HOME: sparkHome,
          SPARK_CONF_DIR: this.configuration,
          SPARK_LOCAL_IP: HOST,
          SPARK_LOCAL_DIRS: local,
          SPARK_DAEMON_MEMORY: '512m',
        }),
      });
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      throw new Error(
        `There is no Spark that can be started in ${sparkHome} ` +
          `(bin/spark-class${code && `, ${code}`}).`,
      );
    }
    let text = '';
    for (const stream of [group.child.stdout, group.child.stderr])
      stream
        ?.setEncoding('utf8')
        .on('data', (piece: string) => (text = (text + piece).slice(-MAX_LOG)));
    const daemon: Daemon = { group, log: () => text };
    this.#daemons.push(daemon);
    return daemon;
  }

  /** Environment variables for a driver on this machine. */
  get variables(): Record<string, string> {
    return { SPARK_CONF_DIR: this.configuration, SPARK_LOCAL_IP: HOST };
  }
}

/** Returns the last line of its log as an explanation. */
function lastLine({ log }: Daemon): string {
  const line = log()
    .trim()
    .split('\n')
    .filter((text) => !/^\s+at /.test(text))
    .at(-1)
    ?.slice(0, 300);
  return line ? ` Its last output: ${line}` : '';
}
