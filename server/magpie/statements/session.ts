/** The session of a user on a note: name lookup scope, temporary tables and the last result. */

import type { ObjectCatalogue, SessionScope } from '../catalogue/catalogue.ts';
import type { Item } from '../catalogue/state.ts';
import { MetadataError } from '../contract.ts';
import { ConnectionEngine, type Engines } from '../engines.ts';

/** Name of the temporary table that holds the last result. Statements cannot refer to it. */
export const RESULT_TABLE = '·result';

/**
 * The last query result. Its rows are in {@link RESULT_TABLE} on the connection to its repository.
 */
export interface LastResult {
  readonly repositoryId: number;
  readonly query: string;
  readonly rowCount: number;
  /** Tables that the query read. */
  readonly sources: readonly string[];
}

/** State of one user's session. Opens one engine connection per repository, on demand. */
export class MagpieSession {
  readonly userName: string;
  readonly #catalogue: ObjectCatalogue;
  readonly #engines: Engines;
  readonly #connections = new Map<number, Promise<ConnectionEngine>>();
  /**
   * Temporary tables by repository. Maps the name as the engine compares it to the name as the user
   * wrote it.
   */
  readonly #temporary = new Map<number, Map<string, string>>();
  scope: SessionScope;
  result: LastResult | undefined;
  /**
   * Databases attached by the current statement. Maps each key to the function that detaches it.
   */
  readonly attached = new Map<string, () => Promise<void>>();
  /** Whether temporary tables or the last result were lost and the user was not told yet. */
  lostState = false;
  /** Time of last use, in ms since 1970. */
  used = Date.now();
  /** Settles when the script that is running in this session ends. */
  running: Promise<unknown> = Promise.resolve();

  constructor(userName: string, catalogue: ObjectCatalogue, engines: Engines) {
    this.userName = userName;
    this.#catalogue = catalogue;
    this.#engines = engines;
    // The last repository can't be dropped.
    const repository =
      catalogue.child(
        catalogue.organization.id,
        'repository',
        String(catalogue.organization.definition['defaultRepositoryName'] ?? ''),
      ) ?? catalogue.children(catalogue.organization.id, 'repository')[0]!;
    this.scope = this.scopeOf(repository);
  }

  /**
   * Initial lookup scope after switching to a repository: its default schema, project and data
   * source.
   */
  scopeOf(repository: Item): SessionScope {
    const own = (type: 'schema' | 'project' | 'data source', member: string) => {
      const name = repository.definition[member];
      return typeof name === 'string'
        ? this.#catalogue.child(repository.id, type, name)?.id
        : undefined;
    };
    return {
      repositoryId: repository.id,
      schemaId: own('schema', 'defaultSchemaName'),
      projectId: own('project', 'defaultProjectName'),
      dataSourceId: own('data source', 'defaultDataSourceName'),
      clusterId: this.#catalogue.children(this.#catalogue.organization.id, 'cluster')[0]?.id,
    };
  }

  /** The current repository. Throws if it has been dropped. */
  get repository(): Item {
    const found = this.#catalogue.byId(this.scope.repositoryId);
    if (!found)
      throw new MetadataError(
        'The repository has been dropped. Select another one with "use repository NAME".',
      );
    return found;
  }

  engine(): Promise<ConnectionEngine> {
    const { id } = this.repository;
    const known = this.#connections.get(id);
    if (known)
      return known.then((engine) => (engine.connection.isLost ? this.#reopen(id, known) : engine));
    return this.#open(id);
  }

  /** Replaces a connection whose engine has ended. Its temporary tables are lost. */
  #reopen(id: number, lost: Promise<ConnectionEngine>): Promise<ConnectionEngine> {
    const current = this.#connections.get(id);
    if (current && current !== lost) return current;
    this.#connections.delete(id);
    const temporary = this.#temporary.get(id);
    if (temporary?.size || this.result?.repositoryId === id) this.lostState = true;
    this.#temporary.delete(id);
    if (this.result?.repositoryId === id) this.result = undefined;
    return this.#open(id);
  }

  #open(id: number): Promise<ConnectionEngine> {
    const opening = this.#engines
      .connect(
        id,
        this.#catalogue.children(id, 'schema').map(({ name }) => name),
      )
      .then((connection) => new ConnectionEngine(connection));
    this.#connections.set(id, opening);
    opening.catch(() => this.#connections.delete(id));
    return opening;
  }

  /**
   * Temporary tables of the current repository. Maps the name as the engine compares it to the name
   * as the user wrote it.
   */
  get temporary(): Map<string, string> {
    const { repositoryId } = this.scope;
    let own = this.#temporary.get(repositoryId);
    if (!own) this.#temporary.set(repositoryId, (own = new Map()));
    return own;
  }

  /** Detaches the databases that a statement attached. */
  async release(): Promise<void> {
    const all = [...this.attached.values()];
    this.attached.clear();
    await Promise.all(all.map((release) => release()));
  }

  /** Whether closing the connections loses temporary tables or the last result. */
  get hasState(): boolean {
    return this.result !== undefined || [...this.#temporary.values()].some(({ size }) => size > 0);
  }

  /** Interrupts running queries. Resolves when the running script has ended. */
  async interrupt(): Promise<void> {
    let isOver = false;
    const end = this.running.finally(() => (isOver = true));
    while (!isOver) {
      for (const connection of this.#connections.values())
        await connection.then(
          (engine) => engine.connection.interrupt(),
          () => undefined,
        );
      await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 25))]);
    }
  }

  /** Closes the connections, which also drops the temporary tables. */
  async close(): Promise<void> {
    await this.release();
    const all = [...this.#connections.values()];
    this.#connections.clear();
    this.#temporary.clear();
    this.result = undefined;
    await Promise.all(
      all
        .map(async (connection) => (await connection).connection.close())
        .map((done) => done.catch(() => undefined)),
    );
  }
}
