import { Refusal } from '@tiding/client/notebook';
import * as z from 'zod/mini';

export { errorInfo, noSuchNote, noSuchParagraph, Refusal } from '@tiding/client/notebook';

/** The note's file is damaged. The file is kept. */
export const brokenNote = (id: string) =>
  new Refusal(
    409,
    `The note ${id} cannot be read because its file notebook/${id}/note.json is damaged. ` +
      'Repair the file or restore a backup, then reload the notes.',
  );
/** The server stops and starts nothing new. */
export const shuttingDown = () =>
  new Refusal(503, 'The server is shutting down. Try again when it is back.');
/**
 * Returns data as a schema reads them. Throws a {@link Refusal} with status 400 that names the
 * first problem and its place, after `about`.
 */
export function validated<S extends z.ZodMiniType>(
  schema: S,
  given: unknown,
  about = '',
): z.infer<S> {
  const { data, error } = z.safeParse(schema, given, { reportInput: true });
  if (!error) return data;
  const [issue] = error.issues;
  const path = issue?.path.join('.') ?? '';
  const isMissing = path && issue && 'input' in issue && issue.input === undefined;
  const message = isMissing ? `is missing: ${issue.message}` : issue?.message;
  throw new Refusal(400, `${about}${path} ${message ?? ''}`.trim());
}
const DISK_PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: "The disk with the server's data folder is full. Free some space, then try again.",
  EDQUOT: "The disk quota of the server's account is used up. Free some space, then try again.",
  EROFS: "The disk with the server's data folder is read-only. Ask an administrator to remount it.",
};

/** Returns the refusal for an error of the disk; `undefined` if it is another error. */
export const diskFailure = (error: unknown): Refusal | undefined => {
  const problem = DISK_PROBLEMS[(error as NodeJS.ErrnoException).code ?? ''];
  return problem === undefined ? undefined : new Refusal(507, problem);
};

/**
 * The disk write failed; the previous state is unchanged. The first sentence is Zeppelin's. The
 * advice follows if the reason is known.
 */
export const storageFailure = (error: unknown): Refusal => {
  const { code } = error as NodeJS.ErrnoException;
  const failure = diskFailure(error);
  const sentences = [
    `Oops! There is something wrong with the notebook file system${code ? ` (${code})` : ''}.`,
    'Nothing was changed.',
    ...(failure ? [failure.message] : []),
  ];
  return new Refusal(failure?.status ?? 500, sentences.join(' '));
};

/** A user's login was stored for another server than that of the setting. */
export class MovedLogin extends Error {}
