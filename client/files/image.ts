/** Images of notes. Loaded with the first one. */

import type { CallOptions } from '../core/abort.ts';
import { isHttpError, isTidingError } from '../core/errors.ts';
import { base64 } from '../model/text/base64.ts';
import type { ClientContext } from '../session/client-context.ts';

/** An image of a note, in base64. */
interface NoteImage {
  readonly type: string;
  readonly data: string;
}

/** Reads an image of a note; see {@link FilesApi.image}. */
export async function readImage(
  { call }: Pick<ClientContext, 'call'>,
  noteId: string,
  name: string,
  options: CallOptions,
): Promise<NoteImage> {
  const response = await call('getNoteImage', { ...options, params: { noteId, name } });
  return {
    type: response.headers.get('Content-Type') ?? '',
    data: base64(new Uint8Array(await response.arrayBuffer())),
  };
}

/** Reads images of a note, without those that the server doesn't have or show. */
export async function readImages(
  context: Pick<ClientContext, 'call'>,
  noteId: string,
  names: readonly string[],
  options: CallOptions,
): Promise<Record<string, string>> {
  const images: Record<string, string> = {};
  for (const name of names)
    try {
      images[name] = (await readImage(context, noteId, name, options)).data;
    } catch (error) {
      if (!isHttpError(error) && !isTidingError(error, 'unsupported')) throw error;
    }
  return images;
}
