/**
 * Objects of a server apart from its notes: interpreter templates, credentials, packages, clusters,
 * search, people.
 */
import * as z from 'zod/mini';
import { jsonObject, maybe, open, strict } from './define.ts';
import { interpreterInfo } from './objects.ts';

/**
 * One property of an interpreter template. `type` is textarea, string, number, url, password or
 * checkbox.
 */
export const templateProperty = open({
  envName: maybe(z.string()),
  propertyName: maybe(z.string()),
  defaultValue: maybe(z.unknown()),
  description: maybe(z.string()),
  type: maybe(z.string()),
});
/** Initial values for a new setting of a group, with `properties` by key. */
export const interpreterTemplate = open({
  id: maybe(z.string()),
  name: maybe(z.string()),
  group: maybe(z.string()),
  properties: maybe(z.record(z.string(), templateProperty)),
  interpreterGroup: maybe(z.array(interpreterInfo)),
  option: maybe(jsonObject),
  status: maybe(z.string()),
  dependencies: maybe(z.array(jsonObject)),
});
/** Initial values for a new setting of a group. */
export type InterpreterTemplate = z.infer<typeof interpreterTemplate>;

/**
 * A dependency of a setting: a Maven coordinate, a local path, or (Tiding) a Python requirement.
 * `exclusions` are `group:artifact`.
 */
export const dependency = open({
  groupArtifactVersion: z.string(),
  local: maybe(z.boolean()),
  exclusions: maybe(z.array(z.string())),
});
/** A dependency of an interpreter setting. */
export type Dependency = z.infer<typeof dependency>;

/** Changes to a setting. Its processes restart. */
export const settingChange = open({
  option: maybe(jsonObject),
  properties: maybe(jsonObject),
  dependencies: maybe(z.array(dependency)),
});
/** A new setting. `name` has no dot and is unique; `group` names a template. */
export const newSetting = open({
  name: z.string(),
  group: z.string(),
  option: maybe(jsonObject),
  properties: maybe(jsonObject),
  dependencies: maybe(z.array(dependency)),
});
/** A new setting. */
export type NewSetting = z.infer<typeof newSetting>;

/** A Jupyter kernel that notes can use, and where it was found. */
export const jupyterKernel = open({
  /** Name of its kernelspec, for example `ir`. */
  name: z.string(),
  displayName: z.string(),
  /** Its programming language, for example `R`. */
  language: maybe(z.string()),
  /** Version of its language. Absent until it has run. */
  version: maybe(z.string()),
  /** Magics that run code on it, for example `%ir` and `%r`. Empty: nobody may use it now. */
  magics: z.array(z.string()),
  /** Its folder, or the address of its Jupyter server. */
  place: z.string(),
  /** Whether it runs on a Jupyter server elsewhere. */
  remote: maybe(z.boolean()),
  /** Its logo, as a `data:` address. */
  logo: maybe(z.string()),
});
/** A Jupyter kernel that notes can use. */
export type JupyterKernel = z.infer<typeof jupyterKernel>;
/** The Jupyter kernels of a server. */
export const kernelList = open({
  kernels: z.array(jupyterKernel),
  /** Kernels that can't be used and Jupyter servers that don't answer. */
  problems: z.array(open({ place: z.string(), reason: z.string() })),
  /** Jupyter's folders on the machine of the server. Empty: it doesn't look for kernels. */
  folders: z.array(z.string()),
});
/** The Jupyter kernels of a server. */
export type KernelList = z.infer<typeof kernelList>;

/** A repository that dependencies are read from. `central` and `local` exist by default. */
export const repository = open({
  id: z.string(),
  type: maybe(z.string()),
  url: maybe(z.string()),
  releasePolicy: maybe(jsonObject),
  snapshotPolicy: maybe(jsonObject),
  authentication: maybe(jsonObject),
  proxy: maybe(jsonObject),
  repositoryManager: maybe(z.boolean()),
});
/** A repository that dependencies are read from. */
export type Repository = z.infer<typeof repository>;
/** A new repository. */
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
/** A new repository. */
export type NewRepository = z.infer<typeof newRepository>;

/** A credential as it is sent. The password may be empty; Zeppelin refuses that. */
export const credential = open({ entity: z.string(), username: z.string(), password: z.string() });
/** A credential as it is sent. */
export type Credential = z.infer<typeof credential>;
/**
 * The user's credentials by entity. Never log or store this: Zeppelin answers passwords in clear
 * text.
 */
export const credentials = open({
  userCredentials: maybe(
    z.record(z.string(), open({ username: maybe(z.string()), password: maybe(z.string()) })),
  ),
});

/**
 * A search hit. `id` is `<noteId>` or `<noteId>/paragraph/<paragraphId>`. `snippet` and `header`
 * mark matches with `<B>…</B>`; the rest is not escaped.
 */
export const searchResult = open({
  id: z.string(),
  name: maybe(z.string()),
  snippet: maybe(z.string()),
  text: maybe(z.string()),
  header: maybe(z.string()),
});
/** A search hit. */
export type SearchResult = z.infer<typeof searchResult>;

/** Names that can be entered in lists of permissions. */
export const principals = open({ users: z.array(z.string()), roles: z.array(z.string()) });
/** Names that can be entered in lists of permissions. */
export type Principals = z.infer<typeof principals>;

/**
 * A package: a visualization, spell, interpreter or application. The schema is open because
 * packages add their own fields.
 */
export const heliumPackage = open({
  type: z.string(),
  name: z.string(),
  description: maybe(z.string()),
  artifact: maybe(z.string()),
  className: maybe(z.string()),
  license: maybe(z.string()),
  icon: maybe(z.string()),
  published: maybe(z.string()),
  config: maybe(jsonObject),
  spell: maybe(jsonObject),
  resources: maybe(z.unknown()),
  groupId: maybe(z.string()),
  artifactId: maybe(z.string()),
});
/** A package with its source and whether it is enabled. */
export const heliumEntry = open({
  registry: maybe(z.string()),
  pkg: heliumPackage,
  enabled: maybe(z.boolean()),
});
/** A package with its source and whether it is enabled. */
export type HeliumEntry = z.infer<typeof heliumEntry>;
/** Settings of a package: the saved values and the available fields. */
export const heliumConfig = open({ confPersisted: maybe(jsonObject), confSpec: maybe(jsonObject) });
/** Settings of a package. */
export type HeliumConfig = z.infer<typeof heliumConfig>;

/**
 * A compute cluster. States: Provisioning, Bootstrapping, Running, Stopping, Stopped, Failed.
 * `health` is absent unless it runs. Times are ISO 8601 in UTC. Tiding extensions: `owned` (the
 * server runs it and can start and stop it) and `errorReason` (why it is Failed, if known).
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
/** A compute cluster. */
export type Cluster = z.infer<typeof cluster>;
const currentClusterId = z.optional(z.nullable(z.string()));
/**
 * Id of the user's current cluster; null if none is set. Tiding extension: `message` says from when
 * on the choice applies.
 */
export const currentCluster = open({ currentClusterId, message: maybe(z.string()) });
/** The clusters, and the user's current one. */
export const clusterList = open({ clusters: z.array(cluster), currentClusterId });
/** The clusters, and the user's current one. */
export type ClusterList = z.infer<typeof clusterList>;

/**
 * The git remote that notes are pushed to and pulled from; `{}` means none. `accessToken` is eight
 * asterisks in answers; sent like that, it stays unchanged.
 */
export const revisionControl = open({
  remoteUrl: maybe(z.string()),
  userName: maybe(z.string()),
  accessToken: maybe(z.string()),
  /**
   * Tiding extension of answers: whether a sync is running, how the last one since the server
   * started ended (`time` is ISO 8601 in UTC), and its message.
   */
  sync: maybe(
    open({
      running: maybe(z.boolean()),
      ok: maybe(z.boolean()),
      time: maybe(z.string()),
      info: maybe(z.string()),
    }),
  ),
});
/** The git remote that notes are pushed to and pulled from. */
export type RevisionControl = z.infer<typeof revisionControl>;

/** A note storage and its configurable values. */
export const noteStorage = open({
  name: z.string(),
  className: maybe(z.string()),
  settings: maybe(z.array(jsonObject)),
});
/** A note storage and its configurable values. */
export type NoteStorage = z.infer<typeof noteStorage>;
/** An interpreter process that serves a note. */
export const interpreterSession = open({
  sessionId: maybe(z.string()),
  noteId: maybe(z.string()),
  interpreter: maybe(z.string()),
  state: maybe(z.string()),
  weburl: maybe(z.string()),
  startTime: maybe(z.union([z.string(), z.number()])),
});
/** An interpreter process that serves a note. */
export type InterpreterSession = z.infer<typeof interpreterSession>;

/**
 * Whether scripts in the results of a note run for the caller. `origin` is made, copied or
 * imported, `by` whom; absent if unknown.
 */
export const noteTrust = open({
  trusted: z.boolean(),
  origin: maybe(z.string()),
  by: maybe(z.string()),
});
/** Whether scripts in the results of a note run. */
export type NoteTrust = z.infer<typeof noteTrust>;

/**
 * One run of a whole note: its start and end (epoch ms), how it ended (FINISHED, ERROR, ABORT), and
 * the user it ran as.
 */
export const noteRun = open({
  start: z.number(),
  end: z.number(),
  status: z.string(),
  who: z.string(),
});
/** One run of a whole note. */
export type NoteRun = z.infer<typeof noteRun>;

/** What an alert is about: a failed run, a condition that a result meets, or a missed run. */
const alertEvent = z.enum(['failure', 'condition', 'missed']);
/** What an alert is about. */
export type AlertEvent = z.infer<typeof alertEvent>;
/**
 * When a value of a column is worth an alert. `paragraph` is an id. `aggregate` ignores missing
 * values; `first` is the first row. `value` is text, so that long numbers stay exact.
 */
const alertCondition = strict({
  paragraph: z.string(),
  column: z.string(),
  aggregate: z.enum(['first', 'min', 'max', 'sum', 'count']),
  is: z.enum(['<', '<=', '=', '!=', '>=', '>']),
  value: z.string().check(z.maxLength(200)),
});
/** When a value of a column is worth an alert. */
export type AlertCondition = z.infer<typeof alertCondition>;
/**
 * Recipients and events of the alerts of a note's schedule. `retries`: how often a failed run is
 * repeated before it counts as failed.
 */
export const scheduleAlerts = strict({
  on: z.array(alertEvent),
  condition: z.optional(alertCondition),
  mail: z.array(z.string()).check(z.maxLength(10)),
  webhook: z.optional(z.string()),
  retries: z.int().check(z.gte(0), z.lte(5)),
});
/** Recipients and events of the alerts of a note's schedule. */
export type ScheduleAlerts = z.infer<typeof scheduleAlerts>;
/** The last message about a schedule. `time` is in ms; `problem` says what was not delivered. */
export const alertOutcome = open({
  time: z.number(),
  text: z.string(),
  problem: maybe(z.string()),
});
/** What became of a message about a schedule. */
export type AlertOutcome = z.infer<typeof alertOutcome>;
/** The alerts of a note, whether the server can send mail, and what became of the last message. */
export const alertState = open({
  alerts: scheduleAlerts,
  sendsMail: z.boolean(),
  last: maybe(alertOutcome),
});
/** The alerts of a note and the outcome of the last message. */
export type AlertState = z.infer<typeof alertState>;

/** A variable of an interpreter. */
export const variable = open({
  name: z.string(),
  type: z.string(),
  /** Rows and columns, or the number of elements. */
  shape: maybe(z.string()),
  /** In bytes. */
  size: maybe(z.number()),
  /** Column names, or the first elements. */
  preview: z.string(),
  /** Whether its value is shown as a table. */
  isTable: z.boolean(),
});
/** A variable of an interpreter. */
export type Variable = z.infer<typeof variable>;

/**
 * Variables of the process that serves a user on a note. `isBusy`: code runs, so that these are
 * the variables before it. `total`: how many there are, if not all are listed.
 */
export const interpreterVariables = open({
  interpreter: z.string(),
  isBusy: z.boolean(),
  variables: z.array(variable),
  total: z.number(),
});
/** Variables of the process that serves a user on a note. */
export type InterpreterVariables = z.infer<typeof interpreterVariables>;

/**
 * Names that a paragraph writes and reads, and what follows from them. Texts that can't be parsed,
 * and most languages, have none.
 */
export const paragraphDependencies = open({
  id: z.string(),
  /** Tables, and variables of the interpreter. */
  writes: z.array(z.string()),
  /** Those that it uses before it writes them. */
  reads: z.array(z.string()),
  /** Ids of the paragraphs that write what it reads. */
  dependsOn: z.array(z.string()),
  /**
   * Only if the result is stale: the id of the paragraph that changed or ran later. It may be the
   * paragraph itself, if its text changed after the run.
   */
  staleBecause: maybe(z.string()),
});
/** Names that a paragraph writes and reads, and what follows from them. */
export type ParagraphDependencies = z.infer<typeof paragraphDependencies>;
