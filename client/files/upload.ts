/** Uploads of files, in pieces. Loaded with the first one. */

import { deferred } from '../core/abort.ts';
import { isTidingError, TidingError } from '../core/errors.ts';
import { requireKnown } from '../core/known-options.ts';
import { base64 } from '../model/text/base64.ts';
import type { ClientContext } from '../session/client-context.ts';
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
  options: UploadOptions,
): Promise<{ path: string; size: number }> {
  requireKnown(options, ['noteId', 'shared', 'onProgress', 'signal', 'timeout'], 'putFile');
  const { noteId, shared, onProgress, timeout = PIECE_MS, signal } = options;
  requireContent(content);
  const known =
    content instanceof Uint8Array ? content.length : 'size' in content ? content.size : undefined;
  let upload: string | undefined;
  let at = 0;
  for await (const { piece, isLast } of withLast(pieces(content))) {
    const end = at + piece.length;
    const send = () =>
      call('putFile', {
        signal,
        timeout,
        params: { name },
        body: {
          data: base64(piece),
          ...(noteId ? { noteId } : {}),
          ...(shared ? { shared } : {}),
          ...(isLast ? {} : { more: true }),
          ...(upload === undefined ? {} : { upload, at }),
        },
      });
    // A last piece that arrived without an answer must not make a second file.
    const answer = await (isLast ? send() : untilSent(send, signal));
    onProgress?.({ sent: end, total: isLast ? end : known });
    if (isLast) return { path: answer.path, size: end };
    upload = answer.upload;
    at = end;
  }
  throw new TidingError('aborted', 'The upload was stopped.', { operation: 'putFile' });
}

/** Yields the pieces of a content; at least one, which may be empty. */
async function* pieces(content: FileToUpload): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) {
    for (let at = 0; at === 0 || at < content.length; at += PIECE_BYTES)
      yield content.subarray(at, at + PIECE_BYTES);
  } else if ('slice' in content) {
    for (let at = 0; at === 0 || at < content.size; at += PIECE_BYTES)
      yield new Uint8Array(
        await content.slice(at, Math.min(at + PIECE_BYTES, content.size)).arrayBuffer(),
      );
  } else {
    const piece = new Uint8Array(PIECE_BYTES);
    let size = 0;
    for await (const chunk of Symbol.asyncIterator in content ? content : chunksOf(content)) {
      if (!(chunk instanceof Uint8Array)) throw notBytes();
      for (let at = 0; at < chunk.length; ) {
        const part = chunk.subarray(at, at + PIECE_BYTES - size);
        piece.set(part, size);
        size += part.length;
        at += part.length;
        if (size < PIECE_BYTES) continue;
        yield piece.slice();
        size = 0;
      }
    }
    yield piece.slice(0, size);
  }
}

/** Reads a stream in browsers whose streams can't be iterated. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Marks the last piece. A piece that is empty because a stream ended at its border is left out. */
async function* withLast(
  all: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ piece: Uint8Array; isLast: boolean }> {
  let before: Uint8Array | undefined;
  for await (const piece of all) {
    if (before && piece.length === 0) break;
    if (before) yield { piece: before, isLast: false };
    before = piece;
  }
  yield { piece: before!, isLast: true };
}

const notBytes = () =>
  new TidingError(
    'protocol',
    'Pass the content of the file as bytes, a Blob or a stream of bytes.',
    {
      operation: 'putFile',
    },
  );

function requireContent(content: unknown): void {
  const given = Object(content) as Record<PropertyKey, unknown>;
  const isBlob = typeof given['slice'] === 'function' && typeof given['size'] === 'number';
  const isStream = Symbol.asyncIterator in given || typeof given['getReader'] === 'function';
  if (!(content instanceof Uint8Array) && !isBlob && !isStream) throw notBytes();
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
