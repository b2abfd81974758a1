/** Every REST call, relative to `{rest}` = `{server}/api`. Order matters: a fixed segment comes before a parameter. */
import * as z from 'zod/mini';
import { bag, endpoint, maybe, open } from './define.ts';
import {
  accessToken,
  interpreterBinding,
  interpreterSetting,
  jobEntry,
  note,
  noteEntry,
  paragraph,
  permissions,
  results,
  revision,
  ticket,
} from './objects.ts';
import {
  cluster,
  clusterList,
  credential,
  credentials,
  currentCluster,
  heliumConfig,
  heliumEntry,
  interpreterSession,
  interpreterTemplate,
  newRepository,
  newSetting,
  noteRun,
  noteStorage,
  noteTrust,
  principals,
  repository,
  revisionControl,
  searchResult,
  settingChange,
} from './server-objects.ts';

const nothing = z.unknown();
const text = z.string();
const params = open({ params: maybe(bag) });
/** Path of a note that is made: `name` up to 0.12.0, `notePath` since 0.12.1. */
const newPath = { name: maybe(text), notePath: maybe(text) };
/** A format by name, and which rows: from `offset` on, `limit` at most. */
const resultRange = open({
  format: z.optional(text),
  offset: z.optional(z.number()),
  limit: z.optional(z.number()),
});
/** An empty list of names; upstream's page says null for it. */
const namesOrNull = z.pipe(
  z.nullable(z.array(z.string())),
  z.transform((list) => list ?? []),
) as unknown as z.ZodMiniType<string[]>;
/** State of one paragraph's run; `progress` is text, "100" when it is not running. */
const jobStatus = open({
  id: z.string(),
  status: z.string(),
  progress: maybe(z.string()),
  started: maybe(z.string()),
  finished: maybe(z.string()),
  errorMessage: maybe(z.string()),
});
const roleAccessToken = ['magpie.AccessToken', 'AccessToken'] as const;
const roleInterpreters = ['global.SuperAdmin', 'magpie.OrganizationAdmin', 'admin'] as const;
const roleAdmin = ['global.SuperAdmin', 'admin'] as const;
const roleRevisions = ['global.SuperAdmin', 'magpie.OrganizationAdmin'] as const;
const names = z.array(text);
const jobs = open({ lastResponseUnixTime: maybe(z.number()), jobs: z.array(jobEntry) });
const packages = z.array(heliumEntry);
const newPassword = z.string().check(z.minLength(1));

/** Every REST call by name. */
export const endpoints = {
  version: endpoint('GET', '/version', {
    access: 'public',
    /**
     * `tiding`: ours; `namesReplies`: what is sent to the sender of a message carries its `msgId`; `presence` and `restores`: it has
     * TIDING_PRESENCE and TIDING_RESTORE_PARAGRAPH. `gateway`: ours in front of
     * another, whose `version` this is; `also`: the calls it adds, as `METHOD /path`.
     */
    answer: open({
      version: z.string(),
      tiding: maybe(
        open({
          version: z.string(),
          namesReplies: maybe(z.boolean()),
          presence: maybe(z.boolean()),
          restores: maybe(z.boolean()),
        }),
      ),
      gateway: maybe(open({ version: z.string(), also: maybe(z.array(z.string())) })),
    }),
  }),
  ticket: endpoint('GET', '/security/ticket', { answer: ticket }),
  /** Single sign-on of upstream (Knox): where to sign in; 405 elsewhere. */
  loginAddress: endpoint('GET', '/login', {
    access: 'public',
    answer: open({ redirectURL: maybe(text) }),
  }),
  /** A browser redirect to the identity provider, and after it to `ref`; use the address, not the call. */
  ssoLogin: endpoint('GET', '/login/sso', {
    access: 'public',
    content: 'raw',
    since: 'none',
    fork: true,
    query: open({
      domain: maybe(text),
      email: maybe(text),
      useHttps: maybe(text),
      ref: maybe(text),
    }),
  }),
  /** Ours: where the identity provider sends the browser back to, with `state` and `code` or `error`. */
  ssoCallback: endpoint('GET', '/login/sso/callback', {
    access: 'public',
    content: 'raw',
    since: 'none',
    query: open({ state: maybe(text), code: maybe(text), error: maybe(text) }),
  }),
  login: endpoint('POST', '/login', {
    access: 'public',
    encoding: 'form',
    body: open({ userName: z.string(), password: z.string() }),
    answer: ticket,
  }),
  /** Ours: signs in with the one-time token of the link that the server prints at its start. */
  loginOnce: endpoint('POST', '/login/once', {
    access: 'public',
    since: 'none',
    body: open({ token: z.string().check(z.minLength(1)) }),
    answer: ticket,
  }),
  /** Answers 401 always, as upstream does; the client reads that as success. */
  logout: endpoint('POST', '/login/logout', { access: 'public', answer: nothing }),
  magpieConfig: endpoint('GET', '/magpie/config', { access: 'public', answer: bag }),
  magpieVersion: endpoint('GET', '/magpie/version', {
    access: 'public',
    answer: open({ version: z.string() }),
  }),
  /** Ours: every REST call, as OpenAPI 3.1. */
  openApi: endpoint('GET', '/openapi.json', { since: 'none', envelope: false, answer: bag }),
  /** Ours: every live operation, as AsyncAPI 3. */
  asyncApi: endpoint('GET', '/asyncapi.json', { since: 'none', envelope: false, answer: bag }),
  listTokens: endpoint('GET', '/magpie/access-token', {
    access: roleAccessToken,
    answer: z.array(accessToken),
  }),
  /** `expiresInDays` absent: the server's choice; null (ours): never. */
  createToken: endpoint('POST', '/magpie/access-token', {
    access: roleAccessToken,
    body: z.optional(
      open({ description: maybe(z.string()), expiresInDays: z.optional(z.nullable(z.number())) }),
    ),
    answer: accessToken,
  }),
  setTokenStatus: endpoint('PUT', '/magpie/access-token/:tokenId/status/:status', {
    access: roleAccessToken,
    answer: accessToken,
  }),
  describeToken: endpoint('PUT', '/magpie/access-token/:tokenId/description', {
    access: roleAccessToken,
    encoding: 'text',
    body: text,
    answer: accessToken,
  }),
  deleteToken: endpoint('DELETE', '/magpie/access-token/:tokenId', {
    access: roleAccessToken,
    answer: nothing,
  }),
  /** Ours: a token for a page of another host: one note or paragraph, for at most 300 s. `params` are values of forms that the page cannot change; pages of another `origin` are refused. */
  createEmbedToken: endpoint('POST', '/magpie/embed-token', {
    body: open({
      noteId: text,
      paragraphId: maybe(text),
      scope: z.enum(['view', 'run', 'edit']),
      params: maybe(bag),
      expiresInSeconds: maybe(z.number()),
      subject: maybe(text),
      origin: maybe(text),
    }),
    answer: open({ token: text, expiresAt: text, jti: text }),
  }),
  revokeEmbedToken: endpoint('DELETE', '/magpie/embed-token/:jti', { answer: nothing }),
  /** All that the caller made; `issuer`: that somebody else made, for administrators. */
  revokeEmbedTokens: endpoint('DELETE', '/magpie/embed-token', {
    query: open({ issuer: maybe(text) }),
    answer: nothing,
  }),
  /** Ours: whether scripts in the results of a note run for the caller, how the note came to be, and by whom. */
  getTrust: endpoint('GET', '/magpie/trust/:noteId', { since: 'none', answer: noteTrust }),
  /** Ours: the caller's decision, kept for him and this note. */
  setTrust: endpoint('PUT', '/magpie/trust/:noteId', {
    since: 'none',
    body: open({ trusted: z.boolean() }),
    answer: noteTrust,
  }),
  /** Part of names, in users and roles; at most five users. */
  findPrincipals: endpoint('GET', '/security/userlist/:term', { answer: principals }),
  principals: endpoint('GET', '/magpie/principals', { answer: principals }),
  /** 202 whether or not there is such a user. */
  requestPasswordReset: endpoint('POST', '/magpie/password-reset', {
    access: 'public',
    body: open({ username: text.check(z.minLength(1)) }),
    answer: bag,
  }),
  checkPasswordReset: endpoint('GET', '/magpie/password-reset/:resetToken', {
    access: 'public',
    answer: open({ valid: maybe(z.boolean()), expiresAt: maybe(text) }),
  }),
  resetPassword: endpoint('PUT', '/magpie/password-reset/:resetToken', {
    access: 'public',
    body: open({ newPassword }),
    answer: bag,
  }),

  configurations: endpoint('GET', '/configurations/all', { access: roleAdmin, answer: bag }),
  configurationsByPrefix: endpoint('GET', '/configurations/prefix/:prefix', {
    access: roleAdmin,
    answer: bag,
  }),
  clientConfiguration: endpoint('GET', '/configurations/client', {
    since: '0.13.0',
    answer: open({ wsMaxMessageSize: maybe(z.unknown()) }),
  }),
  listStorages: endpoint('GET', '/notebook-repositories', {
    access: roleAdmin,
    answer: z.array(noteStorage),
  }),
  reloadStorages: endpoint('GET', '/notebook-repositories/reload', {
    access: roleAdmin,
    answer: nothing,
  }),
  updateStorage: endpoint('PUT', '/notebook-repositories', {
    access: roleAdmin,
    body: open({ name: text, settings: bag }),
    answer: noteStorage,
  }),
  /** DEBUG, ERROR, FATAL, INFO, TRACE or WARN; 406 for another. */
  setLogLevel: endpoint('PUT', '/log/level/:level', { access: roleAdmin, answer: nothing }),
  getLogger: endpoint('GET', '/admin', {
    access: roleAdmin,
    since: '0.9.0',
    query: open({ name: maybe(text) }),
    answer: nothing,
  }),
  setLogger: endpoint('POST', '/admin', {
    access: roleAdmin,
    since: '0.9.0',
    body: open({ name: text, level: text }),
    answer: nothing,
  }),

  listClusters: endpoint('GET', '/magpie/clusters', { answer: clusterList }),
  /** `{}` unsets. 404 for an unknown name, 409 for one that does not run. */
  setCluster: endpoint('POST', '/magpie/clusters/current', {
    body: open({ clusterName: maybe(text) }),
    answer: currentCluster,
  }),
  /** Ours: starts a cluster with `owned`; it takes up to a minute until its state is Running. 404 for an unknown name, 409 where that cannot be. */
  startCluster: endpoint('POST', '/magpie/clusters/:clusterName/start', {
    access: roleRevisions,
    answer: cluster,
  }),
  /** Ours: stops a cluster with `owned`, and whatever runs on it. As startCluster; answers when it is stopped. */
  stopCluster: endpoint('POST', '/magpie/clusters/:clusterName/stop', {
    access: roleRevisions,
    answer: cluster,
  }),
  getRevisionControl: endpoint('GET', '/magpie/revision-control', {
    access: roleRevisions,
    answer: revisionControl,
  }),
  /** `{}` removes. A sync follows, which ends in REPO_SYNC_SUCCESS or REPO_SYNC_ERROR. */
  setRevisionControl: endpoint('POST', '/magpie/revision-control', {
    access: roleRevisions,
    body: revisionControl,
    answer: bag,
  }),
  /** Ours: synchronises now. Ends in REPO_SYNC_SUCCESS or REPO_SYNC_ERROR for the caller, and keeps the configuration in both cases; 409 without one. */
  syncRevisions: endpoint('POST', '/magpie/revision-control/sync', {
    access: roleRevisions,
    answer: bag,
  }),
  commandLine: endpoint('GET', '/magpie/cli', { content: 'raw' }),
  /** `format` (csv, json, arrow, parquet), and `offset` and `limit` in rows, are ours. */
  checkResult: endpoint('HEAD', '/magpie/result/:resultId', { query: resultRange, content: 'raw' }),
  getResult: endpoint('GET', '/magpie/result/:resultId', { query: resultRange, content: 'raw' }),
  /** Ours: an object of the catalogue as the payload of the widget that shows it; `name` is dotted, `core.trips`. */
  getObject: endpoint('GET', '/magpie/object/:widget/:name', {
    since: 'none',
    answer: open({ widget: text, version: maybe(z.number()), data: bag }),
  }),
  /** Ours: puts a data file (base64) where the interpreters read. `path` is how they find it: another name where one of that name was there. */
  putFile: endpoint('PUT', '/magpie/file/:name', {
    since: 'none',
    body: open({ data: text }),
    answer: open({ path: text, size: z.number() }),
  }),
  getFile: endpoint('POST', '/magpie/file', {
    content: 'raw',
    body: open({ file: open({ path: text }) }),
  }),

  /** At most 20 hits. */
  searchNotes: endpoint('GET', '/notebook/search', {
    query: open({ q: text }),
    answer: z.array(searchResult),
  }),
  listJobs: endpoint('GET', '/notebook/jobmanager/', { answer: jobs }),
  /** What changed since then, in ms. */
  listJobsSince: endpoint('GET', '/notebook/jobmanager/:since/', { answer: jobs }),
  /** Ours: the last fifty runs of the whole note, oldest first. */
  jobHistory: endpoint('GET', '/magpie/jobs/:noteId/history', {
    since: 'none',
    answer: z.array(noteRun),
  }),
  capabilities: endpoint('GET', '/notebook/capabilities', {
    since: '0.12.1',
    answer: open({ isRevisionSupported: maybe(z.unknown()) }),
  }),
  getNoteByPath: endpoint('POST', '/notebook/getByPath', {
    since: '0.11.0',
    body: open({ notePath: text }),
    answer: note,
  }),
  setCron: endpoint('POST', '/notebook/cron/:noteId', {
    body: open({ cron: text, releaseResource: maybe(z.boolean()) }),
    answer: nothing,
  }),
  /** `{}` = no schedule. */
  getCron: endpoint('GET', '/notebook/cron/:noteId', {
    answer: open({ cron: maybe(text), releaseResource: maybe(z.boolean()) }),
  }),
  deleteCron: endpoint('DELETE', '/notebook/cron/:noteId', { answer: nothing }),
  listNotes: endpoint('GET', '/notebook', { answer: z.array(noteEntry) }),
  createNote: endpoint('POST', '/notebook', {
    body: open({
      ...newPath,
      paragraphs: maybe(
        z.array(open({ title: maybe(text), text: maybe(text), config: maybe(bag) })),
      ),
      defaultInterpreterGroup: maybe(z.string()),
      addingEmptyParagraph: maybe(z.boolean()),
    }),
    answer: text,
  }),
  /** Also a Jupyter notebook. `notePath` names it (since 0.9). */
  importNote: endpoint('POST', '/notebook/import', {
    body: bag,
    query: open({ notePath: maybe(text) }),
    answer: text,
  }),
  /** The note as JSON text in a string: parse twice. */
  exportNote: endpoint('GET', '/notebook/export/:noteId', { answer: text }),
  /** A answers at the end, B at once unless `blocking`; `isolated` runs in processes of its own. */
  runNote: endpoint('POST', '/notebook/job/:noteId', {
    body: z.optional(params),
    query: open({ blocking: maybe(z.boolean()), isolated: maybe(z.boolean()) }),
    answer: nothing,
  }),
  stopNote: endpoint('DELETE', '/notebook/job/:noteId', { answer: nothing }),
  noteJob: endpoint('GET', '/notebook/job/:noteId', {
    answer: z.union([
      z.array(jobStatus),
      open({ id: maybe(text), isRunning: maybe(z.boolean()), paragraphs: z.array(jobStatus) }),
    ]),
  }),
  paragraphJob: endpoint('GET', '/notebook/job/:noteId/:paragraphId', { answer: jobStatus }),
  startParagraph: endpoint('POST', '/notebook/job/:noteId/:paragraphId', {
    body: z.optional(params),
    answer: nothing,
  }),
  stopParagraph: endpoint('DELETE', '/notebook/job/:noteId/:paragraphId', { answer: nothing }),
  /** Waits for the end of the run; a failure of the interpreter answers 500 with the same body. */
  runParagraph: endpoint('POST', '/notebook/run/:noteId/:paragraphId', {
    body: z.optional(params),
    answer: results,
  }),
  getBindings: endpoint('GET', '/notebook/interpreter/bind/:noteId', {
    until: '0.9.0',
    answer: z.array(interpreterBinding),
  }),
  setBindings: endpoint('PUT', '/notebook/interpreter/bind/:noteId', {
    until: '0.9.0',
    body: z.array(text),
    answer: nothing,
  }),
  getNote: endpoint('GET', '/notebook/:noteId', { answer: note }),
  deleteNote: endpoint('DELETE', '/notebook/:noteId', { answer: nothing }),
  /** Clones the note; the only way to clone one that is not open on an upstream server. */
  cloneNote: endpoint('POST', '/notebook/:noteId', {
    body: z.optional(open(newPath)),
    answer: text,
  }),
  clearNote: endpoint('PUT', '/notebook/:noteId/clear', { answer: nothing }),
  renameNote: endpoint('PUT', '/notebook/:noteId/rename', {
    since: '0.9.0',
    body: open({ name: z.string() }),
    answer: nothing,
  }),
  getPermissions: endpoint('GET', '/notebook/:noteId/permissions', { answer: permissions }),
  setPermissions: endpoint('PUT', '/notebook/:noteId/permissions', {
    body: open({
      owners: namesOrNull,
      writers: namesOrNull,
      runners: namesOrNull,
      readers: namesOrNull,
    }),
    answer: nothing,
  }),
  listRevisions: endpoint('GET', '/notebook/:noteId/revision', {
    since: '0.11.0',
    answer: z.array(revision),
  }),
  /** A Zeppelin answers with the id alone, and with nothing where nothing has changed. */
  checkpointNote: endpoint('POST', '/notebook/:noteId/revision', {
    since: '0.11.0',
    body: open({ commitMessage: text }),
    answer: z.optional(z.union([revision, text])),
  }),
  getRevision: endpoint('GET', '/notebook/:noteId/revision/:revisionId', {
    since: '0.11.0',
    answer: note,
  }),
  setRevision: endpoint('PUT', '/notebook/:noteId/revision/:revisionId', {
    since: '0.11.0',
    answer: nothing,
  }),
  /** A new paragraph at the end; above `maxParagraph` of them the oldest goes. Upstream answers its id in `message`. */
  nextParagraph: endpoint('POST', '/notebook/:noteId/paragraph/next', {
    since: '0.9.0',
    query: open({ maxParagraph: maybe(z.number()) }),
    answer: text,
  }),
  insertParagraph: endpoint('POST', '/notebook/:noteId/paragraph', {
    body: open({
      title: maybe(text),
      text: maybe(text),
      index: maybe(z.number()),
      config: maybe(bag),
    }),
    answer: text,
  }),
  getParagraph: endpoint('GET', '/notebook/:noteId/paragraph/:paragraphId', { answer: paragraph }),
  updateParagraph: endpoint('PUT', '/notebook/:noteId/paragraph/:paragraphId', {
    body: open({ text: text, title: maybe(text) }),
    answer: nothing,
  }),
  configureParagraph: endpoint('PUT', '/notebook/:noteId/paragraph/:paragraphId/config', {
    body: bag,
    answer: paragraph,
  }),
  moveParagraph: endpoint('POST', '/notebook/:noteId/paragraph/:paragraphId/move/:index', {
    answer: nothing,
  }),
  deleteParagraph: endpoint('DELETE', '/notebook/:noteId/paragraph/:paragraphId', {
    answer: nothing,
  }),

  /** What new settings may be made of, by group. */
  listTemplates: endpoint('GET', '/interpreter', {
    answer: z.record(z.string(), interpreterTemplate),
  }),
  listSettings: endpoint('GET', '/interpreter/setting', { answer: z.array(interpreterSetting) }),
  createSetting: endpoint('POST', '/interpreter/setting', {
    access: roleInterpreters,
    body: newSetting,
    answer: interpreterSetting,
  }),
  restartSetting: endpoint('PUT', '/interpreter/setting/restart/:settingId', {
    body: z.optional(open({ noteId: maybe(text) })),
    answer: interpreterSetting,
  }),
  getSetting: endpoint('GET', '/interpreter/setting/:settingId', { answer: interpreterSetting }),
  updateSetting: endpoint('PUT', '/interpreter/setting/:settingId', {
    access: roleInterpreters,
    body: settingChange,
    answer: interpreterSetting,
  }),
  deleteSetting: endpoint('DELETE', '/interpreter/setting/:settingId', {
    access: roleInterpreters,
    answer: nothing,
  }),
  listPropertyTypes: endpoint('GET', '/interpreter/property/types', { answer: names }),
  listRepositories: endpoint('GET', '/interpreter/repository', { answer: z.array(repository) }),
  addRepository: endpoint('POST', '/interpreter/repository', {
    access: roleInterpreters,
    body: newRepository,
    answer: nothing,
  }),
  deleteRepository: endpoint('DELETE', '/interpreter/repository/:repositoryId', {
    access: roleInterpreters,
    answer: nothing,
  }),
  /** `url` of the engine's own page, or `message`; nothing when it does not run. Gone in 0.9. */
  settingMetadata: endpoint('GET', '/interpreter/metadata/:settingId', {
    until: '0.9.0',
    answer: z.optional(open({ url: maybe(text), message: maybe(text) })),
  }),
  /** Its end comes as INTERPRETER_INSTALL_RESULT. */
  installInterpreter: endpoint('POST', '/interpreter/install', {
    access: roleInterpreters,
    since: '0.9.0',
    body: open({ name: text, artifact: text }),
    answer: nothing,
  }),

  listCredentials: endpoint('GET', '/credential', { answer: credentials }),
  putCredential: endpoint('PUT', '/credential', { body: credential, answer: nothing }),
  deleteCredential: endpoint('DELETE', '/credential/:entity', { answer: nothing }),
  deleteCredentials: endpoint('DELETE', '/credential', { answer: nothing }),

  listSessions: endpoint('GET', '/session', {
    since: '0.9.0',
    answer: z.array(interpreterSession),
  }),
  createSession: endpoint('POST', '/session', {
    since: '0.9.0',
    query: open({ interpreter: maybe(text) }),
    answer: interpreterSession,
  }),
  getSession: endpoint('GET', '/session/:sessionId', {
    since: '0.9.0',
    answer: interpreterSession,
  }),
  deleteSession: endpoint('DELETE', '/session/:sessionId', { since: '0.9.0', answer: nothing }),

  listPackages: endpoint('GET', '/helium/package', { answer: z.record(z.string(), packages) }),
  getPackage: endpoint('GET', '/helium/package/:name', { answer: packages }),
  listEnabledPackages: endpoint('GET', '/helium/enabledPackage', { answer: packages }),
  /** A script; a text that starts with `ERROR:` is why there is none. */
  loadBundle: endpoint('GET', '/helium/bundle/load/:name', {
    content: 'raw',
    query: open({ refresh: maybe(z.boolean()) }),
  }),
  listPackageConfigs: endpoint('GET', '/helium/config', { answer: bag }),
  getPackageConfig: endpoint('GET', '/helium/config/:name/:artifact', { answer: heliumConfig }),
  setPackageConfig: endpoint('POST', '/helium/config/:name/:artifact', {
    access: roleAdmin,
    body: bag,
    answer: z.optional(bag),
  }),
  getSpellConfig: endpoint('GET', '/helium/spell/config/:name', { answer: heliumConfig }),
  /** Upstream takes the package's name in the path and its artifact in the body, the fork the artifact and the type. */
  enablePackage: endpoint('POST', '/helium/enable/:name', {
    access: roleAdmin,
    encoding: 'text',
    body: text,
    answer: nothing,
  }),
  disablePackage: endpoint('POST', '/helium/disable/:name', { access: roleAdmin, answer: nothing }),
  getPackageOrder: endpoint('GET', '/helium/order/visualization', { answer: z.optional(names) }),
  setPackageOrder: endpoint('POST', '/helium/order/visualization', {
    access: roleAdmin,
    body: names,
    answer: z.optional(names),
  }),
  suggestPackages: endpoint('GET', '/helium/suggest/:noteId/:paragraphId', {
    answer: open({ available: maybe(packages) }),
  }),
  /** Answers the id of the application; APP_* events follow. */
  loadPackage: endpoint('POST', '/helium/load/:noteId/:paragraphId', { body: bag, answer: text }),
  /** Ours: takes an application off a paragraph; APP_STATUS_CHANGE follows. */
  unloadPackage: endpoint('DELETE', '/helium/load/:noteId/:paragraphId/:appId', {
    since: 'none',
    answer: nothing,
  }),
};

/** Name of a REST call. */
export type EndpointName = keyof typeof endpoints;
/** What a call answers, unwrapped; the platform's `Response` where the answer is a file. */
export type EndpointAnswer<Name extends EndpointName> =
  (typeof endpoints)[Name]['content'] extends 'raw'
    ? Response
    : z.infer<(typeof endpoints)[Name]['answer']>;
/** What a call takes. */
export type EndpointBody<Name extends EndpointName> = z.infer<(typeof endpoints)[Name]['body']>;
/** Names of the parameters of a path: `noteId` and `paragraphId` of `/notebook/:noteId/paragraph/:paragraphId`. */
export type PathParam<Path extends string> = Path extends `${string}:${infer Param}/${infer Rest}`
  ? Param | PathParam<`/${Rest}`>
  : Path extends `${string}:${infer Param}`
    ? Param
    : never;
/** The parameters of a call's path. They are encoded by the client. */
export type EndpointParams<Name extends EndpointName> = {
  readonly [Param in PathParam<(typeof endpoints)[Name]['path']>]: string | number;
};
/** The query of a call. */
export type EndpointQuery<Name extends EndpointName> = z.infer<(typeof endpoints)[Name]['query']>;
