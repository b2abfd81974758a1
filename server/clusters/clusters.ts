/**
 * Named compute clusters: the server's own engine, and the Spark standalone masters that an
 * administrator configures in `clusters.json`.
 */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster, ClusterList } from '@tiding/client/protocol';
import { Refusal, shuttingDown } from '../base/errors.ts';
import type { SparkMaster } from '../interpreters/contract.ts';
import { endLeftovers } from '../interpreters/processes/process-group.ts';
import type { Logger } from '../logging/log.ts';
import { JsonFile, privateFolder, putEntry } from '../storage/files.ts';
import {
  type ClusterDefinition,
  idOf,
  isManaged,
  LOCAL,
  type ManagedDefinition,
  readDefinitions,
} from './definitions.ts';
import { ManagedMaster } from './own-master.ts';
import { describeMaster, driverAddress, readMaster } from './spark-master.ts';

/** The state of a master is cached for this long, in ms. */
const STATE_CACHE_MS = 2_000;
/** A master that has not responded after this time counts as failed, in ms. */
const RESPONSE_TIMEOUT_MS = 1_500;

/** A cluster, and the address of its master for drivers. */
interface Seen {
  readonly cluster: Cluster;
  readonly master?: string | undefined;
}

/** When the server's own master was last started and stopped, ISO 8601 UTC. */
interface Times {
  lastStarted?: string;
  lastStopped?: string;
}

/** Dependencies of {@link ClusterService}. */
interface ClustersOptions {
  data: string;
  log: Logger;
  /** Health of this server's interpreters. */
  localHealth(): 'Healthy' | 'Degraded';
}

/** Lists, selects, starts and stops clusters. */
export class ClusterService {
  readonly #options: ClustersOptions;
  readonly #started = new Date();
  readonly #cache = new Map<string, { at: number; entry: Promise<Seen> }>();
  /** Id of the current cluster by principal. */
  #current = new Map<string, string>();
  /** By cluster id. */
  #times = new Map<string, Times>();
  /** Masters that the server runs or has run, by cluster id. */
  readonly #managed = new Map<string, ManagedMaster>();
  readonly #file: JsonFile<{ current?: Record<string, string>; times?: Record<string, Times> }>;
  #closed = false;

  private constructor(options: ClustersOptions) {
    this.#options = options;
    this.#file = new JsonFile(join(options.data, 'current-clusters.json'), () => ({
      current: Object.fromEntries(this.#current),
      times: Object.fromEntries(this.#times),
    }));
    // Stop masters left running by a killed server.
    for (const name of foldersOf(this.#folder)) endLeftovers(join(this.#folder, name));
  }

  get #folder(): string {
    return join(this.#options.data, 'clusters');
  }

  /** Reads which user uses which cluster; rejects if the file is damaged. */
  static async open(options: ClustersOptions): Promise<ClusterService> {
    const made = new ClusterService(options);
    const stored = await made.#file.read();
    made.#current = new Map(Object.entries(stored?.current ?? {}));
    made.#times = new Map(Object.entries(stored?.times ?? {}));
    return made;
  }

  /**
   * Returns all clusters, at most 2 s old, and the user's current one. Throws a 500 refusal with a
   * user-readable message if `clusters.json` is invalid.
   */
  async list(principal: string): Promise<ClusterList> {
    const clusters = (await this.#all()).map(({ cluster }) => cluster);
    const current = this.#current.get(principal);
    return {
      clusters,
      currentClusterId: clusters.some(({ clusterId }) => clusterId === current) ? current! : null,
    };
  }

  /**
   * Selects a user's cluster by name; `undefined` selects none. Throws a refusal for an unknown
   * cluster (404) or one that is not running (409).
   */
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

  /** Returns whether a user's current cluster is a Spark master. */
  usesSpark(principal: string): boolean {
    return (this.#current.get(principal) ?? LOCAL) !== LOCAL;
  }

  /**
   * Returns where Spark runs for a single-user process; `undefined`: inside the process. Throws a
   * 409 refusal if the user's current cluster is not running, so that work meant for it does not
   * silently run elsewhere.
   */
  async masterOf(principal: string): Promise<SparkMaster | undefined> {
    if (!this.usesSpark(principal)) return undefined;
    const current = this.#current.get(principal);
    const seen = (await this.#all()).find(({ cluster }) => cluster.clusterId === current);
    if (!seen) return undefined;
    const { name, state } = seen.cluster;
    const advice =
      'Ask for it to be started, or stop using it on the page Clusters. Then run this again.';
    if (state !== 'Running')
      throw new Refusal(
        409,
        `Your current cluster ${name} is not running: it is ${state}. ${advice}`,
      );
    if (seen.master === undefined)
      throw new Refusal(
        409,
        `Your current cluster ${name} does not report an address that Spark can use. ${advice}`,
      );
    const own = this.#managed.get(seen.cluster.clusterId);
    return { master: seen.master, variables: own?.variables ?? {}, sameMachine: own !== undefined };
  }

  /**
   * Starts a cluster of the server and returns its state; it may take a minute until it is Running.
   * Throws a 404 or 409 refusal.
   */
  async start(name: string): Promise<Cluster> {
    const definition = await this.#managedDefinition(name);
    const own = await this.#master(definition);
    if (own.state !== 'Stopped' && own.state !== 'Failed')
      throw new Refusal(409, `The cluster ${name} cannot be started: it is ${own.state}.`);
    own.start(definition);
    void own.started().then(() => {
      const about = { cluster: name, error: own.reason };
      if (own.reason) this.#options.log.warn(about, 'a Spark master could not be started');
    });
    return this.#fresh(definition);
  }

  /**
   * Stops a cluster of the server with everything that runs on it; resolves when its processes have
   * ended. Throws a 404 or 409 refusal.
   */
  async stop(name: string): Promise<Cluster> {
    const definition = await this.#managedDefinition(name);
    const own = await this.#master(definition);
    if (own.state === 'Stopped')
      throw new Refusal(409, `The cluster ${name} cannot be stopped: it is Stopped.`);
    await own.stop();
    return this.#fresh(definition);
  }

  /** Stops all masters that the server started. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#managed.values()].map((own) => own.stop()));
    // Also store when they were stopped.
    if (this.#managed.size > 0) await this.#file.save().catch(() => undefined);
  }

  async #managedDefinition(name: string): Promise<ManagedDefinition> {
    if (name === LOCAL)
      throw new Refusal(
        409,
        "The server's own engine cannot be started or stopped. Restart its interpreters instead.",
      );
    const definition = (await this.#listed()).find((entry) => entry.name === name);
    if (!definition) throw new Refusal(404, `No such cluster: ${name}`);
    if (!isManaged(definition))
      throw new Refusal(
        409,
        `The cluster ${name} is not managed by this server. Start or stop it where it runs.`,
      );
    return definition;
  }

  async #master(definition: ManagedDefinition): Promise<ManagedMaster> {
    const id = idOf(definition);
    // Cluster names may contain characters that file names may not.
    const folder = await privateFolder(
      join(this.#folder, createHash('sha256').update(id).digest('hex').slice(0, 24)),
    );
    if (this.#closed) throw shuttingDown();
    let own = this.#managed.get(id);
    if (!own) {
      this.#managed.set(id, (own = new ManagedMaster(folder)));
      own.onChange = (event) => {
        this.#times.set(id, {
          ...this.#times.get(id),
          [event === 'started' ? 'lastStarted' : 'lastStopped']: new Date().toISOString(),
        });
        const failure = 'start and stop times of a cluster could not be stored';
        this.#file
          .save()
          .catch(({ message }: Error) => this.#options.log.warn({ error: message }, failure));
      };
    }
    return own;
  }

  async #listed(): Promise<ClusterDefinition[]> {
    return readDefinitions(this.#options.data, this.#options.log);
  }

  async #all(): Promise<Seen[]> {
    const listed = await this.#listed();
    for (const key of this.#cache.keys())
      if (!listed.some((entry) => keyOf(entry) === key)) this.#cache.delete(key);
    // Nobody could stop a cluster that is no longer configured.
    for (const [id, own] of this.#managed)
      if (!listed.some((entry) => isManaged(entry) && idOf(entry) === id))
        void own.stop().finally(() => this.#managed.get(id) === own && this.#managed.delete(id));
    return [
      { cluster: this.#local() },
      ...(await Promise.all(listed.map((entry) => this.#query(entry)))),
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

  async #fresh(definition: ClusterDefinition): Promise<Cluster> {
    this.#cache.delete(keyOf(definition));
    return (await this.#query(definition)).cluster;
  }

  #query(definition: ClusterDefinition): Promise<Seen> {
    const known = this.#cache.get(keyOf(definition));
    // The server notices changes of its own masters without asking them.
    const own = this.#managed.get(idOf(definition));
    const changed = own !== undefined && own.state !== 'Running';
    if (known && !changed && performance.now() - known.at < STATE_CACHE_MS) return known.entry;
    const entry = isManaged(definition)
      ? this.#readOwn(definition)
      : this.#read(definition, definition.master);
    if (changed) this.#cache.delete(keyOf(definition));
    else this.#cache.set(keyOf(definition), { at: performance.now(), entry });
    return entry;
  }

  async #readOwn(definition: ManagedDefinition): Promise<Seen> {
    const id = idOf(definition);
    const own = this.#managed.get(id);
    const { cores = 1, memory = '1g' } = definition;
    const more = { ...this.#times.get(id), owned: true };
    if (own?.state === 'Running' && own.page !== undefined) {
      const seen = await this.#read(definition, own.page);
      return { ...seen, cluster: { ...seen.cluster, ...more } };
    }
    return {
      cluster: {
        ...headOf(definition),
        workerType: {
          name:
            `${cores} cores, ` +
            `${Number.parseInt(memory, 10) / (/m$/i.test(memory) ? 1_024 : 1)} GiB`,
        },
        workerCount: 0,
        state: own?.state ?? 'Stopped',
        ...(own?.reason === undefined ? {} : { errorReason: own.reason }),
        ...more,
      },
    };
  }

  async #read(definition: ClusterDefinition, page: string): Promise<Seen> {
    const fixed = headOf(definition);
    try {
      const report = await readMaster(page, RESPONSE_TIMEOUT_MS);
      return {
        cluster: { ...fixed, ...describeMaster(report), sparkUiAddress: page },
        master: driverAddress(report),
      };
    } catch (error) {
      this.#options.log.warn(
        { cluster: definition.name, error: (error as Error).message },
        'a Spark master did not respond',
      );
      return { cluster: { ...fixed, state: 'Failed', workerCount: 0 } };
    }
  }

  /** Stores the change, or reverts it if the disk write fails. */
  async #store(principal: string, next: string | undefined): Promise<void> {
    if (this.#current.get(principal) === next) return;
    await this.#file.saveOrUndo(putEntry(this.#current, principal, next));
  }
}

/** The part of a cluster's entry that its definition says. */
const headOf = (definition: ClusterDefinition) => ({
  clusterId: idOf(definition),
  name: definition.name,
  description: definition.description ?? '',
  driverType: { name: 'Spark standalone master' },
});

const keyOf = (definition: ClusterDefinition): string => JSON.stringify(definition);

function foldersOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
