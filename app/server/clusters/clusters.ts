/** Named places to compute: the server's own engine, and the Spark standalone masters that an administrator lists in `clusters.json`. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster, ClusterList } from 'tiding/protocol';
import { Refusal, storageFailure } from '../errors.ts';
import { privateFolder, readJson, writeDurably, writer } from '../files.ts';
import type { SparkPlace } from '../interpreters/contract.ts';
import { endLeftovers } from '../interpreters/process-group.ts';
import type { Logger } from '../log.ts';
import {
  idOf,
  isOwn,
  LOCAL,
  readDefinitions,
  type Definition,
  type OwnDefinition,
} from './definitions.ts';
import { OwnMaster } from './own-master.ts';
import { describeMaster, driverAddress, readMaster } from './spark-master.ts';

/** A master is asked again after this, in ms. */
const FRESH_MS = 2_000;
/** A master that has not answered by then counts as failed, in ms. */
const LIMIT_MS = 1_500;

/** A cluster, and where drivers reach its master. */
interface Seen {
  readonly cluster: Cluster;
  readonly master?: string | undefined;
}

/** When a master of the server's own was last started and stopped, ISO 8601 UTC. */
interface Times {
  lastStarted?: string;
  lastStopped?: string;
}

/** What the clusters are made of. */
export interface ClustersOptions {
  data: string;
  log: Logger;
  /** Whether the interpreters of this server are well. */
  localHealth(): 'Healthy' | 'Degraded';
}

/** See the head of this file. */
export class Clusters {
  readonly #options: ClustersOptions;
  readonly #started = new Date();
  readonly #cache = new Map<string, { at: number; entry: Promise<Seen> }>();
  /** Id of the current cluster by principal. */
  #current = new Map<string, string>();
  /** By id of the cluster. */
  #times = new Map<string, Times>();
  /** Masters that the server runs or has run, by id of the cluster. */
  readonly #own = new Map<string, OwnMaster>();
  readonly #save: () => Promise<void>;
  #closed = false;

  private constructor(options: ClustersOptions) {
    this.#options = options;
    this.#save = writer(() =>
      writeDurably(
        this.#currentFile,
        `${JSON.stringify({ current: Object.fromEntries(this.#current), times: Object.fromEntries(this.#times) }, null, 2)}\n`,
      ),
    );
    // Masters that a killed server left running.
    for (const name of foldersOf(this.#folder)) endLeftovers(join(this.#folder, name));
  }

  get #currentFile(): string {
    return join(this.#options.data, 'current-clusters.json');
  }

  get #folder(): string {
    return join(this.#options.data, 'clusters');
  }

  /** Reads who uses which cluster; rejects where that file is damaged. */
  static async open(options: ClustersOptions): Promise<Clusters> {
    const made = new Clusters(options);
    const stored = (await readJson(made.#currentFile)) as
      | { current?: Record<string, string>; times?: Record<string, Times> }
      | undefined;
    made.#current = new Map(Object.entries(stored?.current ?? {}));
    made.#times = new Map(Object.entries(stored?.times ?? {}));
    return made;
  }

  /** All clusters as they are now (at most 2 s old), and which is the user's. Refuses (500) with a sentence where `clusters.json` cannot be used. */
  async list(principal: string): Promise<ClusterList> {
    const clusters = (await this.#all()).map(({ cluster }) => cluster);
    const current = this.#current.get(principal);
    return {
      clusters,
      currentClusterId: clusters.some(({ clusterId }) => clusterId === current) ? current! : null,
    };
  }

  /** Chooses a user's cluster by its name; `undefined` chooses none. Refuses an unknown one (404) and one that does not run (409). */
  async choose(principal: string, name: string | undefined): Promise<string | null> {
    if (name === undefined) {
      await this.#store(principal, undefined);
      return null;
    }
    const cluster = (await this.#all()).find((entry) => entry.cluster.name === name)?.cluster;
    if (!cluster) throw new Refusal(404, `No such cluster: ${name}`);
    if (cluster.state !== 'Running')
      throw new Refusal(409, `The cluster ${name} is not running: it is ${cluster.state}.`);
    await this.#store(principal, cluster.clusterId);
    return cluster.clusterId;
  }

  /** Whether a user's current cluster is a Spark master. */
  usesSpark(principal: string): boolean {
    return (this.#current.get(principal) ?? LOCAL) !== LOCAL;
  }

  /**
   * Where Spark in a process that serves a user alone computes; `undefined`: nowhere else than in the process. Refuses (409)
   * where the user's current cluster does not run: what was meant for it is not to be computed elsewhere unseen.
   */
  async placeOf(principal: string): Promise<SparkPlace | undefined> {
    if (!this.usesSpark(principal)) return undefined;
    const current = this.#current.get(principal);
    const seen = (await this.#all()).find(({ cluster }) => cluster.clusterId === current);
    if (!seen) return undefined;
    const { name, state } = seen.cluster;
    const advice =
      'Have it started, or stop using it on the page of the clusters, and run this again.';
    if (state !== 'Running')
      throw new Refusal(
        409,
        `Your current cluster ${name} is not running: it is ${state}. ${advice}`,
      );
    if (seen.master === undefined)
      throw new Refusal(
        409,
        `Your current cluster ${name} does not tell an address that Spark can use. ${advice}`,
      );
    const own = this.#own.get(seen.cluster.clusterId);
    return { master: seen.master, variables: own?.variables ?? {}, sameMachine: own !== undefined };
  }

  /** Starts a cluster that the server owns, and answers it as it is then: it may take a minute until it is Running. Refuses 404, and 409 where that cannot be. */
  async start(name: string): Promise<Cluster> {
    const definition = await this.#owned(name);
    const own = await this.#master(definition);
    if (own.state !== 'Stopped' && own.state !== 'Failed')
      throw new Refusal(409, `The cluster ${name} cannot be started: it is ${own.state}.`);
    own.start(definition);
    void own
      .started()
      .then(
        () =>
          own.reason &&
          this.#options.log.warn(
            { cluster: name, error: own.reason },
            'a Spark master could not be started',
          ),
      );
    return this.#fresh(definition);
  }

  /** Stops a cluster that the server owns, with whatever runs on it; resolves when its processes are gone. Refuses 404, and 409 where that cannot be. */
  async stop(name: string): Promise<Cluster> {
    const definition = await this.#owned(name);
    const own = await this.#master(definition);
    if (own.state === 'Stopped')
      throw new Refusal(409, `The cluster ${name} cannot be stopped: it is Stopped.`);
    await own.stop();
    return this.#fresh(definition);
  }

  /** Ends what the server started. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#own.values()].map((own) => own.stop()));
    // With the times of those.
    if (this.#own.size > 0) await this.#save().catch(() => undefined);
  }

  async #owned(name: string): Promise<OwnDefinition> {
    if (name === LOCAL)
      throw new Refusal(
        409,
        "The server's own engine runs as long as the server: its interpreters are restarted one by one.",
      );
    const definition = (await this.#listed()).find((entry) => entry.name === name);
    if (!definition) throw new Refusal(404, `No such cluster: ${name}`);
    if (!isOwn(definition))
      throw new Refusal(
        409,
        `The cluster ${name} is not run by this server: it is started and stopped where it runs.`,
      );
    return definition;
  }

  async #master(definition: OwnDefinition): Promise<OwnMaster> {
    const id = idOf(definition);
    // A name may hold what a file's name may not.
    const folder = await privateFolder(
      join(this.#folder, createHash('sha256').update(id).digest('hex').slice(0, 24)),
    );
    if (this.#closed) throw new Refusal(503, 'the server is shutting down');
    let own = this.#own.get(id);
    if (!own) {
      this.#own.set(id, (own = new OwnMaster(folder)));
      own.onChange = (event) => {
        this.#times.set(id, {
          ...this.#times.get(id),
          [event === 'started' ? 'lastStarted' : 'lastStopped']: new Date().toISOString(),
        });
        this.#save().catch((error: Error) =>
          this.#options.log.warn(
            { error: error.message },
            'the times of a cluster could not be stored',
          ),
        );
      };
    }
    return own;
  }

  async #listed(): Promise<Definition[]> {
    return readDefinitions(this.#options.data, this.#options.log);
  }

  async #all(): Promise<Seen[]> {
    const listed = await this.#listed();
    for (const key of this.#cache.keys())
      if (!listed.some((entry) => keyOf(entry) === key)) this.#cache.delete(key);
    // What is no longer listed is nobody's to stop any more.
    for (const [id, own] of this.#own)
      if (!listed.some((entry) => isOwn(entry) && idOf(entry) === id))
        void own.stop().finally(() => this.#own.get(id) === own && this.#own.delete(id));
    return [
      { cluster: this.#local() },
      ...(await Promise.all(listed.map((entry) => this.#ask(entry)))),
    ];
  }

  #local(): Cluster {
    return {
      clusterId: LOCAL,
      name: LOCAL,
      state: 'Running',
      description: 'The interpreters of this server, on its own machine',
      driverType: { name: LOCAL },
      workerType: { name: LOCAL },
      workerCount: 1,
      health: { driver: 'Healthy', workers: this.#options.localHealth() },
      lastStarted: this.#started.toISOString(),
    };
  }

  async #fresh(definition: Definition): Promise<Cluster> {
    this.#cache.delete(keyOf(definition));
    return (await this.#ask(definition)).cluster;
  }

  #ask(definition: Definition): Promise<Seen> {
    const known = this.#cache.get(keyOf(definition));
    // The server sees for itself when its own is no longer as it was.
    const own = this.#own.get(idOf(definition));
    const changed = own !== undefined && own.state !== 'Running';
    if (known && !changed && Date.now() - known.at < FRESH_MS) return known.entry;
    const entry = isOwn(definition)
      ? this.#readOwn(definition)
      : this.#read(definition, definition.master);
    if (changed) this.#cache.delete(keyOf(definition));
    else this.#cache.set(keyOf(definition), { at: Date.now(), entry });
    return entry;
  }

  async #readOwn(definition: OwnDefinition): Promise<Seen> {
    const id = idOf(definition);
    const own = this.#own.get(id);
    const { cores = 1, memory = '1g' } = definition;
    const more = { ...this.#times.get(id), owned: true };
    if (own?.state === 'Running' && own.page !== undefined) {
      const seen = await this.#read(definition, own.page);
      return { ...seen, cluster: { ...seen.cluster, ...more } };
    }
    return {
      cluster: {
        clusterId: id,
        name: definition.name,
        description: definition.description ?? '',
        driverType: { name: 'Spark standalone master' },
        workerType: {
          name: `${cores} cores, ${Number.parseInt(memory, 10) / (/m$/i.test(memory) ? 1_024 : 1)} GiB`,
        },
        workerCount: 0,
        state: own?.state ?? 'Stopped',
        ...(own?.reason === undefined ? {} : { errorReason: own.reason }),
        ...more,
      },
    };
  }

  async #read(definition: Definition, page: string): Promise<Seen> {
    const { name, description = '' } = definition;
    const fixed = {
      clusterId: idOf(definition),
      name,
      description,
      driverType: { name: 'Spark standalone master' },
    };
    try {
      const told = await readMaster(page, LIMIT_MS);
      return {
        cluster: { ...fixed, ...describeMaster(told), sparkUiAddress: page },
        master: driverAddress(told),
      };
    } catch (error) {
      this.#options.log.warn(
        { cluster: name, error: (error as Error).message },
        'a Spark master did not answer',
      );
      return { cluster: { ...fixed, state: 'Failed', workerCount: 0 } };
    }
  }

  /** What the disk does not take does not hold either. */
  async #store(principal: string, next: string | undefined): Promise<void> {
    const before = this.#current.get(principal);
    if (before === next) return;
    const put = (id: string | undefined) =>
      void (id === undefined ? this.#current.delete(principal) : this.#current.set(principal, id));
    put(next);
    try {
      await this.#save();
    } catch (error) {
      if (this.#current.get(principal) === next) put(before);
      throw storageFailure(error);
    }
  }
}

const keyOf = (definition: Definition): string => JSON.stringify(definition);

function foldersOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
