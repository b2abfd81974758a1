/**
 * Returns the headers of a download. An untrusted name can neither end the header nor name a
 * folder: the plain form has only characters that RFC 6266 lets every client understand, and the
 * encoded form has the full name.
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
    'Content-Disposition':
      `attachment; filename="${plain}"` + (plain === clean ? '' : `; filename*=UTF-8''${exact}`),
    'Content-Security-Policy': 'sandbox',
    'X-Content-Type-Options': 'nosniff',
  };
}
