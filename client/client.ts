/** `createClient`: transport → channel → store → areas. Read this first. */
import { EventEmitter } from 'eventemitter3';
import { Channel, type ChannelState } from './channel/channel.ts';
import { liveTransport } from './channel/live.ts';
import { namingOrigin } from './channel/transport.ts';
import type { Context } from './context.ts';
import type { CallOptions } from './core/abort.ts';
import { guarded } from './core/guarded.ts';
import { createStore } from './core/store.ts';
import { isTidingError, TidingError } from './errors.ts';
import { receivedEvent, type ClientEvent, type ClientEvents } from './events.ts';
import { Interpreters } from './interpreters/interpreters.ts';
import { Jobs } from './jobs/jobs.ts';
import { memoryJournal } from './journal/journal.ts';
import { loadedWire, loadNotes, loadWire } from './loaded.ts';
import type { Note } from './note/note.ts';
import { Notes } from './notes/notes.ts';
import { AUTOSAVE_MS, type ClientOptions } from './options.ts';
import { reduce } from './reducer.ts';
import type { Call, HttpOptions } from './rest/http.ts';
import { Administration } from './platform/administration.ts';
import { Clusters } from './platform/clusters.ts';
import { Credentials } from './platform/credentials.ts';
import { Packages } from './platform/packages.ts';
import { EmbedTokens } from './platform/embed-tokens.ts';
import { Objects } from './platform/objects.ts';
import { People } from './platform/people.ts';
import { Results } from './platform/results.ts';
import { RevisionControl } from './platform/revision-control.ts';
import type { SentOp } from './protocol/index.ts';
import { Session } from './session/session.ts';
import { Tokens } from './session/tokens.ts';
import { unsupported } from './support.ts';
import { initialState, type ClientState, type ServerState } from './state.ts';

/** Tickets are asked for no faster than this, in ms, however soon each ends. */
const RENEW_MS = 1_000;

/** A client of one server with one identity. Make as many as needed; they share nothing. */
export interface Client {
  /** Address of the server, without a trailing slash. */
  readonly server: string;
  /** Signing in and out, and who is signed in. */
  readonly session: Session;
  /** The list of notes: made, imported, moved to the trash, searched. */
  readonly notes: Notes;
  /** Access tokens of the user (ours and the fork; upstream: `unsupported`). */
  readonly tokens: Tokens;
  /** Tokens that a host page hands to its viewers: one note, one scope, minutes (ours alone). */
  readonly embedTokens: EmbedTokens;
  /** What runs on the server, by note. */
  readonly jobs: Jobs;
  /** Interpreter settings and the repositories of their dependencies. */
  readonly interpreters: Interpreters;
  /** Names and passwords with which the user's interpreters reach data. */
  readonly credentials: Credentials;
  /** Where the user's code runs (ours and the fork; upstream: `unsupported`). */
  readonly clusters: Clusters;
  /** Visualizations, spells and applications of the server. */
  readonly packages: Packages;
  /** Names for lists of permissions, and forgotten passwords. */
  readonly people: People;
  /** Exported results and files (ours and the fork; upstream: `unsupported`). */
  readonly results: Results;
  /** Objects of the platform as widgets show them (ours; elsewhere `unsupported`). */
  readonly objects: Objects;
  /** The remote that notes are synchronised with (ours and the fork; upstream: `unsupported`). */
  readonly revisionControl: RevisionControl;
  /** Configuration, storages and log of the server, for administrators. */
  readonly administration: Administration;
  /** Makes any REST call of the protocol, typed by its name. */
  readonly call: Call;
  /** The state; always current. */
  readonly state: ClientState;
  /** Told once a scheduled turn after the state changed. Returns its undo. */
  subscribe(listener: () => void): () => void;
  /** The same for one paragraph of an open note: told when its state has become another. For views of many paragraphs. */
  subscribeParagraph(noteId: string, paragraphId: string, listener: () => void): () => void;
  /** Listens to an event; `'event'` hears all. Returns its undo. */
  on<Name extends keyof ClientEvents>(name: Name, listener: ClientEvents[Name]): () => void;
  /** Version and generation of the server. Rejects with `network` when it cannot be reached. */
  connect(options?: CallOptions): Promise<ServerState>;
  /**
   * Opens a note on a channel of its own; opens of the same note share it. Resolves when the note is there, rejects
   * with `server` or `forbidden` when it is not, and with `signed-out`.
   */
  open(noteId: string, options?: CallOptions): Promise<Note>;
  /**
   * Opens a note as it was at a checkpoint: it stands in the state as a note does, under `note.id`, and cannot be changed: what would
   * do so rejects with `forbidden`. Rejects with `server` where the note has no such revision.
   */
  openRevision(noteId: string, revisionId: string, options?: CallOptions): Promise<Note>;
  /** Reconnects at once instead of waiting (the network or the user is back), and finds out which connections are dead. */
  wake(): void;
  /** Closes every channel. Drafts stay in the journal. */
  close(): void;
}

const paragraphsOf = (state: ClientState, noteId: string) =>
  Object.hasOwn(state.open, noteId) ? state.open[noteId]!.paragraphs : undefined;

/** Makes a client. Nothing is sent before the first call. */
export function createClient(options: ClientOptions): Client {
  const server = options.server.replace(/\/+$/, '');
  const url = new URL(server);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TidingError(
      'protocol',
      `the server's address must start with http:// or https://, not '${options.server}'`,
    );
  }
  const bus = new EventEmitter<ClientEvents>();
  const store = createStore(initialState, reduce, options.scheduler, paragraphsOf);
  const timeout = options.timeout ?? 15_000;
  const channels = new Set<Channel>();
  const open = new Map<string, { note: Note; users: number }>();
  /** Those of no note: the lobby, and the one of the job list while that is watched. */
  const common = new Set<Channel>();
  let lobby: Channel | undefined;
  /** How the client as a whole is connected when one of those has come to be `state`: another one that goes on counts, the lobby before all. */
  const connection = (state: ChannelState): ChannelState => {
    const counts = lobby && common.has(lobby) ? lobby : [...common].at(0);
    return counts?.state ?? (closed || state !== 'closed' ? state : 'idle');
  };
  let readying: Promise<void> | undefined;
  let closed = false;
  let bareZeppelin = false;

  const emit = (event: ClientEvent) => {
    store.dispatch(event);
    const raise = bus.emit.bind(bus) as (name: string, event: ClientEvent) => void;
    raise(event.type, event);
    raise('event', event);
  };
  const on: Client['on'] = (name, listener) => {
    const add = bus.on.bind(bus) as (name: string, listener: unknown) => void;
    const remove = bus.off.bind(bus) as (name: string, listener: unknown) => void;
    const heard = guarded(listener as (event: unknown) => void);
    add(name, heard);
    return () => remove(name, heard);
  };

  const http: HttpOptions = {
    server,
    timeout,
    auth: options.auth ?? 'cookie',
    fetch: options.fetch,
    async require(name, support) {
      await context.ready();
      const refusal = unsupported(
        `${loadedWire().endpoints[name].method} ${loadedWire().endpoints[name].path}`,
        support,
        store.get().server!,
      );
      if (refusal) throw refusal;
    },
    onError(error) {
      emit({ type: 'httpResponseError', error });
      // GET /login says so where there is no single sign-on.
      if (error.status === 405 && error.path !== '/security/ticket' && error.path !== '/login')
        emit({ type: 'session_logout', info: undefined });
    },
  };
  let made: Call | undefined;
  const call: Call = async (name, init) =>
    (made ??= (await loadWire()).createHttp(http))(name, init);

  const live = liveTransport({
    choice: options.live ?? 'auto',
    call,
    url: liveAddress(server),
    socket: namingOrigin(options.transport, () => bareZeppelin),
    onBlocked() {
      emit({ type: 'live-blocked' });
      channels.forEach((channel) => channel.wake());
    },
  });

  /**
   * One try with a fresh ticket after the server refused the one in hand. Another one soon after that only where the fresh
   * ticket was good for a while: tokens of embedding pages live for seconds.
   */
  let renewedAt = 0;
  let hasWorked = false;
  const sessionOver = async (info: string | undefined) => {
    if (store.get().session.phase !== 'signed-in') return;
    // Also where the clock was set back meanwhile.
    const since = Math.abs(Date.now() - renewedAt);
    const again = since < (hasWorked ? RENEW_MS : 30_000);
    emit({ type: 'session_logout', info });
    if (again) return;
    renewedAt = Date.now();
    hasWorked = false;
    await context.session.renew().then(context.reconnect, () => {});
  };

  /** Why the server cannot do an operation. One that is not in the protocol is the server's to refuse. */
  const refusal = (op: SentOp) => {
    const { sentOperations } = loadedWire();
    return Object.hasOwn(sentOperations, op)
      ? unsupported(op, sentOperations[op].support, store.get().server!)
      : undefined;
  };

  const context: Context = {
    server,
    store,
    call,
    timeout,
    emit,
    on,
    supports(op) {
      return store.get().server !== undefined && refusal(op) === undefined;
    },
    journal: options.journal ?? memoryJournal(),
    autosave: options.autosave ?? AUTOSAVE_MS,
    get session() {
      return session;
    },
    channel(noteId) {
      if (closed) throw new TidingError('closed', 'the client is closed');
      const channel = new Channel({
        url: liveAddress(server),
        identity: () => session.identity(),
        transport: live.transport,
        backoff: options.backoff,
        // Ours puts the id of a message on its replies; others do so on few.
        named: () => store.get().server?.namesReplies ?? false,
        refuse: refusal,
      });
      channels.add(channel);
      if (noteId === undefined) common.add(channel);
      channel.on('state', (state) => {
        if (state === 'closed') {
          channels.delete(channel);
          common.delete(channel);
        }
        emit({
          type: 'connection',
          state: noteId === undefined ? connection(state) : state,
          noteId,
        });
      });
      channel.on('message', (message) => {
        emit(receivedEvent(message, noteId));
        if (message.op !== 'SESSION_LOGOUT') hasWorked = true;
        if (message.op === 'SESSION_LOGOUT') void sessionOver(message.data.info);
      });
      channel.on('unknown', ({ op, data }) =>
        emit({ type: 'unknown-operation', op, data, noteId }),
      );
      channel.on('protocol-error', (error) => emit({ type: 'protocol-error', error, noteId }));
      return channel;
    },
    async lobby() {
      await context.ready();
      await session.ticket();
      if (!lobby) {
        lobby = context.channel(undefined);
        const first = lobby;
        // After a reconnect the list may be another.
        first.greeting = () => first.send('LIST_NOTES', {});
        first.open();
      }
      return lobby;
    },
    ready() {
      readying ??= (async () => {
        const { version, tiding, gateway } = await call('version');
        bareZeppelin = !tiding && !gateway;
        const generation = /^0\.[0-8]\./.test(version) ? 'A' : 'B';
        emit({
          type: 'server',
          server: {
            version,
            generation,
            tiding: tiding?.version,
            namesReplies: tiding?.namesReplies ?? false,
            presence: tiding?.presence,
            restores: tiding?.restores,
            also: gateway?.also,
          },
        });
      })();
      readying.catch(() => (readying = undefined));
      return readying;
    },
    async saveAll() {
      const notes = [...open.values()].map(({ note }) => note);
      await Promise.all(notes.map((note) => note.commit({ timeout: 5_000 }).catch(() => {})));
      return notes.every((note) => !note.dirty);
    },
    reconnect: () => channels.forEach((channel) => channel.reconnect()),
  };
  const session = new Session(context);
  const notes = new Notes(context);

  /** Opens a note or a revision of it; opens of the same share it. */
  async function enter(
    noteId: string,
    revision: string | undefined,
    callOptions: CallOptions | undefined,
  ): Promise<Note> {
    await context.ready();
    const [parts] = await Promise.all([loadNotes(), session.ticket(callOptions)]);
    const key = revision === undefined ? noteId : parts.revisionKey(noteId, revision);
    let entry = open.get(key);
    if (!entry) {
      const note = new parts.Note(
        context,
        noteId,
        () => {
          const now = open.get(key);
          if (now && --now.users > 0) return false;
          open.delete(key);
          return true;
        },
        revision,
      );
      entry = { note, users: 0 };
      open.set(key, entry);
    }
    entry.users += 1;
    try {
      await entry.note.ready(callOptions);
      return entry.note;
    } catch (error) {
      entry.note.close();
      throw isTidingError(error)
        ? error
        : new TidingError('server', String(error), {
            operation: revision === undefined ? 'GET_NOTE' : 'NOTE_REVISION',
            cause: error,
          });
    }
  }

  return {
    server,
    session,
    notes,
    call,
    on,
    tokens: new Tokens(context),
    embedTokens: new EmbedTokens(context),
    jobs: new Jobs(context),
    interpreters: new Interpreters(context),
    credentials: new Credentials(context),
    clusters: new Clusters(context),
    packages: new Packages(context),
    people: new People(context),
    results: new Results(context),
    objects: new Objects(context),
    revisionControl: new RevisionControl(context),
    administration: new Administration(context),
    get state() {
      return store.get();
    },
    subscribe: store.subscribe,
    subscribeParagraph: store.subscribeEntry,
    async connect() {
      await context.ready();
      return store.get().server!;
    },
    open: (noteId, callOptions) => enter(noteId, undefined, callOptions),
    openRevision: (noteId, revisionId, callOptions) => enter(noteId, revisionId, callOptions),
    wake: () => channels.forEach((channel) => channel.wake()),
    close() {
      closed = true;
      for (const { note } of open.values()) note.destroy();
      open.clear();
      live.close();
      for (const channel of [...channels]) channel.close();
    },
  };
}

/** Address of the live channel: the server's with its context path, `ws` for `http` and `wss` for `https`. */
export function liveAddress(server: string): string {
  return `${server.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws`;
}
