/// <reference lib="esnext.disposable" />
/**
 * Entry point of the client: `createClient` wires the transport, the channels, the store and the
 * API areas together.
 */

import type { AdministrationApi } from './administration/administration.ts';
import type { AssistantApi } from './assistant/assistant.ts';
import { loadedProtocol, loadProtocol } from './channel/lazy-protocol.ts';
import { withZeppelinOrigin } from './channel/transport.ts';
import { checkOptions } from './check-options.ts';
import type { ClustersApi } from './clusters/clusters.ts';
import type { CommentsApi } from './comments/comments.ts';
import type { ConnectionsApi } from './connections/connections.ts';
import type { CallOptions } from './core/abort.ts';
import { isTidingError, TidingError } from './core/errors.ts';
import { createEventBus } from './core/event-bus.ts';
import type { ClientEvents } from './core/events.ts';
import { lazyArea } from './core/lazy-area.ts';
import { unsupportedError } from './core/server-support.ts';
import { type ClientState, initialState, type ServerState } from './core/state.ts';
import { createStateStore } from './core/store.ts';
import type { CredentialsApi } from './credentials/credentials.ts';
import type { FilesApi } from './files/files.ts';
import type { InterpretersApi } from './interpreters/interpreters.ts';
import type { JobsApi } from './jobs/jobs.ts';
import { memoryJournal } from './journal/journal.ts';
import { loadNoteModule } from './note/lazy-note.ts';
import type { Note } from './note/note.ts';
import type { OpenOptions } from './note/note-loading.ts';
import type { NoteName, NoteParams, NoteRow } from './note/note-types.ts';
import { OpenNotes } from './note/open-notes.ts';
import type { NoteRunResult, RunAllOptions, RunByNameOptions } from './note/run-by-name.ts';
import type { NotesApi } from './notes/notes.ts';
import { type ClientOptions, DEFAULT_AUTOSAVE_MS } from './options.ts';
import type { PackagesApi } from './packages/packages.ts';
import type { PeopleApi } from './people/people.ts';
import type { SentOp } from './protocol/index.ts';
import { reduce } from './reducer.ts';
import type { RestCall, RestClientOptions } from './rest/rest-client.ts';
import type { ResultsApi } from './results/results.ts';
import type { RevisionControlApi } from './revision-control/revision-control.ts';
import { ServerVersion } from './server-version.ts';
import type { ClientChannels } from './session/client-channels.ts';
import type { ClientContext } from './session/client-context.ts';
import { SessionApi } from './session/session.ts';
import type { AccessTokensApi } from './tokens/access-tokens.ts';
import type { EmbedTokensApi } from './tokens/embed-tokens.ts';
import type { ObjectsApi } from './widget-data/widget-data.ts';

/**
 * A client for one server and one identity. Create as many as you need; they share nothing.
 *
 * Actions are methods of the client, of its areas (`client.notes`, `client.jobs`, …) and of open
 * notes. Read the result from `client.state`, which is always current, and use `subscribe` or `on`
 * to learn about changes.
 *
 * Every method that talks to the server returns a promise that rejects with a {@link TidingError}.
 *
 * Not every server has every area. A *Magpie* server is a fork of Apache Zeppelin 0.8 that has the
 * REST calls below `/magpie`.
 */
export interface Client {
  /** Address of the server, without a trailing slash. */
  readonly server: string;
  /** Signs in and out; the current user is in `client.state.session`. */
  readonly session: SessionApi;
  /** The list of notes: create, import, search notes, or move them to the trash. */
  readonly notes: NotesApi;
  /**
   * The user's access tokens. Tiding and Magpie servers only; Apache Zeppelin rejects with
   * `unsupported`.
   */
  readonly tokens: AccessTokensApi;
  /**
   * Short-lived tokens that a host page gives to its viewers, each limited to one note and one
   * scope. Tiding servers only.
   */
  readonly embedTokens: EmbedTokensApi;
  /** Running and recent jobs on the server, by note. */
  readonly jobs: JobsApi;
  /** Interpreter settings and the repositories of their dependencies. */
  readonly interpreters: InterpretersApi;
  /** Comments on the paragraphs of notes. Tiding servers only; others reject with `unsupported`. */
  readonly comments: CommentsApi;
  /** The model that writes and explains code, if the server has one. Tiding servers only. */
  readonly assistant: AssistantApi;
  /** Connections to databases: test, tables, first rows. Tiding servers only. */
  readonly connections: ConnectionsApi;
  /** User names and passwords with which the user's interpreters access data sources. */
  readonly credentials: CredentialsApi;
  /**
   * Clusters that run the user's code. Tiding and Magpie servers only; Apache Zeppelin rejects
   * with `unsupported`.
   */
  readonly clusters: ClustersApi;
  /** Visualizations, spells and applications that the server offers. */
  readonly packages: PackagesApi;
  /**
   * Searches users and roles for permission lists, resets forgotten passwords, and lets
   * administrators of a Tiding server manage its users.
   */
  readonly people: PeopleApi;
  /**
   * Exported results and files. Tiding and Magpie servers only; Apache Zeppelin rejects with
   * `unsupported`.
   */
  readonly results: ResultsApi;
  /**
   * Data files of notes and users, and shared ones. Tiding servers only; others reject with
   * `unsupported`.
   */
  readonly files: FilesApi;
  /**
   * Tables, jobs and other objects that widgets display. Tiding servers only; others reject with
   * `unsupported`.
   */
  readonly objects: ObjectsApi;
  /**
   * Synchronizes notes with a Git remote. Tiding and Magpie servers only; Apache Zeppelin rejects
   * with `unsupported`.
   */
  readonly revisionControl: RevisionControlApi;
  /** Configuration, storage and log levels of the server, for administrators. */
  readonly administration: AdministrationApi;
  /**
   * Makes any REST call of the protocol. Parameters and response are typed by the call's name.
   *
   * @example
   * const { version } = await client.call('version');
   */
  readonly call: RestCall;
  /** The current state. Treat it as immutable: each change creates a new object. */
  readonly state: ClientState;
  /**
   * Calls `listener` at most once per scheduled turn after a state change. Returns an unsubscribe
   * function.
   */
  subscribe(listener: () => void): () => void;
  /**
   * Calls `listener` when the state of one paragraph of an open note changes. Use it for views of
   * many paragraphs. Returns an unsubscribe function.
   */
  subscribeParagraph(noteId: string, paragraphId: string, listener: () => void): () => void;
  /**
   * Adds a listener for one event; `'event'` receives all of them. Returns a function that removes
   * the listener.
   *
   * @example
   * const off = client.on('PROGRESS', ({ data }) => console.log(data.id, data.progress));
   */
  on<Name extends keyof ClientEvents>(name: Name, listener: ClientEvents[Name]): () => void;
  /**
   * Asks the server for its version and resolves with what is known about it. Rejects with
   * `network` if the server can't be reached. Optional: every call does this first.
   */
  connect(options?: CallOptions): Promise<ServerState>;
  /**
   * Opens a note by its id or full path on a channel of its own. Opening the same note again
   * returns the same `Note`; each `open` needs its own `note.close()`.
   *
   * Resolves when the note is loaded. Rejects with `not-found` if there is no such note, with
   * `forbidden` if the user may not read it, and with `signed-out` if nobody is signed in.
   *
   * @example
   * const note = await client.open('2A94M5J1Z', { timeout: 5_000 });
   * try {
   *   await note.run();
   * } finally {
   *   note.close();
   * }
   */
  open(idOrPath: string, options?: OpenOptions): Promise<Note>;
  /**
   * Runs a note by its id or full path, and closes it again. Resolves with the results also if a
   * paragraph fails; rejects if the note can't be run, for example with `protocol` for a value
   * without a form.
   *
   * @example
   * const result = await client.run('Reports/Daily sales', { day: '2026-11-21' }, {
   *   timeout: 600_000,
   *   onOutput: ({ data }) => process.stdout.write(data),
   * });
   * if (result.status === 'FINISHED') console.log((await result.table()).numRows);
   *
   * With the types that `tiding types` writes for a note, values and rows are checked.
   *
   * Forms without a value in `params` have their default, whatever an earlier run used; see
   * `storedValues`. The run changes the values and results of the note, except with `isolated`.
   */
  run<Name extends NoteName>(
    idOrPath: Name,
    params?: NoteParams<Name>,
    options?: RunByNameOptions,
  ): Promise<NoteRunResult<NoteRow<Name>>>;
  /**
   * Runs a note once for each of several values, each time in a copy of its own, and resolves with
   * the results in the order of the values, also if paragraphs fail. If a run can't be carried out
   * or `onResult` fails, cancels the others and rejects.
   *
   * @example
   * const days = ['2026-11-20', '2026-11-21'].map((day) => ({ day }));
   * const results = await client.runAll('Reports/Daily sales', days, { concurrency: 8 });
   * for (const result of results) {
   *   console.log(result.status, await result.rows());
   *   await result.close();
   * }
   */
  runAll<Name extends NoteName>(
    idOrPath: Name,
    params: readonly NoteParams<Name>[],
    options?: RunAllOptions<NoteRow<Name>>,
  ): Promise<NoteRunResult<NoteRow<Name>>[]>;
  /**
   * Opens a note as it was at a checkpoint. The revision is in the state like any open note, under
   * `note.id`, but is read-only: methods that would change it reject with `forbidden`. Rejects with
   * `not-found` if the note has no such revision.
   */
  openRevision(noteId: string, revisionId: string, options?: CallOptions): Promise<Note>;
  /**
   * Reconnects immediately instead of waiting for the next attempt, and checks connections that
   * seem open. Call it when the network or the user is back.
   */
  wake(): void;
  /** Closes the client with all its notes and channels. Unsaved drafts stay in the journal. */
  close(): void;
  /** Saves all drafts and closes the client, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Ids of notes, as Zeppelin and this project's server make them. */
const NOTE_ID = /^2[0-9A-Z]{8}$/;

const paragraphsOf = (state: ClientState, noteId: string) =>
  Object.hasOwn(state.open, noteId) ? state.open[noteId]!.paragraphs : undefined;

/**
 * Creates a client. Nothing is sent before the first call.
 *
 * Throws `protocol` with a sentence for each invalid option.
 *
 * @example
 * const client = createClient({
 *   server: 'https://notebooks.example.com',
 *   auth: { token: () => fetchToken() },
 * });
 * await client.session.login('ada', password);
 * const note = await client.open('2A94M5J1Z');
 * for await (const event of note.paragraphs[0].run()) console.log(event);
 */
export function createClient(options: ClientOptions): Client {
  checkOptions(options);
  const server = options.server.replace(/\/+$/, '');
  const store = createStateStore(initialState, reduce, options.scheduler, paragraphsOf);
  const { emit, on } = createEventBus(store);
  const timeout = options.timeout ?? 15_000;
  const call = createCall(options, server, timeout, () => context);
  const version = new ServerVersion(call, emit);
  const refuse = (op: SentOp) => refusalOf(op, store.get().server!);
  const context: ClientContext = {
    server,
    store,
    call,
    timeout,
    emit,
    on,
    supports: (op) => store.get().server !== undefined && refuse(op) === undefined,
    journal: options.journal ?? memoryJournal(),
    autosave: options.autosave ?? DEFAULT_AUTOSAVE_MS,
    get session() {
      return session;
    },
    channel: (noteId) => channels().create(noteId),
    async lobby() {
      await context.ready();
      await session.ticket();
      return channels().lobby();
    },
    ready: async () => void (await Promise.all([version.known(), loadProtocol()])),
    saveAll: () => notes.saveAll(),
    reconnect: () => made?.reconnect(),
  };
  let made: ClientChannels | undefined;
  let isClosed = false;
  const channels = (): ClientChannels => {
    if (isClosed) throw new TidingError('closed', 'The client is closed.');
    return (made ??= new (loadedProtocol().ClientChannels)(context, {
      url: liveAddress(server),
      live: options.live ?? 'auto',
      transport: withZeppelinOrigin(options.transport, () => version.isPlainZeppelin),
      backoff: options.backoff,
      // A Tiding server puts the id of a message on all its replies; other servers do so on few.
      repliesHaveIds: () => store.get().server?.namesReplies ?? false,
      refuse,
    }));
  };
  const session = new SessionApi(context);
  const notes = new OpenNotes(context);

  const client: Client = {
    server,
    session,
    call,
    on,
    ...createAreas(context),
    get state() {
      return store.get();
    },
    subscribe: store.subscribe,
    subscribeParagraph: store.subscribeEntry,
    async connect() {
      await context.ready();
      return store.get().server!;
    },
    open: (idOrPath, callOptions) =>
      notes.open(idOrPath, undefined, callOptions).catch(async (error: unknown) => {
        if (!isTidingError(error, 'not-found') || NOTE_ID.test(idOrPath)) throw error;
        // Tokens of a note can't list notes.
        const { id } = await client.notes.find(idOrPath, callOptions).catch(() => {
          throw error;
        });
        return notes.open(id, undefined, callOptions);
      }),
    openRevision: (noteId, revisionId, callOptions) => notes.open(noteId, revisionId, callOptions),
    run: async (idOrPath, params, runOptions = {}) =>
      (await loadNoteModule()).runByName(client, idOrPath, params, runOptions),
    runAll: async (idOrPath, all, runOptions = {}) =>
      (await loadNoteModule()).runAllByName(client, idOrPath, all, runOptions),
    wake: () => made?.wake(),
    close() {
      isClosed = true;
      made?.seal();
      notes.close();
      made?.close();
    },
    async [Symbol.asyncDispose]() {
      await notes.saveAll();
      client.close();
    },
  };
  if (options.initial) {
    const { version: answer, ticket, config, notes: listed } = options.initial;
    version.accept(answer);
    emit({ type: 'signed-in', ticket });
    emit({ type: 'magpieConfig', config });
    if (listed) emit({ type: 'notes-listed', notes: listed });
  }
  return client;
}

/** Loads areas, and beside them the protocol that they need. */
const withProtocol = async <Areas>(areas: Promise<Areas>): Promise<Areas> =>
  (await Promise.all([areas, loadProtocol()]))[0];

function createAreas(context: ClientContext) {
  const common = () => withProtocol(import('./common-areas.ts'));
  const packages = () => withProtocol(import('./packages/packages.ts'));
  const jobs = () => withProtocol(import('./jobs/jobs.ts'));
  const other = () => withProtocol(import('./other-areas.ts'));
  return {
    notes: lazyArea(async () => new (await common()).NotesApi(context)),
    tokens: lazyArea(async () => new (await other()).AccessTokensApi(context)),
    embedTokens: lazyArea(async () => new (await other()).EmbedTokensApi(context)),
    jobs: lazyArea(async () => new (await jobs()).JobsApi(context)),
    interpreters: lazyArea(async () => new (await other()).InterpretersApi(context)),
    comments: lazyArea(async () => new (await other()).CommentsApi(context)),
    assistant: lazyArea(async () => new (await other()).AssistantApi(context)),
    connections: lazyArea(async () => new (await other()).ConnectionsApi(context)),
    credentials: lazyArea(async () => new (await other()).CredentialsApi(context)),
    clusters: lazyArea(async () => new (await common()).ClustersApi(context)),
    packages: lazyArea(async () => new (await packages()).PackagesApi(context)),
    people: lazyArea(async () => new (await other()).PeopleApi(context)),
    results: lazyArea(async () => new (await other()).ResultsApi(context)),
    files: lazyArea(async () => new (await other()).FilesApi(context)),
    objects: lazyArea(async () => new (await other()).ObjectsApi(context)),
    revisionControl: lazyArea(async () => new (await other()).RevisionControlApi(context)),
    administration: lazyArea(async () => new (await other()).AdministrationApi(context)),
  };
}

/** Creates the function for REST calls; its code is loaded with the first call. */
function createCall(
  options: ClientOptions,
  server: string,
  timeout: number,
  context: () => ClientContext,
): RestCall {
  const http: RestClientOptions = {
    server,
    timeout,
    auth: options.auth ?? 'cookie',
    fetch: options.fetch,
    async require(name, support) {
      const { ready, store } = context();
      await ready();
      const { method, path } = loadedProtocol().endpoints[name];
      const refusal = unsupportedError(`${method} ${path}`, support, store.get().server!);
      if (refusal) throw refusal;
    },
    onError(error) {
      const { emit } = context();
      emit({ type: 'httpResponseError', error });
      // GET /login answers 405 if the server has no single sign-on, so it does not mean that the
      // session is over.
      if (error.status === 405 && error.path !== '/security/ticket' && error.path !== '/login')
        emit({ type: 'session_logout', info: undefined });
    },
    onTokenFailure(reason, info) {
      const { emit, store } = context();
      if (store.get().session.reason !== reason) emit({ type: 'session_logout', info, reason });
    },
  };
  let made: RestCall | undefined;
  return async (name, init) => (made ??= (await loadProtocol()).createRestClient(http))(name, init);
}

/**
 * Returns why the server can't handle an operation. Operations that are not in the protocol are
 * left for the server to refuse.
 */
function refusalOf(op: SentOp, server: ServerState) {
  const { sentOperations } = loadedProtocol();
  return Object.hasOwn(sentOperations, op)
    ? unsupportedError(op, sentOperations[op].support, server)
    : undefined;
}

/**
 * Returns the WebSocket address of a server's live channel: `ws` for `http`, `wss` for `https`, and
 * `/ws` after the context path.
 */
export function liveAddress(server: string): string {
  return `${server.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws`;
}
