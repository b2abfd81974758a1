/** Objects that messages and REST calls carry: notes, paragraphs, results, forms and settings. */
import * as z from 'zod/mini';
import { embedScopes, jsonObject, maybe, open } from './define.ts';

/** States of a paragraph. The client treats `UNKNOWN`, which Zeppelin defines, as READY. */
export const paragraphStatus = z.enum([
  'READY',
  'PENDING',
  'RUNNING',
  'FINISHED',
  'ABORT',
  'ERROR',
  'UNKNOWN',
]);
/** State of a paragraph. PENDING and RUNNING count as running. */
export type ParagraphStatus = z.infer<typeof paragraphStatus>;

/**
 * One output of a paragraph. `type` is TEXT, HTML, ANGULAR, TABLE, IMG, SVG, NETWORK, NULL or the
 * magic of a spell; on Tiding servers also TERMINAL and, while code asks for input, INPUT.
 *
 * Tiding extensions, which other servers omit and ignore: `rows` is the number of rows of a TABLE
 * that the server stores completely. `data` then has only the first rows, and `getResult`
 * returns all of them. `columnTypes` is the type of each column of such a table; without it, types
 * are guessed from `data`. `jupyter` is what an output of an imported notebook has besides `data`.
 */
export const resultMessage = open({
  type: z.string(),
  // Some files have null.
  data: z.catch(z._default(z.string(), ''), ''),
  rows: maybe(z.number()),
  columnTypes: maybe(z.array(z.catch(z.enum(['number', 'string', 'date']), 'string'))),
  jupyter: maybe(jsonObject),
});
/** One output of a paragraph. */
export type ResultMessage = z.infer<typeof resultMessage>;

/**
 * Result of a run. `code` is SUCCESS, INCOMPLETE, ERROR, KEEP_PREVIOUS_RESULT, or a status text
 * after a spell. Tiding: `executionCount` is the number that Jupyter gave to an imported cell.
 */
export const results = open({
  code: maybe(z.string()),
  msg: maybe(z.array(resultMessage)),
  executionCount: maybe(z.number()),
});
/** Result of a run. */
export type Results = z.infer<typeof results>;

/** One option of a select or checkbox form. */
export const formOption = open({ value: z.unknown(), displayName: maybe(z.string()) });
/** A dynamic form. Zeppelin omits `type` in REST answers. */
export const form = open({
  name: maybe(z.string()),
  type: maybe(z.string()),
  displayName: maybe(z.string()),
  defaultValue: maybe(z.unknown()),
  hidden: maybe(z.boolean()),
  options: maybe(z.array(formOption)),
  argument: maybe(z.string()),
});
/** A dynamic form (text box, password, select, checkbox). */
export type Form = z.infer<typeof form>;

/** Values and definitions of the forms of a paragraph or a note. */
export const formSettings = open({
  params: maybe(jsonObject),
  forms: maybe(z.record(z.string(), form)),
});

/** How the editor treats the language of a paragraph. */
export const editorSetting = open({
  language: maybe(z.string()),
  editOnDblClick: maybe(z.boolean()),
  completionKey: maybe(z.string()),
  completionSupport: maybe(z.boolean()),
});
/** How the editor treats the language of a paragraph. */
export type EditorSetting = z.infer<typeof editorSetting>;

/**
 * One column of a saved chart. `aggr` is sum, count, avg, min or max. Tiding: `running` of a value
 * is `total` (cumulative) or `mean`, the moving average of `window` points.
 */
export const graphColumn = open({
  name: z.string(),
  index: z.number(),
  aggr: maybe(z.string()),
  running: maybe(z.string()),
  window: maybe(z.number()),
});
/** Saved display settings of one output (`config.results[i].graph`). */
export const graphConfig = open({
  mode: maybe(z.string()),
  height: maybe(z.number()),
  optionOpen: maybe(z.boolean()),
  setting: maybe(jsonObject),
  commonSetting: maybe(jsonObject),
  keys: maybe(z.array(graphColumn)),
  groups: maybe(z.array(graphColumn)),
  values: maybe(z.array(graphColumn)),
});
/** Saved display settings of one output. */
export type GraphConfig = z.infer<typeof graphConfig>;
/** One column of a saved chart. */
export type GraphColumn = z.infer<typeof graphColumn>;

/**
 * Presentation of a paragraph. The client's defaults are colWidth 12 (1 to 12), fontSize 9 (9 to
 * 20 pt) and enabled true. `results` is an object or an array by output number; the client reads
 * both and writes an object. Tiding: `resultOf` is the run and the source of the result; a Zeppelin
 * takes each saved display setting for a change of the text. `jupyter` is what an imported cell has
 * besides its text and results: id, metadata, attachments. `writtenBy` is the model that wrote its
 * text.
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
  resultOf: maybe(open({ dateStarted: z.string(), checksum: z.string() })),
  jupyter: maybe(jsonObject),
  writtenBy: maybe(z.string()),
});
/** Presentation of a paragraph. */
export type ParagraphConfig = z.infer<typeof paragraphConfig>;

const characters = z.number().check(z.int(), z.nonnegative());
/**
 * Tiding: a change of a text, from start to end. A number keeps that many UTF-16 code units; `[n,
 * text]` inserts the text and deletes the n code units after it.
 */
export const textChange = z.array(z.union([characters, z.tuple([characters, z.string()])]));

/**
 * A paragraph. Dates are text in one of four formats; `parseDate` of `@tiding/client/model` reads
 * them all.
 *
 * Tiding extensions: `rev` grows with each accepted change of the text, and a commit names the
 * revision it is based on. `author` is the random id of the draft the text came from. `tookMs` is
 * the duration of the last run, because dates in messages have a resolution of one second.
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
  runtimeInfos: maybe(jsonObject),
  progressUpdateIntervalMs: maybe(z.number()),
  rev: maybe(z.number()),
  tookMs: maybe(z.number()),
  author: maybe(z.string()),
  authorSeq: maybe(z.number()),
});
/** A paragraph. */
export type Paragraph = z.infer<typeof paragraph>;

/**
 * Settings of a note. `personalizedMode` is the text "true" or "false". Tiding extension:
 * `cronTimeZone` is the time zone (IANA name) in which `cron` is read, by default the server's;
 * `jupyter` is the metadata of an imported notebook.
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
  jupyter: maybe(jsonObject),
});
/** Settings of a note. */
export type NoteConfig = z.infer<typeof noteConfig>;

/**
 * A note. On the organisation's fork, `name` is the full path. On Zeppelin, `path` is the full path
 * with a leading slash, and `name` is its last segment.
 */
export const note = open({
  id: z.string(),
  name: maybe(z.string()),
  path: maybe(z.string()),
  paragraphs: maybe(z.array(paragraph)),
  config: maybe(noteConfig),
  info: maybe(jsonObject),
  noteParams: maybe(jsonObject),
  noteForms: maybe(z.record(z.string(), form)),
  angularObjects: maybe(jsonObject),
  defaultInterpreterGroup: maybe(z.string()),
});
/** A note. */
export type Note = z.infer<typeof note>;

/** An entry of the note list. The organisation's fork sends `name`, Zeppelin sends `path`. */
export const noteInfo = open({ id: z.string(), name: maybe(z.string()), path: maybe(z.string()) });
/** An entry of the note list. */
export type NoteInfo = z.infer<typeof noteInfo>;

/** Users and roles with rights on a note. An empty list means everybody. */
export const permissions = open({
  owners: z.array(z.string()),
  writers: z.array(z.string()),
  runners: z.array(z.string()),
  readers: z.array(z.string()),
});
/** Users and roles with rights on a note. */
export type Permissions = z.infer<typeof permissions>;

/** An interpreter within a setting. */
export const interpreterInfo = open({
  name: z.string(),
  class: maybe(z.string()),
  defaultInterpreter: maybe(z.boolean()),
  editor: maybe(editorSetting),
  description: maybe(z.string()),
});
/**
 * Binding of a note to an interpreter setting. The first selected one is the note's default.
 * `process` is the state of the process that serves the caller on the note: `none`, `starting`,
 * `idle`, `busy`, or `dead` if it has ended and its variables are lost. Tiding servers only.
 */
export const interpreterBinding = open({
  id: z.string(),
  name: z.string(),
  selected: maybe(z.boolean()),
  process: maybe(z.string()),
  interpreters: maybe(z.array(interpreterInfo)),
});
/** Binding of a note to an interpreter setting. */
export type InterpreterBinding = z.infer<typeof interpreterBinding>;

/**
 * An interpreter setting. `status` is READY, DOWNLOADING_DEPENDENCIES or ERROR. With ERROR,
 * `errorReason` gives the cause.
 */
export const interpreterSetting = open({
  id: z.string(),
  name: z.string(),
  group: maybe(z.string()),
  properties: maybe(jsonObject),
  status: maybe(z.string()),
  errorReason: maybe(z.string()),
  interpreterGroup: maybe(z.array(interpreterInfo)),
  dependencies: maybe(z.array(z.unknown())),
  option: maybe(jsonObject),
});
/** An interpreter setting. */
export type InterpreterSetting = z.infer<typeof interpreterSetting>;

/** A mistake in code. Lines and columns start at 1; the end is exclusive. */
export const codeDiagnostic = open({
  line: z.number(),
  column: z.number(),
  endLine: z.number(),
  endColumn: z.number(),
  message: z.string(),
  /** Rule of the checker, for example `F841`. Absent: a syntax error. */
  code: maybe(z.string()),
});
/** A mistake in code. */
export type CodeDiagnostic = z.infer<typeof codeDiagnostic>;

/** A suggestion of code completion. */
export const completion = open({ name: z.string(), value: z.string(), meta: maybe(z.string()) });
/** A suggestion of code completion. */
export type Completion = z.infer<typeof completion>;

/** A note in the job list. Times are in ms. */
export const jobEntry = open({
  noteId: z.string(),
  noteName: maybe(z.string()),
  noteType: maybe(z.string()),
  interpreter: maybe(z.string()),
  isRunningJob: maybe(z.boolean()),
  unixTimeLastRun: maybe(z.number()),
  /** The next run of its schedule. */
  unixTimeNextRun: maybe(z.number()),
  /** Quartz expression of its schedule. */
  cron: maybe(z.string()),
  /** Events of its schedule that send an alert: `failure`, `missed` or `condition`. */
  alerts: maybe(z.array(z.string())),
  isRemoved: maybe(z.boolean()),
  paragraphs: maybe(
    z.array(open({ id: z.string(), name: maybe(z.string()), status: maybe(z.string()) })),
  ),
});
/** A note in the job list. */
export type JobEntry = z.infer<typeof jobEntry>;

/**
 * A checkpoint of a note; `time` is in Unix seconds. A checkpoint whose id is `''` is listed but
 * cannot be read.
 */
export const revision = open({
  id: z._default(z.string(), ''),
  message: maybe(z.string()),
  time: maybe(z.number()),
});
/** A checkpoint of a note; `time` is in Unix seconds. */
export type Revision = z.infer<typeof revision>;

/**
 * The security ticket. `roles` is the JSON text of a list. `scope`: what the embed token of a page
 * allows.
 */
export const ticket = open({
  principal: z.string(),
  ticket: z.string(),
  roles: maybe(z.string()),
  redirectURL: maybe(z.string()),
  scope: maybe(z.enum(embedScopes)),
});
/** The security ticket. */
export type Ticket = z.infer<typeof ticket>;

/**
 * A personal access token. `token` is present only in the response to its creation. Times are ISO
 * 8601 in UTC; `lastUsedAt` is present if the server records it.
 */
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
