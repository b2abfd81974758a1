/** The objects that travel: notes, paragraphs, results, forms, settings. Field facts: the platform's data model. */
import * as z from 'zod/mini';
import { bag, maybe, open } from './define.ts';

/** Paragraph states. `UNKNOWN` exists in upstream's enum and is read as READY. */
export const paragraphStatus = z.enum([
  'READY',
  'PENDING',
  'RUNNING',
  'FINISHED',
  'ABORT',
  'ERROR',
  'UNKNOWN',
]);
/** Paragraph states; running means PENDING or RUNNING. */
export type ParagraphStatus = z.infer<typeof paragraphStatus>;

/**
 * One output of a paragraph: `type` is TEXT, HTML, ANGULAR, TABLE, IMG, SVG, NETWORK, NULL or a spell's magic.
 *
 * `rows` is ours: of a TABLE that the server keeps in full, with its types, the number of rows; `data` has the first ones, and `getResult`
 * all of them. Others leave it out and pass over it.
 */
export const resultMessage = open({
  type: z.string(),
  data: z._default(z.string(), ''),
  rows: maybe(z.number()),
});
/** One output of a paragraph. */
export type ResultMessage = z.infer<typeof resultMessage>;

/** What a run left: `code` is SUCCESS, INCOMPLETE, ERROR, KEEP_PREVIOUS_RESULT, or a status text after a spell. */
export const results = open({ code: maybe(z.string()), msg: maybe(z.array(resultMessage)) });
/** What a run left. */
export type Results = z.infer<typeof results>;

/** One choice of a select or check box form. */
export const formOption = open({ value: z.unknown(), displayName: maybe(z.string()) });
/** A dynamic form. `type` is absent in REST answers of upstream servers. */
export const form = open({
  name: maybe(z.string()),
  type: maybe(z.string()),
  displayName: maybe(z.string()),
  defaultValue: maybe(z.unknown()),
  hidden: maybe(z.boolean()),
  options: maybe(z.array(formOption)),
  argument: maybe(z.string()),
});
/** A dynamic form (text box, password, select, check box). */
export type Form = z.infer<typeof form>;

/** Values and definitions of the forms of a paragraph or of a note. */
export const formSettings = open({ params: maybe(bag), forms: maybe(z.record(z.string(), form)) });

/** How the editor treats a paragraph's language. */
export const editorSetting = open({
  language: maybe(z.string()),
  editOnDblClick: maybe(z.boolean()),
  completionKey: maybe(z.string()),
  completionSupport: maybe(z.boolean()),
});
/** How the editor treats a paragraph's language. */
export type EditorSetting = z.infer<typeof editorSetting>;

/** One column of a saved graph: `aggr` is sum, count, avg, min or max. */
export const graphColumn = open({ name: z.string(), index: z.number(), aggr: maybe(z.string()) });
/** Saved display settings of one output (`config.results[i].graph`). */
export const graphConfig = open({
  mode: maybe(z.string()),
  height: maybe(z.number()),
  optionOpen: maybe(z.boolean()),
  setting: maybe(bag),
  commonSetting: maybe(bag),
  keys: maybe(z.array(graphColumn)),
  groups: maybe(z.array(graphColumn)),
  values: maybe(z.array(graphColumn)),
});
/** Saved display settings of one output. */
export type GraphConfig = z.infer<typeof graphConfig>;
/** A column of a saved graph. */
export type GraphColumn = z.infer<typeof graphColumn>;

/**
 * Presentation of a paragraph. Unset means the client's default: colWidth 12 (1–12), fontSize 9 (9–20 pt), enabled true.
 * `results` is an object or an array by output number; both are read, an object is written.
 */
export const paragraphConfig = open({
  colWidth: maybe(z.number()),
  fontSize: maybe(z.number()),
  enabled: maybe(z.boolean()),
  runOnSelectionChange: maybe(z.boolean()),
  editorHide: maybe(z.boolean()),
  tableHide: maybe(z.boolean()),
  title: maybe(z.boolean()),
  lineNumbers: maybe(z.boolean()),
  results: maybe(z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())])),
  editorSetting: maybe(editorSetting),
  editorMode: maybe(z.string()),
});
/** Presentation of a paragraph. */
export type ParagraphConfig = z.infer<typeof paragraphConfig>;

/**
 * A paragraph as it travels. Dates are text in one of four formats (`parseDate` of the model reads all).
 * `rev` is ours: it grows with each accepted change of the text, and a commit names the one it was made from. So is
 * `author`, whose typing the text is (a random id), and `tookMs`, how long the last run took: the dates of the wire have whole seconds.
 */
export const paragraph = open({
  id: z.string(),
  title: maybe(z.string()),
  text: maybe(z.string()),
  user: maybe(z.string()),
  config: maybe(paragraphConfig),
  settings: maybe(formSettings),
  results: maybe(results),
  apps: maybe(z.array(z.unknown())),
  status: maybe(paragraphStatus),
  progress: maybe(z.number()),
  errorMessage: maybe(z.string()),
  jobName: maybe(z.string()),
  dateCreated: maybe(z.string()),
  dateUpdated: maybe(z.string()),
  dateStarted: maybe(z.string()),
  dateFinished: maybe(z.string()),
  runtimeInfos: maybe(bag),
  progressUpdateIntervalMs: maybe(z.number()),
  rev: maybe(z.number()),
  tookMs: maybe(z.number()),
  author: maybe(z.string()),
  authorSeq: maybe(z.number()),
});
/** A paragraph as it travels. */
export type Paragraph = z.infer<typeof paragraph>;

/**
 * Settings of a note; `personalizedMode` is the text "true" or "false". `cronTimeZone` is ours: the zone (IANA name) in which
 * `cron` is read, by default the server's.
 */
export const noteConfig = open({
  looknfeel: maybe(z.string()),
  cron: maybe(z.string()),
  cronExecutingUser: maybe(z.string()),
  cronExecutingRoles: maybe(z.string()),
  cronTimeZone: maybe(z.string()),
  releaseresource: maybe(z.boolean()),
  personalizedMode: maybe(z.string()),
  noteFormTitle: maybe(z.string()),
  isZeppelinNotebookCronEnable: maybe(z.boolean()),
});
/** Settings of a note. */
export type NoteConfig = z.infer<typeof noteConfig>;

/** A note as it travels. A: `name` is the whole path. B: `path` is the whole with a leading slash, `name` its last segment. */
export const note = open({
  id: z.string(),
  name: maybe(z.string()),
  path: maybe(z.string()),
  paragraphs: maybe(z.array(paragraph)),
  config: maybe(noteConfig),
  info: maybe(bag),
  noteParams: maybe(bag),
  noteForms: maybe(z.record(z.string(), form)),
  angularObjects: maybe(bag),
  defaultInterpreterGroup: maybe(z.string()),
});
/** A note as it travels. */
export type Note = z.infer<typeof note>;

/** An entry of the note list; A sends `name`, B sends `path`. */
export const noteEntry = open({ id: z.string(), name: maybe(z.string()), path: maybe(z.string()) });
/** An entry of the note list. */
export type NoteEntry = z.infer<typeof noteEntry>;

/** Who may do what with a note: users and roles; an empty list means everybody. */
export const permissions = open({
  owners: z.array(z.string()),
  writers: z.array(z.string()),
  runners: z.array(z.string()),
  readers: z.array(z.string()),
});
/** Who may do what with a note. */
export type Permissions = z.infer<typeof permissions>;

/** An interpreter within a setting. */
export const interpreterInfo = open({
  name: z.string(),
  class: maybe(z.string()),
  defaultInterpreter: maybe(z.boolean()),
  editor: maybe(editorSetting),
});
/** A binding of a note to an interpreter setting; the first selected one is the note's default. */
export const interpreterBinding = open({
  id: z.string(),
  name: z.string(),
  selected: maybe(z.boolean()),
  interpreters: maybe(z.array(interpreterInfo)),
});
/** A binding of a note to an interpreter setting. */
export type InterpreterBinding = z.infer<typeof interpreterBinding>;

/** An interpreter setting; status is READY, DOWNLOADING_DEPENDENCIES or ERROR (then with `errorReason`). */
export const interpreterSetting = open({
  id: z.string(),
  name: z.string(),
  group: maybe(z.string()),
  properties: maybe(bag),
  status: maybe(z.string()),
  errorReason: maybe(z.string()),
  interpreterGroup: maybe(z.array(interpreterInfo)),
  dependencies: maybe(z.array(z.unknown())),
  option: maybe(bag),
});
/** An interpreter setting. */
export type InterpreterSetting = z.infer<typeof interpreterSetting>;

/** An answer of completion. */
export const completion = open({ name: z.string(), value: z.string(), meta: maybe(z.string()) });
/** An answer of completion. */
export type Completion = z.infer<typeof completion>;

/** A note in the job list; times in ms. */
export const jobEntry = open({
  noteId: z.string(),
  noteName: maybe(z.string()),
  noteType: maybe(z.string()),
  interpreter: maybe(z.string()),
  isRunningJob: maybe(z.boolean()),
  unixTimeLastRun: maybe(z.number()),
  isRemoved: maybe(z.boolean()),
  paragraphs: maybe(
    z.array(open({ id: z.string(), name: maybe(z.string()), status: maybe(z.string()) })),
  ),
});
/** A note in the job list. */
export type JobEntry = z.infer<typeof jobEntry>;

/** A checkpoint of a note; `time` in Unix seconds. One without an id cannot be read, and is listed all the same: its id is `''`. */
export const revision = open({
  id: z._default(z.string(), ''),
  message: maybe(z.string()),
  time: maybe(z.number()),
});
/** A checkpoint of a note; `time` in Unix seconds. */
export type Revision = z.infer<typeof revision>;

/** The security ticket. `roles` is the JSON text of a list. */
export const ticket = open({
  principal: z.string(),
  ticket: z.string(),
  roles: maybe(z.string()),
  redirectURL: maybe(z.string()),
});
/** The security ticket. */
export type Ticket = z.infer<typeof ticket>;

/** A personal access token; `token` is present once, in the answer that created it. Times are ISO 8601 UTC; `lastUsedAt` where a server keeps it. */
export const accessToken = open({
  tokenId: z.string(),
  description: maybe(z.string()),
  createdAt: maybe(z.string()),
  expiresAt: z.optional(z.nullable(z.string())),
  lastUsedAt: z.optional(z.nullable(z.string())),
  disabled: maybe(z.boolean()),
  token: maybe(z.string()),
});
/** A personal access token. */
export type AccessToken = z.infer<typeof accessToken>;
