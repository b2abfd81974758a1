/**
 * The embedded server: the product's own protocol server, for one machine and a small team. Read top to bottom.
 *
 * @module tiding/server
 */
import { access, constants, mkdir } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Audit } from './audit.ts';
import { jobEntry } from './areas/jobs.ts';
import { syncWork } from './areas/revisions.ts';
import { Credentials } from './auth/credentials.ts';
import { accountOf } from './auth/embed-access.ts';
import { EmbedTokens } from './auth/embed-tokens.ts';
import { LoginLink } from './auth/login-link.ts';
import { PasswordResets } from './auth/password-resets.ts';
import { NoteTrust } from './auth/note-trust.ts';
import { NotePermissions } from './auth/permissions.ts';
import { Secrets } from './auth/secrets.ts';
import { SingleSignOn } from './auth/single-sign-on.ts';
import { smtpLetters, smtpMailer } from './auth/mail.ts';
import { Sessions } from './auth/sessions.ts';
import { Tokens } from './auth/tokens.ts';
import { Users } from './auth/users.ts';
import { Clusters } from './clusters/clusters.ts';
import type { ServerContext } from './context.ts';
import { privateFolder } from './files.ts';
import { firstAdministrator } from './first-administrator.ts';
import { Packages } from './helium/packages.ts';
import { createHttp } from './http.ts';
import { Hub } from './hub.ts';
import { interpreters } from './interpreters/index.ts';
import { listen } from './listen.ts';
import { createLive } from './live.ts';
import { lockFolder } from './lock.ts';
import { createLog } from './log.ts';
import { openPlatform } from './magpie/platform.ts';
import { serverPeople } from './magpie/people.ts';
import { Metrics } from './metrics.ts';
import { Editor } from './notes/editor.ts';
import { NoteRepository } from './notes/repository.ts';
import { isLoopback, resolveOptions, type GivenOptions, type ServerOptions } from './options.ts';
import { originGate } from './origin.ts';
import { RevisionControl } from './revisions/control.ts';
import { Revisions } from './revisions/revisions.ts';
import { ResultStore } from './results/store.ts';
import { InterpreterPool } from './run/pool.ts';
import { RunHistory } from './run/history.ts';
import { Runs } from './run/runs.ts';
import { answerCode } from './run/requests.ts';
import { Schedules } from './run/schedules.ts';
import { SharedValues } from './run/shared-values.ts';
import { NoteSearch } from './search/index.ts';
import { addSamples } from './samples/index.ts';
import { Repositories } from './settings/repositories.ts';
import { InterpreterSettings } from './settings/settings.ts';
import { startInFront } from './upstream/index.ts';

export { describe } from './describe/index.ts';
export type { GivenOptions, ServerOptions } from './options.ts';
export { LIMITS, type LimitName, type Limits } from './limits.ts';
export type { LoginMode, OidcOptions } from './auth/sso-options.ts';
export type { JsonSchema } from './describe/schemas.ts';
export type { ResetMail, SendMail } from './auth/password-resets.ts';

/** A running server. */
export interface TidingServer {
  /** Address of its pages, without a trailing slash. */
  readonly url: string;
  /** The port it listens on: with `port: 0` the one that was free. */
  readonly port: number;
  /** A one-time link that signs the first administrator in; each call makes a new one and ends the one before. */
  loginLink(): string;
  /** Whether the first administrator signs in with a password; else by link. */
  readonly hasPassword: boolean;
  /** What whoever started it should know, in a sentence. */
  readonly notice?: string | undefined;
  /** Stops: nothing new is taken, runs end as ABORT, everything is stored. Within 10 s. */
  close(): Promise<void>;
}

/** Starts a server. Rejects with a sentence for people when it cannot: a taken port, an unwritable folder, no password. */
export async function createServer(given: GivenOptions = {}): Promise<TidingServer> {
  const options = resolveOptions(given);
  const log = createLog(options.logLevel);
  await writable(options.data);
  const unlock = await lockFolder(options.data);
  try {
    if (options.upstream !== undefined) return await startInFront(options, log, unlock);
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
  const permissions = new NotePermissions(options.data);
  await permissions.load();
  const trust = new NoteTrust(options.data);
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
  const editor = new Editor(notes, hub, options);
  // %sh and every file of the account: for the one person whose account it is, unless an administrator says otherwise.
  const shellAllowed = () => options.shell ?? (isLoopback(options.host) && users.count <= 1);
  const secrets = await Secrets.open(options.data);
  const credentials = await Credentials.open(options.data, secrets);
  const settings = await InterpreterSettings.open(options.data, interpreters, secrets);
  const repositories = await Repositories.open(options.data, secrets);
  const clusters: Clusters = await Clusters.open({
    data: options.data,
    log,
    localHealth: () => pool.health(),
  });
  const platform = await openPlatform({
    log,
    folder: join(options.data, 'magpie'),
    files,
    secrets,
    people: serverPeople(users, sessions, () => passwordResets),
    allowPrivateAddresses: options.allowPrivateRemotes ?? isLoopback(options.host),
    sendLetter: smtpLetters(options),
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
  });
  const audit = new Audit(options.data, log);
  const runs = new Runs({
    history: new RunHistory(options.data, log),
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
  const revisions = new Revisions(options.data, editor);
  const revisionControl = new RevisionControl({
    ...options,
    allowPrivateRemotes: options.allowPrivateRemotes ?? isLoopback(options.host),
    secrets,
    hub,
    log,
  });
  const schedules = new Schedules({ ...options, notes, runs, pool, users, permissions, log });
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
    tokens: new Tokens(options.data),
    embeds: new EmbedTokens(options.data, secrets),
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
  runs.onRequest = (asking, operation, values) => answerCode(asking, operation, values, context);
  sessions.onEnd = (key) => hub.endSession(key, 'You have been logged out.');
  editor.onChange = (note) => hub.tellJobChange(note.id, () => jobEntry(note, context));
  await addSamples(context, files);
  if (options.homeNote !== undefined && !notes.find(options.homeNote))
    log.warn({ note: options.homeNote }, 'there is no such home note');
  await schedules.start();
  await platform.start();
  await revisionControl.start((principal) => syncWork(principal, context));

  let port = options.port;
  const gate = originGate(options);
  const app = createHttp(context, gate, () => port);
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
      `The data folder ${folder} cannot be written (${(error as NodeJS.ErrnoException).code}). Choose another with --data.`,
    );
  }
}
