/** A request that is refused: becomes a status and message over REST, AUTH_INFO or ERROR_INFO on the live channel. */
export class Refusal extends Error {
  readonly status: number;
  /** `forbidden` becomes AUTH_INFO: a right on the note is missing. */
  readonly kind: 'error' | 'forbidden';
  /** What a REST answer says beside the message: where signing in or out goes on. */
  readonly more: { readonly location?: string; readonly body?: unknown };

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

/** The note does not exist, or not for this user. */
export const noSuchNote = (id: string) => new Refusal(404, `No such note: ${id}`);
/** The file of the note is damaged; it is kept. */
export const brokenNote = (id: string) =>
  new Refusal(
    409,
    `The note ${id} cannot be read: its file notebook/${id}/note.json is damaged. It is kept as it is; mend it, or put a backup in its place, and reload the notes.`,
  );
/** The note has no such paragraph. */
export const noSuchParagraph = (id: string) => new Refusal(404, `No such paragraph: ${id}`);
/** The disk would not take it; what was to be changed is as before. The first sentence is upstream's. */
export const storageFailure = (error: unknown) => {
  const { code } = error as NodeJS.ErrnoException;
  return new Refusal(
    500,
    `Oops! There is something wrong with the notebook file system${code ? ` (${code})` : ''}. Nothing was changed.`,
  );
};
