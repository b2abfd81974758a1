/**
 * Returns a checksum for checking that two sides that exchange patches have the same text: FNV-1a
 * with 32 bits over UTF-16 code units, as eight hexadecimal digits. Not for security.
 */
export function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
