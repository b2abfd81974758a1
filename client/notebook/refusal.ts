/**
 * A request that the server rejects. It becomes a status and a message over REST, and AUTH_INFO or
 * ERROR_INFO on the live channel.
 */
export class Refusal extends Error {
  /** Status of the REST response: 423 while the note or paragraph is running. */
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
    /** Zeppelin's text on the live channel, if its clients look for it. */
    readonly info?: string;
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

const NOTE_EXISTS = 'org.apache.zeppelin.notebook.exception.NotePathAlreadyExistsException';

const missing = (message: string): Refusal =>
  new Refusal(404, message, 'error', { info: 'HTTP 404 Not Found' });

/** The note does not exist, or is hidden from this user. */
export const noSuchNote = (id: string): Refusal => missing(`No such note: ${id}`);
/** The note has no such paragraph. */
export const noSuchParagraph = (id: string): Refusal => missing(`No such paragraph: ${id}`);
/** Another note has this name. Status, exception and text are Zeppelin's. */
export const noteNameTaken = (name: string): Refusal =>
  new Refusal(500, `Note '/${name}' existed`, 'error', {
    exception: NOTE_EXISTS,
  });

/**
 * Returns the payload of the ERROR_INFO for a refusal. If `info` is Zeppelin's text, the readable
 * one is in `message`.
 */
export const errorInfo = ({
  status,
  message,
  more: { info, exception },
}: Refusal): { info: string; message?: string; code: number } => ({
  ...(info === undefined ? { info: message } : { info, message }),
  code: exception === NOTE_EXISTS ? 409 : status,
});
