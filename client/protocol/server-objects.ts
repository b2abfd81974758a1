/** Objects of a server beside its notes: interpreters' templates, credentials, packages, clusters, search, people. */
import * as z from 'zod/mini';
import { bag, maybe, open } from './define.ts';
import { interpreterInfo } from './objects.ts';

/** One property of an interpreter template; `type` is textarea, string, number, url, password or checkbox. */
export const templateProperty = open({
  envName: maybe(z.string()),
  propertyName: maybe(z.string()),
  defaultValue: maybe(z.unknown()),
  description: maybe(z.string()),
  type: maybe(z.string()),
});
/** What a new setting of a group starts from. `properties` by key. */
export const interpreterTemplate = open({
  id: maybe(z.string()),
  name: maybe(z.string()),
  group: maybe(z.string()),
  properties: maybe(z.record(z.string(), templateProperty)),
  interpreterGroup: maybe(z.array(interpreterInfo)),
});
/** What a new setting of a group starts from. */
export type InterpreterTemplate = z.infer<typeof interpreterTemplate>;

/** A dependency of a setting: a Maven coordinate, a local path, or (ours) a Python requirement; `exclusions` as `group:artifact`. */
export const dependency = open({
  groupArtifactVersion: z.string(),
  local: maybe(z.boolean()),
  exclusions: maybe(z.array(z.string())),
});
/** A dependency of an interpreter setting. */
export type Dependency = z.infer<typeof dependency>;

/** What changes in a setting; its processes restart. */
export const settingChange = open({
  option: maybe(bag),
  properties: maybe(bag),
  dependencies: maybe(z.array(dependency)),
});
/** A setting to be made; `name` has no dot and is not taken, `group` names a template. */
export const newSetting = open({
  name: z.string(),
  group: z.string(),
  option: maybe(bag),
  properties: maybe(bag),
  dependencies: maybe(z.array(dependency)),
});
/** A setting to be made. */
export type NewSetting = z.infer<typeof newSetting>;

/** A repository that dependencies are read from; `central` and `local` are there by default. */
export const repository = open({
  id: z.string(),
  type: maybe(z.string()),
  url: maybe(z.string()),
  releasePolicy: maybe(bag),
  snapshotPolicy: maybe(bag),
  authentication: maybe(bag),
  proxy: maybe(bag),
  repositoryManager: maybe(z.boolean()),
});
/** A repository that dependencies are read from. */
export type Repository = z.infer<typeof repository>;
/** A repository to be added. */
export const newRepository = open({
  id: z.string().check(z.minLength(1)),
  url: z.string().check(z.minLength(1)),
  snapshot: maybe(z.boolean()),
  username: maybe(z.string()),
  password: maybe(z.string()),
  proxyProtocol: maybe(z.string()),
  proxyHost: maybe(z.string()),
  proxyPort: maybe(z.number()),
  proxyLogin: maybe(z.string()),
  proxyPassword: maybe(z.string()),
});
/** A repository to be added. */
export type NewRepository = z.infer<typeof newRepository>;

/** A credential as it is sent; the password may be empty here, upstream refuses that. */
export const credential = open({ entity: z.string(), username: z.string(), password: z.string() });
/** A credential as it is sent. */
export type Credential = z.infer<typeof credential>;
/** The user's credentials by entity. Never log or store this: upstream answers passwords in clear. */
export const credentials = open({
  userCredentials: maybe(
    z.record(z.string(), open({ username: maybe(z.string()), password: maybe(z.string()) })),
  ),
});

/** A hit: `id` is `<noteId>` or `<noteId>/paragraph/<paragraphId>`; `snippet` and `header` mark hits by `<B>…</B>`, all else is not escaped. */
export const searchResult = open({
  id: z.string(),
  name: maybe(z.string()),
  snippet: maybe(z.string()),
  text: maybe(z.string()),
  header: maybe(z.string()),
});
/** A hit of a search. */
export type SearchResult = z.infer<typeof searchResult>;

/** Names that may stand in lists of permissions. */
export const principals = open({ users: z.array(z.string()), roles: z.array(z.string()) });
/** Names that may stand in lists of permissions. */
export type Principals = z.infer<typeof principals>;

/** A package: visualization, spell, interpreter, application. Open: a package brings fields of its own. */
export const heliumPackage = open({
  type: z.string(),
  name: z.string(),
  description: maybe(z.string()),
  artifact: maybe(z.string()),
  className: maybe(z.string()),
  license: maybe(z.string()),
  icon: maybe(z.string()),
  published: maybe(z.string()),
  config: maybe(bag),
  spell: maybe(bag),
  resources: maybe(z.unknown()),
  groupId: maybe(z.string()),
  artifactId: maybe(z.string()),
});
/** A package with where it was found and whether it is on. */
export const heliumEntry = open({
  registry: maybe(z.string()),
  pkg: heliumPackage,
  enabled: maybe(z.boolean()),
});
/** A package with where it was found and whether it is on. */
export type HeliumEntry = z.infer<typeof heliumEntry>;
/** Settings of a package: what was saved, and what may be. */
export const heliumConfig = open({ confPersisted: maybe(bag), confSpec: maybe(bag) });
/** Settings of a package. */
export type HeliumConfig = z.infer<typeof heliumConfig>;

/**
 * A named place to compute. States: Provisioning, Bootstrapping, Running, Stopping, Stopped, Failed; health absent when not running. Times ISO
 * 8601 UTC. Ours: `owned`: the server runs it, and it can be started and stopped; `errorReason`: why it is Failed, where the server knows.
 */
export const cluster = open({
  clusterId: z.string(),
  name: z.string(),
  state: z.string(),
  description: maybe(z.string()),
  driverType: maybe(open({ name: z.string() })),
  workerType: maybe(open({ name: z.string() })),
  workerCount: maybe(z.number()),
  health: maybe(open({ driver: maybe(z.string()), workers: maybe(z.string()) })),
  sparkUiAddress: maybe(z.string()),
  lastStarted: maybe(z.union([z.string(), z.number()])),
  lastStopped: maybe(z.union([z.string(), z.number()])),
  owned: maybe(z.boolean()),
  errorReason: maybe(z.string()),
});
/** A named place to compute. */
export type Cluster = z.infer<typeof cluster>;
const currentClusterId = z.optional(z.nullable(z.string()));
/** Id of the user's current cluster; null: none. Ours: `message` says from when on that holds. */
export const currentCluster = open({ currentClusterId, message: maybe(z.string()) });
/** The clusters, and which is the user's current one. */
export const clusterList = open({ clusters: z.array(cluster), currentClusterId });
/** The clusters, and which is the user's current one. */
export type ClusterList = z.infer<typeof clusterList>;

/** Where notes are pushed to and pulled from; `{}` = nowhere. `accessToken` is eight stars in answers, and means "keep" when sent so. */
export const revisionControl = open({
  remoteUrl: maybe(z.string()),
  userName: maybe(z.string()),
  accessToken: maybe(z.string()),
  /** Ours, in answers: whether a sync goes on, how the last one since the server started ended (`time`: ISO 8601 UTC), and what is said of it. */
  sync: maybe(
    open({
      running: maybe(z.boolean()),
      ok: maybe(z.boolean()),
      time: maybe(z.string()),
      info: maybe(z.string()),
    }),
  ),
});
/** Where notes are pushed to and pulled from. */
export type RevisionControl = z.infer<typeof revisionControl>;

/** A storage of notes and what may be set of it. */
export const noteStorage = open({
  name: z.string(),
  className: maybe(z.string()),
  settings: maybe(z.array(bag)),
});
/** A storage of notes and what may be set of it. */
export type NoteStorage = z.infer<typeof noteStorage>;
/** A process of an interpreter that serves a note. */
export const interpreterSession = open({
  sessionId: maybe(z.string()),
  noteId: maybe(z.string()),
  interpreter: maybe(z.string()),
  state: maybe(z.string()),
  weburl: maybe(z.string()),
  startTime: maybe(z.union([z.string(), z.number()])),
});
/** A process of an interpreter that serves a note. */
export type InterpreterSession = z.infer<typeof interpreterSession>;

/** Whether scripts in the results of a note run for who asks. `origin`: made, copied or imported, `by` whom; absent where it is not known. */
export const noteTrust = open({
  trusted: z.boolean(),
  origin: maybe(z.string()),
  by: maybe(z.string()),
});
/** Trust in a note. */
export type NoteTrust = z.infer<typeof noteTrust>;

/** A run of a whole note: from when to when (epoch ms), how it ended (FINISHED, ERROR, ABORT), and as whom it ran. */
export const noteRun = open({
  start: z.number(),
  end: z.number(),
  status: z.string(),
  who: z.string(),
});
/** A run of a whole note. */
export type NoteRun = z.infer<typeof noteRun>;
