/**
 * The client: sign in, open notes, run them, stream what they print. Works in browsers, workers and Node 20+.
 *
 * @module tiding/client
 */
export { createClient, liveAddress, type Client } from './client.ts';
export { AUTOSAVE_MS, type Auth, type ClientOptions } from './options.ts';
export {
  HttpError,
  ProtocolError,
  TidingError,
  UnsupportedError,
  isHttpError,
  isTidingError,
  type ErrorCode,
} from './errors.ts';
export type {
  AnyReceivedEvent,
  ClientEvent,
  ClientEvents,
  EventPayloads,
  LocalEvent,
  LocalEvents,
  ReceivedEvent,
} from './events.ts';
export {
  paragraphText,
  type ClientState,
  type Conflict,
  type NoteEntry,
  type NoteState,
  type ParagraphState,
  type SentText,
  type ServerState,
  type SessionState,
} from './state.ts';
export type { CallOptions } from './core/abort.ts';
export type { Scheduler } from './core/store.ts';
export type { ChannelState } from './channel/channel.ts';
export {
  webSocketTransport,
  type Connection,
  type ConnectionEvents,
  type ConnectionOptions,
  type Transport,
} from './channel/transport.ts';
export type { LiveChoice } from './channel/live.ts';
export { defaultBackoff, type Backoff } from './channel/backoff.ts';
export { memoryJournal, type Journal, type JournalEntry } from './journal/journal.ts';
export { indexedDbJournal } from './journal/indexed-db.ts';
export type { Session } from './session/session.ts';
export type { Jobs } from './jobs/jobs.ts';
export type { Interpreters, SettingChange } from './interpreters/interpreters.ts';
export type { Administration, LogLevel } from './platform/administration.ts';
export type { Clusters } from './platform/clusters.ts';
export type { Credentials } from './platform/credentials.ts';
export type { Packages } from './platform/packages.ts';
export type { EmbedToken, EmbedTokens, EmbedTokenWish } from './platform/embed-tokens.ts';
export type { Objects } from './platform/objects.ts';
export type { People } from './platform/people.ts';
export type { Download, ExportedFile, Results } from './platform/results.ts';
export { SYNC_TIMEOUT_MS, type RevisionControl } from './platform/revision-control.ts';
export { HEAD, type Revisions } from './revisions/revisions.ts';
export type { Scripting, SharedValue } from './note/scripting.ts';
export { FUNCTION_PREFIX } from './note/shared-names.ts';
export type { Tokens } from './session/tokens.ts';
export { parseNote, type NewNote, type Notes } from './notes/notes.ts';
export type { NewParagraph, Note } from './note/note.ts';
export type { Snapshot, Watch } from './note/structure.ts';
export type { Place } from './note/presence.ts';
export type { Paragraph } from './paragraph/paragraph.ts';
export type { Rows, RowsOptions } from './paragraph/rows.ts';
export type { ArrowColumns, ArrowTable, ArrowValue } from './model/arrow.ts';
export { applicationsOf, type Application } from './paragraph/apps.ts';
export type { Spell, SpellOptions } from './paragraph/spell.ts';
export { outputText, type Output } from './paragraph/outputs.ts';
export type { Call, CallInit } from './rest/http.ts';
export type { NoteRunOptions, Run, RunEvent, RunOptions, RunResult } from './paragraph/run.ts';
