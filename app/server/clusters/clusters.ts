/** Named places to compute: the server's own engine, and the Spark standalone masters that an administrator lists in `clusters.json`. */
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Cluster, ClusterList } from 'tiding/protocol';
import { Refusal, storageFailure } from '../errors.ts';
import { readJson, writeDurably, writer } from '../files.ts';
import type { Logger } from '../log.ts';
import { describeMaster, readMaster } from './spark-master.ts';

/** A master is asked again after this, in ms. */
const FRESH_MS = 2_000;
/** A master that has not answered by then counts as failed, in ms. */
const LIMIT_MS = 1_500;
const LOCAL = 'local';

const listed = z.array(z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  description: z.optional(z.string()),
  /** Address of the master's page, for example `http://spark.example.org:8080`. */
  master: z.url({ protocol: /^https?$/ }),
}));
type Listed = z.infer<typeof listed>[number];

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
  readonly #cache = new Map<string, { at: number; entry: Promise<Cluster> }>();
  /** Id of the current cluster by principal. */
  #current = new Map<string, string>();
  readonly #save: () => Promise<void>;

  private constructor(options: ClustersOptions) {
    this.#options = options;
    this.#save = writer(() => writeDurably(this.#currentFile, `${JSON.stringify({ current: Object.fromEntries(this.#current) }, null, 2)}\n`));
  }

  get #currentFile(): string {
    return join(this.#options.data, 'current-clusters.json');
  }

  /** Reads who uses which cluster; rejects where that file is damaged. */
  static async open(options: ClustersOptions): Promise<Clusters> {
    const made = new Clusters(options);
    const stored = (await readJson(made.#currentFile)) as { current?: Record<string, string> } | undefined;
    made.#current = new Map(Object.entries(stored?.current ?? {}));
    return made;
  }

  /** All clusters as they are now (at most 2 s old), and which is the user's. Refuses (500) with a sentence where `clusters.json` cannot be used. */
  async list(principal: string): Promise<ClusterList> {
    const clusters = await this.#all();
    const current = this.#current.get(principal);
    return { clusters, currentClusterId: clusters.some(({ clusterId }) => clusterId === current) ? current! : null };
  }

  /** Chooses a user's cluster by its name; `undefined` chooses none. Refuses an unknown one (404) and one that does not run (409). */
  async choose(principal: string, name: string | undefined): Promise<string | null> {
    if (name === undefined) {
      await this.#store(principal, undefined);
      return null;
    }
    const cluster = (await this.#all()).find((entry) => entry.name === name);
    if (!cluster) throw new Refusal(404, `No such cluster: ${name}`);
    if (cluster.state !== 'Running') throw new Refusal(409, `The cluster ${name} is not running: it is ${cluster.state}.`);
    await this.#store(principal, cluster.clusterId);
    return cluster.clusterId;
  }

  async #all(): Promise<Cluster[]> {
    const masters = await this.#listed();
    for (const name of this.#cache.keys()) if (!masters.some((master) => keyOf(master) === name)) this.#cache.delete(name);
    return [this.#local(), ...(await Promise.all(masters.map((master) => this.#ask(master))))];
  }

  async #listed(): Promise<Listed[]> {
    let content: unknown;
    try {
      content = await readJson(join(this.#options.data, 'clusters.json'));
    } catch (error) {
      this.#options.log.error({ error: (error as Error).message }, 'the clusters cannot be read');
      throw new Refusal(500, 'The file clusters.json of this server cannot be read: it is not JSON. An administrator can correct it.');
    }
    if (content === undefined) return [];
    const parsed = listed.safeParse(Array.isArray(content) ? content : (content as { clusters?: unknown } | null)?.clusters);
    const names = parsed.success ? [LOCAL, ...parsed.data.map(({ name }) => name)] : [];
    const issue = parsed.success
      ? names.find((name, index) => names.indexOf(name) !== index)
      : `${parsed.error.issues[0]?.path.join('.') ?? ''} ${parsed.error.issues[0]?.message ?? ''}`.trim();
    if (parsed.success && issue === undefined) return parsed.data;
    throw new Refusal(500, `The file clusters.json of this server cannot be used: ${parsed.success ? `the name ${issue} is there twice` : issue}. An administrator can correct it.`);
  }

  #local(): Cluster {
    return {
      clusterId: LOCAL, name: LOCAL, state: 'Running', description: 'The interpreters of this server, on its own machine',
      driverType: { name: LOCAL }, workerType: { name: LOCAL }, workerCount: 1,
      health: { driver: 'Healthy', workers: this.#options.localHealth() }, lastStarted: this.#started.toISOString(),
    };
  }

  #ask(master: Listed): Promise<Cluster> {
    const known = this.#cache.get(keyOf(master));
    if (known && Date.now() - known.at < FRESH_MS) return known.entry;
    const entry = this.#read(master);
    this.#cache.set(keyOf(master), { at: Date.now(), entry });
    return entry;
  }

  async #read({ name, description = '', master }: Listed): Promise<Cluster> {
    const fixed = { clusterId: `spark-${name}`, name, description, driverType: { name: 'Spark standalone master' } };
    try {
      return { ...fixed, ...describeMaster(await readMaster(master, LIMIT_MS)), sparkUiAddress: master };
    } catch (error) {
      this.#options.log.warn({ cluster: name, error: (error as Error).message }, 'a Spark master did not answer');
      return { ...fixed, state: 'Failed', workerCount: 0 };
    }
  }

  /** What the disk does not take does not hold either. */
  async #store(principal: string, next: string | undefined): Promise<void> {
    const before = this.#current.get(principal);
    if (before === next) return;
    const put = (id: string | undefined) => void (id === undefined ? this.#current.delete(principal) : this.#current.set(principal, id));
    put(next);
    try {
      await this.#save();
    } catch (error) {
      if (this.#current.get(principal) === next) put(before);
      throw storageFailure(error);
    }
  }
}

const keyOf = ({ name, description = '', master }: Listed): string => JSON.stringify([name, description, master]);
