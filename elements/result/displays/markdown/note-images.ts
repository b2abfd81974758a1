/** Images of the note in rendered Markdown. */
import { noteImageName } from '@tiding/client/model';
import type { ResultContext } from '../../contract.ts';
import { resultText } from '../../texts.ts';

/**
 * Loads the images that belong to the note, also in pages of other origins, whose session or token
 * the browser wouldn't send for an address. An image that can't be loaded shows its text and the
 * reason. Returns a function that stops loading.
 */
export function showNoteImages(
  content: DocumentFragment,
  { client, note }: Pick<ResultContext, 'client' | 'note'>,
): () => void {
  const abort = new AbortController();
  for (const image of content.querySelectorAll('img')) {
    const name = noteImageName(image.getAttribute('src') ?? '');
    if (name === undefined) continue;
    image.removeAttribute('src');
    client.files.image(note.noteId, name, { signal: abort.signal }).then(
      (address) => {
        image.src = address;
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        image.alt = resultText.image.ofNote(image.alt, name);
        image.title = error instanceof Error ? error.message : String(error);
      },
    );
  }
  return () => abort.abort();
}
