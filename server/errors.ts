import { Refusal } from '@tiding/client/notebook';

export { noSuchNote, noSuchParagraph, Refusal } from '@tiding/client/notebook';

/** The note's file is damaged. The file is kept. */
export const brokenNote = (id: string) =>
  new Refusal(
    409,
    `The note ${id} cannot be read because its file notebook/${id}/note.json is damaged. ` +
      'Repair the file or restore a backup, then reload the notes.',
  );
/** The disk write failed; the previous state is unchanged. The first sentence is Zeppelin's. */
export const storageFailure = (error: unknown) => {
  const { code } = error as NodeJS.ErrnoException;
  return new Refusal(
    500,
    `Oops! There is something wrong with the notebook file system${code ? ` (${code})` : ''}. ` +
      'Nothing was changed.',
  );
};
