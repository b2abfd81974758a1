/** Notes and paragraphs: search, jobs, schedules, runs, permissions and revisions. */
import * as z from 'zod/mini';
import { endpoint, jsonObject, maybe, open } from '../define.ts';
import {
  codeDiagnostic,
  interpreterBinding,
  jobEntry,
  note,
  noteInfo,
  paragraph,
  paragraphConfig,
  permissions,
  results,
  revision,
} from '../objects.ts';
import {
  alertOutcome,
  alertState,
  interpreterVariables,
  noteRun,
  paragraphDependencies,
  scheduleAlerts,
  searchResult,
} from '../server-objects.ts';
import { nothing, text } from './schemas.ts';

const params = open({ params: maybe(jsonObject) });
/** Path of a new note: `name` up to Zeppelin 0.12.0, `notePath` since 0.12.1. */
const newPath = { name: maybe(text), notePath: maybe(text) };
/** A list of names; Zeppelin's page sends null for an empty one. */
const namesOrNull = z.pipe(
  z.nullable(z.array(z.string())),
  z.transform((list) => list ?? []),
) as unknown as z.ZodMiniType<string[]>;
/** State of one paragraph's run. `progress` is text, "100" when it is not running. */
const jobStatus = open({
  id: z.string(),
  status: z.string(),
  progress: maybe(z.string()),
  started: maybe(z.string()),
  finished: maybe(z.string()),
  errorMessage: maybe(z.string()),
});
const jobs = open({ lastResponseUnixTime: maybe(z.number()), jobs: z.array(jobEntry) });

/** REST calls for notes and paragraphs. */
export const noteEndpoints = {
  /** Answers at most 20 hits. */
  searchNotes: endpoint('GET', '/notebook/search', {
    query: open({ q: text }),
    answer: z.array(searchResult),
  }),
  listJobs: endpoint('GET', '/notebook/jobmanager/', { answer: jobs }),
  /** Answers what changed since this time, in ms. */
  listJobsSince: endpoint('GET', '/notebook/jobmanager/:since/', { answer: jobs }),
  /** Tiding: the last fifty runs of the whole note, oldest first. */
  jobHistory: endpoint('GET', '/magpie/jobs/:noteId/history', {
    right: 'reader',
    since: 'none',
    answer: z.array(noteRun),
  }),
  /** Tiding: alerts of the note's schedule. */
  getAlerts: endpoint('GET', '/magpie/jobs/:noteId/alerts', {
    right: 'owner',
    since: 'none',
    answer: alertState,
  }),
  /** Tiding: messages are sent in the name of the caller, while they own the note. */
  setAlerts: endpoint('PUT', '/magpie/jobs/:noteId/alerts', {
    right: 'owner',
    since: 'none',
    body: scheduleAlerts,
    answer: nothing,
    audit: 'schedule-changed',
  }),
  /** Tiding: sends a message to the recipients of alerts, which need not be stored. */
  testAlerts: endpoint('POST', '/magpie/jobs/:noteId/alerts/test', {
    right: 'owner',
    since: 'none',
    body: scheduleAlerts,
    answer: alertOutcome,
  }),
  /**
   * Tiding: variables of the interpreter processes that run and serve the user on this note. Starts
   * none.
   */
  noteVariables: endpoint('GET', '/magpie/variables/:noteId', {
    right: 'runner',
    since: 'none',
    answer: z.array(interpreterVariables),
  }),
  /** Tiding: which paragraphs use what others make, and which are stale. Runs nothing. */
  noteDependencies: endpoint('GET', '/magpie/dependencies/:noteId', {
    right: 'reader',
    since: 'none',
    answer: z.array(paragraphDependencies),
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
    right: 'owner',
    body: open({ cron: text, releaseResource: maybe(z.boolean()) }),
    answer: nothing,
    audit: 'schedule-changed',
  }),
  /** `{}` means no schedule. */
  getCron: endpoint('GET', '/notebook/cron/:noteId', {
    right: 'runner',
    answer: open({ cron: maybe(text), releaseResource: maybe(z.boolean()) }),
  }),
  deleteCron: endpoint('DELETE', '/notebook/cron/:noteId', {
    right: 'owner',
    answer: nothing,
    audit: 'schedule-changed',
  }),
  listNotes: endpoint('GET', '/notebook', { answer: z.array(noteInfo) }),
  createNote: endpoint('POST', '/notebook', {
    body: open({
      ...newPath,
      paragraphs: maybe(
        z.array(open({ title: maybe(text), text: maybe(text), config: maybe(paragraphConfig) })),
      ),
      defaultInterpreterGroup: maybe(z.string()),
      addingEmptyParagraph: maybe(z.boolean()),
    }),
    answer: text,
  }),
  /** Also accepts a Jupyter notebook. `notePath` names the new note (since Zeppelin 0.9). */
  importNote: endpoint('POST', '/notebook/import', {
    body: jsonObject,
    query: open({ notePath: maybe(text) }),
    answer: text,
  }),
  /** Tiding: the text of a file at another server, which a page's policy may not let it fetch. */
  fetchNoteFile: endpoint('POST', '/magpie/note-file', {
    since: 'none',
    body: open({ url: text }),
    answer: text,
  }),
  /** The note as JSON text in a string: parse it twice. */
  exportNote: endpoint('GET', '/notebook/export/:noteId', {
    right: 'reader',
    answer: text,
    audit: 'export',
  }),
  /**
   * The fork answers when the run ends, Zeppelin immediately unless `blocking`. `isolated` runs in
   * processes of its own.
   */
  runNote: endpoint('POST', '/notebook/job/:noteId', {
    right: 'runner',
    body: z.optional(params),
    query: open({ blocking: maybe(z.boolean()), isolated: maybe(z.boolean()) }),
    answer: nothing,
    embed: ['run', 'note'],
  }),
  stopNote: endpoint('DELETE', '/notebook/job/:noteId', {
    right: 'runner',
    answer: nothing,
    embed: ['run', 'note'],
  }),
  noteJob: endpoint('GET', '/notebook/job/:noteId', {
    right: 'reader',
    answer: z.union([
      z.array(jobStatus),
      open({ id: maybe(text), isRunning: maybe(z.boolean()), paragraphs: z.array(jobStatus) }),
    ]),
    embed: ['results', 'note'],
  }),
  paragraphJob: endpoint('GET', '/notebook/job/:noteId/:paragraphId', {
    right: 'reader',
    answer: jobStatus,
    embed: ['results', 'paragraphId'],
  }),
  startParagraph: endpoint('POST', '/notebook/job/:noteId/:paragraphId', {
    right: 'runner',
    body: z.optional(params),
    answer: nothing,
    embed: ['run', 'paragraphId'],
  }),
  stopParagraph: endpoint('DELETE', '/notebook/job/:noteId/:paragraphId', {
    right: 'runner',
    answer: nothing,
    embed: ['run', 'paragraphId'],
  }),
  /**
   * Waits for the end of the run. A failure of the interpreter answers 200 with the code ERROR;
   * Zeppelin 0.8 answers 500 with the same body.
   */
  runParagraph: endpoint('POST', '/notebook/run/:noteId/:paragraphId', {
    right: 'runner',
    body: z.optional(params),
    answer: results,
    embed: ['run', 'paragraphId'],
  }),
  getBindings: endpoint('GET', '/notebook/interpreter/bind/:noteId', {
    right: 'reader',
    until: '0.9.0',
    answer: z.array(interpreterBinding),
  }),
  setBindings: endpoint('PUT', '/notebook/interpreter/bind/:noteId', {
    right: 'writer',
    until: '0.9.0',
    body: z.array(text),
    answer: nothing,
    audit: 'setting-changed',
  }),
  getNote: endpoint('GET', '/notebook/:noteId', {
    right: 'reader',
    answer: note,
    embed: ['results', 'any'],
  }),
  deleteNote: endpoint('DELETE', '/notebook/:noteId', {
    right: 'owner',
    answer: nothing,
    audit: 'note-deleted',
  }),
  /** Clones the note. On Zeppelin this is the only way to clone a note that is not open. */
  cloneNote: endpoint('POST', '/notebook/:noteId', {
    right: 'reader',
    body: z.optional(open(newPath)),
    answer: text,
  }),
  /**
   * Tiding: copies the note without its results for one isolated run. The copy belongs to the
   * caller and is in no list. `deleteNote` removes it; the server does so when nobody has had it
   * open for ten minutes, and when it starts. Answers 429 if the caller has 100 of them.
   */
  createRunCopy: endpoint('POST', '/magpie/run-copy/:noteId', {
    right: 'runner',
    since: 'none',
    answer: open({ id: text, path: text }),
  }),
  clearNote: endpoint('PUT', '/notebook/:noteId/clear', {
    right: 'writer',
    answer: nothing,
    embed: ['edit', 'note'],
  }),
  renameNote: endpoint('PUT', '/notebook/:noteId/rename', {
    right: 'owner',
    since: '0.9.0',
    body: open({ name: z.string() }),
    answer: nothing,
  }),
  getPermissions: endpoint('GET', '/notebook/:noteId/permissions', {
    right: 'reader',
    answer: permissions,
  }),
  setPermissions: endpoint('PUT', '/notebook/:noteId/permissions', {
    right: 'owner',
    body: open({
      owners: namesOrNull,
      writers: namesOrNull,
      runners: namesOrNull,
      readers: namesOrNull,
    }),
    answer: nothing,
    audit: 'permissions-changed',
  }),
  listRevisions: endpoint('GET', '/notebook/:noteId/revision', {
    right: 'reader',
    since: '0.11.0',
    answer: z.array(revision),
  }),
  /** Zeppelin answers only the id, and nothing if nothing changed. */
  checkpointNote: endpoint('POST', '/notebook/:noteId/revision', {
    right: 'writer',
    since: '0.11.0',
    body: open({ commitMessage: text }),
    answer: z.optional(z.union([revision, text])),
  }),
  getRevision: endpoint('GET', '/notebook/:noteId/revision/:revisionId', {
    right: 'reader',
    since: '0.11.0',
    answer: note,
  }),
  setRevision: endpoint('PUT', '/notebook/:noteId/revision/:revisionId', {
    right: 'writer',
    since: '0.11.0',
    answer: nothing,
  }),
  /**
   * Appends a paragraph. Above `maxParagraph` paragraphs the oldest is removed. Zeppelin answers
   * its id in `message`.
   */
  nextParagraph: endpoint('POST', '/notebook/:noteId/paragraph/next', {
    right: 'writer',
    since: '0.9.0',
    query: open({ maxParagraph: maybe(z.number()) }),
    answer: text,
    embed: ['edit', 'note'],
  }),
  insertParagraph: endpoint('POST', '/notebook/:noteId/paragraph', {
    right: 'writer',
    body: open({
      title: maybe(text),
      text: maybe(text),
      index: maybe(z.number()),
      config: maybe(paragraphConfig),
    }),
    answer: text,
    embed: ['edit', 'note'],
  }),
  getParagraph: endpoint('GET', '/notebook/:noteId/paragraph/:paragraphId', {
    right: 'reader',
    answer: paragraph,
    embed: ['results', 'paragraphId'],
  }),
  updateParagraph: endpoint('PUT', '/notebook/:noteId/paragraph/:paragraphId', {
    right: 'writer',
    body: open({ text: text, title: maybe(text) }),
    answer: nothing,
    embed: ['edit', 'paragraphId'],
  }),
  configureParagraph: endpoint('PUT', '/notebook/:noteId/paragraph/:paragraphId/config', {
    right: 'writer',
    body: paragraphConfig,
    answer: paragraph,
    embed: ['edit', 'paragraphId'],
  }),
  /**
   * Tiding: checks Python code with ruff, without storing it. `ready`: false while ruff is not
   * installed or turned off.
   */
  checkCode: endpoint('POST', '/notebook/:noteId/paragraph/:paragraphId/check', {
    right: 'writer',
    since: 'none',
    body: open({ text: text }),
    answer: open({ ready: z.boolean(), diagnostics: z.array(codeDiagnostic) }),
    embed: ['edit', 'paragraphId'],
  }),
  /**
   * Tiding: formats Python code with ruff, without storing it. 400 for a syntax error, 409 while
   * ruff is being installed, 404 if the code is not Python or ruff is turned off.
   */
  formatCode: endpoint('POST', '/notebook/:noteId/paragraph/:paragraphId/format', {
    right: 'writer',
    since: 'none',
    body: open({ text: text }),
    answer: open({ text: text }),
    embed: ['edit', 'paragraphId'],
  }),
  moveParagraph: endpoint('POST', '/notebook/:noteId/paragraph/:paragraphId/move/:index', {
    right: 'writer',
    answer: nothing,
    embed: ['edit', 'note'],
  }),
  deleteParagraph: endpoint('DELETE', '/notebook/:noteId/paragraph/:paragraphId', {
    right: 'writer',
    answer: nothing,
    embed: ['edit', 'note'],
  }),
};
