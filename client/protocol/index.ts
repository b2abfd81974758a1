/**
 * The protocol: live operations, REST calls and the objects they carry.
 *
 * One table describes each operation for client, server, tests and docs. A new row types the
 * client; the server does not compile until it handles the operation.
 *
 * @module @tiding/client/protocol
 */
import type * as z from 'zod/mini';
import { presenceOperations } from './collaboration.ts';
import { commOperations } from './comms.ts';
import { notesOperations, revisionOperations } from './notes.ts';
import { paragraphOperations } from './paragraphs.ts';
import {
  angularOperations,
  applicationOperations,
  interpreterOperations,
  jobOperations,
  sessionOperations,
} from './session.ts';

/** Every operation a client may send. */
export const sentOperations = {
  ...notesOperations.sent,
  ...revisionOperations.sent,
  ...paragraphOperations.sent,
  ...presenceOperations.sent,
  ...commOperations.sent,
  ...sessionOperations.sent,
  ...interpreterOperations.sent,
  ...jobOperations.sent,
  ...angularOperations.sent,
};

/** Every operation a server may send. */
export const receivedOperations = {
  ...notesOperations.received,
  ...revisionOperations.received,
  ...paragraphOperations.received,
  ...presenceOperations.received,
  ...commOperations.received,
  ...sessionOperations.received,
  ...interpreterOperations.received,
  ...jobOperations.received,
  ...angularOperations.received,
  ...applicationOperations.received,
};

/** Name of an operation a client may send. */
export type SentOp = keyof typeof sentOperations;
/** Name of an operation a server may send. */
export type ReceivedOp = keyof typeof receivedOperations;
/** Payload of each operation a client may send. */
export type Sends = { [Op in SentOp]: z.infer<(typeof sentOperations)[Op]['data']> };
/** Payload of each operation a server may send. */
export type Receives = { [Op in ReceivedOp]: z.infer<(typeof receivedOperations)[Op]['data']> };

/** A decoded message of the protocol. */
export type ReceivedMessage = {
  [Op in ReceivedOp]: { op: Op; data: Receives[Op]; msgId: string | undefined };
}[ReceivedOp];

export { type Presence, presence } from './collaboration.ts';
export { type CommModel, type CommStatus, commModel } from './comms.ts';
export * from './define.ts';
export * from './envelope.ts';
export * from './objects.ts';
export {
  type AssistantPreview,
  type AssistantRequest,
  assistantLine,
} from './rest/assistant.ts';
export type { CommentThread, NoteComment, SavedComment } from './rest/comments.ts';
export type {
  ConnectionPreview,
  ConnectionSchema,
  ConnectionTest,
  DatabaseConnectionInfo,
  DatabaseRelation,
} from './rest/connections.ts';
export type { PasswordLinkInfo, ServerUser, UserSessionInfo } from './rest/people.ts';
export {
  MAX_QUERY_ROWS,
  type ResultFilter,
  type ResultGroupKey,
  type ResultGroupValue,
  type ResultQuery,
  type ResultQuestion,
  type ResultSort,
} from './rest/result-query.ts';
export * from './rest.ts';
export * from './server-objects.ts';
