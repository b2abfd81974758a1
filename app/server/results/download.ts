/** Files that a browser stores and never shows. */

/**
 * Headers of a download. A name from outside can neither end the header nor name a folder: in its plain form it has only
 * what RFC 6266 lets every reader understand, and beside it stands the name itself.
 */
export function fileHeaders(name: string, type: string): Record<string, string> {
  const clean = name.replace(/[\p{Cc}\p{Cs}/\\]/gu, '_') || 'file';
  const plain = clean.replace(/[^\w .()+,=@~-]/g, '_');
  const exact = encodeURIComponent(clean).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${plain}"${plain === clean ? '' : `; filename*=UTF-8''${exact}`}`,
    'Content-Security-Policy': 'sandbox',
    'X-Content-Type-Options': 'nosniff',
  };
}
