/**
 * The standalone notebook server, for one machine and a small team. Read this file top to
 * bottom to see how its parts fit together.
 *
 * @module tiding/server
 */
import { access, constants, mkdir } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { jobEntryOf } from './areas/notes/jobs.ts';
import { syncWork } from './areas/notes/revisions.ts';
import { forgetUser } from './auth/accounts.ts';
import { CredentialStore } from './auth/credentials.ts';
import { accountOf } from './auth/embed-access.ts';
import { EmbedTokenStore } from './auth/embed-tokens.ts';
import { firstAdministrator } from './auth/first-administrator.ts';
import { LoginLink } from './auth/login-link.ts';
import { smtpMailer, smtpSender } from './auth/mail.ts';
import { NoteTrustStore } from './auth/note-trust.ts';
import { PasswordResets } from './auth/password-resets.ts';
import { NotePermissions } from './auth/permissions.ts';
import { Secrets } from './auth/secrets.ts';
import { Sessions } from './auth/sessions.ts';
import { SingleSignOn } from './auth/single-sign-on.ts';
import { AccessTokenStore } from './auth/tokens.ts';
import { Users } from './auth/users.ts';
import { ClusterService } from './clusters/clusters.ts';
import type { ServerContext } from './context.ts';
import { Packages } from './helium/packages.ts';
import { createServerHttp } from './http/http.ts';
import { listen } from './http/listen.ts';
import { originGate } from './http/origin.ts';
import { Hub } from './hub/hub.ts';
import { createLive } from './hub/live.ts';
import { interpreters } from './interpreters/index.ts';
import { Audit } from './logging/audit.ts';
import { createLog } from './logging/log.ts';
import { Metrics } from './logging/metrics.ts';
import { openPlatform, serverPeople } from './magpie/index.ts';
import { NoteEditor } from './notes/editor.ts';
import { NoteRepository } from './notes/repository.ts';
import { type GivenOptions, isLoopback, resolveOptions, type ServerOptions } from './options.ts';
import { ResultStore } from './results/store.ts';
import { RemoteSynchronizer } from './revisions/control.ts';
import { RevisionService } from './revisions/revisions.ts';
import { answerCodeRequest } from './run/code-requests.ts';
import { RunHistoryStore } from './run/history.ts';
import { InterpreterPool } from './run/pool.ts';
import { RunService } from './run/runs.ts';
import { ScheduleService } from './run/schedules.ts';
import { SharedValues } from './run/shared-values.ts';
import { addSamples } from './samples/index.ts';
import { NoteSearch } from './search/index.ts';
import { Repositories } from './settings/repositories.ts';
import { InterpreterSettings } from './settings/settings.ts';
import { privateFolder } from './storage/files.ts';
import { lockFolder } from './storage/lock.ts';
import { startGateway } from './upstream/index.ts';

export type { ResetMail, SendMail } from './auth/password-resets.ts';
export type { LoginMode, OidcOptions } from './auth/sso-options.ts';
export { describeProtocol } from './describe/index.ts';
export type { JsonSchema } from './describe/schemas.ts';
export { type LimitName, type Limits, SERVER_LIMITS } from './limits.ts';
export type { GivenOptions, ServerOptions } from './options.ts';

/** A running server. */
export interface TidingServer {
  /** Base URL of its pages, without a trailing slash. */
  readonly url: string;
  /** The port it listens on; with `port: 0` the free port that was chosen. */
  readonly port: number;
  /**
   * Creates a one-time link that signs the first administrator in. Each call invalidates the
   * previous link.
   */
  loginLink(): string;
  /** Whether the first administrator signs in with a password rather than a link. */
  readonly hasPassword: boolean;
  /** A sentence that whoever starts the server should see. */
  readonly notice?: string | undefined;
  /** Stops the server within 10 s: rejects new work, ends runs as ABORT and stores everything. */
  close(): Promise<void>;
}

/**
 * Starts a server. Rejects with a user-readable message if it can't start: a port in use, a folder
 * without write access, no password.
 */
export async function createServer(given: GivenOptions = {}): Promise<TidingServer> {
  const options = resolveOptions(given);
  const log = createLog(options.logLevel);
  await writable(options.data);
  const unlock = await lockFolder(options.data, () => {
    log.fatal({ data: options.data }, 'another server uses the data folder now; stopping');
    // Even storing what is open would overwrite the other server's files.
    process.exit(1);
  });
  try {
    if (options.upstream !== undefined) return await startGateway(options, log, unlock);
    return await start(options, log, unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function start(
  options: ServerOptions,
  log: ReturnType<typeof createLog>,
  unlock: () => Promise<void>,
): Promise<TidingServer> {
  const users = new Users(options.data);
  const first = await firstAdministrator(users, options);
  first.requirePassword();

  const sessions = await Sessions.open(options.data);
  const tokens = new AccessTokenStore(options.data);
  const permissions = new NotePermissions(options.data);
  await permissions.load();
  const trust = new NoteTrustStore(options.data);
  await trust.load();
  const notes = new NoteRepository(options.data, log);
  const results = new ResultStore(
    options.data,
    { rows: options.maxResultRows, bytes: options.maxResultBytes },
    log,
  );
  await results.load();
  notes.onRead = (note) => results.check(note);
  await notes.load();
  results.sweep(notes.all(), notes.broken);
  const search = new NoteSearch(notes);
  notes.onChange = (id) => {
    search.change(id);
    results.settle(id, notes.find(id));
  };
  const files = await privateFolder(join(options.data, 'files'));
  const hub = new Hub(permissions, notes, {
    maxQueued: options.maxQueuedBytes,
    hidden: options.hideHomeNote ? options.homeNote : undefined,
  });
  const editor = new NoteEditor(notes, hub, options);
  // %sh and unrestricted file access are on for a single local user, unless an administrator
  // decides otherwise.
  const shellAllowed = () => options.shell ?? (isLoopback(options.host) && users.count <= 1);
  const secrets = await Secrets.open(options.data);
  const credentials = await CredentialStore.open(options.data, secrets);
  const settings = await InterpreterSettings.open(options.data, interpreters, secrets);
  const repositories = await Repositories.open(options.data, secrets);
  const clusters: ClusterService = await ClusterService.open({
    data: options.data,
    log,
    localHealth: () => pool.health(),
  });
  const platform = await openPlatform({
    log,
    folder: join(options.data, 'magpie'),
    engineMegabytes: options.maxEngineMegabytes,
    files,
    secrets,
    people: serverPeople(users, tokens, sessions, () => passwordResets),
    allowPrivateAddresses: options.allowPrivateFetch,
    sendLetter: smtpSender(options),
  });
  const { magpie } = platform;
  const pool: InterpreterPool = new InterpreterPool({
    data: options.data,
    files,
    magpie,
    settings,
    secrets,
    log,
    shellAllowed,
    repositories: () => repositories.forInstallers(),
    rolesOf: (principal) => users.get(accountOf(principal))?.roles ?? [],
    credentialsOf: (principal) => credentials.for(principal),
    sparkOf: (principal) => clusters.placeOf(principal),
    isAlone: () => users.count <= 1,
    maxInstances: options.maxInterpreters,
    maxUserInstances: options.maxUserInterpreters,
    maxIdleMs: options.maxIdleMs,
    notify: ({ notes, principal }, notice) => {
      if (principal !== undefined) hub.sendToUser(principal, 'NOTICE', { notice });
      else for (const id of notes) hub.broadcastToNote(id, 'NOTICE', { notice });
    },
    engineMegabytes: options.maxEngineMegabytes,
  });
  const audit = new Audit(options.data, log);
  const runs = new RunService({
    history: new RunHistoryStore(options.data, log),
    notes,
    editor,
    hub,
    pool,
    results,
    log,
    audit,
    maxOutputBytes: options.maxOutputBytes,
    maxDocumentBytes: options.maxDocumentBytes,
    maxRuns: options.maxRuns,
    maxRunMs: options.maxRunMs,
  });
  const metrics = new Metrics({
    sockets: () => hub.connections.size,
    own: {
      runs: () => runs.counts(),
      saves: () => notes.waiting,
      interpreters: () => pool.instances().length,
    },
  });
  runs.onEnd = (interpreter, status, seconds) => metrics.run(interpreter, status, seconds);
  notes.onStored = (seconds) => metrics.save(seconds);
  hub.onDrop = () => metrics.drop();
  sessions.onBegin = ({ principal, tokenId, embed }) =>
    audit.record(embed ? 'embed-token-used' : 'token-used', {
      principal,
      target: tokenId,
      note: embed?.note,
    });
  const revisions = new RevisionService(options.data, editor);
  const revisionControl = new RemoteSynchronizer({
    ...options,
    allowPrivateRemotes: options.allowPrivateRemotes ?? isLoopback(options.host),
    secrets,
    hub,
    log,
  });
  const schedules = new ScheduleService({ ...options, notes, runs, pool, users, permissions, log });
  let url = '';
  const passwordResets: PasswordResets = new PasswordResets({
    folder: options.data,
    users,
    sessions,
    log,
    url: () => options.publicUrl ?? url,
    sendMail: options.sendMail ?? smtpMailer(options),
  });
  const context: ServerContext = {
    credentials,
    clusters,
    magpie,
    settings,
    repositories,
    secrets,
    revisions,
    revisionControl,
    schedules,
    sso: options.oidc && new SingleSignOn(options.oidc, users, log),
    passwordResets,
    url: () => url,
    search,
    packages: await Packages.open(options.data, log, {
      url: options.heliumRegistry,
      token: options.heliumToken,
    }),
    options,
    log,
    audit,
    metrics,
    users,
    sessions,
    tokens,
    embeds: new EmbedTokenStore(options.data, secrets),
    loginLink: new LoginLink(),
    permissions,
    trust,
    notes,
    editor,
    hub,
    pool,
    results,
    runs,
    values: await SharedValues.open(options.data, { hub, editor, notes, pool }),
  };
  runs.onRequest = (asking, operation, values) =>
    answerCodeRequest(asking, operation, values, context);
  users.onRemoved = (name) =>
    forgetUser(name, { ...context, forgetGrants: (each) => magpie.forgetUser(each) });
  sessions.onEnd = (key) => hub.endSession(key, 'You have been logged out.');
  editor.onChange = (note) => hub.broadcastJobChange(note.id, () => jobEntryOf(note, context));
  await users.refresh();
  await addSamples(context, files);
  if (options.homeNote !== undefined && !notes.find(options.homeNote))
    log.warn({ note: options.homeNote }, 'the configured home note does not exist');
  await schedules.start();
  await platform.start();
  await revisionControl.start((principal) => syncWork(principal, context));

  let port = options.port;
  const gate = originGate(options);
  const app = createServerHttp(context, gate, () => port);
  const live = createLive(context, gate);
  const http = createHttpServer(getRequestListener(app.fetch));
  http.on('upgrade', live.upgrade);
  ({ port, url } = await listen(http, options));
  log.info({ url, data: options.data }, 'listening');

  let closing: Promise<void> | undefined;
  return {
    url,
    port,
    loginLink: () => `${url}/#/?login=${context.loginLink.renew()}`,
    get hasPassword() {
      return !first.needsLink();
    },
    close: () =>
      (closing ??= (async () => {
        http.close();
        await schedules.close();
        await revisionControl.close();
        await revisions.close();
        await runs.close();
        await pool.close();
        await platform.close();
        await clusters.close();
        await live.close();
        notes.close();
        metrics.close();
        await audit.flush();
        search.close();
        http.closeAllConnections();
        await unlock();
      })()),
  };
}

async function writable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `The data folder ${folder} cannot be written ` +
        `(${(error as NodeJS.ErrnoException).code}). Choose another with --data.`,
    );
  }
}
