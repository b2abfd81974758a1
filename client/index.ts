/**
 * Typed client for Tiding and Apache Zeppelin servers: sign in, open notes, run them, stream their
 * output and read tables as Arrow. Works in browsers, web workers and Node.js 20 or later.
 *
 * Start with {@link createClient}.
 *
 * @example
 * import { createClient } from '@tiding/client';
 *
 * const client = createClient({ server: 'http://127.0.0.1:8080' });
 * const note = await client.open('2A94M5J1Z');
 * const result = await note.run();
 * client.close();
 *
 * @module @tiding/client
 */

export type { AdministrationApi, LogLevel } from './administration/administration.ts';
export type * from './assistant/assistant.ts';
export { type Backoff, defaultBackoff } from './channel/backoff.ts';
export type { LiveMode } from './channel/live-transport.ts';
export {
  type Connection,
  type ConnectionEvents,
  type ConnectionOptions,
  type Transport,
  webSocketTransport,
} from './channel/transport.ts';
export { type Client, createClient, liveAddress } from './client.ts';
export type { ClustersApi } from './clusters/clusters.ts';
export type { CommentsApi } from './comments/comments.ts';
export type * from './connections/connections.ts';
export type { CallOptions } from './core/abort.ts';
export {
  type ErrorCode,
  type ErrorOf,
  HttpError,
  isHttpError,
  isTidingError,
  ProtocolError,
  TidingError,
  UnsupportedError,
} from './core/errors.ts';
export type {
  AnyReceivedEvent,
  ClientEvent,
  ClientEvents,
  EventPayloads,
  LocalEvent,
  LocalEvents,
  ReceivedEvent,
} from './core/events.ts';
export { type Output, outputText } from './core/outputs.ts';
export {
  type ChannelState,
  type ClientState,
  type Conflict,
  type NoteEntry,
  type NoteState,
  type ParagraphState,
  paragraphText,
  type SentText,
  type ServerState,
  type SessionState,
  type SharedValue,
  type SignOutReason,
} from './core/state.ts';
export type { Scheduler } from './core/store.ts';
export type { CredentialsApi } from './credentials/credentials.ts';
export type * from './files/files.ts';
export type { InterpreterSettingChange, InterpretersApi } from './interpreters/interpreters.ts';
export type { JobEnd } from './jobs/job-ends.ts';
export type { JobsApi } from './jobs/jobs.ts';
export { indexedDbJournal } from './journal/indexed-db.ts';
export { type Journal, type JournalEntry, memoryJournal } from './journal/journal.ts';
export type { PermissionChanges } from './model/notes/permissions.ts';
export type { ArrowColumns, ArrowTable, ArrowValue } from './model/tables/arrow.ts';
export type { RowFormat } from './model/tables/row-objects.ts';
export { preloadNotes } from './note/lazy-note.ts';
export type { NewParagraph, Note } from './note/note.ts';
export type { NoteConnection } from './note/note-connection.ts';
export type { OpenOptions } from './note/note-loading.ts';
export type { NoteName, NoteParams, NoteRow, NoteTypes } from './note/note-types.ts';
export { applicationsOf, type ParagraphApplication } from './note/paragraph/applications.ts';
export type { CommEvent, CommRequest, CommState, ParagraphComms } from './note/paragraph/comms.ts';
export { configForText } from './note/paragraph/editor-config.ts';
export type { Paragraph } from './note/paragraph/paragraph.ts';
export type { ParagraphHandle } from './note/paragraph/paragraph-handle.ts';
export { type Question, questionOf } from './note/paragraph/question.ts';
export type { QueryAnswer, Rows, RowsOptions } from './note/paragraph/rows.ts';
export type {
  NoteRunOptions,
  ParagraphRunOptions,
  Run,
  RunEvent,
  RunResult,
  TableFormat,
} from './note/paragraph/run.ts';
export type { Spell, SpellOptions } from './note/paragraph/spell.ts';
export type { ParagraphSnapshot, ParagraphWatch } from './note/paragraph-structure.ts';
export type { CursorPosition } from './note/presence-announcer.ts';
export type { RevisionsApi } from './note/revisions.ts';
export type { NoteRunResult, RunAllOptions, RunByNameOptions } from './note/run-by-name.ts';
export type { Scripting } from './note/scripting.ts';
export { SHARED_FUNCTION_PREFIX } from './note/shared-value-names.ts';
export * from './notes/note-file.ts';
export type { NewNote, NotesApi } from './notes/notes.ts';
export * from './options.ts';
export type { PackagesApi } from './packages/packages.ts';
export type { PeopleApi } from './people/people.ts';
export type { CommModel, CommStatus } from './protocol/comms.ts';
export { HEAD_REVISION_ID, SYNC_TIMEOUT_MS } from './protocol/constants.ts';
export type { Download } from './rest/download.ts';
export type { RestCall, RestCallInit } from './rest/rest-client.ts';
export type { ClientAuth } from './rest/token-provider.ts';
export type { ExportedFile, ResultsApi } from './results/results.ts';
export type { StoredTablesOptions } from './results/stored-tables.ts';
export type { RevisionControlApi } from './revision-control/revision-control.ts';
export type { ClientArea } from './session/client-area.ts';
export type { SessionApi } from './session/session.ts';
export type { AccessTokensApi } from './tokens/access-tokens.ts';
export type { EmbedToken, EmbedTokenOptions, EmbedTokensApi } from './tokens/embed-tokens.ts';
export type { ObjectsApi } from './widget-data/widget-data.ts';
