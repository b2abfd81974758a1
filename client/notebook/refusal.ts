/**
 * A request that the server rejects. It becomes a status and a message over REST, and AUTH_INFO or
 * ERROR_INFO on the live channel.
 */
export class Refusal extends Error {
  /** Status of the REST response. */
  readonly status: number;
  /** `forbidden` is sent as AUTH_INFO: the user lacks a permission on the note. */
  readonly kind: 'error' | 'forbidden';
  /**
   * Additional parts of the REST response: the page where signing in or out continues, or the
   * seconds to wait before the next attempt.
   */
  readonly more: {
    readonly location?: string;
    readonly body?: unknown;
    readonly retryAfter?: number;
    /** Zeppelin's exception, for clients that look for its name. */
    readonly exception?: string;
  };

  /** Creates a refusal. */
  constructor(
    status: number,
    message: string,
    kind: 'error' | 'forbidden' = 'error',
    more: Refusal['more'] = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.kind = kind;
    this.more = more;
  }
}

/** The note does not exist, or is hidden from this user. */
export const noSuchNote = (id: string): Refusal => new Refusal(404, `No such note: ${id}`);
/** The note has no such paragraph. */
export const noSuchParagraph = (id: string): Refusal =>
  new Refusal(404, `No such paragraph: ${id}`);
/** Another note has this name. Status, exception and text are Zeppelin's. */
export const noteNameTaken = (name: string): Refusal =>
  new Refusal(500, `Note '/${name}' existed`, 'error', {
    exception: 'org.apache.zeppelin.notebook.exception.NotePathAlreadyExistsException',
  });

/**
 * Returns the payload of the ERROR_INFO for a refusal. Zeppelin's clients look for `not found` if
 * something is missing; the readable text is in `message` then.
 */
export const errorInfo = ({
  status,
  message,
}: Pick<Refusal, 'status' | 'message'>): { info: string; message?: string; code: number } => ({
  ...(status === 404 ? { info: 'HTTP 404 Not Found', message } : { info: message }),
  code: status,
});
