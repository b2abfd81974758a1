/**
 * Errors of the client: one base class with a closed set of codes. The guards check a brand instead
 * of the prototype, so they work across realms and bundles.
 */

/**
 * What went wrong, for use in `switch`. The set is closed: adding a code is a breaking change.
 *
 * A REST call and a live operation that fail for the same reason have the same code; errors of REST
 * calls are {@link HttpError}s as well.
 *
 * - `not-found`: there is no such note, paragraph, file or other object, or the user may not see
 * it.
 * - `conflict`: not possible in the current state, for example because a name is taken, or a text
 * can't be merged with what another user saved.
 * - `busy`: the note or paragraph is running. The call may succeed when the run has ended.
 * - `limit`: a quota is used up, or there were too many requests.
 * - `http`: the server answered with another error status. The error is an {@link HttpError}.
 * - `network`: the server could not be reached.
 * - `timeout`: no response within the time limit.
 * - `aborted`: the caller's `AbortSignal` was aborted.
 * - `closed`: the channel, note or client was closed, or the paragraph is gone.
 * - `unknown-outcome`: the connection broke after the request was sent; the server may or may not
 * have acted on it.
 * - `signed-out`: the session is over.
 * - `forbidden`: the user lacks a permission on the note (AUTH_INFO). Message and `cause` as with
 * `server`.
 * - `server`: the server refused the operation (ERROR_INFO) for another reason. The message is the
 * server's text, the `cause` the payload. Also used if the client knows in advance that the server
 * would refuse.
 * - `protocol`: a message violates the protocol, or an argument can't be put into a message.
 * - `unsupported`: the server's version lacks the operation. The error is usually an
 * {@link UnsupportedError}.
 * - `too-large`: the message or file exceeds the server's size limit.
 * - `too-many-connections`: the user, or the issuer of the embed token, has as many connections
 * open as the server allows. The client keeps trying to connect.
 */
export type ErrorCode =
  | 'not-found'
  | 'conflict'
  | 'busy'
  | 'limit'
  | 'http'
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'closed'
  | 'unknown-outcome'
  | 'signed-out'
  | 'forbidden'
  | 'server'
  | 'protocol'
  | 'unsupported'
  | 'too-large'
  | 'too-many-connections';

/** Zeppelin's ERROR_INFO for a note that does not exist. */
const ZEPPELIN_NOT_FOUND = 'HTTP 404 Not Found';

const brand = Symbol.for('tiding.error');

const RETRYABLE_CODES: readonly ErrorCode[] = [
  'network',
  'timeout',
  'busy',
  'too-many-connections',
];
/** Statuses after which the same call may succeed later, of REST answers and ERROR_INFO. */
const RETRYABLE_STATUSES: readonly unknown[] = [408, 429, 502, 503, 504];

/** Statuses with a code of their own. The Python client has the same table. */
const CODES_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
  413: 'too-large',
  423: 'busy',
  429: 'limit',
  507: 'limit',
};

/**
 * Base class of every error that the client rejects with. Switch on `code`.
 *
 * @example
 * try {
 *   await client.open(noteId);
 * } catch (error) {
 *   if (isTidingError(error, 'forbidden')) showAccessDenied(error.message);
 *   else throw error;
 * }
 */
export class TidingError extends Error {
  /** @internal */
  readonly [brand] = true;
  /** What went wrong; see {@link ErrorCode}. */
  readonly code: ErrorCode;
  /** Name of the operation or REST call that failed, if there is one. */
  readonly operation: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { operation?: string; cause?: unknown } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'TidingError';
    this.code = code;
    this.operation = options.operation;
  }

  /**
   * Whether the same call may succeed later without a change: the server could not be reached, did
   * not answer in time, or is busy, or the note is running. After a `timeout`, read the state
   * before you repeat a call that creates something. False for `unknown-outcome`.
   */
  get retryable(): boolean {
    const { status = (this.cause as { code?: unknown } | undefined)?.code } = this as {
      status?: unknown;
    };
    return RETRYABLE_CODES.includes(this.code) || RETRYABLE_STATUSES.includes(status);
  }
}

/**
 * An HTTP error status of a REST call. `message` is the server's own text if it sent one. `code`
 * follows from the status: 403 is `forbidden`, 404 and 410 are `not-found`, 409 is `conflict`, 413
 * is `too-large`, 423 is `busy`, 429 and 507 are `limit`, and others are `http`.
 */
export class HttpError extends TidingError {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** HTTP method in upper case, for example `GET`. */
  readonly method: string;
  /**
   * Path after `/api` with the names of its parameters, as in the protocol: `/notebook/:noteId`.
   */
  readonly path: string;
  /** The parsed JSON body, or its text if it isn't JSON. */
  readonly body: unknown;
  /** The `Location` header of the response, if it has one (single sign-on). */
  readonly location: string | undefined;

  constructor(init: {
    status: number;
    method: string;
    path: string;
    body: unknown;
    message: string;
    location?: string | undefined;
    /** Default: by the status. */
    code?: ErrorCode | undefined;
  }) {
    super(init.code ?? CODES_BY_STATUS[init.status] ?? 'http', init.message, {
      operation: `${init.method} ${init.path}`,
    });
    this.name = 'HttpError';
    this.status = init.status;
    this.method = init.method;
    this.path = init.path;
    this.body = init.body;
    this.location = init.location;
  }
}

/** The server's version lacks the operation or REST call. Nothing was sent. */
export class UnsupportedError extends TidingError {
  /** Version that `GET /version` returned, for example `0.10.0`. */
  readonly serverVersion: string;

  /** What the server lacks, for example `files`, if the call has a name for users. */
  readonly feature: string | undefined;

  constructor(operation: string, serverVersion: string, feature?: string) {
    const lack = `${operation} is not supported by servers of version ${serverVersion}.`;
    super('unsupported', feature ? `This server has no ${feature}. ${lack}` : lack, { operation });
    this.name = 'UnsupportedError';
    this.feature = feature;
    this.serverVersion = serverVersion;
  }
}

/**
 * A message that violates the protocol. Received messages of this kind are emitted as the event
 * `protocol-error`; they are never thrown at listeners.
 */
export class ProtocolError extends TidingError {
  /** Name of the operation, if the frame could be parsed that far. */
  readonly op: string | undefined;
  /**
   * How the message violates the protocol, one sentence per problem. Empty if it could not be
   * parsed at all.
   */
  readonly issues: readonly string[];

  constructor(message: string, op?: string, issues: readonly string[] = []) {
    super('protocol', message, op === undefined ? {} : { operation: op });
    this.name = 'ProtocolError';
    this.op = op;
    this.issues = issues;
  }
}

/** Returns a thrown value as an error of the client: `protocol` if an argument can't be handled. */
export const callError = (thrown: unknown, operation: string): TidingError =>
  isTidingError(thrown)
    ? thrown
    : new TidingError(
        'protocol',
        `${operation}: an argument is invalid: ${(thrown as Error | undefined)?.message ?? thrown}`,
        { operation, cause: thrown },
      );

/** Rejects what is no id or path of a note before anything is sent. */
export function requireNoteName(name: unknown, operation: string): void {
  if (typeof name !== 'string' || name.trim() === '')
    throw new TidingError(
      'protocol',
      `${operation}: pass the id of a note as text, not ${JSON.stringify(name)}.`,
      { operation },
    );
}

/**
 * Returns the error of a live message that refuses an operation. A Tiding server puts the status
 * that the REST call would have into ERROR_INFO.
 */
export function refusedError(
  { op, data }: { op: string; data: { info?: string; message?: string; code?: number } },
  operation: string,
  fallback = 'The server refused the request.',
): TidingError {
  const { info = fallback, message = info, code: status } = data;
  const known = status === undefined ? undefined : CODES_BY_STATUS[status];
  const missing = info === ZEPPELIN_NOT_FOUND ? 'not-found' : undefined;
  const code = op === 'AUTH_INFO' ? 'forbidden' : (known ?? missing ?? 'server');
  return new TidingError(code, message, { operation, cause: data });
}

/** Type of the errors with a code: an {@link HttpError} for `http`. */
export type ErrorOf<Code extends ErrorCode> = Code extends 'http'
  ? HttpError
  : TidingError & { readonly code: Code };

/**
 * Whether a value is an error of this client, optionally with the given code, which narrows its
 * type. Works for errors that another copy of the package created.
 *
 * @example
 * const note = await client.open(noteId).catch((error) => {
 *   if (isTidingError(error, 'signed-out')) return undefined;
 *   throw error;
 * });
 */
export function isTidingError<Code extends ErrorCode | undefined = undefined>(
  value: unknown,
  code?: Code,
): value is Code extends ErrorCode ? ErrorOf<Code> : TidingError {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { [brand]?: boolean })[brand] === true &&
    (code === undefined || (value as TidingError).code === code)
  );
}

/**
 * Whether a value is an HTTP error status of a REST call, optionally the given status.
 *
 * @example
 * if (isHttpError(error, 404)) console.warn(`${error.path}: ${error.message}`);
 */
export function isHttpError(value: unknown, status?: number): value is HttpError {
  return (
    isTidingError(value) &&
    typeof (value as HttpError).status === 'number' &&
    (status === undefined || (value as HttpError).status === status)
  );
}
