/**
 * The protocol, written down once: live operations, REST calls, objects.
 *
 * Adding an operation here types the client, and breaks the build of the server until it is handled.
 *
 * @module tiding/protocol
 */
import type * as z from 'zod/mini';
import { notesOperations, revisionOperations } from './notes.ts';
import { paragraphOperations } from './paragraphs.ts';
import { togetherOperations } from './together.ts';
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
  ...togetherOperations.sent,
  ...sessionOperations.sent,
  ...interpreterOperations.sent,
  ...jobOperations.sent,
  ...angularOperations.sent,
};

/** Every operation a server may send, with the schema of its payload. */
export const receivedOperations = {
  ...notesOperations.received,
  ...revisionOperations.received,
  ...paragraphOperations.received,
  ...togetherOperations.received,
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
/** Payloads by name of the operation a client sends. */
export type Sends = { [Op in SentOp]: z.infer<(typeof sentOperations)[Op]['data']> };
/** Payloads by name of the operation a server sends. */
export type Receives = { [Op in ReceivedOp]: z.infer<(typeof receivedOperations)[Op]> };

export * from './define.ts';
export * from './envelope.ts';
export * from './objects.ts';
export * from './server-objects.ts';
export { presence, type Presence } from './together.ts';
export {
  endpoints,
  type EndpointName,
  type EndpointAnswer,
  type EndpointBody,
  type EndpointParams,
  type EndpointQuery,
  type PathParam,
} from './rest.ts';
