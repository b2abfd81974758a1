/** Number of bytes that are passed to a function as arguments. */
const ARGUMENTS = 0x8000;

/** Encodes bytes. */
export function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += ARGUMENTS)
    binary += String.fromCharCode(...bytes.subarray(at, at + ARGUMENTS));
  return btoa(binary);
}
