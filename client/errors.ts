/**
 * Errors of the client. One base class with a closed set of codes; guards work across realms and bundles because they
 * read the brand, not the prototype.
 */

/**
 * What went wrong, for `switch`. A closed set: a further one is a breaking change.
 *
 * - `http`: the server answered with an error status; the error is an {@link HttpError}.
 * - `network`: the server could not be reached.
 * - `timeout`: no answer within the time limit.
 * - `aborted`: by the caller's AbortSignal.
 * - `closed`: the channel, note or client was closed, or the paragraph is gone.
 * - `unknown-outcome`: the connection broke while the server may or may not have acted.
 * - `signed-out`: the session is over.
 * - `forbidden`: a right on the note is missing (AUTH_INFO); message and `cause` likewise.
 * - `server`: refused (ERROR_INFO, in the server's words, whose data is the `cause`), or seen to be refused before anything was sent.
 * - `protocol`: a message that does not fit the protocol, or an argument that cannot be put into one.
 * - `conflict`: a commit whose base is gone and that does not merge.
 * - `unsupported`: the server's version lacks the operation; the error is an {@link UnsupportedError}.
 * - `too-large`: a frame over the server's limit; it was not sent.
 */
export type ErrorCode =
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
  | 'conflict'
  | 'unsupported'
  | 'too-large';

const brand = Symbol.for('tiding.error');

/** Base of every error the client rejects with. */
export class TidingError extends Error {
  /** @internal */
  readonly [brand] = true;
  /** What went wrong; the codes are a closed set. */
  readonly code: ErrorCode;
  /** Operation or REST call concerned, where there is one. */
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
}

/** An error status of a REST call. `message` is the server's own text where it gave one. */
export class HttpError extends TidingError {
  /** 400 to 599. */
  readonly status: number;
  /** In capitals, for example `GET`. */
  readonly method: string;
  /** As the protocol writes it, behind `/api` and with the names of its parameters: `/notebook/:noteId`. */
  readonly path: string;
  /** The parsed body, or its text where it is not JSON. */
  readonly body: unknown;
  /** The `Location` header, where the answer has one (single sign-on). */
  readonly location: string | undefined;

  constructor(init: {
    status: number;
    method: string;
    path: string;
    body: unknown;
    message: string;
    location?: string | undefined;
  }) {
    super('http', init.message, { operation: `${init.method} ${init.path}` });
    this.name = 'HttpError';
    this.status = init.status;
    this.method = init.method;
    this.path = init.path;
    this.body = init.body;
    this.location = init.location;
  }
}

/** The server's generation lacks the operation or call: rejected at once, nothing was sent. */
export class UnsupportedError extends TidingError {
  /** Version that `GET /version` told, for example `0.10.0`. */
  readonly serverVersion: string;

  constructor(operation: string, serverVersion: string) {
    super('unsupported', `${operation}: a server of version ${serverVersion} does not have it`, {
      operation,
    });
    this.name = 'UnsupportedError';
    this.serverVersion = serverVersion;
  }
}

/** A message that does not fit the protocol: put on the bus, never thrown at a listener. */
export class ProtocolError extends TidingError {
  /** Operation name, where the frame could be read that far. */
  readonly op: string | undefined;
  /** Where the message departs from the protocol, one sentence each; empty where it was no message at all. */
  readonly issues: readonly string[];

  constructor(message: string, op?: string, issues: readonly string[] = []) {
    super('protocol', message, op === undefined ? {} : { operation: op });
    this.name = 'ProtocolError';
    this.op = op;
    this.issues = issues;
  }
}

/** Whether a value is an error of this client, whichever copy of the package made it. */
export function isTidingError(value: unknown, code?: ErrorCode): value is TidingError {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { [brand]?: boolean })[brand] === true &&
    (code === undefined || (value as TidingError).code === code)
  );
}

/** Whether a value is an error status of a REST call. */
export function isHttpError(value: unknown, status?: number): value is HttpError {
  return (
    isTidingError(value, 'http') && (status === undefined || (value as HttpError).status === status)
  );
}
