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

type Shape = z.core.$ZodLooseShape;

/** An object schema that keeps unknown fields at run time and hides them from the type. */
export function open<S extends Shape>(shape: S): z.ZodMiniType<z.infer<z.ZodMiniObject<S>>> {
  return z.looseObject(shape) as unknown as z.ZodMiniType<z.infer<z.ZodMiniObject<S>>>;
}

/** A field that may be absent; servers of this family leave absent values out, and `null` counts as absent too. */
export function maybe<T extends z.core.SomeType>(schema: T): z.ZodMiniOptional<z.ZodMiniType<z.infer<T> | undefined>> {
  return z.optional(
    z.pipe(z.nullish(schema), z.transform((value) => value ?? undefined)) as unknown as z.ZodMiniType<z.infer<T> | undefined>,
  );
}

/** A JSON object of any content (config, params, forms). */
export const bag = z.record(z.string(), z.unknown());
/** JSON object of any content. */
export type Bag = Record<string, unknown>;

/** A client → server operation. */
export interface SentOperation<S extends z.core.SomeType = z.core.SomeType> {
  readonly data: S;
  readonly right: Right;
  /** Changes nothing that a repeat would change again: may be sent once more after a reconnect. */
  readonly idempotent: boolean;
}


/** Describes a client → server operation: its payload and the right the server asks for. */
export function sent<S extends z.core.SomeType>(
  data: S,
  options: { right?: Right; idempotent?: boolean } = {},
): SentOperation<S> {
  return { data, right: options.right ?? 'none', idempotent: options.idempotent ?? false };
}

/** Describes the payload of a server → client operation. */
export function received<S extends z.core.SomeType>(data: S): S {
  return data;
}

/** Who may make a REST call: anybody, anybody signed in, or a holder of one of the roles. Note rights are the handler's. */
export type Access = 'public' | 'session' | readonly string[];

/** A REST call. `path` is relative to `{rest}`; `:name` marks a parameter. */
export interface Endpoint<
  Body extends z.core.SomeType = z.core.SomeType,
  Answer extends z.core.SomeType = z.core.SomeType,
> {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly access: Access;
  /** How the body travels: JSON, an HTML form, plain text, or not at all. */
  readonly encoding: 'json' | 'form' | 'text' | 'none';
  readonly body: Body;
  /** The answer without its envelope. */
  readonly answer: Answer;
  /** `true`: wrapped as `{status, message?, body?}`; `false`: plain JSON, as the `/magpie` calls answer. */
  readonly envelope: boolean;
}

/** Describes a REST call; see {@link Endpoint}. */
export function endpoint<
  Answer extends z.core.SomeType,
  Body extends z.core.SomeType = z.ZodMiniUnknown,
>(
  method: Endpoint['method'],
  path: string,
  options: { access?: Access; body?: Body; encoding?: Endpoint['encoding']; answer: Answer; envelope?: boolean },
): Endpoint<Body, Answer> {
  return {
    method,
    path,
    access: options.access ?? 'session',
    encoding: options.encoding ?? (options.body ? 'json' : 'none'),
    body: (options.body ?? z.unknown()) as Body,
    answer: options.answer,
    envelope: options.envelope ?? !path.startsWith('/magpie/'),
  };
}
