/** Uploads of files, in pieces. Loaded with the first one. */
import type { ClientContext } from '../client-context.ts';
import type { FileToUpload, UploadOptions } from './files.ts';

/** Bytes of a piece. In base64 it has to fit the server's limit for imports. */
const PIECE_BYTES = 4 * 2 ** 20;
/** Default time limit of a piece, in ms. */
const PIECE_MS = 120_000;

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
    const answer = await call('putFile', {
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
    onProgress?.({ sent: end, total });
    if (end === total) return { path: answer.path, size: total };
    upload = answer.upload;
  }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function base64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two = 0, three = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    const left = bytes.length - at;
    pieces.push(
      DIGITS[one >> 2]! +
        DIGITS[((one & 3) << 4) | (two >> 4)]! +
        (left > 1 ? DIGITS[((two & 15) << 2) | (three >> 6)]! : '=') +
        (left > 2 ? DIGITS[three & 63]! : '='),
    );
  }
  return pieces.join('');
}
