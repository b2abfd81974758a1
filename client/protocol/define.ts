/**
 * The vocabulary of the protocol tables, which client, server, tests and docs share.
 *
 * A live operation is `sent()` by the client or `received()` from the server; a REST call is an
 * `endpoint()`. A row holds everything the product knows about an operation: its schema, the right
 * it needs, what embed tokens may do with it, its audit event and a sample. Object schemas are
 * open: unknown fields pass through, because config and results of other servers must survive
 * reading, changing and writing.
 */
import * as z from 'zod/mini';

/**
 * Right that a live operation or REST call needs on its note. Each right includes those after it:
 * owner, writer, runner, reader. `none`: any session.
 */
export type Right = 'none' | 'reader' | 'runner' | 'writer' | 'owner';

const anything = z.unknown();

/** Returns an object schema that keeps unknown fields at run time and hides them from the type. */
export function open<S extends z.core.$ZodShape>(
  shape: S,
): z.ZodMiniType<z.infer<z.ZodMiniObject<S>>> {
  // As `z.looseObject`, which makes a schema of unknown fields for each object.
  const schema = new z.ZodMiniObject({ type: 'object', shape, catchall: anything });
  return schema as unknown as z.ZodMiniType<z.infer<z.ZodMiniObject<S>>>;
}

/** Returns an object schema that refuses unknown fields by name, with the fields that exist. */
export const strict = <S extends z.core.$ZodShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Unknown field ${issue.keys.join(', ')}. The fields are ${Object.keys(shape).join(', ')}.`
        : undefined,
  });

const nullAsAbsent = z.transform((value) => value ?? undefined);
/**
 * Optional fields of types without checks, by type. Making a schema takes 10 µs in a page, and most
 * optional fields of the protocol are plain texts.
 */
const plainOptionals = new Map<string, unknown>();

/**
 * Returns the schema of an optional field. Zeppelin servers omit absent values; `null` counts as
 * absent too.
 */
export function maybe<T extends z.core.SomeType>(
  schema: T,
): z.ZodMiniOptional<z.ZodMiniType<z.infer<T> | undefined>> {
  type Optional = ReturnType<typeof maybe<T>>;
  const { type, checks = [], ...rest } = schema._zod.def;
  const isPlain = checks.length === 0 && Object.keys(rest).length === 0;
  const known = isPlain && plainOptionals.get(type);
  if (known) return known as Optional;
  const made = z.optional(
    z.pipe(z.nullable(schema), nullAsAbsent as never) as unknown as z.ZodMiniType<
      z.infer<T> | undefined
    >,
  );
  if (isPlain) plainOptionals.set(type, made);
  return made;
}

/** Schema of a JSON object with any content (config, params, forms). */
export const jsonObject = z.record(z.string(), z.unknown());
/** A JSON object with any content. */
export type JsonObject = Record<string, unknown>;

/**
 * Which servers support an operation or a call, by the version that `GET /version` answers. The
 * Tiding server supports all of them.
 */
export interface Support {
  /**
   * First Zeppelin version that has it, for example `0.9.0`. `none`: no Zeppelin version has it.
   * Absent: all have it.
   */
  readonly since?: string | undefined;
  /** First Zeppelin version that no longer has it. Absent: it was never removed. */
  readonly until?: string | undefined;
  /** Whether the organisation's fork (generation A) may have it although Zeppelin does not. */
  readonly fork?: boolean | undefined;
}

/**
 * Scopes of embed tokens. Each includes those before it. `results`: outputs, without code and form
 * values; `view`: everything there is to read; `run`: also run what is there; `edit`: also change
 * paragraphs.
 */
export const embedScopes = ['results', 'view', 'run', 'edit'] as const;
/** What an embed token allows. */
export type EmbedScope = (typeof embedScopes)[number];
/** Whether a scope includes another one. */
export const includesScope = (scope: EmbedScope, least: EmbedScope): boolean =>
  embedScopes.indexOf(scope) >= embedScopes.indexOf(least);

/**
 * Why a server refuses a token, as the `reason` in the body of the answer. `revoked`: also because
 * the account or access token that issued it has ended; `invalid`: it is damaged or unknown;
 * `origin`: it is for pages of another origin.
 */
export const tokenFailures = ['expired', 'revoked', 'invalid', 'origin'] as const;
/** Why a server refuses a token; see {@link tokenFailures}. */
export type TokenFailure = (typeof tokenFailures)[number];

/**
 * Target of a request, for tokens that are limited to one paragraph: the field or path parameter
 * that names the paragraph, or the `note` as a whole, which such a token may not use. `any`: every
 * token may send it. `resultId`: `<note>.<paragraph>.<output>`.
 */
export type EmbedTarget = 'any' | 'note' | 'id' | 'paragraphId' | 'resultId';

/** Least scope an embed token needs for a request, and what the request concerns. */
export type EmbedRule = readonly [scope: EmbedScope, target: EmbedTarget];

/**
 * How much of a message a page with an embed token receives.
 *
 * - `all`: the message as it is.
 * - `note`: as it is, unless the token is limited to one paragraph.
 * - `id`, `paragraphId`: as it is, if this field names a paragraph of the token.
 * - `paragraph`: if `paragraph` is one of the token; without the names of people and, with the
 * scope `results`, without code and form values.
 * - `newParagraph`: as `paragraph`, unless the token is limited to one paragraph.
 * - `noteFields`: reduced by a function of its own in the server's `auth/embed-access.ts`.
 */
export type EmbedPart =
  | 'all'
  | 'note'
  | 'id'
  | 'paragraphId'
  | 'paragraph'
  | 'newParagraph'
  | 'noteFields';

/** Least scope with which a page receives a message, and how much of it. */
export type EmbedDelivery = readonly [scope: EmbedScope, part: EmbedPart];

/** What the server needs to know about a request beside its schema. */
export interface RequestRules {
  /** What embed tokens may do with it. Absent: no embed token may send it. */
  readonly embed?: EmbedRule | undefined;
  /** Event written to the audit log when it succeeds. Absent: none. */
  readonly audit?: string | undefined;
}

/** A client → server operation. */
export interface SentOperation<S extends z.core.SomeType = z.core.SomeType> extends RequestRules {
  /** Schema of the payload. */
  readonly data: S;
  /** Right that the sender needs on the note. */
  readonly right: Right;
  /** Who may send it, apart from the right on the note. */
  readonly access: Access;
  /** Whether repeating it changes nothing, so that it may be sent again after a reconnect. */
  readonly idempotent: boolean;
  /** Which servers support it. */
  readonly support: Support;
  /** Field that names the note. */
  readonly noteField: 'id' | 'noteId';
  /** Verb for the message that refuses it: 'Insufficient privileges to rename note.' */
  readonly verb?: string | undefined;
  /** A payload that fits the schema; `$note` and `$paragraph` stand for ids. */
  readonly sample: z.infer<S>;
}

/** Describes a client → server operation. */
export function sent<S extends z.core.SomeType>(
  data: S,
  options: {
    right?: Right;
    access?: Access;
    idempotent?: boolean;
    noteField?: 'id';
    verb?: string;
    sample?: z.infer<S>;
  } & RequestRules &
    Support = {},
): SentOperation<S> {
  const { right = 'none', access = 'session', idempotent = false, ...others } = options;
  const { noteField = 'noteId', embed, audit, verb, ...rest } = others;
  const { sample = {} as z.infer<S>, ...support } = rest;
  return { data, right, access, idempotent, noteField, embed, audit, verb, sample, support };
}

/** A server → client operation. */
export interface ReceivedOperation<S extends z.core.SomeType = z.core.SomeType> {
  /** Schema of the payload. */
  readonly data: S;
  /** How much of it a page with an embed token receives. Absent: nothing. */
  readonly embed?: EmbedDelivery | undefined;
}

/** Describes a server → client operation. */
export function received<S extends z.core.SomeType>(
  data: S,
  { embed }: { embed?: EmbedDelivery } = {},
): ReceivedOperation<S> {
  return { data, embed };
}

/**
 * Who may send a live operation or make a REST call: anybody, anybody who is signed in, or holders
 * of one of the roles. Live operations always need a session.
 */
export type Access = 'public' | 'session' | readonly string[];

/**
 * How the client reads an answer. `json`: parsed, regardless of its content type. `raw`: returned
 * as a `Response` (files, scripts, redirects), so that it can be streamed and is never held whole.
 */
export type Content = 'json' | 'raw';

/** A REST call. `path` is relative to `{rest}`; `:name` marks a parameter. */
export interface Endpoint<
  Body extends z.core.SomeType = z.core.SomeType,
  Answer extends z.core.SomeType = z.core.SomeType,
  Query extends z.core.SomeType = z.core.SomeType,
  Kind extends Content = Content,
  Path extends string = string,
> extends RequestRules {
  /** HTTP method, in capitals. */
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Path below `/api`, for example `/notebook/:noteId`. */
  readonly path: Path;
  /** Who may call it. */
  readonly access: Access;
  /** Right that the caller needs on the note that the path names. */
  readonly right: Right;
  /** Encoding of the body: JSON, an HTML form, plain text, or no body. */
  readonly encoding: 'json' | 'form' | 'text' | 'none';
  /** Schema of the body. */
  readonly body: Body;
  /** Schema of the query; all its fields are text on the wire. */
  readonly query: Query;
  /** Schema of the answer without its envelope. */
  readonly answer: Answer;
  /** How the answer is read. */
  readonly content: Kind;
  /**
   * Whether the answer is wrapped as `{status, message?, body?}`. `/magpie` calls answer bare JSON.
   */
  readonly envelope: boolean;
  /** Which servers support it. */
  readonly support: Support;
}

/**
 * Describes a REST call; see {@link Endpoint}. `/magpie` calls exist on the fork and on the Tiding
 * server only, unless the options say otherwise.
 */
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
    right?: Right;
    body?: Body;
    encoding?: Endpoint['encoding'];
    query?: Query;
    answer?: Answer;
    content?: Kind;
    envelope?: boolean;
  } & RequestRules &
    Support = {},
): Endpoint<Body, Answer, Query, Kind, Path> {
  const magpie = path.startsWith('/magpie/');
  return {
    method,
    path,
    access: options.access ?? 'session',
    right: options.right ?? 'none',
    encoding: options.encoding ?? (options.body ? 'json' : 'none'),
    body: (options.body ?? z.unknown()) as Body,
    query: (options.query ?? z.unknown()) as Query,
    answer: (options.answer ?? z.unknown()) as Answer,
    content: (options.content ?? 'json') as Kind,
    envelope: options.envelope ?? !magpie,
    support: magpie
      ? { since: 'none', fork: true }
      : { since: options.since, until: options.until, fork: options.fork },
    embed: options.embed,
    audit: options.audit,
  };
}
