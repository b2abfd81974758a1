/**
 * Every REST call, relative to `{rest}` = `{server}/api`. The order matters: a fixed segment comes
 * before a parameter.
 */
import type * as z from 'zod/mini';
import { accessEndpoints } from './rest/access.ts';
import { assistantEndpoints } from './rest/assistant.ts';
import { commentEndpoints } from './rest/comments.ts';
import { connectionEndpoints } from './rest/connections.ts';
import { interpreterEndpoints } from './rest/interpreters.ts';
import { noteEndpoints } from './rest/notes.ts';
import { packageEndpoints } from './rest/packages.ts';
import { peopleEndpoints } from './rest/people.ts';
import { resultEndpoints } from './rest/results.ts';
import { serverEndpoints } from './rest/server.ts';
import { sessionEndpoints } from './rest/session.ts';

/** Every REST call by name. */
export const endpoints = {
  ...sessionEndpoints,
  ...accessEndpoints,
  ...peopleEndpoints,
  ...serverEndpoints,
  ...resultEndpoints,
  ...noteEndpoints,
  ...interpreterEndpoints,
  ...connectionEndpoints,
  ...commentEndpoints,
  ...assistantEndpoints,
  ...packageEndpoints,
};

/** Name of a REST call. */
export type EndpointName = keyof typeof endpoints;
/** What a call returns, without its envelope; a `Response` if the answer is a file. */
export type EndpointAnswer<Name extends EndpointName> =
  (typeof endpoints)[Name]['content'] extends 'raw'
    ? Response
    : z.infer<(typeof endpoints)[Name]['answer']>;
/** The body of a call. */
export type EndpointBody<Name extends EndpointName> = z.infer<(typeof endpoints)[Name]['body']>;
/**
 * Names of the parameters in a path: `noteId` and `paragraphId` in
 * `/notebook/:noteId/paragraph/:paragraphId`.
 */
export type PathParam<Path extends string> = Path extends `${string}:${infer Param}/${infer Rest}`
  ? Param | PathParam<`/${Rest}`>
  : Path extends `${string}:${infer Param}`
    ? Param
    : never;
/** The path parameters of a call. The client encodes them. */
export type EndpointParams<Name extends EndpointName> = {
  readonly [Param in PathParam<(typeof endpoints)[Name]['path']>]: string | number;
};
/** The query of a call. */
export type EndpointQuery<Name extends EndpointName> = z.infer<(typeof endpoints)[Name]['query']>;
