/** Uploads of files, in pieces. Loaded with the first one. */

import { deferred } from '../core/abort.ts';
import { isTidingError } from '../core/errors.ts';
import type { ClientContext } from '../session/client-context.ts';
import { base64 } from './base64.ts';
import type { FileToUpload, UploadOptions } from './files.ts';

/** Bytes of a piece. In base64 it has to fit the server's limit for imports. */
const PIECE_BYTES = 2 ** 20;
/** Default time limit of a piece, in ms. */
const PIECE_MS = 120_000;
/** Delays in ms before a piece that did not get through is sent again. */
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000];

/** Uploads a file; see {@link FilesApi.upload}. */
export async function uploadFile(
  { call }: Pick<ClientContext, 'call'>,
  name: string,
  content: FileToUpload,
  { noteId, shared, onProgress, timeout = PIECE_MS, signal }: UploadOptions,
): Promise<{ path: string; size: number }> {
  const total = content instanceof Uint8Array ? content.length : content.size;
  let upload: string | undefined;
  for (let at = 0; ; at += PIECE_BYTES) {
    const end = Math.min(at + PIECE_BYTES, total);
    const piece =
      content instanceof Uint8Array
        ? content.subarray(at, end)
        : new Uint8Array(await content.slice(at, end).arrayBuffer());
    const send = () =>
      call('putFile', {
        signal,
        timeout,
        params: { name },
        body: {
          data: base64(piece),
          ...(noteId ? { noteId } : {}),
          ...(shared ? { shared } : {}),
          ...(end < total ? { more: true } : {}),
          ...(upload === undefined ? {} : { upload, at }),
        },
      });
    // A last piece that arrived without an answer must not make a second file.
    const answer = await (end < total ? untilSent(send, signal) : send());
    onProgress?.({ sent: end, total });
    if (end === total) return { path: answer.path, size: total };
    upload = answer.upload;
  }
}

/** Repeats a call while the server can't be reached or is busy. */
async function untilSent<T>(send: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (const delay of RETRY_MS)
    try {
      return await send();
    } catch (error) {
      if (!isTidingError(error) || !error.retryable) throw error;
      const pause = deferred<void>('putFile', { signal });
      setTimeout(() => pause.resolve(), delay);
      await pause.promise;
    }
  return send();
}
