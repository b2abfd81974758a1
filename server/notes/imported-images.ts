/** Stores the images of an imported note as its files. */
import { imageTypeOf } from '@tiding/client/model';
import { Refusal } from '../base/errors.ts';
import { keepFile } from '../files/open-file.ts';

/** Maximum number of images that an imported note may have. */
const MAX_IMAGES = 500;

/**
 * Stores images, base64 by name, in the folder of a new note. Leaves out what is no image: the page
 * names it where the Markdown shows it.
 */
export async function keepImages(images: unknown, folder: string): Promise<void> {
  if (typeof images !== 'object' || images === null) return;
  for (const [name, data] of Object.entries(images).slice(0, MAX_IMAGES))
    if (typeof data === 'string' && imageTypeOf(name) !== undefined)
      await keepFile(folder, name, Buffer.from(data, 'base64')).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      });
}
