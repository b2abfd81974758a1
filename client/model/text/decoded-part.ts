/** Decodes a part of an address. Returns it unchanged if a percent sign in it encodes nothing. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
