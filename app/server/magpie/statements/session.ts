/** The session of a user on a note: where names are looked up, temporary tables, the last result. */
import { MetadataError } from '../contract.ts';
import type { Catalogue, Place } from '../catalogue/catalogue.ts';
import type { Item } from '../catalogue/state.ts';
import { ConnectionEngine, type Engines } from '../engines.ts';

/** The name of the temporary table that holds the last result. Statements cannot name it. */
export const RESULT_TABLE = '·result';

/** What a query answered last; its rows are in {@link RESULT_TABLE} of the connection to its repository. */
export interface LastResult {
  readonly repositoryId: number;
  readonly query: string;
  readonly rowCount: number;
  /** Tables that it was made of. */
  readonly sources: readonly string[];
}

/** See the head of this file. */
export class Session {
  readonly userName: string;
  readonly #catalogue: Catalogue;
  readonly #engines: Engines;
  readonly #connections = new Map<number, Promise<ConnectionEngine>>();
  /** Names of temporary tables by repository, as the engine compares them, with the names as they were given. */
  readonly #temporary = new Map<number, Map<string, string>>();
  place: Place;
  result: LastResult | undefined;
  /** Databases that the statement has attached: what lets go of them, by name. */
  readonly attached = new Map<string, () => Promise<void>>();
  /** When it was used last, in ms. */
  used = Date.now();
  /** The end of the script that runs in it. */
  running: Promise<unknown> = Promise.resolve();

  constructor(userName: string, catalogue: Catalogue, engines: Engines) {
    this.userName = userName;
    this.#catalogue = catalogue;
    this.#engines = engines;
    const repository =
      catalogue.child(
        catalogue.organization.id,
        'repository',
        String(catalogue.organization.definition['defaultRepositoryName'] ?? ''),
      ) ?? catalogue.children(catalogue.organization.id, 'repository')[0];
    this.place = repository
      ? this.placeOf(repository)
      : {
          repositoryId: -1,
          schemaId: undefined,
          projectId: undefined,
          dataSourceId: undefined,
          clusterId: undefined,
        };
  }

  /** Where a session is that has just come to a repository. */
  placeOf(repository: Item): Place {
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

  /** The repository that the session is in. Throws where it has been dropped. */
  get repository(): Item {
    const found = this.#catalogue.byId(this.place.repositoryId);
    if (!found)
      throw new MetadataError('The repository has been dropped: start with "use repository NAME".');
    return found;
  }

  /** The engine of the current repository. */
  engine(): Promise<ConnectionEngine> {
    const { id } = this.repository;
    const known = this.#connections.get(id);
    if (known) return known;
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

  /** The temporary tables of the current repository: given names by names as the engine compares them. */
  get temporary(): Map<string, string> {
    const { repositoryId } = this.place;
    let own = this.#temporary.get(repositoryId);
    if (!own) this.#temporary.set(repositoryId, (own = new Map()));
    return own;
  }

  /** Lets go of the databases that a statement has attached. */
  async release(): Promise<void> {
    const all = [...this.attached.values()];
    this.attached.clear();
    await Promise.all(all.map((release) => release()));
  }

  /** Ends the queries that run; resolves when the script that asked them is over. */
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

  /** Ends the connections, and with them the temporary tables. */
  async close(): Promise<void> {
    await this.release();
    const all = [...this.#connections.values()];
    this.#connections.clear();
    this.#temporary.clear();
    this.result = undefined;
    await Promise.all(
      all
        .map(async (connection) => (await connection).connection.disconnectSync())
        .map((done) => done.catch(() => undefined)),
    );
  }
}
