/**
 * The vocabulary in which the protocol is written down once, for client, server, fixtures and docs.
 *
 * A live operation is `sent()` (client → server) or `received()` (server → client); a REST call is an `endpoint()`.
 * Objects are open: unknown fields pass through, because config and results of other servers must survive a
 * read–change–write round trip.
 */
import * as z from 'zod/mini';

/** Right a live operation needs on its note: owner ⊃ writer ⊃ runner ⊃ reader; `none` = a session is enough. */
export type Right = 'none' | 'reader' | 'runner' | 'writer' | 'owner';

/** An object schema that keeps unknown fields at run time and hides them from the type. */
export function open<S extends z.core.$ZodShape>(
  shape: S,
): z.ZodMiniType<z.infer<z.ZodMiniObject<S>>> {
  return z.looseObject(shape) as unknown as z.ZodMiniType<z.infer<z.ZodMiniObject<S>>>;
}

/** A field that may be absent; servers of this family leave absent values out, and `null` counts as absent too. */
export function maybe<T extends z.core.SomeType>(
  schema: T,
): z.ZodMiniOptional<z.ZodMiniType<z.infer<T> | undefined>> {
  return z.optional(
    z.pipe(
      z.nullish(schema),
      z.transform((value) => value ?? undefined),
    ) as unknown as z.ZodMiniType<z.infer<T> | undefined>,
  );
}

/** A JSON object of any content (config, params, forms). */
export const bag = z.record(z.string(), z.unknown());
/** JSON object of any content. */
export type Bag = Record<string, unknown>;

/**
 * Which servers have an operation or a call, by the version that `GET /version` tells. Ours has all of them.
 *
 * - `since`: first upstream version that has it, for example `0.9.0`; `none`: no upstream server has it.
 * - `until`: first upstream version that no longer has it.
 * - `fork`: the organisation's fork (generation A) may have it, upstream never.
 */
export interface Support {
  /** First upstream version with it; `none`: no upstream server. Absent: all. */
  readonly since?: string | undefined;
  /** First upstream version without it. Absent: none. */
  readonly until?: string | undefined;
  /** Whether the fork may have it though upstream of its version does not. */
  readonly fork?: boolean | undefined;
}

/** A client → server operation. */
export interface SentOperation<S extends z.core.SomeType = z.core.SomeType> {
  /** Schema of the payload. */
  readonly data: S;
  /** What the sender must be to the note. */
  readonly right: Right;
  /** Changes nothing that a repeat would change again: may be sent once more after a reconnect. */
  readonly idempotent: boolean;
  /** Which servers have it. */
  readonly support: Support;
}

/** Describes a client → server operation: its payload and the right the server asks for. */
export function sent<S extends z.core.SomeType>(
  data: S,
  options: { right?: Right; idempotent?: boolean } & Support = {},
): SentOperation<S> {
  const { right = 'none', idempotent = false, ...support } = options;
  return { data, right, idempotent, support };
}

/** Describes the payload of a server → client operation. */
export function received<S extends z.core.SomeType>(data: S): S {
  return data;
}

/** Who may make a REST call: anybody, anybody signed in, or a holder of one of the roles. Note rights are the handler's. */
export type Access = 'public' | 'session' | readonly string[];

/**
 * How an answer is read: `json` by content, whatever its type says; `raw` is handed over as the platform's `Response`
 * (files, scripts, redirects), so that it can be streamed and is never held whole.
 */
export type Content = 'json' | 'raw';

/** A REST call. `path` is relative to `{rest}`; `:name` marks a parameter. */
export interface Endpoint<
  Body extends z.core.SomeType = z.core.SomeType,
  Answer extends z.core.SomeType = z.core.SomeType,
  Query extends z.core.SomeType = z.core.SomeType,
  Kind extends Content = Content,
  Path extends string = string,
> {
  /** In capitals. */
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Behind `/api`, for example `/notebook/:noteId`. */
  readonly path: Path;
  /** Who may call. */
  readonly access: Access;
  /** How the body travels: JSON, an HTML form, plain text, or not at all. */
  readonly encoding: 'json' | 'form' | 'text' | 'none';
  /** Schema of the body. */
  readonly body: Body;
  /** Fields of the query, all of them text on the wire. */
  readonly query: Query;
  /** The answer without its envelope. */
  readonly answer: Answer;
  /** `raw` answers a file. */
  readonly content: Kind;
  /** `true`: wrapped as `{status, message?, body?}`; `false`: plain JSON, as the `/magpie` calls answer. */
  readonly envelope: boolean;
  /** Which servers have it. */
  readonly support: Support;
}

/** Describes a REST call; see {@link Endpoint}. `/magpie` calls exist on the fork and on ours only, unless said otherwise. */
export function endpoint<
  Answer extends z.core.SomeType = z.ZodMiniUnknown,
  Body extends z.core.SomeType = z.ZodMiniUnknown,
  Query extends z.core.SomeType = z.ZodMiniUnknown,
  Kind extends Content = 'json',
  Path extends string = string,
>(
  method: Endpoint['method'],
  path: Path,
  options: {
    access?: Access;
    body?: Body;
    encoding?: Endpoint['encoding'];
    query?: Query;
    answer?: Answer;
    content?: Kind;
    envelope?: boolean;
  } & Support = {},
): Endpoint<Body, Answer, Query, Kind, Path> {
  const magpie = path.startsWith('/magpie/');
  return {
    method,
    path,
    access: options.access ?? 'session',
    encoding: options.encoding ?? (options.body ? 'json' : 'none'),
    body: (options.body ?? z.unknown()) as Body,
    query: (options.query ?? z.unknown()) as Query,
    answer: (options.answer ?? z.unknown()) as Answer,
    content: (options.content ?? 'json') as Kind,
    envelope: options.envelope ?? !magpie,
    support: magpie
      ? { since: 'none', fork: true }
      : { since: options.since, until: options.until, fork: options.fork },
  };
}
