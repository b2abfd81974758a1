/** A short checksum of a text: whether two ends that patch it still hold the same. Not for security. */

/** FNV-1a over the UTF-16 units, 32 bits, as eight hexadecimal digits. */
export function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
