/**
 * The services of a standalone server. Read this file top to bottom to see how they fit together.
 */
import { join } from 'node:path';
import { answerCodeRequest } from './areas/code-requests.ts';
import type { ServerContext } from './areas/context.ts';
import { endSchedulesOf, jobEntryOf } from './areas/notes/schedules.ts';
import { roomForTable } from './areas/quotas.ts';
import { forgetUser } from './auth/accounts.ts';
import { CredentialStore } from './auth/credentials.ts';
import { accountOf } from './auth/embed-access.ts';
import { EmbedTokenStore } from './auth/embed-tokens.ts';
import { LoginLink } from './auth/login-link.ts';
import { smtpMailer, smtpSender } from './auth/mail.ts';
import { NoteTrustStore } from './auth/note-trust.ts';
import { PasswordResets } from './auth/password-resets.ts';
import { NotePermissions } from './auth/permissions.ts';
import { Secrets } from './auth/secrets.ts';
import { Sessions } from './auth/sessions.ts';
import { SingleSignOn } from './auth/single-sign-on.ts';
import { AccessTokenStore } from './auth/tokens.ts';
import type { Users } from './auth/users.ts';
import { isLoopback, type ServerOptions } from './base/options.ts';
import { ClusterService } from './clusters/clusters.ts';
import { DataFiles } from './files/data-files.ts';
import { TableFiles } from './files/table-files.ts';
import { Packages } from './helium/packages.ts';
import { Hub } from './hub/hub.ts';
import { installedInterpreters } from './interpreters/index.ts';
import { Ruff } from './interpreters/python/ruff/ruff.ts';
import { Audit } from './logging/audit.ts';
import type { Logger } from './logging/log.ts';
import { Metrics } from './logging/metrics.ts';
import { Magpie, serverPeople } from './magpie/index.ts';
import { CommentStore } from './notes/comment-store.ts';
import { NoteEditor } from './notes/editor.ts';
import { MentionMails } from './notes/mention-mails.ts';
import { isRunCopy } from './notes/note.ts';
import { NoteRepository } from './notes/repository.ts';
import { ResultStore } from './results/store.ts';
import { RemoteSynchronizer } from './revisions/control.ts';
import { RevisionService } from './revisions/revisions.ts';
import { AlertService } from './run/alerts/alerts.ts';
import { RunHistoryStore } from './run/history.ts';
import { tellMissingFile } from './run/missing-file.ts';
import { NoteDependencies } from './run/note-dependencies/note-dependencies.ts';
import { InterpreterPool } from './run/pool.ts';
import { RunService } from './run/runs.ts';
import { ScheduleService } from './run/schedules.ts';
import { SharedValues } from './run/shared-values.ts';
import { NoteSearch } from './search/index.ts';
import { Repositories } from './settings/repositories.ts';
import { InterpreterSettings } from './settings/settings.ts';

/** The opened services. */
export interface Services {
  /** Everything that handlers use. */
  readonly context: ServerContext;
  readonly magpie: Magpie;
}

/** What {@link openServices} needs. */
interface ServicesInput {
  readonly options: ServerOptions;
  readonly log: Logger;
  readonly users: Users;
  /** Returns the server's base URL, which is known once it listens. */
  readonly url: () => string;
}

/** Opens all services on a data folder and connects them. Nothing runs on its own yet. */
export async function openServices({ options, log, users, url }: ServicesInput): Promise<Services> {
  const sessions = await Sessions.open(options.data);
  const tokens = new AccessTokenStore(options.data);
  const { comments, permissions, trust, notes, results, search } = await openNotes(options, log);
  const files = await DataFiles.open(options.data, log);
  const hub = new Hub(permissions, notes, {
    limits: options,
    hidden: options.hideHomeNote ? options.homeNote : undefined,
  });
  const editor = new NoteEditor(notes, hub, options);
  // %sh and unrestricted file access are on for a single local user, unless an administrator
  // decides otherwise.
  const shellAllowed = () => options.shell ?? (isLoopback(options.host) && users.count <= 1);
  const secrets = await Secrets.open(options.data);
  const credentials = await CredentialStore.open(options.data, secrets);
  const interpreters = await installedInterpreters(
    options.kernels,
    options.zeppelinInterpreters,
    log,
  );
  const settings = await InterpreterSettings.open(options.data, interpreters, secrets);
  await credentials.bind((entity) => settings.serverOf(entity));
  const repositories = await Repositories.open(options.data, secrets);
  const clusters: ClusterService = await ClusterService.open({
    data: options.data,
    log,
    localHealth: () => pool.health(),
  });
  const sendEmail = smtpSender(options);
  // Never taken from a request, because the requester controls its headers.
  const pageUrl = () => options.publicUrl ?? url();
  const magpie = await Magpie.open({
    log,
    folder: join(options.data, 'magpie'),
    engineMegabytes: options.maxEngineMegabytes,
    files: files.shared,
    secrets,
    people: serverPeople(users, tokens, sessions, () => passwordResets),
    allowPrivateAddresses: options.allowPrivateFetch,
    sendEmail,
  });
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
    sparkOf: (principal) => clusters.masterOf(principal),
    isAlone: () => users.count <= 1,
    maxInstances: options.maxInterpreters,
    maxUserInstances: options.maxUserInterpreters,
    maxIdleMs: options.maxIdleMs,
    spareKernel: options.spareKernel,
    notify: ({ notes, principal, paragraphId }, notice) => {
      if (principal !== undefined) hub.sendToUser(principal, 'NOTICE', { notice });
      else for (const id of notes) hub.broadcastToNote(id, 'NOTICE', { notice, paragraphId });
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
    onError: (message, note, by) =>
      void tellMissingFile({ files, notes, permissions, hub }, message, note, by).catch(
        (error: Error) => log.error({ error: error.stack }, 'looking for a file failed'),
      ),
    maxOutputBytes: options.maxOutputBytes,
    maxDocumentBytes: options.maxDocumentBytes,
    maxRuns: options.maxRuns,
    maxRunMs: options.maxRunMs,
  });
  const metrics = new Metrics({
    sockets: () => hub.connections.size,
    local: {
      runs: () => runs.counts(),
      saves: () => notes.waiting,
      interpreters: () => pool.instances().length,
    },
  });
  const revisions = new RevisionService(options.data, editor);
  const revisionControl = new RemoteSynchronizer({
    ...options,
    allowPrivateRemotes: options.allowPrivateRemotes ?? isLoopback(options.host),
    secrets,
    hub,
    log,
  });
  const alerts = await AlertService.open({
    ...options,
    users,
    permissions,
    results,
    audit,
    log,
    send: sendEmail,
    url: pageUrl,
  });
  const schedules = new ScheduleService({
    ...options,
    notes,
    runs,
    pool,
    users,
    permissions,
    alerts,
    log,
  });
  const passwordResets: PasswordResets = new PasswordResets({
    folder: options.data,
    users,
    sessions,
    log,
    url: pageUrl,
    sendMail: options.sendMail ?? smtpMailer(options),
  });
  const context: ServerContext = {
    files,
    tableFiles: new TableFiles({
      folder: join(options.data, '.table-files'),
      bytes: options.maxFileBytes,
    }),
    credentials,
    clusters,
    magpie,
    settings,
    repositories,
    secrets,
    revisions,
    revisionControl,
    schedules,
    alerts,
    ruff: new Ruff(log),
    dependencies: new NoteDependencies({ lookup: pool.lookup, results, log }),
    sso: options.oidc && new SingleSignOn(options.oidc, users, log),
    passwordResets,
    url,
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
    comments,
    mentionMails: new MentionMails({ send: sendEmail, url: pageUrl, log }),
    hub,
    pool,
    results,
    runs,
    values: await SharedValues.open(options.data, { hub, editor, notes, pool }),
  };
  connect(context, magpie);
  return { context, magpie };
}

/** Opens the notes and what is stored beside them. */
async function openNotes(options: ServerOptions, log: Logger) {
  const permissions = new NotePermissions(options.data);
  await permissions.load();
  const trust = new NoteTrustStore(options.data);
  await trust.load();
  const notes = new NoteRepository(options.data, log);
  const comments = new CommentStore(options.data, log);
  const results: ResultStore = new ResultStore(
    options.data,
    {
      rows: options.maxResultRows,
      bytes: options.maxResultBytes,
      totalBytes: options.maxResultsBytes,
      room: (noteId) => roomForTable({ options, permissions, results }, noteId),
    },
    log,
  );
  await results.load();
  notes.onRead = (note) => results.check(note);
  await notes.load();
  results.sweep(notes.all(), notes.broken);
  const search = new NoteSearch(notes);
  notes.onChange = (id) => {
    const note = notes.find(id);
    if (!note || !isRunCopy(note)) search.change(id);
    results.settle(id, note);
    if (!note) comments.forget(id);
  };
  return { comments, permissions, trust, notes, results, search };
}

function connect(context: ServerContext, magpie: Magpie): void {
  const { audit, editor, hub, metrics, notes, runs, sessions, users } = context;
  runs.onEnd = (interpreter, status, seconds) => metrics.run(interpreter, status, seconds);
  notes.onStored = (seconds) => metrics.save(seconds);
  hub.onDrop = () => metrics.drop();
  sessions.onBegin = ({ principal, tokenId, embed }) =>
    audit.record(embed ? 'embed-token-used' : 'token-used', {
      principal,
      target: tokenId,
      note: embed?.note,
    });
  runs.onRequest = (asking, operation, values) =>
    answerCodeRequest(asking, operation, values, context);
  users.onRemoved = (name) =>
    forgetUser(name, {
      ...context,
      forgetGrants: (each) => magpie.forgetUser(each),
      endSchedules: (each) => endSchedulesOf(each, context),
    });
  sessions.onEnd = (key, reason = 'You have been logged out.') => hub.endSession(key, reason);
  editor.onChange = (note) => hub.broadcastJobChange(note.id, () => jobEntryOf(note, context));
}
